"""The virtual cluster: it repeats, one machine is an ordinary search, and every scheme works with every engine."""

from __future__ import annotations

import pickle
import signal
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.unit.own_games import Dice, Heap
from tesuji.cluster.node import Slice
from tesuji.cluster.schemes import SCHEMES, describe, make_scheme
from tesuji.cluster.slow_root import SlowRoot
from tesuji.cluster.virtual import VirtualCommunicator

ENGINES = (
    "uct(c=0.4)",
    "ucb-tuned1",
    "rave",
    "rave(distance)+prior+playout=knowledge",
    "accelerated(k=2)",
    "accelerated(auto)",
    "discounted(k=3)",
    "mix(q=0.5,m=100)",
    "uct+solver",
    "uct+final=lcb",
)


def seen(result: tesuji.SearchResult) -> list[tuple[object, int, float]]:
    return [(move.move, move.visits, move.value) for move in result.moves]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_scheme_works_with_every_engine_and_repeats(scheme: str, engine: str) -> None:
    runs = []
    for _ in range(2):
        cluster = tesuji.Cluster(tesuji.Go(5), n=3, scheme=scheme, engine=engine, seed=7)
        first = cluster.run(playouts=60)
        cluster.advance(first.best_move)
        second = cluster.run(playouts=60)
        # On a 5x5 board nothing is proven yet: all playouts are made, but for the first machine's of the fast tree.
        assert first.playouts == first.visits == (2 * 64 if scheme == "fast-tree" else 3 * 60)
        assert second.visits >= second.playouts == first.playouts
        runs.append((seen(first), seen(second), first.best_move, cluster.traffic()))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("engine", ["uct(c=0.4)", "rave", "accelerated(k=2)", "uct+final=value"])
def test_one_machine_is_an_ordinary_search(scheme: str, engine: str) -> None:
    cluster = tesuji.Cluster(tesuji.Othello(), n=1, scheme=scheme, engine=engine, seed=3)
    search = tesuji.Search(tesuji.Othello(), engine, seed=3)
    for _ in range(3):
        ours, theirs = cluster.run(playouts=300), search.run(playouts=300)
        assert (ours.best_move, ours.pv) == (theirs.best_move, theirs.pv)
        assert [move[:2] for move in seen(ours)] == [move[:2] for move in seen(theirs)]
        np.testing.assert_allclose([move.value for move in ours.moves], [m.value for m in theirs.moves], atol=1e-6)
        cluster.advance(ours.best_move)
        search.advance(theirs.best_move)


def test_other_seeds_and_machines_see_other_playouts() -> None:
    results = [
        seen(tesuji.Cluster(tesuji.Go(5), n=n, scheme="voting", seed=seed).run(playouts=200))
        for n, seed in ((2, 1), (2, 2), (3, 1))
    ]
    assert results[0] != results[1] != results[2]
    cluster = tesuji.Cluster(tesuji.Go(5), n=4, scheme="voting", seed=1)
    cluster.run(playouts=100)
    assert len({str(sorted((m.move, m.visits) for m in node.search.glance())) for node in cluster._nodes}) == 4


def test_games_written_in_python() -> None:
    for scheme in SCHEMES:
        cluster = tesuji.Cluster(Heap(9), n=2, scheme=scheme, seed=1)
        result = cluster.run(playouts=200)
        assert result.visits == (200 if scheme == "fast-tree" else 400)
        cluster.advance(result.best_move)
        assert cluster.run(playouts=50).moves
        with_chance = tesuji.Cluster(Dice(), n=2, scheme=scheme, seed=1).run(playouts=200)
        assert 5 < with_chance.value < 15  # rewards are 0 to 20


@pytest.mark.parametrize("scheme", ["slow-tree", "broadcast", "fast-tree", "voting"])
@pytest.mark.parametrize("parallel", ["lock-free", "mutex"])
def test_threads_within_machines(scheme: str, parallel: str) -> None:
    engine = f"uct(c=0.4)+parallel={parallel}"
    cluster = tesuji.Cluster(tesuji.Go(9), n=2, scheme=scheme, engine=engine, threads=2, seed=1)
    result = cluster.run(playouts=400)
    assert result.visits == (400 if scheme == "fast-tree" else 800)
    assert result.threads == 2


def test_a_message_that_comes_late_still_counts() -> None:
    late = tesuji.Cluster(tesuji.Go(5), n=3, seed=1, delay=4)
    early = tesuji.Cluster(tesuji.Go(5), n=3, seed=1)
    assert late.run(playouts=200).visits == early.run(playouts=200).visits == 600
    assert seen(late.result()) != seen(early.result())


def test_speeds_share_out_the_work() -> None:
    cluster = tesuji.Cluster(tesuji.Go(5), n=3, seed=1, speeds=[1, 0.5, 0])
    cluster.run(playouts=100)
    assert [node.playouts for node in cluster._nodes] == [100, 50, 0]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_machines_that_have_done_nothing_count_nothing(scheme: str) -> None:
    """They have no root yet when they hear of the first playouts, and these are not theirs."""
    cluster = tesuji.Cluster(tesuji.Go(5), n=4, scheme=scheme, seed=1, speeds=[1, 0.05, 0, 0.3])
    made = 8 + 24 if scheme == "fast-tree" else 60 + 3 + 18  # the fast tree plays whole groups
    for run in (1, 2):
        result = cluster.run(playouts=60)
        assert result.playouts == made
        assert result.visits == run * made


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_kept_of_the_tree_counts_once(scheme: str) -> None:
    cluster = tesuji.Cluster(tesuji.Go(5), n=3, scheme=scheme, seed=7)
    kept = 0
    for _ in range(4):
        result = cluster.run(playouts=200)
        # The playouts of a leaf, before it is a node, have no move at the next root: one a machine.
        assert result.playouts + kept - 3 <= result.visits <= result.playouts + kept
        kept = next(move.visits for move in result.moves if move.move == result.best_move)
        cluster.advance(result.best_move)


def test_a_fast_tree_answers_although_nobody_has_played_for_it() -> None:
    result = tesuji.Cluster(tesuji.Go(5), n=3, scheme="fast-tree", seed=1, delay=50).run(playouts=20)
    assert result.visits == result.playouts == 1


def test_the_first_machine_may_be_too_slow_for_a_playout() -> None:
    assert tesuji.Cluster(tesuji.Go(5), n=2, seed=1, speeds=[0.01, 1]).run(playouts=10).visits == 10
    with pytest.raises(tesuji.GameStateError, match="nothing has been searched"):
        tesuji.Cluster(tesuji.Go(5), n=2, seed=1, speeds=[0, 0]).run(playouts=10)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("budget", ["seconds", "cpu_seconds"])
def test_time_ends_a_run(scheme: str, budget: str) -> None:
    cluster = tesuji.Cluster(tesuji.Go(5), n=3, scheme=scheme, seed=1, speeds=[1, 0.5, 0])
    result = cluster.run(seconds=0.02) if budget == "seconds" else cluster.run(cpu_seconds=0.02)
    assert result.visits > 0
    assert result.stopped_by == budget


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_stop_leaves_out_the_machines_that_have_not_begun(scheme: str) -> None:
    cluster = tesuji.Cluster(tesuji.Go(5), n=3, scheme=scheme, seed=1)
    report = cluster.think(playouts=1000, stopped=lambda: True)
    assert report.stopped_by == "stop"
    assert report.playouts <= 1000


@pytest.mark.parametrize("scheme", SCHEMES)
def test_ctrl_c_in_the_middle_of_an_exchange_waits_for_its_end(scheme: str) -> None:
    class Interrupted(tesuji.Cluster):
        is_to_be = True

        def _exchange(self) -> None:
            if self.is_to_be:
                signal.raise_signal(signal.SIGINT)
            super()._exchange()

    cluster = Interrupted(tesuji.Go(5), n=3, scheme=scheme, seed=1)
    report = cluster.think(playouts=300)
    assert report.stopped_by == "interrupt"
    assert report.playouts < 900 or scheme == "voting"
    cluster.is_to_be = False
    after = cluster.run(playouts=300)
    assert after.visits == report.playouts + after.playouts
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_machines_that_are_silent_are_told_too() -> None:
    """Else two that have not heard of each other for a while would never do so again."""

    class Silent(VirtualCommunicator):
        def live(self) -> frozenset[int]:
            return frozenset({self.rank})

    for scheme in ("slow-tree", "broadcast"):
        cluster = tesuji.Cluster(tesuji.Go(5), n=3, scheme=scheme, seed=1)
        cluster.run(playouts=10)
        node = cluster._node
        node.searcher.keep_simulations(True)
        node.think(Slice(playouts=10))
        node.communicator = Silent(cluster._network, 0)
        node.exchange()
        assert [source for source, _ in VirtualCommunicator(cluster._network, 1).receive()] == [0]


def test_a_broadcast_simulation_is_backed_up_as_if_it_had_been_made_here() -> None:
    """Where two trees have the same nodes, one learns from the other's simulations exactly what that one learns."""
    for engine in ("uct", "accelerated(k=1)", "discounted(k=2)", "mix(q=0.5,m=100)", "ucb-tuned2"):
        game = tesuji.TreeGame.random(depth=4, branching=3, seed=2)
        one, other = (tesuji.Search(game, engine, seed=5) for _ in range(2))
        for search in (one, other):
            search.think(playouts=20_000)
        one.core.keep_simulations(True)
        one.think(playouts=500)
        other.core.back_up_simulations(one.core.take_simulations())
        nodes = one.core.shared_nodes(10, 0.0, 1)
        for mine, theirs in zip(one.core.statistics_of(nodes), other.core.statistics_of(nodes), strict=True):
            np.testing.assert_array_equal(mine, theirs)
        assert one.result().moves == other.result().moves


def test_simulations_of_another_game_are_refused() -> None:
    search = tesuji.Search(tesuji.Go(5), seed=1)
    for words in ([5], [7, 9, 0, 0, 0, 1, 1], [6, 1, 0, 0, 2**20, 4000], [6, 1, 0, 0, 2**21, 3], [1]):
        with pytest.raises(tesuji._core.BadMessage):
            search.core.back_up_simulations(np.array(words, dtype=np.uint32))
        with pytest.raises(tesuji._core.BadMessage):
            search.core.play_out_simulations(np.array([*words[:-1], 10**6], dtype=np.uint32))


def test_fast_tree_leaves_no_virtual_loss_behind() -> None:
    for engine in ("uct", "accelerated(k=2)", "rave"):
        cluster = tesuji.Cluster(tesuji.Go(5), n=4, scheme="fast-tree", engine=engine, seed=1, delay=7, group=5)
        result = cluster.run(playouts=100)
        snapshot = cluster._node.searcher.snapshot()
        assert result.playouts == snapshot.visits == sum(move.visits for move in snapshot.moves)
        tree = cluster._node.search.result().tree
        for node in tree:
            below = sum(child.visits for child in tree if child.parent == node.id)
            assert below <= node.visits


def test_the_final_rule_decides_by_all_machines() -> None:
    by_value = tesuji.Cluster(tesuji.Go(5), n=4, scheme="voting", engine="uct+final=value", seed=2).run(playouts=100)
    assert by_value.value == max(move.value for move in by_value.moves if move.visits)
    by_visits = tesuji.Cluster(tesuji.Go(5), n=4, scheme="voting", engine="uct", seed=2).run(playouts=100)
    assert by_visits.moves[0].move == by_visits.best_move
    assert by_visits.to_dict()["machines"] == 4


def test_what_is_wrong_is_said_and_changes_nothing() -> None:
    with pytest.raises(tesuji.ArgumentError, match=r"no scheme 'slow-tre'.*did you mean 'slow-tree'"):
        tesuji.Cluster(tesuji.Go(5), n=2, scheme="slow-tre")
    with pytest.raises(tesuji.ArgumentError, match="voting has no option 'depth'; it has none"):
        tesuji.Cluster(tesuji.Go(5), n=2, scheme="voting", depth=1)
    with pytest.raises(tesuji.ArgumentError, match="share must be 'average' or 'sum'"):
        tesuji.Cluster(tesuji.Go(5), n=2, share="half")
    with pytest.raises(tesuji.ArgumentError, match="n must be"):
        tesuji.Cluster(tesuji.Go(5), n=0)
    wrong: tuple[Any, ...] = ([1], 0.5, (speed for speed in (1, 1)))
    for speeds in wrong:
        with pytest.raises(tesuji.ArgumentError, match="one number for each of 2 machines"):
            tesuji.Cluster(tesuji.Go(5), n=2, speeds=speeds)
    for scheme in SCHEMES:
        cluster = tesuji.Cluster(tesuji.Go(5), n=2, scheme=scheme)
        for _ in range(2):
            cluster.advance("pass")
        with pytest.raises(tesuji.GameStateError, match="the game is over"):
            cluster.run(playouts=1)
    with pytest.raises(tesuji.ArgumentError, match="parallel=root has a tree for each thread"):
        tesuji.Cluster(tesuji.Go(5), n=2, engine="uct+parallel=root", threads=2)
    cluster = tesuji.Cluster(tesuji.Go(5), n=2, seed=1)
    with pytest.raises(tesuji.ArgumentError, match="needs a budget"):
        cluster.run()
    with pytest.raises(tesuji.GameStateError, match="nothing has been searched"):
        cluster.result()
    before = cluster.run(playouts=50)
    with pytest.raises(tesuji.IllegalMoveError):
        cluster.advance("z9")
    assert seen(cluster.result()) == seen(before)


def test_schemes_are_values() -> None:
    scheme = make_scheme("slow-tree", depth=2, share="sum", threshold=None)
    assert scheme == pickle.loads(pickle.dumps(scheme))
    assert describe(scheme) == "slow-tree(depth=2,share=sum)"
    assert [describe(make_scheme(name)) for name in SCHEMES] == list(SCHEMES)
    assert SlowRoot().depth == 0
