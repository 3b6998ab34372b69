"""Broadcast (parallelization paper, Algorithm 5): every machine sends every simulation to all others, in groups.

A message has the moves of each simulation from the root, and its rewards; with RAVE also the moves of its playout. The
receiver backs it up as if it had made it, as far down as it has nodes: with every rule, so that discounted counts,
velocities and RAVE sums are those of all simulations, in the order of their arrival. A simulation that is lost on the
way is lost. Nodes are found by their path; the tree has no transpositions.

All machines do the updates of all: with alpha the share of a simulation's time that its update takes, no number of
machines is worth more than 1 / alpha of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.cluster.messages import Kind, Message, Words
from tesuji.cluster.node import Node, Slice, Work
from tesuji.cluster.scheme import TreeOfOnesOwn


@dataclass(frozen=True, kw_only=True)
class Broadcast(TreeOfOnesOwn):
    @property
    def name(self) -> str:
        return "broadcast"

    def work(self, node: Node, piece: Slice) -> Work:
        node.searcher.keep_simulations(len(node.others) > 0)
        return node.think(piece)

    def exchange(self, node: Node) -> None:
        words = node.searcher.take_simulations()
        if words.size:
            node.send_all(Kind.SIMULATIONS, (words,), keep=True)

    def take(self, node: Node, source: int, message: Message) -> None:  # noqa: ARG002  all are worth the same
        waiting: list[Words] = node.state or []
        node.state = [*waiting, *message.arrays]

    def finish(self, node: Node) -> None:
        self.exchange(node)
        super().finish(node)

    def settle(self, node: Node) -> None:
        if not node.state:
            return
        node.look_at_root()
        for words in node.state:
            node.searcher.back_up_simulations(words)
        node.state = None
        node.board.leave_out_changes()

    def follow(self, node: Node) -> None:
        """Books are kept of the root alone: who has found what below it is not known, and all trees have it.

        So all of it counts as the first machine's.
        """
        node.board.find_nodes(depth=0, threshold=0.0, least=0)
        node.board.begin_again(owns=node.is_master)
