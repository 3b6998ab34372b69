// The one search loop: select, expand, play out, back up. It is templated on the game alone; the rules are functions.
//
//   select   from the root down, at every node the child with the highest score; where chance decides, a draw
//   expand   a leaf that was visited `expand` times becomes a node, its children in random order
//   play out from the leaf to the end of the game, or let the evaluator judge it
//   back up  to every child on the path one visit, and the reward of the player who chose it, or what the backup rule
//            makes of it
//
// Several workers can do so at once, each in a thread of its own: on one tree, where what they share is in the tree and
// all the rest in the Worker; or each on a tree of its own, with a search for each worker but the first.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/playout.hpp"
#include "search/evaluator.hpp"
#include "search/priors.hpp"
#include "search/searcher.hpp"
#include "search/simulations.hpp"
#include "search/used_knowledge.hpp"
#include "search/worker.hpp"

namespace tesuji {

template <Game G>
class Search : public Searcher {
 public:
  Search(const G& position, const Rules& rules, std::uint64_t seed, std::size_t max_memory, Knowledge<G> knowledge = {})
      : Searcher(
            rules,
            rules.layout_for(position.num_players(), ConstantSum<G>, HasChance<G> || knowledge.evaluator != nullptr),
            max_memory / trees_of(rules.parameters)),
        root_position_(in_canonical_order(position)),
        knowledge_(std::move(knowledge)),
        evaluator_(knowledge_.evaluator.get()),
        policy_(knowledge_.policy.get()),
        playout_(checked_playout<G>(knowledge_.playout.get(), rules, policy_ != nullptr)),
        prior_(checked_prior<G>(knowledge_.prior.get(), rules)),
        move_priors_(rules.uses_prior ? knowledge_.move_priors.get() : nullptr),
        local_solver_(checked_local_solver<G>(knowledge_.local_solver.get(), rules)),
        evaluation_(find_evaluation<G>(rules, evaluator_ != nullptr)) {
    if (evaluator_ != nullptr && evaluator_->batch_size() == 0) {
      throw std::invalid_argument("an evaluator's batch holds at least one leaf");
    }
    if (position.num_players() > kMaxPlayers) throw std::invalid_argument("a game has at most 8 players");
    if (rules.solver.prove != nullptr && position.num_players() > 2) {
      throw std::invalid_argument("the solver is for games of one or two players");
    }
    const std::size_t trees = trees_of(rules.parameters);
    const std::size_t workers = trees == 1 ? rules.parameters.threads : 1;
    for (std::size_t number = 0; number < workers; ++number) add_worker(number, seed);
    for (std::size_t number = 1; number < trees; ++number) {
      companions_.push_back(std::make_unique<Search>(*this, number, seed, max_memory / trees));
    }
  }

  // The search of a worker that has a tree of its own.
  Search(const Search& leader, std::size_t worker, std::uint64_t seed, std::size_t max_memory)
      : Searcher(alone(leader.rules_), leader.rules_.layout, max_memory),
        root_position_(leader.root_position_),
        evaluator_(leader.evaluator_),
        policy_(leader.policy_),
        playout_(leader.playout_),
        prior_(leader.prior_),
        move_priors_(leader.move_priors_),
        local_solver_(leader.local_solver_),
        evaluation_(leader.evaluation_) {
    follow(leader, worker);
    add_worker(worker, seed);
  }

  bool is_over() const override { return root_position_.is_over(); }

 protected:
  std::uint64_t simulate(std::size_t number, std::uint64_t most) override {
    if (number > 0 && !companions_.empty()) return companions_[number - 1]->simulate(0, most);
    Worker& worker = *workers_[number];
    const AnchorGuard guard(worker, tree_.at(tree_.anchor()));
    if (evaluator_ != nullptr) return simulate_batch(worker, most);
    const std::int32_t virtual_loss = workers_.size() == 1 ? 0 : loss();
    std::uint64_t made = 0;
    while (made < most && !is_stopped() && !is_proven()) {
      if (!simulate_one(worker, virtual_loss)) break;
      ++made;
    }
    return made;
  }

  std::uint64_t playouts_at_once() const override { return evaluator_ != nullptr ? evaluator_->batch_size() : 1; }

  std::vector<Searcher*> companions() const override {
    std::vector<Searcher*> all;
    for (const std::unique_ptr<Search>& companion : companions_) all.push_back(companion.get());
    return all;
  }

  // Every position that the search holds on to.
  template <class Visit>
  void for_each_position(Visit&& visit) {
    visit(root_position_);
    for (const std::unique_ptr<Worker>& worker : workers_) {
      for (Descent& descent : worker->descents) visit(descent.position);
      if (worker->fights.leaf) visit(*worker->fights.leaf);
    }
    for (const std::unique_ptr<Search>& companion : companions_) companion->for_each_position(visit);
  }

  void prepare_root() override {
    if (root_position_.is_over()) return;
    for (const std::unique_ptr<Worker>& worker : workers_) worker->fights.look_at_root(root_position_);
    if (tree_.root() == kNoNode) {
      if (evaluator_ != nullptr) {
        evaluate_root(*workers_.front());
      } else {
        expand(*workers_.front(), tree_.at(tree_.anchor()), 0, root_position_);
      }
      if (tree_.root() == kNoNode) throw MemoryTooSmall("max_memory is too small for the moves of one position");
    }
    for (const std::unique_ptr<Search>& companion : companions_) companion->prepare_root();
  }

  void play_at_root(Move move) override {
    if (!root_position_.is_legal(move)) throw std::invalid_argument("illegal move");
    root_position_.play(move);
    for (const std::unique_ptr<Search>& companion : companions_) companion->root_position_ = root_position_;
  }

  void check_tree(const TreeColumns& columns) const override { check_moves(columns, root_position_); }
  std::vector<Rng*> random_numbers() override {
    std::vector<Rng*> all;
    for (const std::unique_ptr<Worker>& worker : workers_) all.push_back(&worker->rng);
    return all;
  }

  // For `parallel=mutex`: one worker at a time is in the tree.
  virtual void lock_tree() { tree_mutex_.lock(); }
  std::mutex tree_mutex_;

  using Descent = tesuji::Descent<G>;
  using Worker = tesuji::Worker<G>;

  // Holds the tree for a worker where the engine wants that.
  std::unique_lock<std::mutex> hold_tree() {
    if (!uses_mutex()) return {};
    lock_tree();
    return {tree_mutex_, std::adopt_lock};
  }
  bool uses_mutex() const { return workers_.size() > 1 && !rules_.layout.shared; }

  static std::size_t trees_of(const Parameters& parameters) {
    return parameters.parallel == "root" ? parameters.threads : 1;
  }
  static Rules alone(Rules rules) {
    rules.parameters.threads = 1;
    return rules;
  }
  // `place`: which of all that search together. The first has the seed itself, as a search of one thread has it.
  void add_worker(std::size_t place, std::uint64_t seed) {
    constexpr std::uint64_t kSeedStep = 0xd1342543de82ef95;
    workers_.push_back(std::make_unique<Worker>(
        Worker{.number = workers_.size(),
               .rng = Rng(seed + place * kSeedStep),
               .descents = std::vector<Descent>(Search::playouts_at_once(), Descent{.position = root_position_}),
               .fights = {.solver = local_solver_ == nullptr ? nullptr : local_solver_->copy()}}));
  }

  std::int32_t loss() const { return static_cast<std::int32_t>(rules_.parameters.virtual_loss); }

  // One playout; false when a stop or the end of the time came in between.
  bool simulate_one(Worker& worker, std::int32_t virtual_loss) {
    Descent& descent = worker.descents.front();
    try {
      {
        const std::unique_lock guard = hold_tree();
        select(worker, descent, virtual_loss);
      }
      const std::optional<Rewards> rewards = look_at_leaf(worker, descent);
      if (!rewards) {
        take_back(descent, virtual_loss);
        return false;
      }
      descent.rewards = *rewards;
    } catch (...) {
      take_back(descent, virtual_loss);
      throw;
    }
    if (keeps_simulations_) write_down(descent, root_position_.num_players(), worker.simulations);
    const std::unique_lock guard = hold_tree();
    back_up(worker, descent, virtual_loss);
    return true;
  }

  // The steps of a path whose visits are counted at once. A descent that has not begun has none.
  std::span<const PathStep> counted_steps(const Descent& descent) const {
    const std::span<const PathStep> path(descent.path);
    return rules_.layout.shared && !path.empty() ? path.subspan(1) : path;
  }

  void add(const PathStep& step, std::int32_t visits, Reward reward) const {
    if (rules_.layout.shared) {
      step.parent.add_shared(step.child, visits, reward);
    } else {
      step.parent.add(step.child, visits, reward);
    }
  }

  // As if the descent had never been.
  void take_back(const Descent& descent, std::int32_t virtual_loss) {
    if (virtual_loss == 0) return;
    const std::unique_lock guard = hold_tree();
    for (const PathStep& step : counted_steps(descent)) {
      add(step, -virtual_loss, 0);
      step.parent.forget_visited_prefix();
    }
  }

  // Walks down to a leaf or to the end of the game. With a virtual loss every child on the path counts that many visits
  // without a reward until the result is backed up, so that the next descent looks elsewhere.
  void select(Worker& worker, Descent& descent, std::int32_t virtual_loss) {
    descent.path.clear();
    descent.played.clear();
    descent.position = root_position_;
    Node parent = tree_.at(tree_.anchor());
    std::uint32_t child = 0;
    int chooser = parent.chooser();
    while (true) {
      descent.path.push_back({parent, child, chooser});
      NodeIndex index = parent.child(child);
      const std::uint32_t visits = parent.visits(child);
      if (virtual_loss != 0 && (descent.path.size() > 1 || !rules_.layout.shared)) {
        add(descent.path.back(), virtual_loss, 0);
      }
      if (rules_.layout.has_proofs && parent.proofs(rules_.layout)[child] != Proof::kNone) return;
      if (index == kNoNode) {
        if (evaluator_ != nullptr || visits < rules_.parameters.expand || descent.position.is_over()) return;
        index = expand(worker, parent, child, descent.position);
        if (index == kNoNode) return;
      }
      parent = tree_.at(index);
      chooser = parent.chooser();
      child = choose(worker, parent, visits);
      // On their way from memory while the move is played: a hundredth of a 9x9 Go search.
      tree_.prefetch(parent.child(child));
      if (!rules_.layout.shared) parent.prefetch_rewards(child);
      if (rules_.layout.has_weights) {
        tree_.prefetch_ledger(parent.child(child));
        __builtin_prefetch(parent.weights(rules_.layout).data() + child, 1);
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

  std::uint32_t choose(Worker& worker, const Node& node, std::uint32_t parent_visits) {
    if constexpr (HasChance<G>) {
      if (node.chooser() == kChance) return draw_by_prior(node, rules_.layout, worker.rng);
    }
    return rules_.select(node, parent_visits, rules_);
  }

  void list_moves(Worker& worker, const G& position, MoveList& moves) {
    if (rules_.parameters.all_moves) {
      position.legal_moves(moves);
    } else {
      list_search_moves(position, moves);
    }
    // Chance's outcomes stay in the order of their probabilities, and nothing is chosen among them.
    if (position.to_move() == kChance) return;
    // The children's order is the order of ties: it must favour no move.
    for (auto left = static_cast<std::uint32_t>(moves.size()); left > 1; --left) {
      std::swap(moves[left - 1], moves[worker.rng.below(left)]);
    }
  }

  // kNoNode when the tree is full: the search then goes on with the tree that it has.
  NodeIndex expand(Worker& worker, const Node& parent, std::uint32_t child, const G& position) {
    if (tree_.is_full()) return kNoNode;
    list_moves(worker, position, worker.scratch.moves);
    return make_node(worker, parent, child, position, worker.scratch.moves, {});
  }

  // Gives a child its node; another thread may be faster, then it is that one's. Where nobody supplies priors, all
  // moves have the same; where chance decides, the priors are the game's probabilities, whatever else was said.
  NodeIndex make_node(Worker& worker, const Node& parent, std::uint32_t child, const G& position, const MoveList& moves,
                      std::span<const float> priors) {
    const NodeIndex index = tree_.allocate(moves, position.to_move());
    if (index == kNoNode) return kNoNode;
    const Node node = tree_.at(index);
    if (rules_.layout.has_prior) {
      const bool asks_model = priors.empty() && move_priors_ != nullptr && node.chooser() != kChance;
      set_priors(node, moves, asks_model ? priors_of(*move_priors_, position, moves, worker.priors) : priors, rules_,
                 worker.order);
    }
    if constexpr (HasChance<G>) {
      if (node.chooser() == kChance) set_chance_priors(node, position, rules_.layout, worker.scratch.probabilities);
    }
    if (prior_ != nullptr && node.chooser() != kChance)
      add_prior_visits(node, position, *prior_, rules_, worker.prior_visits);
    if (rules_.parameters.semeai_weight > 0 && node.chooser() != kChance)
      add_expertise(node, worker.fights.judge(position), rules_);
    const NodeIndex published = rules_.layout.shared ? parent.publish_first(child, index) : index;
    if (!rules_.layout.shared) parent.publish_child(child, index);
    if (published != index) tree_.abandon(node);
    return published;
  }

  // The rewards of a leaf: proven ones, or those of a playout.
  std::optional<Rewards> look_at_leaf(Worker& worker, Descent& descent) {
    if (rules_.layout.has_proofs && meets_proof(descent)) return descent.rewards;
    return play_out(worker, descent);
  }

  // Whether the descent ended at a proven child, whose rewards it then has. Also finds out whether the game is over.
  bool meets_proof(Descent& descent) {
    const PathStep& last = descent.path.back();
    const Proof proof = last.parent.proofs(rules_.layout)[last.child];
    descent.proves = proof == Proof::kNone && descent.position.is_over();
    if (proof != Proof::kNone) descent.rewards = rewards_of(proof, last.parent.chooser());
    return proof != Proof::kNone;
  }

  // Nothing when a stop or the end of the time came in between.
  std::optional<Rewards> play_out(Worker& worker, Descent& descent) {
    if (keeps_simulations_) descent.ends_game = descent.position.is_over();
    const bool is_judged = evaluation_ != nullptr || descent.position.is_over();
    if (local_solver_ == nullptr || is_judged) return play_out_once(worker, descent, is_judged);
    return worker.fights.play_out(descent.position, rules_.layout.has_rave ? &descent.played : nullptr, worker.rng,
                                  rules_.parameters, [&] { return play_out_once(worker, descent, false); });
  }

  std::optional<Rewards> play_out_once(Worker& worker, Descent& descent, bool is_judged) {
    if (playout_ != nullptr && !is_judged) {
      return playout_->play(descent.position, worker.rng, rules_.layout.has_rave ? &descent.played : nullptr,
                            rules_.parameters.semeai_retries > 0 ? &descent.position : nullptr);
    }
    if (!rules_.layout.has_rave) return play_out(worker, descent.position, NoRecord{});
    return play_out(worker, descent.position, [this, &played = descent.played](int player, Move move) {
      played.push_back({player, as_counted(move)});
    });
  }

  template <class Record>
  std::optional<Rewards> play_out(Worker& worker, G& position, Record record) {
    if (position.is_over()) return position.rewards();
    if (evaluation_ != nullptr) return evaluation_(position);
    const std::uint32_t cap = rules_.parameters.playout_cap;
    const auto stopped = [&] { return must_end(worker.number); };
    if (policy_ != nullptr) {
      const auto choose = [&](const G& here, const MoveList& moves) {
        return policy_->choose(here, moves, worker.rng);
      };
      return chosen_playout(position, worker.rng, record, worker.scratch, cap, stopped, choose);
    }
    if constexpr (HasPlayout<G>) {
      return position.playout(worker.rng, record);
    } else {
      return uniform_playout(position, worker.rng, record, worker.scratch, cap, stopped);
    }
  }

  // The visit of each child takes the place of its virtual loss. Chance chooses for nobody: its children keep the first
  // player's rewards, and no rule of selection reads them.
  void back_up(Worker& worker, const Descent& descent, std::int32_t virtual_loss, NodeIndex leaf = kNoNode) {
    const bool keeps_rewards = !rules_.layout.replaces_rewards();
    if (rules_.layout.shared) {
      const auto player = static_cast<std::size_t>(std::max(descent.path.front().chooser, 0));
      if (keeps_rewards) worker.root_rewards += descent.rewards[player];
      if (++worker.root_visits >= kUntoldVisits) worker.tell(tree_.at(tree_.anchor()));
    }
    for (const PathStep& step : counted_steps(descent)) {
      const auto player = static_cast<std::size_t>(std::max(step.chooser, 0));
      if (keeps_rewards) {
        add(step, 1 - virtual_loss, descent.rewards[player]);
      } else if (rules_.layout.shared) {
        step.parent.add_shared(step.child, 1 - virtual_loss, 0);
      } else {
        step.parent.add_visits(step.child, 1 - virtual_loss);
      }
    }
    if (rules_.back_up == nullptr && rules_.bound == nullptr && rules_.update_rave == nullptr && !descent.proves)
      return;
    const PathStep& last = descent.path.back();
    const Playout playout{descent.path, descent.rewards, evaluator_ != nullptr ? last.parent.child(last.child) : leaf};
    if (rules_.back_up != nullptr) rules_.back_up(playout, tree_, rules_);
    if (rules_.bound != nullptr) rules_.bound(playout, tree_, rules_);
    if (rules_.update_rave != nullptr) rules_.update_rave(playout, descent.played, worker.first_plays, rules_);
    if (descent.proves) rules_.solver.prove(playout, root_position_.num_players(), rules_);
  }

  // As many descents as the batch holds, one question to the evaluator, then all the backups, or none after a stop.
  std::uint64_t simulate_batch(Worker& worker, std::uint64_t most) {
    const std::span<Descent> descents(worker.descents.data(), std::min<std::uint64_t>(most, worker.descents.size()));
    worker.leaves.clear();
    for (Descent& descent : descents) descent.path.clear();
    try {
      for (Descent& descent : descents) {
        const std::unique_lock guard = hold_tree();
        select(worker, descent, loss());
        ask_for(worker, descent);
      }
      if (!worker.leaves.empty()) evaluator_->evaluate(worker.leaves);
      std::size_t leaf = 0;
      for (Descent& descent : descents) {
        if (descent.moves.empty()) continue;
        if (!take_answer(worker, descent, worker.leaves[leaf++])) {
          take_back(descents);
          return 0;
        }
      }
    } catch (...) {
      // Game and evaluator may be somebody else's code: whatever they throw, no virtual loss may stay behind.
      take_back(descents);
      throw;
    }
    const std::unique_lock guard = hold_tree();
    // All virtual losses first: a backup rule wants to see the visits that there really were.
    for (const Descent& descent : descents) {
      for (const PathStep& step : counted_steps(descent)) add(step, -loss(), 0);
    }
    for (const Descent& descent : descents) back_up(worker, descent, 0);
    return descents.size();
  }

  void take_back(std::span<const Descent> descents) {
    for (const Descent& descent : descents) take_back(descent, loss());
  }

  void evaluate_root(Worker& worker) {
    Descent& descent = worker.descents.front();
    descent.position = root_position_;
    descent.path.assign(1, PathStep{tree_.at(tree_.anchor()), 0, 0});
    worker.leaves.clear();
    add_leaf(worker, descent);
    evaluator_->evaluate(worker.leaves);
    give_node(worker, descent, worker.leaves.front());
  }

  // A game that is over, or proven, needs no evaluator; it then has no moves.
  void ask_for(Worker& worker, Descent& descent) {
    descent.moves.clear();
    if (rules_.layout.has_proofs && meets_proof(descent)) return;
    if (descent.position.is_over()) {
      descent.rewards = descent.position.rewards();
      return;
    }
    add_leaf(worker, descent);
  }

  void add_leaf(Worker& worker, Descent& descent) {
    list_moves(worker, descent.position, descent.moves);
    descent.priors.assign(descent.moves.size(), 0.0f);
    worker.leaves.push_back({&descent.position, descent.moves, descent.priors, {}});
  }

  // False when a stop came before the rewards of a leaf that the evaluator leaves to a playout.
  bool take_answer(Worker& worker, Descent& descent, const EvaluatedLeaf<G>& leaf) {
    give_node(worker, descent, leaf);
    const std::optional<Rewards> rewards = leaf.rewards ? leaf.rewards : play_out(worker, descent);
    if (rewards) descent.rewards = *rewards;
    return rewards.has_value();
  }

  // The leaf becomes a node with the evaluator's priors, unless another descent has already made it one.
  void give_node(Worker& worker, Descent& descent, const EvaluatedLeaf<G>& leaf) {
    const std::unique_lock guard = hold_tree();
    const PathStep& last = descent.path.back();
    if (last.parent.child(last.child) != kNoNode || tree_.is_full()) return;
    make_node(worker, last.parent, last.child, descent.position, descent.moves, leaf.priors);
  }

  G root_position_;
  Knowledge<G> knowledge_;  // a companion has its leader's
  Evaluator<G>* evaluator_;
  PlayoutPolicy<G>* policy_;
  const KnowledgePlayout<G>* playout_;
  const PriorKnowledge<G>* prior_;
  const MovePriors<G>* move_priors_;
  const LocalSolver<G>* local_solver_;  // of which each worker has a copy
  Judge<G> evaluation_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::unique_ptr<Search>> companions_;
};

}  // namespace tesuji
