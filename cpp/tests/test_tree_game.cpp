// Explicit trees: the rules against a plain recursive tree, and the search against minimax.
#include "core/playout.hpp"
#include "doctest/doctest.h"
#include "games/tree_game.hpp"
#include "rules/registry.hpp"
#include "search/search.hpp"

namespace tesuji {
namespace {

constexpr std::size_t kMemory = 64 << 20;

// The same tree in the most obvious form.
struct PlainTree {
  double value = 0;
  int player = 0;
  std::vector<PlainTree> children;
};

PlainTree leaf(double value) { return {value, 0, {}}; }
PlainTree inner(int player, std::vector<PlainTree> children) { return {0, player, std::move(children)}; }

PlainTree random_tree(Rng& rng, int depth, int num_players) {
  if (depth == 0 || rng.below(6) == 0) return leaf(rng.below(101) / 100.0);
  PlainTree tree = inner(static_cast<int>(rng.below(static_cast<std::uint32_t>(num_players))), {});
  for (std::uint32_t left = 1 + rng.below(4); left > 0; --left) {
    tree.children.push_back(random_tree(rng, depth - 1, num_players));
  }
  return tree;
}

TreeGame game_of(const PlainTree& tree, int num_players = 2) {
  TreeGame::Nodes nodes{num_players, {}, {}, {}};
  std::vector<const PlainTree*> queue = {&tree};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const PlainTree& node = *queue[next];
    nodes.child_counts.push_back(static_cast<std::uint32_t>(node.children.size()));
    nodes.players.push_back(node.player);
    nodes.values.push_back(node.value);
    for (const PlainTree& child : node.children) queue.push_back(&child);
  }
  return TreeGame(nodes);
}

// `depth` positions with one move each, then a leaf.
TreeGame chain(std::uint32_t depth, double value) {
  TreeGame::Nodes nodes{2, std::vector<std::uint32_t>(depth, 1), {}, std::vector<double>(depth, 0.0)};
  for (std::uint32_t node = 0; node < depth; ++node) nodes.players.push_back(static_cast<int>(node % 2));
  nodes.child_counts.push_back(0);
  nodes.players.push_back(0);
  nodes.values.push_back(value);
  return TreeGame(nodes);
}

// The first player's reward under best play.
double minimax(const PlainTree& tree) {
  if (tree.children.empty()) return tree.value;
  double best = tree.player == 0 ? 0.0 : 1.0;
  for (const PlainTree& child : tree.children) {
    best = tree.player == 0 ? std::max(best, minimax(child)) : std::min(best, minimax(child));
  }
  return best;
}

void check_same(const PlainTree& tree, const TreeGame& game, const MoveList& path) {
  REQUIRE(game.path() == path);
  REQUIRE(game.is_over() == tree.children.empty());
  MoveList moves = {99};
  game.legal_moves(moves);
  REQUIRE(moves.size() == tree.children.size());
  REQUIRE_FALSE(game.is_legal(static_cast<Move>(moves.size())));
  if (game.is_over()) {
    REQUIRE(to_double(game.rewards()[0]) == doctest::Approx(tree.value).epsilon(1e-6));
    if (game.num_players() == 2) REQUIRE(game.rewards()[0] + game.rewards()[1] == kRewardOne);
    return;
  }
  REQUIRE(game.to_move() == tree.player);
  for (Move move = 0; move < moves.size(); ++move) {
    REQUIRE(moves[move] == move);
    REQUIRE(game.is_legal(move));
    TreeGame next = game;
    next.play(move);
    REQUIRE_FALSE(next == game);
    MoveList longer = path;
    longer.push_back(move);
    check_same(tree.children[move], next, longer);
  }
}

const ChildStatistics& best_of(const Snapshot& snapshot) { return snapshot.moves[snapshot.best.value()]; }

TEST_CASE("tree game: the nodes are where the plain tree has them") {
  Rng rng(1);
  for (int sample = 0; sample < 200; ++sample) {
    const int num_players = 1 + sample % 2;
    const PlainTree tree = random_tree(rng, 5, num_players);
    const TreeGame game = game_of(tree, num_players);
    check_same(tree, game, {});
    CHECK(TreeGame(game.nodes()) == game);
    CHECK(TreeGame(game.nodes()).hash() == game.hash());
  }
}

TEST_CASE("tree game: a position equals its twin in a tree of the same content, and no other") {
  const TreeGame game = game_of(inner(0, {leaf(0.3), inner(1, {leaf(1), leaf(0)})}));
  TreeGame twin(game.nodes(), 2);
  CHECK(twin.path() == MoveList{1});
  TreeGame played = game;
  played.play(1);
  CHECK(twin == played);
  CHECK(twin.hash() == played.hash());
  const TreeGame others[] = {game_of(inner(0, {leaf(0.31), inner(1, {leaf(1), leaf(0)})})),
                             game_of(inner(1, {leaf(0.3), inner(1, {leaf(1), leaf(0)})})),
                             game_of(inner(0, {inner(1, {leaf(1), leaf(0)}), leaf(0.3)})), played};
  for (const TreeGame& other : others) {
    CHECK_FALSE(other == game);
    CHECK(other.hash() != game.hash());
  }
}

TEST_CASE("tree game: what is no tree is refused") {
  using Nodes = TreeGame::Nodes;
  const Nodes wrong[] = {
      {2, {}, {}, {}},                       // no node
      {0, {1, 0}, {0, 0}, {0, 1}},           // nobody plays
      {3, {1, 0}, {0, 0}, {0, 1}},           // too many play
      {2, {2, 0}, {0, 0}, {0, 1}},           // a child is missing
      {2, {1, 0, 0}, {0, 0, 0}, {0, 1, 1}},  // a node is nobody's child
      {2, {0, 1}, {0, 0}, {0, 1}},           // a node is its own child
      {2, {1, 0}, {0}, {0, 1}},              // a player is missing
      {2, {1, 0}, {2, 0}, {0, 1}},           // no such player
      {1, {1, 0}, {1, 0}, {0, 1}},           // no such player among one
      {2, {1, 0}, {0, 1}, {0, 1}},           // a leaf has a player
      {2, {1, 0}, {0, 0}, {0, 1.1}},         // too much
      {2, {1, 0}, {0, 0}, {0, -0.1}},        // too little
      {2, {1, 0}, {0, 0}, {0, NAN}},         // nothing at all
      {2, {1, 0}, {0, 0}, {0.5, 1}},         // a value where the game goes on
      {2, {~0u, ~0u}, {0, 0}, {0, 0}},       // more children than a sum of 32 bits can hold
  };
  for (const Nodes& nodes : wrong) CHECK_THROWS_AS(TreeGame{nodes}, std::invalid_argument);
  CHECK_THROWS_AS(TreeGame(chain(3, 1.0).nodes(), 4), std::invalid_argument);
}

TEST_CASE("tree game: its playout is the uniform one, draw for draw") {
  Rng tree_rng(2);
  const TreeGame game = game_of(random_tree(tree_rng, 8, 2));
  const auto never = [] { return false; };
  Rng own_rng(3);
  Rng uniform_rng(3);
  Scratch scratch;
  for (int sample = 0; sample < 200; ++sample) {
    std::vector<std::pair<int, Move>> own_moves;
    std::vector<std::pair<int, Move>> uniform_moves;
    const auto own_record = [&](int player, Move move) { own_moves.emplace_back(player, move); };
    auto uniform_record = [&](int player, Move move) { uniform_moves.emplace_back(player, move); };
    TreeGame own = game;
    TreeGame uniform = game;
    REQUIRE(own.playout(own_rng, own_record) ==
            uniform_playout(uniform, uniform_rng, uniform_record, scratch, Parameters{}.playout_cap, never));
    REQUIRE(own_moves == uniform_moves);
    REQUIRE(own == uniform);
  }
}

TEST_CASE("tree game: the search finds the minimax move, with two players in any order and with one") {
  Rng rng(4);
  for (int sample = 0; sample < 60; ++sample) {
    const int num_players = 1 + sample % 2;
    // Shallow: a deeper tree of random values can deceive UCT for longer than a test should take.
    PlainTree tree = inner(0, {});
    for (int child = 0; child < 3; ++child) tree.children.push_back(random_tree(rng, 2, num_players));
    Search<TreeGame> search(game_of(tree, num_players), make_rules(Parameters{.c = 1.0}), 1, kMemory);
    search.run({.playouts = 50'000}, {});
    const ChildStatistics best = best_of(search.snapshot());
    // A move that gives almost as much is as good: UCT needs ever longer to tell the two apart.
    CHECK(minimax(tree.children[best.move]) >= minimax(tree) - 0.03);
    CHECK(best.value == doctest::Approx(minimax(tree)).epsilon(0.1));
  }
}

TEST_CASE("tree game: a child's value is the mean of its leaves, exactly") {
  // Each leaf of the root is visited again and again, and always gives the same.
  Search<TreeGame> search(game_of(inner(1, {leaf(0.25), leaf(0.3), leaf(1)})), make_rules(Parameters{}), 1, kMemory);
  search.run({.playouts = 1'000}, {});
  const Reward third = std::lround(0.3 * static_cast<double>(kRewardOne));
  for (const ChildStatistics& child : search.snapshot().moves) {
    // The second player chooses.
    const double values[] = {0.75, to_double(kRewardOne - third), 0.0};
    CHECK(child.value == values[child.move]);
    CHECK(child.visits > 0);
  }
  CHECK(best_of(search.snapshot()).move == 0);
}

TEST_CASE("tree game: ten thousand plies deep") {
  constexpr std::uint32_t kDepth = 10'000;
  Search<TreeGame> search(chain(kDepth, 0.3), make_rules(Parameters{}), 1, kMemory);
  search.run({.playouts = kDepth + 100}, {});
  const Snapshot snapshot = search.snapshot();
  CHECK(snapshot.nodes == kDepth + 1);  // with the anchor
  CHECK(best_of(snapshot).pv.size() == kDepth);
  CHECK(best_of(snapshot).value == doctest::Approx(0.3));
  for (int ply = 0; ply < 100; ++ply) search.advance(0);
  CHECK(best_of(search.snapshot()).pv.size() == kDepth - 100);
}

TEST_CASE("tree game: a million plies deep and a million moves wide") {
  constexpr std::uint32_t kMany = 1'000'000;
  TreeGame deep = chain(kMany, 1.0);
  Rng rng(1);
  CHECK(deep.playout(rng, NoRecord{}) == two_player_rewards(0));
  CHECK(deep.path().size() == kMany);

  TreeGame::Nodes nodes{1, std::vector<std::uint32_t>(kMany + 1, 0), std::vector<int>(kMany + 1, 0),
                        std::vector<double>(kMany + 1, 0.0)};
  nodes.child_counts[0] = kMany;
  nodes.values[kMany] = 1.0;
  Search<TreeGame> search(TreeGame(nodes), make_rules(Parameters{}), 1, kMemory);
  search.run({.playouts = kMany + 10}, {});
  CHECK(best_of(search.snapshot()).move == kMany - 1);
}

}  // namespace
}  // namespace tesuji
