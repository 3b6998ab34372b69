// Every rule against numbers worked out by hand.
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/rng.hpp"
#include "doctest/doctest.h"
#include "rules/backed_up.hpp"
#include "rules/discounted.hpp"
#include "rules/final.hpp"
#include "rules/mean.hpp"
#include "rules/registry.hpp"
#include "rules/select.hpp"
#include "rules/select_avx2.hpp"
#include "rules/ucb1.hpp"
#include "rules/ucb_tuned1.hpp"
#include "rules/ucb_tuned2.hpp"

namespace tesuji {
namespace {

// A parent of 10 visits: ln 10 = 2.302585, its root is 1.517427.
const ParentTerms kParent{.log_visits = std::log(10.0), .root_log_visits = std::sqrt(std::log(10.0))};

ChildTerms child(double wins, double visits) {
  return {.value = wins / visits, .visits = visits, .inverse_root = 1 / std::sqrt(visits)};
}

// A node whose children have the given visits and rewards (in wins).
struct OneNode {
  OneNode(const std::vector<std::uint32_t>& visits, const std::vector<double>& wins, const NodeLayout& layout = {})
      : layout(layout), tree(layout, 1 << 20) {
    std::vector<Move> moves(visits.size());
    index = tree.allocate(moves, 0);
    for (std::uint32_t child = 0; child < visits.size(); ++child) {
      node().set(child, visits[child], static_cast<Reward>(wins[child] * static_cast<double>(kRewardOne)));
    }
  }
  Node node() const { return tree.at(index); }

  NodeLayout layout;
  Tree tree;
  NodeIndex index;
};

std::uint32_t chosen(const OneNode& one, std::uint32_t parent_visits, const Parameters& parameters) {
  Rules rules = make_rules(parameters);
  rules.layout = one.layout;
  return rules.select(one.node(), parent_visits, rules);
}

#if TESUJI_HAS_AVX2
// Both scans of a node whose children have at most `most_visits` visits: with few of them, ties abound.
template <class Selection, class Backup>
void compare_scans_for(const NodeLayout& layout, std::uint32_t child_count, std::uint32_t most_visits, Rng& rng,
                       const Parameters& parameters) {
  std::vector<std::uint32_t> visits;
  std::vector<double> wins;
  for (std::uint32_t child = 0; child < child_count; ++child) {
    visits.push_back(rng.below(4) == 0 ? rng.below(3) : rng.below(most_visits));
    wins.push_back(rng.below(2 * visits.back() + 1) / 2.0);
  }
  const OneNode one(visits, wins, layout);
  // Nothing is forgotten; or something; or so much that n^D would be 0.
  const auto [log_scale, lowest, highest] =
      std::array<std::array<int, 3>, 3>{{{0, 0, 0}, {100, -10, 100}, {400, 290, 300}}}[rng.below(3)];
  if (layout.has_ledger) one.node().ledger().scale() = std::ldexp(1.0, log_scale);
  for (std::uint32_t child = 0; child < child_count && layout.backed_up > 0; ++child) {
    one.node().backed_up(0, layout)[child] = wins[child];
    if (!layout.has_weights) continue;
    const double weight =
        std::ldexp(1.0, lowest + static_cast<int>(rng.below(static_cast<std::uint32_t>(highest - lowest + 1))));
    one.node().weights(layout)[child] = rng.below(8) == 0 ? 0 : weight;  // 0 with virtual losses alone
  }
  const std::uint32_t parent_visits = 1 + rng.below(most_visits);
  CAPTURE(child_count);
  CAPTURE(most_visits);
  CAPTURE(parameters.fpu);
  Rules rules = make_rules(parameters);
  rules.layout = layout;
  REQUIRE(select_child<Avx2Scan<Selection, Backup>>(one.node(), parent_visits, rules) ==
          select_child<PortableScan<Selection, Backup>>(one.node(), parent_visits, rules));
}

template <class Selection>
void compare_scans(std::uint32_t child_count, std::uint32_t most_visits, Rng& rng, const Parameters& parameters) {
  compare_scans_for<Selection, Mean>({}, child_count, most_visits, rng, parameters);
  compare_scans_for<Selection, BackedUp>({.backed_up = 1}, child_count, most_visits, rng, parameters);
  compare_scans_for<Selection, Discounted>({.backed_up = 1, .has_weights = true, .has_ledger = true}, child_count,
                                           most_visits, rng, parameters);
}
#endif

}  // namespace

TEST_CASE("UCB1: r + C sqrt(ln s / n)") {
  const Parameters parameters{.c = 0.5};
  // sqrt(2.302585 / 4) = 0.758714; sqrt(2.302585 / 6) = 0.619487
  CHECK(Ucb1::score(kParent, child(3, 4), parameters) == doctest::Approx(0.75 + 0.5 * 0.758714).epsilon(1e-6));
  CHECK(Ucb1::score(kParent, child(1, 6), parameters) == doctest::Approx(0.166667 + 0.5 * 0.619487).epsilon(1e-6));
}

TEST_CASE("PUCT: r + C P sqrt(s) / (1 + n), and the siblings' mean where there are no visits") {
  // s = 9, c = 1: the scores are 2/4 + 3 P / 5, 1/4 + 3 P / 5 and, for the child without visits, 3/8 + 3 P.
  const OneNode one({4, 4, 0}, {2, 1, 0}, {.has_prior = true});
  const auto chosen_with = [&one](float first, float second, float third) {
    one.node().prior(0, one.layout) = first;
    one.node().prior(1, one.layout) = second;
    one.node().prior(2, one.layout) = third;
    return chosen(one, 9, {.selection = "puct", .c = 1.0});
  };
  CHECK(chosen_with(0.5f, 0.5f, 0.0f) == 0);    // 0.8, 0.55, 0.375
  CHECK(chosen_with(0.0f, 1.0f, 0.0f) == 1);    // 0.5, 0.85, 0.375
  CHECK(chosen_with(0.5f, 0.3f, 0.2f) == 2);    // 0.8, 0.43, 0.975
  CHECK(chosen_with(0.5f, 0.37f, 0.13f) == 0);  // 0.8, 0.472, 0.765
  // Nothing known at all: the prior decides from the first visit on. The tree keeps children by falling priors.
  const OneNode fresh({0, 0}, {0, 0}, {.has_prior = true});
  fresh.node().prior(0, fresh.layout) = 0.6f;
  fresh.node().prior(1, fresh.layout) = 0.4f;
  CHECK(chosen(fresh, 0, {.selection = "puct", .c = 1.0}) == 0);
  // A visited child behind one without visits is not forgotten: a playout that was taken back leaves such a gap.
  // s = 4: 0.5 + 2 * 0.6 / 3 = 0.9; 0.75 + 2 * 0.2 = 1.15; 1 + 2 * 0.2 / 3 = 1.13; with a third of the prior it leads.
  const OneNode gap({2, 0, 2}, {1, 0, 2}, {.has_prior = true});
  for (std::uint32_t child = 0; child < 3; ++child) gap.node().prior(child, gap.layout) = child == 0 ? 0.6f : 0.2f;
  CHECK(chosen(gap, 4, {.selection = "puct", .c = 1.0}) == 1);
  gap.node().prior(1, gap.layout) = 0.1f;
  CHECK(chosen(gap, 4, {.selection = "puct", .c = 1.0}) == 2);
}

TEST_CASE("PUCT with discounted visits: the siblings' mean has their weights") {
  const OneNode one({4, 3, 0}, {0, 0, 0}, {.has_prior = true, .backed_up = 1, .has_weights = true, .has_ledger = true});
  one.node().ledger().scale() = 1;
  // The first has always won, long ago, n^D = 4 / 2^2 = 1; the second has always lost, n^D = 3. Their mean is 1/4,
  // where plain visits would have 4/7.
  one.node().backed_up(0, one.layout)[0] = 4;
  one.node().weights(one.layout)[0] = 2;
  one.node().weights(one.layout)[1] = 1;
  const auto chosen_with = [&one](float third) {
    one.node().prior(2, one.layout) = third;
    return chosen(one, 9, {.selection = "puct", .backup = "discounted", .c = 1.0});
  };
  CHECK(chosen_with(0.2f) == 0);   // 1 against 1/4 + 0.6
  CHECK(chosen_with(0.26f) == 2);  // 1 against 1/4 + 0.78
}

TEST_CASE("UCB-Tuned 1: the variance bounds the exploration") {
  const Parameters parameters;
  // V = 0.75 * 0.25 = 0.1875; sqrt(0.1875 * 2.302585 / 4) = 0.328533
  CHECK(UcbTuned1::score(kParent, child(3, 4), parameters) == doctest::Approx(0.75 + 0.328533).epsilon(1e-6));
  // V = 5 / 36; sqrt(5 / 36 * 2.302585 / 6) = 0.230867
  CHECK(UcbTuned1::score(kParent, child(1, 6), parameters) == doctest::Approx(0.166667 + 0.230867).epsilon(1e-5));
  // A child that always wins keeps a variance of 0.001: sqrt(0.001 * 2.302585 / 4) = 0.0239926
  CHECK(UcbTuned1::score(kParent, child(4, 4), parameters) == doctest::Approx(1.0239926).epsilon(1e-6));
}

TEST_CASE("UCB-Tuned 2: the second term inside the root, or outside as an option") {
  // sqrt(1.1875 * 2.302585 / 4) = 0.826787
  CHECK(UcbTuned2::score(kParent, child(3, 4), Parameters{}) == doctest::Approx(0.75 + 0.826787).epsilon(1e-6));
  CHECK(UcbTuned2::score(kParent, child(3, 4), Parameters{.term_outside = true}) ==
        doctest::Approx(0.75 + 0.328533 + 0.575646).epsilon(1e-6));
}

TEST_CASE("a name selects by its own rule") {
  // s = 10, two of nine: UCB1 has 0.6667 + 0.5058 C and 1.5174 C; UCB-Tuned 1 0.9051 and 0.0480, V being 2/9 and 0.001;
  // UCB-Tuned 2 1.2259 and 1.5182.
  for (const bool in_fours : {false, true}) {
    CAPTURE(in_fours);
    const OneNode one(in_fours ? std::vector<std::uint32_t>{9, 1, 9, 9} : std::vector<std::uint32_t>{9, 1},
                      {6, 0, 6, 6});
    CHECK(chosen(one, 10, {.selection = "uct", .c = 1.0}) == 1);
    CHECK(chosen(one, 10, {.selection = "uct", .c = 0.1}) == 0);
    CHECK(chosen(one, 10, {.selection = "ucb-tuned1", .c = 1.0}) == 0);
    CHECK(chosen(one, 10, {.selection = "ucb-tuned2", .c = 0.1}) == 1);
  }
}

TEST_CASE("the table of visits has the numbers that it stands for, and goes on where it ends") {
  const VisitTable& table = kVisitTable;
  for (const std::uint32_t visits : {1u, 2u, 3u, 1023u, 1024u, 1'000'000u}) {
    CHECK(table.log(visits) == std::log(static_cast<double>(visits)));
    CHECK(table.inverse_root(visits) == 1.0 / std::sqrt(static_cast<double>(visits)));
  }
}

TEST_CASE("final selection") {
  const std::vector<RootChild> children = {{0, 0.0}, {10, 0.4}, {12, 0.5}, {12, 0.6}, {1, 0.9}};
  CHECK(final_visits(children, {}) == 3);
  CHECK(final_value(children, {}) == 4);
  CHECK(final_value(std::vector<RootChild>{{5, 0.5}, {9, 0.5}, {7, 0.5}}, {}) == 1);  // of equals that of most visits
  const std::vector<RootChild> unvisited = {{0, 0.0}, {0, 0.0}};
  for (const FinalRule rule : {final_visits, final_value, final_lcb, final_balanced}) CHECK(rule(unvisited, {}) == 0);
}

TEST_CASE("final selection by the lower bound: r - C sqrt(ln s / n)") {
  // s = 100: the root of its logarithm is 2.145966.
  const std::vector<RootChild> children = {{4, 0.9}, {64, 0.6}, {32, 0.65}, {0, 0.0}};
  // C = 0.2: 0.9 - 0.214597, 0.6 - 0.053649, 0.65 - 0.075871
  CHECK(final_lcb(children, {.lcb_c = 0.2}) == 0);
  // C = 1: 0.9 - 1.072983, 0.6 - 0.268246, 0.65 - 0.379357
  CHECK(final_lcb(children, {.lcb_c = 1.0}) == 1);
  CHECK(final_lcb(children, {.lcb_c = 0.35}) == 0);  // 0.524456, 0.506114, 0.517225
  CHECK(final_lcb(children, {.lcb_c = 0.4}) == 2);   // 0.470807, 0.492702, 0.498257
  CHECK(final_lcb(children, {.lcb_c = 0.37}) == 2);  // 0.502996, 0.500749, 0.509638; with s = 64 the first would lead
}

TEST_CASE("final selection by balance: ratio and share of visits") {
  CHECK(final_balanced(std::vector<RootChild>{{50, 0.5}, {40, 0.65}, {5, 1.0}}, {}) == 0);  // 1.5, 1.45, 1.1
  const std::vector<RootChild> children = {{50, 0.5}, {40, 0.75}, {5, 1.0}};
  CHECK(final_balanced(children, {}) == 1);                      // 1.5, 1.55, 1.1
  CHECK(final_balanced(children, {.final_weight = 2.0}) == 0);   // 2.5, 2.35, 1.2
  CHECK(final_balanced(children, {.final_weight = 0.25}) == 2);  // 0.75, 0.95, 1.025
}

TEST_CASE("the child with the highest score is taken, the first of equals") {
  const Parameters parameters{.c = 0.1};
  CHECK(chosen(OneNode({4, 6, 5}, {1, 5, 2}), 15, parameters) == 1);
  CHECK(chosen(OneNode({5, 5, 5}, {2, 3, 3}), 15, parameters) == 1);
  CHECK(chosen(OneNode({5, 5, 5, 5}, {2, 2, 3, 3}), 20, parameters) == 2);
  CHECK(chosen(OneNode({5, 5, 5, 5}, {3, 3, 3, 3}), 20, parameters) == 0);
  CHECK(chosen(OneNode({5}, {0}), 5, parameters) == 0);
}

TEST_CASE("a child never visited comes first, or has its urgency") {
  const OneNode node({4, 0, 5, 0}, {4, 0, 2, 0});
  CHECK(chosen(node, 9, Parameters{}) == 1);
  CHECK(chosen(node, 9, Parameters{.c = 0.1, .fpu = 0.5}) == 0);
  CHECK(chosen(node, 9, Parameters{.c = 0.1, .fpu = 2.0}) == 1);
  CHECK(chosen(node, 9, Parameters{.c = 1.0, .fpu = 1.5}) == 0);  // 1 + sqrt(ln 9 / 4) = 1.741: only infinity is beyond
}

TEST_CASE("a node of a thousand children") {
  std::vector<std::uint32_t> visits(1000, 10);
  std::vector<double> wins(1000, 4);
  wins[777] = 5;
  CHECK(chosen(OneNode(visits, wins), 10000, Parameters{}) == 777);
  visits[900] = 0;
  CHECK(chosen(OneNode(visits, wins), 10000, Parameters{}) == 900);
}

#if TESUJI_HAS_AVX2
TEST_CASE("the scan of four children at a time chooses what the portable one does" * doctest::skip(!avx2_available())) {
  Rng rng(1);
  const double infinity = std::numeric_limits<double>::infinity();
  // The table of visits ends at 1024; with at most 2000 many fours lie just beyond. The largest sums of rewards have 51
  // bits.
  for (const std::uint32_t most_visits : {3u, 8u, 40u, 1000u, 1030u, 2000u, 100'000u, (1u << 31) - 1}) {
    for (const double fpu : {-infinity, 0.4, 1.1, 1e9, infinity}) {
      for (std::uint32_t child_count = 1; child_count <= 400; child_count += child_count < 20 ? 1 : 37) {
        compare_scans<Ucb1>(child_count, most_visits, rng, Parameters{.c = 0.0, .fpu = fpu});
        compare_scans<Ucb1>(child_count, most_visits, rng, Parameters{.c = 0.7, .fpu = fpu});
        compare_scans<UcbTuned1>(child_count, most_visits, rng, Parameters{.fpu = fpu});
        compare_scans<UcbTuned2>(child_count, most_visits, rng, Parameters{.fpu = fpu});
        compare_scans<UcbTuned2>(child_count, most_visits, rng, Parameters{.fpu = fpu, .term_outside = true});
      }
    }
  }
}
#endif

TEST_CASE("nonsense is refused") {
  CHECK_THROWS_AS(make_rules(Parameters{.selection = "ucb9"}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.final = ""}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.c = -1}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.c = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.fpu = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.expand = 0}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.c = std::numeric_limits<double>::infinity()}), std::invalid_argument);
}

}  // namespace tesuji
