"""The desk of the page that shows the search at work: one engine or two at the same position, in step."""

from __future__ import annotations

import functools
import time
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from typing import Any, Final

from tesuji.errors import GameStateError
from tesuji.games.go import Go
from tesuji.gtp.thinker import FINAL, run_slice
from tesuji.search import RunReport, Search, SearchResult, TreeNode
from tesuji.web.boards import Record, engine_for, ownership
from tesuji.web.messages import WATCH, OpenNode, Ownership, Run, SaveTree, Stop, Watch
from tesuji.web.pool import SLICE_SECONDS
from tesuji.web.session import Session

_LOOK_SECONDS: Final = 0.2
# A page that nobody closes does not search for ever.
_MAX_SEARCH_SECONDS: Final = 600.0
# The engine with fewer playouts has the next turn, of at most so many: so both stay in step.
_STEP_PLAYOUTS: Final = 2000
_SHOWN_LINE: Final = 12
# A node with a smaller part of the root's visits is not listed: there are too many of them.
_LISTED_PART: Final = 5000
_SAVED_DEPTH: Final = 40
_SAVED_PART: Final = 1000


class Bench:
    """A position with its searches."""

    def __init__(self, message: Watch, *, memory: int) -> None:
        self.record = Record(message.board)
        position = self.record.position
        if position.is_over:
            raise GameStateError("the game is over here, so there is nothing to search: take a move back")
        share = memory // len(message.engines)
        engines = [engine_for(text, position) for text in message.engines]
        self.searches = [Search(position, engine, seed=message.seed, max_memory=share) for engine in engines]
        self.shows_ownership = message.ownership
        self._spent = [0.0] * len(self.searches)
        self._finished = [False] * len(self.searches)
        self._visits = [0] * len(self.searches)

    def is_done(self, limit: int | None) -> bool:
        """Whether no engine has anything left to do."""
        return all(
            done or (limit is not None and visits >= limit)
            for done, visits in zip(self._finished, self._visits, strict=True)
        )

    @property
    def fewest_visits(self) -> int:
        return min(self._visits)

    @property
    def most_visits(self) -> int:
        return max(self._visits)

    def search_on(self, limit: int | None, *, at_most: int) -> None:
        """One slice for the engine that has fewer playouts."""
        going_on = [number for number, done in enumerate(self._finished) if not done]
        number = min(going_on, key=lambda number: self._visits[number])
        playouts = at_most if limit is None else min(at_most, limit - self._visits[number])
        self._count(number, run_slice(self.searches[number], playouts=max(1, playouts), seconds=SLICE_SECONDS))

    def _count(self, number: int, report: RunReport) -> None:
        self._spent[number] += report.seconds
        self._visits[number] += report.playouts
        self._finished[number] = report.stopped_by in FINAL or self._spent[number] > _MAX_SEARCH_SECONDS

    def look(self) -> dict[str, Any]:
        position = self.record.position
        shown = self.shows_ownership and isinstance(position, Go)
        return {
            "engines": [
                self._engine_dict(search, seconds) for search, seconds in zip(self.searches, self._spent, strict=True)
            ],
            "ownership": ownership(position, seed=1) if shown and isinstance(position, Go) else None,
        }

    def _engine_dict(self, search: Search, seconds: float) -> dict[str, Any]:
        try:
            result = search.result()
        except GameStateError:  # nothing searched yet
            return {"engine": str(search.engine), "visits": 0, "seconds": 0.0, "moves": [], "line": []}
        return {
            "engine": str(search.engine),
            "visits": result.visits,
            "seconds": seconds,
            "best": result.position.format_move(result.best_move),
            "value": result.value,
            "nodes": result.nodes,
            "memory": result.memory,
            "full": result.tree_full,
            "proven": result.proven,
            "line": list(result.pv[:_SHOWN_LINE]),
            "line_text": _texts(result),
            "moves": [
                {
                    "move": entry.move, "text": entry.text, "visits": entry.visits, "value": round(entry.value, 4),
                    "prior": None if entry.prior is None else round(entry.prior, 5),
                }
                for entry in result.moves
            ],
        }  # fmt: skip


def _texts(result: SearchResult) -> list[str]:
    return [result.position.format_move(move) for move in result.pv[:_SHOWN_LINE]]


class WatchDesk:
    messages = WATCH

    def __init__(self, session: Session) -> None:
        self._session = session
        self._bench: Bench | None = None
        self._limit: int | None = None
        self._part = _STEP_PLAYOUTS

    async def handle(self, message: Watch | Run | Stop | Ownership | OpenNode | SaveTree) -> None:
        match message:
            case Watch():
                await self._set_up(message)
            case Run():
                await self._session.begin(self._run(self._watched, message.playouts))
            case Stop():
                await self._session.halt()
                await self._show("stopped")
            case Ownership():
                self._watched.shows_ownership = message.shown
                if not self._session.is_busy:
                    await self._show("look")
            case OpenNode():
                await self._aside(self._open(message))
            case SaveTree():
                await self._aside(self._save(message))

    @property
    def _watched(self) -> Bench:
        if self._bench is None:
            raise GameStateError("there is nothing to watch yet: set a position up")
        return self._bench

    async def _set_up(self, message: Watch) -> None:
        """What makes no sense leaves the old position as it is, and its search at work."""
        bench = (await self._session.pool.turn(functools.partial(Bench, message, memory=self._session.memory))).value
        await self._session.halt()
        self._bench = bench
        await self._session.send("board", **self._bench.record.to_dict())
        await self._show("stopped")

    async def _show(self, kind: str) -> None:
        await self._session.send(kind, **(await self._session.pool.turn(self._watched.look)).value)

    async def _run(self, bench: Bench, playouts: int | None) -> None:
        """Slices until a stop, or until every engine has made so many playouts more."""
        self._limit = None if playouts is None else bench.most_visits + playouts
        # A short run is shown in ten parts, however fast it is: its chart would be a point otherwise.
        self._part = _STEP_PLAYOUTS if playouts is None else min(_STEP_PLAYOUTS, max(1, playouts // 10))
        await self._session.send("running")
        await self._go_on(bench)

    async def _go_on(self, bench: Bench) -> None:
        limit, part = self._limit, self._part
        looked, visits = time.monotonic(), bench.fewest_visits
        while not bench.is_done(limit):
            await self._session.pool.turn(lambda: bench.search_on(limit, at_most=part))
            has_part = limit is not None and bench.fewest_visits >= visits + part
            if has_part or time.monotonic() - looked > _LOOK_SECONDS:
                await self._show("look")
                looked, visits = time.monotonic(), bench.fewest_visits
        await self._show("stopped")

    async def _aside(self, question: Coroutine[Any, Any, None]) -> None:
        """A question about the tree, while the search waits."""
        was_busy = self._session.is_busy
        await self._session.halt()
        try:
            await question
        finally:
            if was_busy:
                await self._session.begin(self._go_on(self._watched))

    def _search(self, engine: int) -> Search:
        searches = self._watched.searches
        if engine >= len(searches):
            raise GameStateError("there is no second engine")
        return searches[engine]

    async def _open(self, message: OpenNode) -> None:
        search = self._search(message.engine)
        turn = await self._session.pool.turn(lambda: children_at(search, message.path))
        await self._session.send("children", engine=message.engine, path=message.path, children=turn.value)

    async def _save(self, message: SaveTree) -> None:
        search = self._search(message.engine)
        tree = (await self._session.pool.turn(lambda: whole_tree(search))).value
        await self._session.send("tree", engine=message.engine, tree=tree)


# ---- the tree


def children_at(search: Search, path: Sequence[str]) -> list[dict[str, Any]]:
    """The children of the node that these moves lead to, the most visited first."""
    nodes = search.top_of_tree(max_depth=len(path) + 1, min_visits=_least(search, _LISTED_PART))
    below = _by_parent(nodes)
    node, position = nodes[0].id, search.position
    for text in path:
        move = position.parse_move(text)
        found = next((child.id for child in below[node] if child.move == move), None)
        if found is None:
            raise GameStateError(f"{text} has too few visits here to be listed")
        node, position = found, position.play(move)
    children = sorted(below[node], key=lambda child: -child.visits)
    return [
        {"text": position.format_move(child.move), "visits": child.visits, "value": round(child.value, 4)}
        for child in children
    ]


def whole_tree(search: Search) -> dict[str, Any]:
    """The tree as nested values, but for nodes with hardly any visits."""
    least = _least(search, _SAVED_PART)
    nodes = search.top_of_tree(max_depth=_SAVED_DEPTH, min_visits=least)
    below = _by_parent(nodes)

    def nested(node: TreeNode, position: Any, text: str | None) -> dict[str, Any]:
        children = sorted(below[node.id], key=lambda child: -child.visits)
        return {
            "move": text,
            "visits": node.visits,
            "value": node.value,
            "children": [
                nested(child, position.play(child.move), position.format_move(child.move)) for child in children
            ],
        }

    return {
        "game": search.position.game,
        "engine": str(search.engine),
        "seed": search.seed,
        "least_visits": least,
        "position": str(search.position),
        "root": nested(nodes[0], search.position, None),
    }


def _least(search: Search, part: int) -> int:
    return max(1, sum(entry.visits for entry in search.glance()) // part)


def _by_parent(nodes: Sequence[TreeNode]) -> dict[int | None, list[TreeNode]]:
    below: dict[int | None, list[TreeNode]] = defaultdict(list)
    for node in nodes:
        below[node.parent].append(node)
    return below
