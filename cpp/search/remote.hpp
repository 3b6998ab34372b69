// A search that works together with searches elsewhere: it writes its simulations down for them, backs up theirs, and
// lets others play out what it has begun. The words that go to and fro: simulations.hpp.
#pragma once

#include <algorithm>
#include <optional>

#include "search/search.hpp"
#include "search/simulations.hpp"

namespace tesuji {

template <Game G>
class RemoteSearch : public Search<G> {
  using Base = Search<G>;
  using Descent = tesuji::Descent<G>;

 public:
  using Base::Base;

 protected:
  void collect_simulations(Simulations& into) override {
    for (const auto& worker : this->workers_) {
      into.insert(into.end(), worker->simulations.begin(), worker->simulations.end());
      worker->simulations.clear();
    }
  }

  // Where this tree is less deep than the one that a simulation comes from, the rest of its moves is left out.
  void back_up_all(std::span<const std::uint32_t> words, bool begun_here) override {
    const std::int32_t virtual_loss = begun_here ? this->loss() : 0;
    auto& worker = *this->workers_.front();
    Descent& descent = worker.descents.front();
    const AnchorGuard guard(worker, this->tree_.at(this->tree_.anchor()));
    for (SimulationReader simulations(words, players()); simulations.next();) {
      const bool is_whole = walk(simulations.moves(), descent);
      descent.rewards = simulations.rewards();
      simulations.read_played(descent.played);
      if (this->rules_.layout.has_rave && descent.played.size() + 1 < descent.path.size()) {
        throw BadMessage("a simulation has no moves for RAVE: it comes from another engine");
      }
      descent.proves = this->rules_.layout.has_proofs && is_whole && simulations.ends_game();
      const PathStep& last = descent.path.back();
      this->back_up(worker, descent, virtual_loss, last.parent.child(last.child));
    }
  }

  void begin_all(std::uint32_t count, Simulations& into) override {
    auto& worker = *this->workers_.front();
    Descent& descent = worker.descents.front();
    for (std::uint32_t made = 0; made < count && !this->is_proven(); ++made) {
      try {
        this->select(worker, descent, this->loss());
      } catch (...) {
        // Nobody will hear of those begun before, either.
        this->take_back(descent, this->loss());
        give_up_all(into);
        throw;
      }
      descent.ends_game = false;
      descent.rewards = {};
      descent.played.clear();
      write_down(descent, players(), into);
    }
  }

  void give_up_all(std::span<const std::uint32_t> words) override {
    Descent& descent = this->workers_.front()->descents.front();
    for (SimulationReader simulations(words, players()); simulations.next();) {
      walk(simulations.moves(), descent);
      this->take_back(descent, this->loss());
    }
  }

  void play_out_all(std::span<const std::uint32_t> words, Simulations& into) override {
    auto& worker = *this->workers_.front();
    Descent& descent = worker.descents.front();
    for (SimulationReader simulations(words, players()); simulations.next();) {
      descent.position = this->root_position_;
      descent.played.clear();
      for (const Move move : simulations.moves()) {
        if (!descent.position.is_legal(move)) throw BadMessage("a simulation has an illegal move");
        if (this->rules_.layout.has_rave) {
          descent.played.push_back({descent.position.to_move(), this->as_counted(move)});
        }
        descent.position.play(move);
      }
      const bool ends_game = descent.position.is_over();
      const std::optional<Rewards> rewards = this->play_out(worker, descent);
      if (!rewards) return;
      const auto each = [&](const auto& write) { std::ranges::for_each(simulations.moves(), write); };
      write_simulation(into, players(), ends_game, *rewards, each, descent.played);
    }
  }

 private:
  int players() const { return this->root_position_.num_players(); }

  // The path of these moves, as far as there are nodes; whether that is all of it.
  bool walk(std::span<const Move> moves, Descent& descent) {
    descent.path.clear();
    Node parent = this->tree_.at(this->tree_.anchor());
    descent.path.push_back({parent, 0, parent.chooser()});
    NodeIndex index = parent.child(0);
    for (const Move move : moves) {
      if (index == kNoNode) return false;
      parent = this->tree_.at(index);
      const Move* end = parent.moves() + parent.child_count();
      const Move* found = std::find(parent.moves(), end, move);
      if (found == end) throw BadMessage("a simulation has a move that there is not here");
      const auto child = static_cast<std::uint32_t>(found - parent.moves());
      descent.path.push_back({parent, child, parent.chooser()});
      index = parent.child(child);
    }
    return true;
  }
};

}  // namespace tesuji
