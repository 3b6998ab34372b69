"""Every playout counts once, whatever is exchanged, delayed or lost: the books against a count of the simulations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.cluster.reference import CountedCluster, Tally
from tesuji import _core
from tesuji.cluster.board import ANCHOR, ROOT, Board, nodes_in
from tesuji.errors import ClusterError

GAMES: dict[str, Callable[[], tesuji.Position]] = {
    "go": lambda: tesuji.Go(5),
    "othello": tesuji.Othello,
    "havannah": lambda: tesuji.Havannah(4),
}


def told(cluster: CountedCluster, rank: int) -> dict[tuple[tuple[int, ...], int], tuple[int, int]]:
    """G by the books of one machine, by path and move, where there are visits."""
    board = cluster._nodes[rank].board
    total = board.total()
    seen, place = {}, 0
    for path, count in nodes_in(board.nodes):
        moves = children(cluster, path) if path != ANCHOR else [0]
        for move in moves if len(moves) == count else range(count):
            if total.visits[place]:
                seen[path, move] = int(total.visits[place]), int(total.rewards[place])
            place += 1
    seen.pop((ANCHOR, 0), None)
    return seen


def children(cluster: CountedCluster, path: tuple[int, ...]) -> list[int]:
    """The moves of a node by their numbers: those that are searched there."""
    position = cluster.position
    for move in path[1:]:
        position = position.play(position.move_of(move))
    search = tesuji.Search(position, cluster.engine)
    search.think(playouts=1)
    return sorted(child.move for child in search.core.snapshot().moves)


def counted(tallies: list[Tally], paths: set[tuple[int, ...]]) -> dict[tuple[tuple[int, ...], int], tuple[int, int]]:
    """The sum over all machines at these nodes."""
    total: dict[tuple[tuple[int, ...], int], tuple[int, int]] = {}
    for tally in tallies:
        for key, visits in tally.visits.items():
            if key[0] in paths:
                before = total.get(key, (0, 0))
                total[key] = before[0] + visits, before[1] + tally.rewards[key]
    return total


def paths_of(cluster: CountedCluster, rank: int) -> set[tuple[int, ...]]:
    return {path for path, _ in nodes_in(cluster._nodes[rank].board.nodes)}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("scheme", "options"),
    [
        ("slow-root", {}),
        ("slow-tree", {"depth": 1}),
        ("slow-tree", {"depth": 3, "threshold": 0.02, "share": "sum"}),
        ("voting", {}),
    ],
)
def test_the_books_are_the_count(game: str, scheme: str, options: dict[str, Any]) -> None:
    cluster = CountedCluster(GAMES[game](), n=3, scheme=scheme, engine="uct(c=0.7)", seed=5, **options)
    tallies = cluster.count()
    cluster.run(playouts=300)
    cluster._exchange()  # once more without playouts: now everybody has been told of every node
    for rank in range(3) if scheme != "voting" else (0,):
        assert told(cluster, rank) == counted(tallies, paths_of(cluster, rank))
    assert len(paths_of(cluster, 0)) > 2 or scheme in ("slow-root", "voting")


@settings(max_examples=40)
@given(
    machines=st.integers(1, 6),
    depth=st.integers(0, 3),
    share=st.sampled_from(["average", "sum"]),
    delay=st.integers(0, 3),
    loss=st.floats(0, 0.9),
    speeds=st.lists(st.floats(0, 2), min_size=6, max_size=6),
    seed=st.integers(0, 1000),
)
def test_at_the_end_every_playout_is_counted_once(
    machines: int, depth: int, share: str, delay: int, loss: float, speeds: list[float], seed: int
) -> None:
    cluster = CountedCluster(
        tesuji.Go(5),
        n=machines,
        engine="uct(c=0.7)",
        seed=seed,
        speeds=[1.0, *speeds[1:machines]],
        delay=delay,
        loss=loss,
        depth=depth,
        share=share,
    )
    tallies = cluster.count()
    for _ in range(2):
        result = cluster.run(playouts=60)
        expected = counted(tallies, {ROOT})
        assert {(ROOT, move.move): move.visits for move in result.moves if move.visits} == {
            key: visits for key, (visits, _) in expected.items()
        }
        assert result.visits == sum(visits for visits, _ in expected.values())
        number = cluster._node.search.number_of(result.best_move)
        cluster.advance(result.best_move)
        cluster.tallies = tallies = [tally.advanced(number) for tally in tallies]


def test_what_the_tree_shows_is_the_average_of_all_totals() -> None:
    class Checked(CountedCluster):
        checks = 0

        def check(self) -> None:
            for node in self._nodes:
                total = node.board.total_of(ROOT)
                expected = counted(self.tallies, {ROOT})
                shown = node.searcher.statistics_of(np.array([1, *ROOT, total.visits.size], dtype=np.uint32))
                moves = node.root_moves()
                for place, move in enumerate(moves):
                    visits, rewards = expected.get((ROOT, move), (0, 0))
                    average = max(1, (visits + self.machines // 2) // self.machines) if visits else 0
                    assert shown[0][place] == average
                    assert shown[1][place] == pytest.approx(rewards / max(visits, 1) * average, abs=1)
                self.checks += 1

    cluster = Checked(tesuji.Havannah(4), n=4, scheme="slow-root", seed=3)
    cluster.count()
    cluster.run(playouts=200)
    assert cluster.checks == 40


def test_a_sum_shows_one_big_tree() -> None:
    cluster = tesuji.Cluster(tesuji.Othello(), n=5, scheme="slow-tree", share="sum", seed=1)
    cluster.run(playouts=400)
    assert cluster._node.searcher.snapshot().visits == 2000


def test_rave_statistics_are_shared_like_visits() -> None:
    cluster = tesuji.Cluster(tesuji.Go(5), n=3, scheme="slow-tree", engine="rave", seed=4, depth=1)
    cluster.run(playouts=200)
    cluster._exchange()
    for node in cluster._nodes:
        total = node.board.total_of(ROOT)
        size = total.visits.size
        _, _, rave_visits, rave_rewards, _ = node.searcher.statistics_of(np.array([1, *ROOT, size], dtype=np.uint32))
        assert total.rave_visits.sum() > 3 * 200 * 256  # in units of 1/256: more than one move of each playout
        assert (rave_visits == (total.rave_visits + 1) // 3).all()
        np.testing.assert_allclose(rave_rewards, total.rave_rewards * (rave_visits / np.maximum(total.rave_visits, 1)))
    own = [node.board.own().rave_visits.sum() for node in cluster._nodes]
    alone = tesuji.Cluster(tesuji.Go(5), n=1, engine="rave", seed=4)
    alone.run(playouts=200)
    alone._exchange()
    assert 0.5 < own[0] / alone._node.board.own().rave_visits.sum() < 2  # its own, not those of three


def test_velocities_stay_each_machines_own() -> None:
    """A rule that keeps more than means cannot follow changes from outside: slow tree and slow root then vote."""
    for engine in ("accelerated(k=2)", "discounted(k=3)", "mix(q=0.5,m=100)", "bast(delta=0.1,gamma=0.5,b=0.1)"):
        shared = tesuji.Cluster(tesuji.Go(5), n=3, scheme="slow-tree", engine=engine, seed=2)
        apart = tesuji.Cluster(tesuji.Go(5), n=3, scheme="voting", engine=engine, seed=2)
        first, second = shared.run(playouts=200), apart.run(playouts=200)
        assert not shared._node.searcher.takes_changes()
        assert [(move.move, move.visits) for move in first.moves] == [(move.move, move.visits) for move in second.moves]
        assert first.visits == 600
        # What nobody uses is not sent.
        root = tesuji.Cluster(tesuji.Go(5), n=3, scheme="slow-root", engine=engine, seed=2)
        root.run(playouts=200)
        assert shared.traffic() == root.traffic()


def test_what_one_machine_has_proven_all_know() -> None:
    position = tesuji.TicTacToe().play("b2").play("a1").play("a2").play("c1")
    cluster = tesuji.Cluster(position, n=2, engine="uct+solver", seed=1, speeds=[0.02, 1])
    result = cluster.run(playouts=500)
    assert result.best_move == position.parse_move("c2")
    best = next(move for move in result.moves if move.move == result.best_move)
    assert best.proven == "win"


@pytest.mark.parametrize(
    "nodes",
    [
        [3],
        [0, 1, 1],
        [1, 2**32 - 1, 5],
        [1, 12345, 25],
        [2, 2**32 - 1, 999, 25],
    ],
)
def test_a_wrong_list_of_nodes_changes_nothing(nodes: list[int]) -> None:
    search = tesuji.Search(tesuji.Go(5), seed=1)
    search.think(playouts=100)
    before = search.result()
    words = np.array(nodes, dtype=np.uint32)
    none = np.zeros(0, dtype=np.uint8)
    with pytest.raises(_core.BadMessage):
        search.core.statistics_of(words)
    changes = np.ones(31, dtype=np.int64)
    with pytest.raises(_core.BadMessage):
        search.core.add_changes_of(words, changes, changes, changes[:0], np.zeros(0), none)
    assert search.result().moves == before.moves


def test_books_begin_anew_where_nothing_is_known_of_a_move() -> None:
    search = tesuji.Search(tesuji.Go(5), seed=1)
    board = Board(search.core)
    board.advance(3, [])
    assert board.nodes.tolist() == [0, 1]


def test_a_message_that_cannot_be_of_this_search_changes_nothing() -> None:
    searches = [tesuji.Search(tesuji.Go(5), seed=seed) for seed in (1, 2)]
    boards = []
    for search in searches:
        search.think(playouts=300)
        board = Board(search.core)
        board.find_nodes(depth=1, threshold=0.01, least=1)
        board.look()
        boards.append(board)
    words, visits, rewards, rave_visits, rave_rewards, proofs = boards[0].tell()
    hears = boards[1]
    before = hears.nodes.tolist(), hears.total()
    deep = [3, 2**32 - 1, 0, 1]  # not known here, so that nothing says how many moves it has
    twice = np.array([*deep, 20, *deep, 1], dtype=np.uint32)
    for message in (
        (words[:-1], visits, rewards, rave_visits, rave_rewards, proofs),  # ends within a node
        (words, visits[:-1], rewards, rave_visits, rave_rewards, proofs),
        (words, visits, rewards, visits, visits.astype(np.float64), proofs),  # RAVE, which is not searched with here
        (words, visits, rewards.astype(np.float64), rave_visits, rave_rewards, proofs),
        (np.array([1, 2**32 - 1, 3], dtype=np.uint32), visits[:3], rewards[:3], rave_visits, rave_rewards, proofs),
        (np.array([2, 2**32 - 1, 999, 3], dtype=np.uint32), visits[:3], rewards[:3], rave_visits, rave_rewards, proofs),
        (twice, visits[:21], rewards[:21], rave_visits, rave_rewards, proofs),
    ):
        with pytest.raises(ClusterError, match="machine 7"):
            hears.hear(7, message)
    assert hears.nodes.tolist() == before[0]
    for array, was in zip(hears.total(), before[1], strict=True):
        assert (array == was).all()
    hears.hear(7, (words, visits, rewards, rave_visits, rave_rewards, proofs))
    assert hears.total_of(ANCHOR).visits.tolist() == [600]
    hears.hear(7, (words, visits, rewards, rave_visits, rave_rewards, proofs))  # a total: told twice, it counts once
    assert hears.total_of(ANCHOR).visits.tolist() == [600]


@pytest.mark.parametrize(
    ("visits", "values", "proofs"),
    [([], [], []), ([3, 5], [0.5], []), ([3], [0.5, 0.6], []), ([3, 5], [0.5, 0.6], [3])],
)
def test_a_move_is_chosen_among_moves_that_are_told_of_as_a_whole(
    visits: list[int], values: list[float], proofs: list[int]
) -> None:
    choose = tesuji.Search(tesuji.Go(5), "uct+solver", seed=1).core.choose
    with pytest.raises(ValueError, match=f"{len(visits)} visits, {len(values)} values, {len(proofs)} proofs"):
        choose(np.array(visits, np.uint32), np.array(values), np.array(proofs, np.uint8))
    with pytest.raises(_core.BadMessage, match="proof 4"):
        choose(np.ones(2, np.uint32), np.zeros(2), np.array([0, 4], np.uint8))
    assert choose(np.ones(2, np.uint32), np.zeros(2), np.array([0, 3], np.uint8)) == 1


def test_a_tree_cannot_show_the_average_over_no_machine() -> None:
    search = tesuji.Search(tesuji.Go(5), seed=1)
    search.think(playouts=100)
    before = search.result().moves
    board = Board(search.core)
    board.find_nodes(depth=1, threshold=0.01, least=1)
    board.look()
    with pytest.raises(ValueError, match="one machine at least"):
        board.show(share="average", machines=0)
    assert search.result().moves == before
