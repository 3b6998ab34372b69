"""The desk of the page on deception: small trees, and what three backup rules make of them, playout by playout."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Final

from tesuji.games.tree_game import TreeGame
from tesuji.search import Search
from tesuji.web.messages import LEARN, Figure
from tesuji.web.session import Session

#: The paper's figure 1, where B is lost and C is won; and a trap that is deep enough to last.
TREES: Final = {
    "figure-1": TreeGame([[1, 1, 0], [[1, 0]]]),
    "ladder": TreeGame.deceptive(depth=4, width=2),
}
RULES: Final = ("plain", "discounted", "accelerated")
_DEEPEST: Final = 100


@dataclass(frozen=True, kw_only=True)
class _Node:
    """A node of the whole tree, by the moves that lead to it; all of them level by level."""

    path: tuple[int, ...]
    position: TreeGame


def nodes_of(tree: TreeGame) -> list[_Node]:
    nodes = [_Node(path=(), position=tree)]
    for node in nodes:
        if not node.position.is_over:
            nodes.extend(
                _Node(path=(*node.path, move), position=node.position.play(move))
                for move in node.position.legal_moves()
            )
    return nodes


def engine_of(rule: str, message: Figure) -> str:
    backup = "mean" if rule == "plain" else f"{rule}(decay={message.decay})"
    return f"uct(c={message.c})+{backup}"


def frames(tree: TreeGame, engine: str, *, playouts: int, seed: int, memory: int) -> list[dict[str, Any]]:
    """After each playout the visits of every node, and its value to the first player; None before its first visit."""
    places = {node.path: number for number, node in enumerate(nodes_of(tree))}
    search = Search(tree, engine, seed=seed, max_memory=memory)
    return [_frame(search, places) for _ in range(playouts)]


def _frame(search: Search, places: dict[tuple[int, ...], int]) -> dict[str, Any]:
    search.think(playouts=1)
    visits, values = [0] * len(places), [None] * len(places)  # type: list[int], list[float | None]
    paths: dict[int, tuple[int, ...]] = {}
    for node in search.top_of_tree(max_depth=_DEEPEST):
        paths[node.id] = () if node.parent is None else (*paths[node.parent], node.move)
        path = paths[node.id]
        # A node has its value for whoever moves to it: here the players take turns, and the first begins.
        is_firsts = len(path) % 2 == 1
        place = places[path]
        visits[place] = node.visits
        values[place] = round(node.value if is_firsts else 1 - node.value, 3)
    values[0] = None  # nobody chooses the root
    return {"visits": visits, "values": values, "best": int(search.best_move())}


class LearnDesk:
    messages = LEARN

    def __init__(self, session: Session) -> None:
        self._session = session

    async def handle(self, message: Figure) -> None:
        tree = TREES[message.tree]
        numbers = {node.path: number for number, node in enumerate(nodes_of(tree))}
        nodes = [
            {
                "parent": numbers[node.path[:-1]] if node.path else None,
                "depth": len(node.path),
                "player": None if node.position.is_over else node.position.to_move,
                "value": node.position.outcome()[0] if node.position.is_over else None,
            }
            for node in nodes_of(tree)
        ]
        engines = []
        for rule in RULES:
            engine = engine_of(rule, message)
            work = functools.partial(frames, tree, engine, playouts=message.playouts, seed=message.seed)
            turn = await self._session.pool.turn(functools.partial(work, memory=self._session.memory))
            engines.append({"rule": rule, "engine": engine, "frames": turn.value})
        await self._session.send("figure", tree=message.tree, nodes=nodes, engines=engines)
