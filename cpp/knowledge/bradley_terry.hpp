// The Bradley-Terry model over teams (Coulom 2007; Ikeda and Viennot 2013, eq. 2), without any game: the moves of each
// position are teams of features that compete, the strength of a team is the product of its features' gammas, and
// P(m) = strength(m) / sum of the strengths of all legal moves.
//
// Features are many, but a team's come in a few parts, each a number that stands for some of them. So a team is one
// word, and its strength the product of one number a part: what hundreds of millions of teams need to be kept and read
// again and again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tesuji {

inline constexpr int kTeamParts = 4;

class FeatureTeam {
 public:
  // The first part is for what is learned by heart, such as the shapes of stones; it has the most values.
  static constexpr std::array<int, kTeamParts> kBits = {21, 14, 14, 15};

  constexpr FeatureTeam() = default;
  constexpr explicit FeatureTeam(std::uint64_t word) : word_(word) {}

  constexpr std::uint64_t word() const { return word_; }
  constexpr std::uint32_t part(int number) const {
    return static_cast<std::uint32_t>(word_ >> kShifts[number]) & ((1u << kBits[number]) - 1);
  }
  constexpr void set_part(int number, std::uint32_t value) {
    const std::uint64_t mask = ((std::uint64_t{1} << kBits[number]) - 1) << kShifts[number];
    word_ = (word_ & ~mask) | std::uint64_t{value} << kShifts[number];
  }

 private:
  static constexpr std::array<int, kTeamParts> kShifts = {0, 21, 35, 49};
  std::uint64_t word_ = 0;
};

// One number for each value of each part: strengths, or how often the values win.
template <class Number>
using PartTables = std::array<std::vector<Number>, kTeamParts>;

template <class Number>
Number strength_of(FeatureTeam team, const PartTables<Number>& strengths) {
  return strengths[0][team.part(0)] * strengths[1][team.part(1)] * strengths[2][team.part(2)] *
         strengths[3][team.part(3)];
}

// Competitions: in each position the teams of all moves, and which was played.
class Competitions {
 public:
  struct Chunk {
    std::vector<std::uint64_t> teams;
    std::vector<std::uint32_t> ends;     // of each position, where its teams end
    std::vector<std::uint32_t> winners;  // of each position, which of all teams of the chunk was played
  };

  // A chunk is kept as it is: nothing as large as the whole is ever copied.
  void add(Chunk chunk);

  const std::vector<Chunk>& chunks() const { return chunks_; }
  std::size_t position_count() const { return position_count_; }
  std::size_t team_count() const { return team_count_; }
  // Of each part, the highest value that occurs plus one.
  const std::array<std::size_t, kTeamParts>& widths() const { return widths_; }

 private:
  std::vector<Chunk> chunks_;
  std::size_t position_count_ = 0;
  std::size_t team_count_ = 0;
  std::array<std::size_t, kTeamParts> widths_{};
};

// How often each value of each part belongs to the team that was played.
PartTables<double> count_wins(const Competitions& competitions, const std::array<std::size_t, kTeamParts>& widths);

// What a model expects of the competitions.
struct Expectation {
  double log_likelihood = 0;
  PartTables<double> wins;  // how often each value of each part should win
};

// The same digits whatever the number of threads.
Expectation expect(const Competitions& competitions, const PartTables<double>& strengths, int threads);

// For each position how many teams come before the one that was played, in the order of strength; of equals the first
// comes first.
std::vector<std::uint32_t> count_better(const Competitions& competitions, const PartTables<double>& strengths);

}  // namespace tesuji
