// Playouts of two kinds.
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "core/rng.hpp"
#include "games/tic_tac_toe.hpp"
#include "knowledge/either_playout.hpp"

namespace tesuji {
namespace {

// Says who wins without a look, and which kind it is by the move that it makes.
class Says final : public KnowledgePlayout<TicTacToe> {
 public:
  explicit Says(int winner) : winner_(winner) {}
  Rewards play(const TicTacToe& /*position*/, Rng& /*rng*/, std::vector<PlayedMove>* played,
               TicTacToe* end) const override {
    if (played != nullptr) played->push_back({0, static_cast<Move>(winner_)});
    if (end != nullptr) end->play(static_cast<Move>(winner_));
    return two_player_rewards(winner_);
  }

 private:
  int winner_;
};

TEST_CASE("each kind makes half of the playouts, and is handed all that a playout is given") {
  const EitherPlayout<TicTacToe> either(std::make_unique<Says>(0), std::make_unique<Says>(1));
  Rng rng(1);
  int won = 0;
  for (int playout = 0; playout < 10'000; ++playout) {
    std::vector<PlayedMove> played;
    TicTacToe end;
    const Rewards rewards = either.play(TicTacToe{}, rng, &played, &end);
    const bool is_first = rewards[0] == kRewardOne;
    won += is_first ? 1 : 0;
    REQUIRE(played.size() == 1);
    CHECK(played.front().move == (is_first ? 0u : 1u));
    CHECK(!end.is_legal(is_first ? 0 : 1));
  }
  // Five standard deviations of 50 each.
  CHECK(won > 4'750);
  CHECK(won < 5'250);
}

}  // namespace
}  // namespace tesuji
