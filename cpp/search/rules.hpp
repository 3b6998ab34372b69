// What the search asks of the rules. It calls them through these pointers and knows none of them: they live in
// cpp/rules, one file each, and cpp/rules/registry.hpp makes a set of them from an engine's parameters.
//
// A rule for selection is a plain function over the arrays of a node's children, called once a node; so is one for
// backup, called once a playout. They know neither the game nor the search, so games and rules add, and do
// not multiply.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "core/cpu.hpp"
#include "search/given_rules.hpp"
#include "search/playout_moves.hpp"
#include "search/tree.hpp"

namespace tesuji {

// For a weight that a bias leaves to the RAVE rule.
inline constexpr double kFromRave = -1;

// The parameters of an engine, after parsing. Names and meaning are those of the engine specs.
struct Parameters {
  std::string selection = "uct";                         // uct, ucb-tuned1, ucb-tuned2, puct, bast, given
  std::string backup = "mean";                           // mean, discounted, accelerated, mix, max
  std::string rave = "none";                             // none, rave, amaf-schedule, amaf-error
  std::string bias = "none";                             // none, bradley-terry, chaslot, huang
  std::string final = "visits";                          // visits, value, lcb, balanced, given
  double c = 1.0;                                        // exploration constant of uct and puct
  double prior_even = 0.0;                               // the share of the priors that is spread over all moves
  double final_weight = 1.0;                             // balanced: what visits count beside the value
  double lcb_c = 1.0;                                    // the same constant for the bound of the final rule lcb
  double fpu = std::numeric_limits<double>::infinity();  // first-play urgency: the score of a child never visited
  bool term_outside = false;                             // ucb-tuned2: the second term outside the square root
  double decay = 1.0;                                    // discounted, accelerated: lambda
  double rave_initial = 1;                               // rave: the weight of a first RAVE visit
  double rave_final = 5000;                              // rave: the weight of very many
  double amaf_k = 1000;                                  // amaf-schedule: equivalence parameter
  double amaf_b = 0.1;                                   // amaf-error: the bias of a RAVE value
  bool rave_distance = false;                            // moves that come earlier count for more
  bool rave_check_same = false;                          // a move that an opponent made first does not count
  std::uint32_t rave_skip = 0;                           // every so many-th selection at a node does without; 0: none
  double widening_mu = 0;                                // the base of progressive widening; 0: no widening
  double bias_c = 0;                                     // the constants of the bias, each as its rule names them
  double bias_k = 0;
  double bias_gamma = 0;
  double bias_alpha = kFromRave;
  double bias_beta = kFromRave;
  bool automatic_decay = false;        // accelerated: lambda by the tree, not by `decay`
  double mix_q = 0.0;                  // mix: the most that the most visited child counts
  double mix_m = 0.0;                  // mix: with so many visits it counts half of that
  double bast_delta = 0.0;             // bast: how far children may lie from their parent at the root
  double bast_gamma = 1.0;             // bast: by which factor that shrinks with each move
  double bast_b = 1.0;                 // bast: the probability that any of the bounds fails
  bool solver = false;                 // wins, draws and losses are proven
  std::string playout = "uniform";     // uniform, knowledge, bradley-terry, mixed, both
  double playout_temperature = 1.0;    // bradley-terry: moves are drawn with P(m)^(1 / temperature)
  double playout_mercy = 0;            // a lead in stones, as a share of the board, that ends a playout; 0: none
  double prior_weight = 0;             // prior: how much the game's knowledge counts; 0: not at all
  double semeai_weight = 0;            // semeai: the virtual wins of a necessary move; 0: no expertise
  std::uint32_t semeai_retries = 0;    // semeai: how often a playout is made anew; 0: no conditioning
  bool semeai_settles = false;         // semeai: fights are decided before the playout
  std::uint32_t semeai_positions = 0;  // semeai: how many the solver looks at for one answer
  std::uint32_t semeai_effort = 0;     // semeai: how many it looks at in the tree, for each question on the average
  std::uint32_t semeai_stones = 0;     // semeai: how many a chain has at least to be worth a race
  bool semeai_life = false;            // semeai: chains that race against none are asked about alone
  std::string evaluation = {};         // max: the game's evaluation function, or an evaluator's
  std::uint32_t expand = 1;            // a leaf becomes a node after so many visits
  bool all_moves = false;              // search every legal move, sensible or not
  std::uint32_t playout_cap = 20'000;  // a playout that is longer counts as drawn
  std::uint32_t threads = 1;           // how many search at once
  std::string parallel = "lock-free";  // how they share the work: lock-free, mutex, root
  std::uint32_t virtual_loss = 1;      // visits without a reward on the path of a playout that is under way
  std::shared_ptr<GivenSelection> given_selection = nullptr;  // the rule that `selection` calls given
  std::shared_ptr<GivenFinal> given_final = nullptr;          // the rule that `final` calls given
  bool plays_elsewhere = false;  // playouts are under way elsewhere while others are backed up

  bool has_semeai() const { return semeai_weight > 0 || semeai_retries > 0 || semeai_settles; }
  // Whether moves begin with visits that were never made; they stand in the place of RAVE visits.
  bool has_virtual_visits() const { return prior_weight > 0 || semeai_weight > 0; }
};

struct Rules;
struct ParentTerms;
struct ChildTerms;

// The child to descend into. `parent_visits` are all visits of the node, those made before it had children included.
using SelectRule = std::uint32_t (*)(const Node& node, std::uint32_t parent_visits, const Rules& rules);

// A child on the path of a playout, and who chose it. The first of a path is the anchor's, the root.
struct PathStep {
  Node parent;
  std::uint32_t child;
  int chooser;
};

// A playout that is backed up, after all visits on its path were counted.
struct Playout {
  std::span<const PathStep> path;
  const Rewards& rewards;
  NodeIndex leaf;  // the node that the last child of the path has already become, where an evaluator judged it
};

// Brings up to date what the nodes of a path keep beyond the plain statistics.
using BackupRule = void (*)(const Playout& playout, const Tree& tree, const Rules& rules);

// Tells the nodes of a path which moves came later in the playout: `moves` are all that were made from the root on.
using RaveRule = void (*)(const Playout& playout, std::span<const PlayedMove> moves, FirstPlays& first,
                          const Rules& rules);

// What a bias adds to a child's score.
using BiasTerm = double (*)(const ParentTerms& parent, const ChildTerms& child, const Parameters& parameters);

struct BiasRule {
  BiasTerm term = nullptr;    // none without a bias
  bool mixes_scores = false;  // RAVE's value is mixed with the whole score, not with the child's value
};

// What a final rule sees of a root's child.
struct RootChild {
  std::uint32_t visits;
  double value;
  Proof proof = Proof::kNone;
};

// The index of the move to play; of equals the first.
using FinalRule = std::size_t (*)(std::span<const RootChild> children, const Parameters& parameters);

// What a backup rule keeps in the tree; see NodeLayout.
struct BackupNeeds {
  bool backed_up = false;     // the chooser's value, in place of the sum of rewards
  bool every_player = false;  // and everybody's, where the rewards do not add up to 1
  bool weights = false;
  bool ledger = false;
  bool means = false;       // the sums of rewards beside the values
  bool evaluation = false;  // leaves are judged and not played out
};

// The rules of a solver, or none. `prove` hears of playouts that ended with the game, after their backup; `final` takes
// the place of the final rule, and asks it.
struct SolverRules {
  void (*prove)(const Playout& playout, int players, const Rules& rules) = nullptr;
  std::size_t (*final)(std::span<const RootChild> children, const Rules& rules) = nullptr;
};

struct Rules {
  SelectRule select;
  BackupRule back_up;    // none where visits and sums of rewards are all that the backup rule needs
  BackupRule bound;      // after it, for a selection rule that goes by bounds
  RaveRule update_rave;  // none without RAVE
  BiasRule bias;
  FinalRule final;
  SolverRules solver;
  bool uses_prior;  // children have priors, and those with a higher one come first
  BackupNeeds needs;
  double growth;  // 1 / lambda
  Parameters parameters;
  CpuPath cpu_path;
  NodeLayout layout;  // once the game is known

  // For a game of so many players; `adds_up`: whether the rewards of two players always add up to 1.
  NodeLayout layout_for(int players, bool adds_up, bool has_prior) const {
    const bool adds_up_for_all = players == 1 || (players == 2 && adds_up);
    const bool has_company = parameters.threads > 1 && parameters.parallel != "root";
    const bool one_is_enough = adds_up_for_all || !needs.every_player;
    const int arrays = !needs.backed_up ? 0 : one_is_enough ? 1 : players;
    return {.has_prior = has_prior || uses_prior,
            .backed_up = static_cast<std::uint8_t>(arrays),
            .has_weights = needs.weights,
            .has_ledger = needs.ledger,
            .has_rave = update_rave != nullptr || parameters.has_virtual_visits(),
            .has_means = needs.means,
            .has_bounds = bound != nullptr,
            .has_proofs = solver.prove != nullptr,
            .has_counted = needs.backed_up && (has_company || parameters.plays_elsewhere),
            .adds_up = adds_up_for_all,
            .shared = has_company && parameters.parallel == "lock-free"};
  }
};

}  // namespace tesuji
