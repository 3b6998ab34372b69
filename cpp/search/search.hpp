// The one search loop: select, expand, play out, back up. It is templated on the game alone; the rules are functions.
//
//   select   from the root down, at every node the child with the highest score; where chance decides, a draw
//   expand   a leaf that was visited `expand` times becomes a node, its children in random order
//   play out from the leaf to the end of the game, or let the evaluator judge it
//   back up  to every child on the path one visit, and the reward of the player who chose it, or what the backup rule
//            makes of it
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/playout.hpp"
#include "search/evaluator.hpp"
#include "search/searcher.hpp"

namespace tesuji {

template <Game G>
class Search : public Searcher {
 public:
  Search(const G& position, const Rules& rules, std::uint64_t seed, std::size_t max_memory, Knowledge<G> knowledge = {})
      : Searcher(
            rules,
            rules.layout_for(position.num_players(), ConstantSum<G>, HasChance<G> || knowledge.evaluator != nullptr),
            max_memory),
        root_position_(in_canonical_order(position)),
        rng_(seed),
        evaluator_(std::move(knowledge.evaluator)),
        policy_(std::move(knowledge.policy)),
        playout_(checked_playout(std::move(knowledge.playout), rules, policy_ != nullptr)),
        prior_(checked_prior(std::move(knowledge.prior), rules)),
        evaluation_(find_evaluation(rules, evaluator_ != nullptr)),
        descents_(evaluator_ ? evaluator_->batch_size() : 1, Descent{position, {}, {}, {}, false, {}, {}}) {
    if (descents_.empty()) throw std::invalid_argument("an evaluator's batch holds at least one leaf");
    if (position.num_players() > kMaxPlayers) throw std::invalid_argument("a game has at most 8 players");
    if (rules.solver.prove != nullptr && position.num_players() > 2) {
      throw std::invalid_argument("the solver is for games of one or two players");
    }
  }

  bool is_over() const override { return root_position_.is_over(); }

 protected:
  std::uint64_t simulate(std::uint64_t most) override {
    if (evaluator_) return simulate_batch(most);
    Descent& descent = descents_.front();
    std::uint64_t made = 0;
    while (made < most && !stop_.load(std::memory_order_relaxed) && !is_proven()) {
      select(descent, 0);
      const std::optional<Rewards> rewards = look_at_leaf(descent);
      if (!rewards) break;
      descent.rewards = *rewards;
      back_up(descent);
      ++made;
    }
    return made;
  }

  std::uint64_t playouts_at_once() const override { return descents_.size(); }

  // Every position that the search holds on to.
  template <class Visit>
  void for_each_position(Visit&& visit) {
    visit(root_position_);
    for (Descent& descent : descents_) visit(descent.position);
  }

  void prepare_root() override {
    if (tree_.root() != kNoNode || root_position_.is_over()) return;
    if (evaluator_) {
      evaluate_root();
    } else {
      expand(tree_.at(tree_.anchor()), 0, root_position_);
    }
    if (tree_.root() == kNoNode) throw MemoryTooSmall("max_memory is too small for the moves of one position");
  }

  void play_at_root(Move move) override {
    if (!root_position_.is_legal(move)) throw std::invalid_argument("illegal move");
    root_position_.play(move);
  }

 private:
  struct Descent {
    G position;
    std::vector<PathStep> path;
    Rewards rewards;
    std::vector<PlayedMove> played;  // where a rule learns from moves
    bool proves = false;             // the game ended here, and a solver wants to know
    MoveList moves;                  // the two are for leaves that an evaluator judges
    std::vector<float> priors;
  };

  // Walks down to a leaf or to the end of the game. With a virtual loss every child on the path counts that many visits
  // without a reward until the result is backed up, so that the next descent looks elsewhere.
  void select(Descent& descent, std::int32_t virtual_loss) {
    descent.position = root_position_;
    descent.path.clear();
    descent.played.clear();
    Node parent = tree_.at(tree_.anchor());
    std::uint32_t child = 0;
    int chooser = parent.chooser();
    while (true) {
      descent.path.push_back({parent, child, chooser});
      NodeIndex index = parent.child(child);
      const std::uint32_t visits = parent.visits(child);
      if (virtual_loss != 0) parent.add(child, virtual_loss, 0);
      if (rules_.layout.has_proofs && parent.proofs(rules_.layout)[child] != Proof::kNone) return;
      if (index == kNoNode) {
        if (evaluator_ || visits < rules_.parameters.expand || descent.position.is_over()) return;
        index = expand(parent, child, descent.position);
        if (index == kNoNode) return;
      }
      parent = tree_.at(index);
      chooser = parent.chooser();
      child = choose(parent, visits);
      // On their way from memory while the move is played: a hundredth of a 9x9 Go search.
      tree_.prefetch(parent.child(child));
      parent.prefetch_rewards(child);
      if (rules_.layout.has_weights) {
        tree_.prefetch_ledger(parent.child(child));
        __builtin_prefetch(parent.weights(rules_.layout) + child, 1);
      }
      if (rules_.layout.has_rave) descent.played.push_back({chooser, as_counted(parent.move(child))});
      descent.position.play(parent.move(child));
    }
  }

  Move as_counted(Move move) const {
    if constexpr (HasRaveSay<G>) {
      if (!root_position_.counts_for_rave(move)) return kNoMove;
    }
    return move;
  }

  std::uint32_t choose(const Node& node, std::uint32_t parent_visits) {
    if constexpr (HasChance<G>) {
      if (node.chooser() == kChance) return draw_by_prior(node);
    }
    return rules_.select(node, parent_visits, rules_);
  }

  std::uint32_t draw_by_prior(const Node& node) {
    double remaining = rng_.uniform();
    for (std::uint32_t child = 0; child + 1 < node.child_count(); ++child) {
      remaining -= static_cast<double>(node.prior(child, rules_.layout));
      if (remaining < 0) return child;
    }
    return node.child_count() - 1;
  }

  void list_moves(const G& position, MoveList& moves) {
    if (rules_.parameters.all_moves) {
      position.legal_moves(moves);
    } else {
      list_search_moves(position, moves);
    }
    // Chance's outcomes stay in the order of their probabilities, and nothing is chosen among them.
    if (position.to_move() == kChance) return;
    // The children's order is the order of ties: it must favour no move.
    for (auto left = static_cast<std::uint32_t>(moves.size()); left > 1; --left) {
      std::swap(moves[left - 1], moves[rng_.below(left)]);
    }
  }

  // kNoNode when the tree is full: the search then goes on with the tree that it has.
  NodeIndex expand(const Node& parent, std::uint32_t child, const G& position) {
    if (tree_.is_full()) return kNoNode;
    list_moves(position, scratch_.moves);
    return make_node(parent, child, position, scratch_.moves, {});
  }

  // Gives a child its node. Where nobody supplies priors, all moves have the same; where chance decides, the priors are
  // the game's probabilities, whatever else was said.
  NodeIndex make_node(const Node& parent, std::uint32_t child, const G& position, const MoveList& moves,
                      std::span<const float> priors) {
    const NodeIndex index = tree_.allocate(moves, position.to_move());
    if (index == kNoNode) return kNoNode;
    const Node node = tree_.at(index);
    if (rules_.layout.has_prior) set_priors(node, moves, priors);
    if constexpr (HasChance<G>) {
      if (node.chooser() == kChance) {
        position.chance_probabilities(scratch_.probabilities);
        for (std::uint32_t k = 0; k < node.child_count(); ++k) {
          node.prior(k, rules_.layout) = static_cast<float>(scratch_.probabilities[k]);
        }
      }
    }
    if (prior_ != nullptr && node.chooser() != kChance) add_prior_visits(node, position);
    parent.publish_child(child, index);
    return index;
  }

  // What is known of the moves counts like RAVE visits that were made before the first one.
  void add_prior_visits(const Node& node, const G& position) {
    const std::uint32_t count = node.child_count();
    prior_visits_.resize(count);
    prior_->judge(position, {node.moves(), count}, prior_visits_);
    double* rewards = node.rave_rewards(rules_.layout);
    std::uint32_t* visits = node.rave_visits(rules_.layout);
    for (std::uint32_t child = 0; child < count; ++child) {
      const PriorVisits& known = prior_visits_[child];
      if (known.visits <= 0) continue;
      // The visits are whole units of the counter, and the rewards are in proportion: the mean is kept.
      visits[child] = static_cast<std::uint32_t>(known.visits * rules_.parameters.prior_weight * kRaveVisit);
      rewards[child] =
          visits[child] * kRaveUnit * (static_cast<double>(known.wins) / static_cast<double>(known.visits));
    }
  }

  void set_priors(const Node& node, const MoveList& moves, std::span<const float> priors) {
    const auto count = node.child_count();
    if (priors.empty()) {
      for (std::uint32_t k = 0; k < count; ++k) node.prior(k, rules_.layout) = 1.0f / static_cast<float>(count);
      return;
    }
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
    if (rules_.orders_by_prior && node.chooser() != kChance) {
      std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return priors[a] > priors[b] || (priors[a] == priors[b] && a < b);
      });
    }
    for (std::uint32_t k = 0; k < count; ++k) {
      node.set_move(k, moves[order_[k]]);
      node.prior(k, rules_.layout) = priors[order_[k]];
    }
  }

  // The rewards of a leaf: proven ones, or those of a playout.
  std::optional<Rewards> look_at_leaf(Descent& descent) {
    if (rules_.layout.has_proofs && meets_proof(descent)) return descent.rewards;
    return play_out(descent);
  }

  // Whether the descent ended at a proven child, whose rewards it then has. Also finds out whether the game is over.
  bool meets_proof(Descent& descent) {
    const PathStep& last = descent.path.back();
    const Proof proof = last.parent.proofs(rules_.layout)[last.child];
    descent.proves = proof == Proof::kNone && descent.position.is_over();
    if (proof != Proof::kNone) descent.rewards = rewards_of(proof, last.parent.chooser());
    return proof != Proof::kNone;
  }

  using Judge = Rewards (*)(const G& position);

  // The game's function for a backup rule that wants leaves judged; none where an evaluator does that.
  static Judge find_evaluation(const Rules& rules, bool has_evaluator) {
    const std::string& name = rules.parameters.evaluation;
    if (name.empty() && (has_evaluator || !rules.needs.evaluation)) return nullptr;
    if (has_evaluator) throw std::invalid_argument("max(" + name + ") and an evaluator: only one can judge the leaves");
    std::string known;
    if constexpr (HasEvaluations<G>) {
      for (const Evaluation<G>& evaluation : G::evaluations()) {
        if (name == evaluation.name) return evaluation.judge;
        known += std::string(known.empty() ? "" : ", ") + evaluation.name;
      }
    }
    const std::string missing = name.empty() ? "max has nothing to judge leaves with" : "max cannot judge by " + name;
    throw std::invalid_argument(missing + ": this game has " + (known.empty() ? "no functions for that" : known) +
                                "; or write max alone and give the search an evaluator");
  }

  using KnownPlayout = std::unique_ptr<const KnowledgePlayout<G>>;

  static KnownPlayout checked_playout(KnownPlayout known, const Rules& rules, bool has_policy) {
    if (rules.parameters.playout == "uniform") return nullptr;
    if (known == nullptr) {
      throw std::invalid_argument("playout=" + rules.parameters.playout +
                                  ": this game has no such playouts, only playout=uniform");
    }
    if (has_policy) {
      throw std::invalid_argument("playout=" + rules.parameters.playout +
                                  " and a policy: only one can choose the moves of playouts");
    }
    return known;
  }

  using KnownPrior = std::unique_ptr<const PriorKnowledge<G>>;

  static KnownPrior checked_prior(KnownPrior known, const Rules& rules) {
    if (rules.parameters.prior_weight == 0) return nullptr;
    if (known == nullptr) throw std::invalid_argument("prior: nothing is known of the moves of this game");
    return known;
  }

  // Nothing when a stop or the end of the time came in between.
  std::optional<Rewards> play_out(Descent& descent) {
    if (playout_ != nullptr && evaluation_ == nullptr && !descent.position.is_over()) {
      return playout_->play(descent.position, rng_, rules_.layout.has_rave ? &descent.played : nullptr);
    }
    if (!rules_.layout.has_rave) return play_out(descent.position, NoRecord{});
    return play_out(descent.position, [this, &played = descent.played](int player, Move move) {
      played.push_back({player, as_counted(move)});
    });
  }

  template <class Record>
  std::optional<Rewards> play_out(G& position, Record record) {
    if (position.is_over()) return position.rewards();
    if (evaluation_ != nullptr) return evaluation_(position);
    const std::uint32_t cap = rules_.parameters.playout_cap;
    const auto stopped = [this] { return stop_.load(std::memory_order_relaxed) || out_of_time(); };
    if (policy_) {
      const auto choose = [this](const G& here, const MoveList& moves) { return policy_->choose(here, moves, rng_); };
      return chosen_playout(position, rng_, record, scratch_, cap, stopped, choose);
    }
    if constexpr (HasPlayout<G>) {
      return position.playout(rng_, record);
    } else {
      return uniform_playout(position, rng_, record, scratch_, cap, stopped);
    }
  }

  // Chance chooses for nobody: its children keep the first player's rewards, and no rule of selection reads them.
  void back_up(const Descent& descent) {
    if (rules_.layout.replaces_rewards()) {
      for (const PathStep& step : descent.path) step.parent.add_visit(step.child);
    } else {
      for (const PathStep& step : descent.path) {
        const auto player = static_cast<std::size_t>(std::max(step.chooser, 0));
        step.parent.add(step.child, 1, descent.rewards[player]);
      }
    }
    if (rules_.back_up == nullptr && rules_.bound == nullptr && rules_.update_rave == nullptr && !descent.proves)
      return;
    const NodeIndex leaf = evaluator_ ? descent.path.back().parent.child(descent.path.back().child) : kNoNode;
    const Playout playout{descent.path, descent.rewards, leaf};
    if (rules_.back_up != nullptr) rules_.back_up(playout, tree_, rules_);
    if (rules_.bound != nullptr) rules_.bound(playout, tree_, rules_);
    if (rules_.update_rave != nullptr) rules_.update_rave(playout, descent.played, first_plays_, rules_);
    if (descent.proves) rules_.solver.prove(playout, root_position_.num_players(), tree_, rules_);
  }

  // As many descents as the batch holds, one question to the evaluator, then all the backups; none of them when a stop
  // came in between.
  std::uint64_t simulate_batch(std::uint64_t most) {
    const std::size_t count = std::min<std::uint64_t>(most, descents_.size());
    leaves_.clear();
    for (std::size_t i = 0; i < count; ++i) descents_[i].path.clear();
    try {
      for (std::size_t i = 0; i < count; ++i) {
        select(descents_[i], kVirtualLoss);
        ask_for(descents_[i]);
      }
      judge();
      std::size_t leaf = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (descents_[i].moves.empty()) continue;
        if (!take_answer(descents_[i], leaves_[leaf++])) {
          take_back(count);
          return 0;
        }
      }
    } catch (...) {
      // Game and evaluator may be somebody else's code: whatever they throw, no virtual loss may stay behind.
      take_back(count);
      throw;
    }
    // All virtual losses first: a backup rule wants to see the visits that there really were.
    for (std::size_t i = 0; i < count; ++i) {
      for (const PathStep& step : descents_[i].path) step.parent.add(step.child, -kVirtualLoss, 0);
    }
    for (std::size_t i = 0; i < count; ++i) back_up(descents_[i]);
    return count;
  }

  void take_back(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      for (const PathStep& step : descents_[i].path) step.parent.take_back(step.child, kVirtualLoss);
    }
  }

  void evaluate_root() {
    Descent& descent = descents_.front();
    descent.position = root_position_;
    descent.path.assign(1, PathStep{tree_.at(tree_.anchor()), 0, 0});
    leaves_.clear();
    ask_for(descent);
    judge();
    give_node(descent, leaves_.front());
  }

  // A game that is over needs no evaluator; it then has no moves.
  void ask_for(Descent& descent) {
    descent.moves.clear();
    if (rules_.layout.has_proofs && meets_proof(descent)) return;
    if (descent.position.is_over()) {
      descent.rewards = descent.position.rewards();
      return;
    }
    list_moves(descent.position, descent.moves);
    descent.priors.assign(descent.moves.size(), 0.0f);
    leaves_.push_back({&descent.position, descent.moves, descent.priors, {}});
  }

  void judge() {
    if (!leaves_.empty()) evaluator_->evaluate(leaves_);
  }

  // False when a stop came before the rewards of a leaf that the evaluator leaves to a playout.
  bool take_answer(Descent& descent, const EvaluatedLeaf<G>& leaf) {
    give_node(descent, leaf);
    const std::optional<Rewards> rewards = leaf.rewards ? leaf.rewards : play_out(descent);
    if (rewards) descent.rewards = *rewards;
    return rewards.has_value();
  }

  // The leaf becomes a node with the evaluator's priors, unless another descent of the batch has already made it one.
  void give_node(Descent& descent, const EvaluatedLeaf<G>& leaf) {
    const PathStep& last = descent.path.back();
    if (last.parent.child(last.child) != kNoNode || tree_.is_full()) return;
    make_node(last.parent, last.child, descent.position, descent.moves, leaf.priors);
  }

  static constexpr std::int32_t kVirtualLoss = 1;

  G root_position_;
  Rng rng_;
  Scratch scratch_;
  FirstPlays first_plays_;
  std::unique_ptr<Evaluator<G>> evaluator_;
  std::unique_ptr<PlayoutPolicy<G>> policy_;
  KnownPlayout playout_;
  KnownPrior prior_;
  Judge evaluation_;
  std::vector<Descent> descents_;
  std::vector<EvaluatedLeaf<G>> leaves_;
  std::vector<std::uint32_t> order_;  // of a new node's children
  std::vector<PriorVisits> prior_visits_;
};

}  // namespace tesuji
