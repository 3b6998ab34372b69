#include "knowledge/bradley_terry.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <utility>

namespace tesuji {
namespace {

// Calls visit(teams, winner) for every position of a chunk; the winner is a place among the teams.
template <class Visit>
void for_each_position(const Competitions::Chunk& chunk, Visit&& visit) {
  std::size_t begin = 0;
  for (std::size_t position = 0; position < chunk.ends.size(); ++position) {
    const std::size_t end = chunk.ends[position];
    visit(std::span(chunk.teams).subspan(begin, end - begin), chunk.winners[position] - begin);
    begin = end;
  }
}

template <class Number>
PartTables<double> tables_like(const PartTables<Number>& other) {
  PartTables<double> tables;
  for (int part = 0; part < kTeamParts; ++part) tables[part].assign(other[part].size(), 0.0);
  return tables;
}

void add_to(Expectation& sum, const Expectation& other) {
  sum.log_likelihood += other.log_likelihood;
  for (int part = 0; part < kTeamParts; ++part) {
    for (std::size_t i = 0; i < sum.wins[part].size(); ++i) sum.wins[part][i] += other.wins[part][i];
  }
}

void expect_chunk(const Competitions::Chunk& chunk, const PartTables<double>& strengths, std::vector<double>& found,
                  Expectation& sum) {
  for_each_position(chunk, [&](std::span<const std::uint64_t> teams, std::size_t winner) {
    found.resize(teams.size());
    double total = 0;
    for (std::size_t i = 0; i < teams.size(); ++i) total += found[i] = strength_of(FeatureTeam(teams[i]), strengths);
    sum.log_likelihood += std::log(found[winner] / total);
    for (std::size_t i = 0; i < teams.size(); ++i) {
      const double share = found[i] / total;
      const FeatureTeam team(teams[i]);
      for (int part = 0; part < kTeamParts; ++part) sum.wins[part][team.part(part)] += share;
    }
  });
}

void check_widths(const Competitions& competitions, const PartTables<double>& strengths) {
  const auto& widths = competitions.widths();
  for (int part = 0; part < kTeamParts; ++part) {
    if (strengths[part].size() < widths[part]) throw std::invalid_argument("a part has values without a strength");
  }
}

}  // namespace

void Competitions::add(Chunk chunk) {
  position_count_ += chunk.ends.size();
  team_count_ += chunk.teams.size();
  for (const std::uint64_t word : chunk.teams) {
    for (int part = 0; part < kTeamParts; ++part) {
      widths_[part] = std::max<std::size_t>(widths_[part], FeatureTeam(word).part(part) + 1);
    }
  }
  chunks_.push_back(std::move(chunk));
}

PartTables<double> count_wins(const Competitions& competitions, const std::array<std::size_t, kTeamParts>& widths) {
  PartTables<double> wins;
  for (int part = 0; part < kTeamParts; ++part) wins[part].assign(widths[part], 0.0);
  for (const auto& chunk : competitions.chunks()) {
    for (const std::uint32_t winner : chunk.winners) {
      for (int part = 0; part < kTeamParts; ++part) ++wins[part].at(FeatureTeam(chunk.teams[winner]).part(part));
    }
  }
  return wins;
}

Expectation expect(const Competitions& competitions, const PartTables<double>& strengths, int threads) {
  check_widths(competitions, strengths);
  // Each lane adds up its own chunks in order, and the lanes are added in order: so threads change nothing.
  constexpr std::size_t kLanes = 4;
  std::vector<Expectation> lanes(kLanes, {.log_likelihood = 0, .wins = tables_like(strengths)});
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    std::vector<double> found;
    for (std::size_t lane = next++; lane < kLanes; lane = next++) {
      for (std::size_t i = lane; i < competitions.chunks().size(); i += kLanes) {
        expect_chunk(competitions.chunks()[i], strengths, found, lanes[lane]);
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
    work();
  }
  for (std::size_t lane = 1; lane < kLanes; ++lane) add_to(lanes[0], lanes[lane]);
  return std::move(lanes[0]);
}

std::vector<std::uint32_t> count_better(const Competitions& competitions, const PartTables<double>& strengths) {
  check_widths(competitions, strengths);
  std::vector<std::uint32_t> better;
  better.reserve(competitions.position_count());
  for (const auto& chunk : competitions.chunks()) {
    for_each_position(chunk, [&](std::span<const std::uint64_t> teams, std::size_t winner) {
      const double played = strength_of(FeatureTeam(teams[winner]), strengths);
      std::uint32_t count = 0;
      for (std::size_t i = 0; i < teams.size(); ++i) {
        const double other = strength_of(FeatureTeam(teams[i]), strengths);
        count += other > played || (other == played && i < winner);
      }
      better.push_back(count);
    });
  }
  return better;
}

}  // namespace tesuji
