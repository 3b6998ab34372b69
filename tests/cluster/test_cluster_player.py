"""Clusters as players of matches: their spec, and the experiments that use it."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import tesuji
from tesuji.arena.catalog import load_engines, resolve_player
from tesuji.arena.cluster_player import ClusterPlayer
from tesuji.arena.cost import Pace, estimate, measure
from tesuji.arena.experiment import load_experiment
from tesuji.arena.experiment_plan import plan_matches
from tesuji.arena.players import Budget

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


def player(text: str) -> ClusterPlayer:
    found = resolve_player(text, Budget(playouts=20), load_engines(), start=tesuji.Othello())
    assert isinstance(found, ClusterPlayer)
    return found


def test_the_spec_is_read_and_written() -> None:
    one = player("cluster(n=3, scheme=slow-tree, share=sum, depth=2, threshold=0.1)+uct(c=0.4)")
    assert (one.n, dict(one.options)["threshold"]) == (3, 0.1)
    assert one == player(one.name) == pickle.loads(pickle.dumps(one))
    assert str(one) == f"{one.name} [20 playouts a machine]"
    assert player("cluster(n=2)").name == "cluster(n=2)+uct"
    assert str(player("cluster(n=2)")) != str(player("cluster(n=3)"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cluster()+uct", "n, the number of machines, is missing"),
        ("cluster(n=2,scheme=slow)", "there is no scheme 'slow'"),
        ("cluster(n=2,depth=x)", "depth must be a number"),
        ("cluster(n=2,scheme=voting,depth=1)", "voting has no option 'depth'"),
        ("cluster(n=2,n=3)", "once"),
        ("cluster(n=2,8)", "must be an option"),
        ("cluster(n=2,seed=1)", "seed cannot be given here"),
        ("cluster(n=2)+nonsense", "nonsense"),
        ("cluster(n=2", "is no cluster"),
        ("cluster(n=2,exchanges=0)", "exchanges must be"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(tesuji.SpecError, match=message):
        player(text)


def test_too_many_machines_are_refused_before_the_first_game() -> None:
    with pytest.raises(tesuji.ArgumentError, match="n must be"):
        player("cluster(n=100000)").check(tesuji.Othello())


def test_a_match_repeats_whatever_the_number_of_jobs() -> None:
    def play(jobs: int) -> list[tuple[int, ...]]:
        players = "cluster(n=3,scheme=slow-root)+uct", "uct"
        result = tesuji.match(tesuji.Havannah(3), *players, games=4, playouts=(10, 20), seed=3, jobs=jobs)
        return [record.moves for record in sorted(result.records, key=lambda record: record.number)]

    assert play(1) == play(2)


def test_a_hopeless_cluster_resigns() -> None:
    result = tesuji.match(
        tesuji.Havannah(3), "cluster(n=2)+uct", "uct", games=6, playouts=(1, 500), resign=(0.4, 0.0), seed=1
    )
    assert any(record.ended_by == "resignation" for record in result.records)


@pytest.mark.parametrize(
    "name", ["cluster", "parallelization-cluster", "scalability-table4", "scalability-table5", "scalability-depth"]
)
def test_the_experiments_that_waited_can_be_played(name: str) -> None:
    file = load_experiment(EXPERIMENTS / f"{name}.toml")
    assert file.experiment.waits_for is None
    for scale in ("quick", "medium", "full"):
        matches = plan_matches(file, scale=scale, check=False)
        assert matches
        assert any("cluster(" in match.command for match in matches)
    assert all(match.missing is None for match in plan_matches(file, scale="quick"))


def test_what_a_cluster_costs_can_be_estimated() -> None:
    matches = plan_matches(load_experiment(EXPERIMENTS / "cluster.toml"), scale="quick")
    havannah = [match for match in matches if "Havannah, side 5: slow tree against one" in match.series]
    cost = estimate(havannah, lambda _: [])
    assert cost.cpu_seconds > 0
    assert not cost.guessed


def test_a_larger_cluster_is_known_to_cost_more() -> None:
    matches = plan_matches(load_experiment(EXPERIMENTS / "cluster.toml"), scale="medium")
    four, _, sixteen = (match for match in matches if match.series == "Havannah, side 5: sum against average")
    pace = measure(four.plan)
    assert pace.game_seconds(sixteen.plan) == pytest.approx(4 * pace.game_seconds(four.plan))
    alone = next(match for match in matches if match.series == "Havannah, side 5: slow tree against one machine")
    assert Pace(moves=10, seconds=(1e-3, 1e-3)).game_seconds(alone.plan) == pytest.approx(10 * 0.5 * (4 + 1))


@pytest.mark.slow
def test_sixteen_machines_beat_one() -> None:
    """The paper has 75.85% with 32 machines in Go 9x9. With this seed it is always the same match."""
    result = tesuji.match(
        tesuji.Havannah(5), "cluster(n=16)+uct(c=0.2)", "uct(c=0.2)", games=40, playouts=300, seed=1, jobs=2
    )
    assert result.percentage > 70
