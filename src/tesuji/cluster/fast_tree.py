"""Fast tree: one tree, on the first machine; the others play out what it begins.

The first machine walks down its tree and sends the moves, in groups; another plays each of them out and sends the
rewards back, with RAVE also the moves. Meanwhile a simulation counts on its path as lost, as between threads. So that
nobody waits, every machine has up to `ahead` groups before it. Those of a machine that is lost, or silent for too long,
are given up.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import ClassVar

from tesuji.checks import check_integer
from tesuji.cluster.messages import Kind, Message, Words
from tesuji.cluster.node import MASTER, Node, Slice, Work

_NAP_SECONDS = 0.0002


@dataclass
class _Master:
    begun: dict[int, tuple[int, Words]] = field(default_factory=dict)  # by group: who has it, and what it is
    groups: int = 0
    played: list[Words] = field(default_factory=list)
    is_proven: bool = False


@dataclass
class _Helper:
    asked: list[tuple[int, Words]] = field(default_factory=list)
    played: list[tuple[int, Words]] = field(default_factory=list)
    may_play: int = 0  # simulations, where a budget of playouts says how fast the machine is


@dataclass(frozen=True, kw_only=True)
class FastTree:
    group: int = 8
    ahead: int = 2
    has_one_tree: ClassVar[bool] = True

    @property
    def name(self) -> str:
        return "fast-tree"

    def __post_init__(self) -> None:
        check_integer("group", self.group, low=1, high=10_000)
        check_integer("ahead", self.ahead, low=1, high=100)

    def rounds(self, playouts: int, exchanges: int) -> int:  # noqa: ARG002  a group is what is exchanged
        """As many as it takes to play all groups; the first of them arrive in the second round."""
        return -(-playouts // self.group) + 1

    def work(self, node: Node, piece: Slice) -> Work:
        if not node.is_master:
            return self._play_out(node, piece)
        if not node.others:
            return node.think(piece)
        began = time.thread_time()
        master = _master(node)
        made = self._end(node, master)
        sent = self._begin(node, master)
        if not made and not sent and piece.playouts is None:
            time.sleep(_NAP_SECONDS)
        return Work(made, time.thread_time() - began, "proven" if master.is_proven else None)

    def _begin(self, node: Node, master: _Master) -> bool:
        """A group for everybody who has room for one."""
        others = node.others
        for group, (who, words) in list(master.begun.items()):
            if who not in others:
                node.searcher.give_up_simulations(words)
                del master.begun[group]
        busy = [who for who, _ in master.begun.values()]
        free = [other for other in others if busy.count(other) < self.ahead]
        for other in free:
            words = node.searcher.begin_simulations(self.group)
            master.is_proven = not words.size  # there is nothing to begin any more
            if words.size:
                master.groups += 1
                master.begun[master.groups] = other, words
                node.send(other, Kind.BEGUN, (words,), number=master.groups, keep=True)
        return bool(free)

    def _end(self, node: Node, master: _Master) -> int:
        made = 0
        for words in master.played:
            node.searcher.end_simulations(words)
            made += simulations_in(words)
        master.played.clear()
        node.playouts += made
        return made

    def _play_out(self, node: Node, piece: Slice) -> Work:
        """A group is not divided: it is played as soon as the machine may play any of it."""
        helper = _helper(node)
        began = time.thread_time()
        has_played = False
        helper.may_play += piece.playouts or 0
        while helper.asked and (piece.playouts is None or helper.may_play > 0):
            group, words = helper.asked.pop(0)
            played = node.searcher.play_out_simulations(words)
            helper.played.append((group, played))
            helper.may_play -= simulations_in(played)
            has_played = True
        if piece.playouts is None and not has_played:
            time.sleep(_NAP_SECONDS)
        return Work(0, time.thread_time() - began)

    def exchange(self, node: Node) -> None:
        if node.is_master:
            return
        helper = _helper(node)
        for group, words in helper.played:
            node.send(MASTER, Kind.PLAYED, (words,), number=group, keep=True)
        helper.played.clear()

    def take(self, node: Node, source: int, message: Message) -> None:  # noqa: ARG002  the group says whose it is
        if message.kind is Kind.BEGUN:
            _helper(node).asked.append((message.number, message.arrays[0]))
        elif message.kind is Kind.PLAYED:
            master = _master(node)
            # One that was given up in the meantime counts no more.
            if master.begun.pop(message.number, None) is not None:
                master.played.append(message.arrays[0])

    def settle(self, node: Node) -> None: ...

    def finish(self, node: Node) -> None:
        if node.is_master:
            master = _master(node)
            self._end(node, master)
            for _, words in master.begun.values():
                node.searcher.give_up_simulations(words)
            master.begun.clear()
            if not node.searcher.snapshot().visits:
                node.think(Slice(playouts=1))  # nobody has answered in time, and there must be an answer
            node.look_at_root()
        else:
            helper = _helper(node)
            helper.asked.clear()
            helper.played.clear()
            helper.may_play = 0
            node.send_final()

    def follow(self, node: Node) -> None: ...


def simulations_in(words: Words) -> int:
    """How many there are: each begins with its length."""
    count = place = 0
    while place < words.size:
        place += int(words[place])
        count += 1
    return count


def _master(node: Node) -> _Master:
    if node.state is None:
        node.state = _Master()
    return node.state  # type: ignore[no-any-return]


def _helper(node: Node) -> _Helper:
    if node.state is None:
        node.state = _Helper()
    return node.state  # type: ignore[no-any-return]
