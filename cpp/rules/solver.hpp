// Solver (Winands, Bjornsson and Saito 2008, "Monte-Carlo Tree Search Solver"; draws are ours): what the ends of the
// game prove is backed up beside the values.
//
//   a child that ends the game with a reward of 1, 1/2 or 0 for the player who chooses it is a win, a draw or a loss
//   a node with a winning child is won for the player who chooses there; a node all of whose children are proven is
//   worth the best of them; the move that leads to it is worth the same, turned round where the players differ
//
// Selection: a proven child is not chosen again. There is always another: a node with a win, or with nothing but losses
// and draws, is itself proven, and the search does not come there. With a draw in hand the other children are searched
// for a win, as in score-bounded search (Cazenave and Saffidine 2010); until they are proven too the values above are
// those of what was tried. A proven root ends the search. Only chance still leads to proven children: the reward is
// then the proven one, without a playout.
//
// Final selection: a win if there is one; no loss unless there is nothing else; a draw rather than a move that looks
// worse than one.
//
// All this is minimax, and so for games of one or two players. A game's end where the rewards of two players do not add
// up to 1, or with another reward than these three, proves nothing (ours). Where chance moves, a node is proven when
// all outcomes are, and are the same (ours). A proof holds for the moves that are searched: in Go these are the
// sensible ones, unless the engine has `moves=legal`.
#pragma once

#include "rules/select.hpp"
#include "search/rules.hpp"

namespace tesuji {

struct Solver {
  // After a playout that ended with the game: proves its last child, and whatever follows from that.
  static void prove(const Playout& playout, int players, const Rules& rules);

  static std::size_t final_move(std::span<const RootChild> children, const Rules& rules);
};

// A backup rule whose children may be proven; any selection rule goes with it.
template <class Backup>
struct Solved : Backup {};

template <class Backup, class Rave>
struct Candidates<Solved<Backup>, Rave> : Candidates<Backup, Rave> {
  Candidates(const Node& node, const NodeLayout& layout)
      : Candidates<Backup, Rave>(node, layout), proofs(node.proofs(layout)) {}

  bool is_proven(std::uint32_t child) const { return proofs[child] != Proof::kNone; }

  double sum(std::uint32_t child) const {
    // No exploration term makes up for this.
    constexpr double kNever = -1e200;
    return is_proven(child) ? kNever * this->children.visits(child) : Candidates<Backup, Rave>::sum(child);
  }

  RelaxedArray<Proof> proofs;
};

}  // namespace tesuji
