"""Tuning: known optima are found, nothing is lost, and the same seeds give the same games."""

from __future__ import annotations

import json
import math
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from tesuji import Havannah, TicTacToe, parse_engine
from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import Budget, EnginePlayer
from tesuji.arena.record import GameRecord
from tesuji.arena.store import Store
from tesuji.arena.tune import TuneResult, TuningPlan, choose_values, rounds, tune
from tesuji.arena.tune_model import LEVEL, SETTINGS, Surface, _Posterior, _Setting
from tesuji.arena.tune_space import Range, Space, parse_range
from tesuji.arena.tune_store import SEARCH, TuneStore
from tesuji.arena.workers import Game, Take, Workers
from tesuji.errors import ArgumentError, MatchError, SpecError, StoreError

UCT = parse_engine("uct")


def make_plan(*parameters: str, spec: str = "uct", seed: int = 1, playouts: int = 10) -> TuningPlan:
    engine = parse_engine(spec)
    player = EnginePlayer(engine=engine, budget=Budget(playouts=playouts))
    space = Space(tuple(parse_range(text, engine) for text in parameters))
    return TuningPlan(base=MatchPlan(start=TicTacToe(), players=(player, player), seed=seed), space=space)


class Coins:
    """Stands in for the games: A wins with a chance that depends on its parameters; the seeds decide, as in games."""

    def __init__(self, logit: Callable[..., float], names: Sequence[tuple[str, str]]) -> None:
        self._logit = logit
        self._names = names
        self.played: list[int] = []
        self.stop_after: int | None = None

    def __call__(self, games: Sequence[Game], take: Take) -> None:
        for plan, number in games:
            if self.stop_after is not None and len(self.played) >= self.stop_after:
                raise KeyboardInterrupt
            player = plan.players[0]
            assert isinstance(player, EnginePlayer)
            values = [player.engine.choice(slot).value(name) for slot, name in self._names]
            seeds = plan.seeds(number)
            points = float(np.random.default_rng(seeds).random() < expit(self._logit(*values)))
            self.played.append(number)
            take(record_of(plan, number, points))


def record_of(plan: MatchPlan, number: int, points: float | None) -> GameRecord:
    return GameRecord(
        number=number, a_is_first=plan.a_is_first(number), a=str(plan.players[0]), b=str(plan.players[1]), version="0",
        opening=(), seeds=plan.seeds(number), moves=(), points=points, ended_by="rules", reason=None,
        disagreement=None, cpu_seconds=(0.0, 0.0), wall_seconds=(0.0, 0.0),
    )  # fmt: skip


C = [("selection", "c")]


def hill(c: float) -> float:
    """A score of 62% at c = 0.4, of 44% at a third of that and at three times as much."""
    return 0.5 - 0.6 * math.log(c / 0.4, 3) ** 2


def run(plan: TuningPlan, coins: Coins, *, games: int, check: int = 0, store: TuneStore | None = None) -> TuneResult:
    with store or TuneStore() as opened:
        return tune(plan, games=games, check_games=check, store=opened, play=coins)


# ---- the optimum


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_known_optimum_is_found(seed: int) -> None:
    result = run(make_plan("c=0.05..5:log", seed=seed), Coins(hill, C), games=1200, check=200)
    best = float(result.best["c"])
    assert hill(0.4) - hill(best) < 10 / 173.7  # ten Elo
    assert 0.4 in result.intervals["c"]
    assert best in result.intervals["c"]
    assert expit(0.5) in result.expected_interval
    assert result.expected_interval.high - result.expected_interval.low < 0.2
    # Most games are played where they tell something: the outer halves of the range on both sides get few.
    near = sum(0.13 < trial.values["c"] < 1.2 for trial in result.trials)
    assert near > 0.7 * len(result.trials)
    assert result.check is not None
    assert result.check.games == 200


def test_an_optimum_at_the_end_of_the_range_is_found() -> None:
    result = run(make_plan("c=0.5..2"), Coins(lambda c: 0.5 - (c - 0.5), C), games=400)
    assert result.best["c"] < 0.7
    assert result.intervals["c"].low == 0.5


def test_a_flat_score_leaves_the_interval_wide() -> None:
    result = run(make_plan("c=0.05..5:log"), Coins(lambda c: 0.2, C), games=400)
    assert result.intervals["c"].high / result.intervals["c"].low > 20
    assert expit(0.2) in result.expected_interval


def test_two_parameters_one_of_them_an_integer() -> None:
    names = [("selection", "c"), ("expand", "expand")]

    def ridge(c: float, expand: int) -> float:
        return 0.6 - 0.8 * math.log(c / 0.4, 3) ** 2 - 0.05 * (expand - 6) ** 2

    result = run(make_plan("uct.c=0.05..5:log", "expand=1..12"), Coins(ridge, names), games=1500)
    assert isinstance(result.best["expand"], int)
    assert 0.6 - ridge(float(result.best["uct.c"]), result.best["expand"]) < 25 / 173.7
    assert str(result.engine) == f"uct(c={result.best['uct.c']})+expand={result.best['expand']}"
    assert set(result.curves) == {"uct.c", "expand"}


def test_the_real_thing_prefers_a_sensible_exploration() -> None:
    # With c = 100 the moves are tried in turn, and such a search loses 3 games of 5.
    player = EnginePlayer(engine=UCT, budget=Budget(playouts=200))
    base = MatchPlan(start=Havannah(size=4), players=(player, player), seed=4)
    plan = TuningPlan(base=base, space=Space((parse_range("c=0.05..100:log", UCT),)))
    with TuneStore() as store, Workers(2) as workers:
        result = tune(plan, games=200, check_games=20, store=store, play=workers.play)
    assert result.best["c"] < 3
    assert result.expected > 0.5
    assert len(result.trials) == 200
    assert not result.interrupted


# ---- nothing is lost


def stored_games(path: Path) -> list[tuple[object, ...]]:
    """The store may not exist yet, or hold nothing."""
    database = sqlite3.connect(path)
    try:
        return database.execute("SELECT * FROM games ORDER BY tuning, phase, number").fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        database.close()


def test_an_interrupted_tuning_goes_on_where_it_was(tmp_path: Path) -> None:
    plan = make_plan("c=0.05..5:log")
    whole = run(plan, Coins(hill, C), games=200, check=30, store=TuneStore(tmp_path / "whole.db"))
    for stop in (0, 1, 15, 16, 40, 97, 40):
        coins = Coins(hill, C)
        coins.stop_after = stop
        try:
            part = run(plan, coins, games=200, check=30, store=TuneStore(tmp_path / "parts.db"))
        except MatchError as error:
            assert "no game was finished" in str(error)  # noqa: PT017  only the first attempt ends so
            assert stop == 0
        else:
            assert part.interrupted or stop == 40
    coins = Coins(hill, C)
    again = run(plan, coins, games=200, check=30, store=TuneStore(tmp_path / "parts.db"))
    assert stored_games(tmp_path / "parts.db") == stored_games(tmp_path / "whole.db")
    assert again.to_dict() == whole.to_dict()


def test_a_longer_tuning_begins_with_the_games_of_a_shorter_one(tmp_path: Path) -> None:
    plan = make_plan("c=0.05..5:log")
    run(plan, Coins(hill, C), games=50, store=TuneStore(tmp_path / "grown.db"))
    coins = Coins(hill, C)
    grown = run(plan, coins, games=120, store=TuneStore(tmp_path / "grown.db"))
    assert sorted(coins.played) == list(range(50, 120))
    straight = run(plan, Coins(hill, C), games=120)
    assert grown.trials == straight.trials


def test_another_plan_shares_nothing(tmp_path: Path) -> None:
    for plan in (make_plan("c=0.05..5:log"), make_plan("c=0.05..5"), make_plan("c=0.05..5:log", seed=2)):
        coins = Coins(hill, C)
        run(plan, coins, games=20, store=TuneStore(tmp_path / "tune.db"))
        assert len(coins.played) == 20


COMMAND = [
    *(sys.executable, "-m", "tesuji", "tune", "tic-tac-toe", "uct", "--parameter", "c=0.05..5:log"),
    *("--playouts", "30", "--games", "120", "--check", "40", "--json"),
]


def test_killed_at_any_moment_it_ends_with_the_same_games(tmp_path: Path) -> None:
    whole = subprocess.run([*COMMAND, "--jobs", "1", "--store", tmp_path / "whole.db"], capture_output=True, check=True)
    command = [*COMMAND, "--jobs", "2", "--store", str(tmp_path / "killed.db")]
    for games in (1, 70, 125):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: len(stored_games(tmp_path / "killed.db")) >= games)  # noqa: B023  called at once
        process.kill()
        process.wait()
    final = subprocess.run(command, capture_output=True, check=True)
    assert json.loads(final.stdout) == json.loads(whole.stdout)
    assert stored_games(tmp_path / "killed.db") == stored_games(tmp_path / "whole.db")
    assert len(stored_games(tmp_path / "whole.db")) == 160


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    command = [*COMMAND, "--games", "1000000", "--jobs", "2", "--store", str(tmp_path / "tune.db")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    wait_for(lambda: len(stored_games(tmp_path / "tune.db")) >= 20)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in err
    assert b"Traceback" not in err
    result = json.loads(out)
    assert result["interrupted"]
    assert result["games"] == len(stored_games(tmp_path / "tune.db")) > 0
    assert result["check"] is None


def test_ctrl_c_between_storing_a_game_and_counting_it() -> None:
    class Hasty(TuneStore):
        def save(self, digest: str, phase: str, record: GameRecord, values: Mapping[str, float]) -> None:
            super().save(digest, phase, record, values)
            if record.number == 20:
                raise KeyboardInterrupt

    result = run(make_plan("c=0.05..5:log"), Coins(hill, C), games=40, store=Hasty())
    assert result.interrupted
    assert [trial.number for trial in result.trials] == list(range(21))


def test_the_second_game_of_a_pair_has_the_values_of_the_first_whatever_they_were(tmp_path: Path) -> None:
    plan = make_plan("c=0.05..5:log")
    with TuneStore(tmp_path / "tune.db") as store:
        store.add_tuning(plan.digest, plan.describe())
        record = record_of(plan.with_values({"c": 3.21}), 36, 1.0)
        store.save(plan.digest, SEARCH, record, {"c": 3.21})
        store.save(plan.digest, SEARCH, replace(record, points=0.0), {"c": 1.0})  # what is there stays as it is
    result = run(plan, Coins(hill, C), games=40, store=TuneStore(tmp_path / "tune.db"))
    assert [dict(trial.values) for trial in result.trials[36:38]] == [{"c": 3.21}] * 2
    assert result.trials[36].points == 1.0


def test_the_check_is_played_with_other_seeds_against_the_engine_as_it_was() -> None:
    plan = make_plan("c=0.05..5:log")
    check, search = plan.check_match({"c": 3.0}), plan.with_values({"c": 3.0})
    assert check.players == (search.players[0], plan.player)
    assert set(check.seeds(0)).isdisjoint(search.seeds(0))


def test_games_that_are_all_void_end_it() -> None:
    def voids(games: Sequence[Game], take: Take) -> None:
        for plan, number in games:
            take(record_of(plan, number, None))

    with TuneStore() as store, pytest.raises(MatchError, match="all void"):
        tune(make_plan("c=0.1..2"), games=100, check_games=0, store=store, play=voids)


def test_a_store_of_matches_is_no_store_of_tunings(tmp_path: Path) -> None:
    Store(tmp_path / "match.db").close()
    with pytest.raises(StoreError, match="something else"):
        TuneStore(tmp_path / "match.db")


# ---- rounds, ranges and the model


@given(st.integers(1, 5000), st.integers(1, 4))
def test_rounds_are_all_pairs_once_and_do_not_depend_on_their_number(pairs: int, dimensions: int) -> None:
    found = list(rounds(pairs, dimensions))
    assert [number for numbers in found for number in numbers] == list(range(pairs))
    longer = list(rounds(pairs + 1000, dimensions))
    assert [numbers.start for numbers in found] == [numbers.start for numbers in longer[: len(found)]]


def test_the_first_values_are_spread() -> None:
    plan = make_plan("c=0..1")
    values = sorted(float(item["c"]) for item in choose_values(plan, [], range(8)))
    assert all(abs(value - target) < 0.1 for value, target in zip(values, np.linspace(0, 1, 8), strict=True))


@given(st.floats(0.001, 1000), st.floats(1.01, 1000), st.booleans(), st.floats(0, 1))
def test_values_stay_in_their_range_and_places_lead_back(low: float, factor: float, log: bool, place: float) -> None:
    item = Range(name="c", low=low, high=low * factor, log=log)
    value = item.value(place)
    assert item.low <= value <= item.high
    assert item.place(value) == pytest.approx(place, abs=2e-3)
    assert (item.value(0), item.value(1)) == (item.low, item.high)


def test_integers_and_digits() -> None:
    item = Range(name="n", low=1, high=100, log=True, integer=True)
    assert [item.value(place) for place in (0, 0.5, 1)] == [1, 10, 100]
    assert all(isinstance(item.value(place), int) for place in (0, 0.3, 1))
    assert Range(name="c", low=0, high=3).value(1 / 3) == 1.0
    assert Range(name="c", low=0.1, high=2, log=True).value(0.123456) == 0.1448


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c", "NAME=LOW..HIGH"),
        ("c=1", "NAME=LOW..HIGH"),
        ("c=1..2:cubic", "NAME=LOW..HIGH"),
        ("c=2..1", "up to a greater one"),
        ("c=0..1:log", "above 0"),
        ("c=0.1..1e999", "greater"),
        ("c=-1..1", "c of uct must be"),
        ("expand=1.5..3", "integer"),
        ("expand=0..3", "expand must be"),
        ("d=1..2", "no numeric parameter 'd'"),
        ("final=1..2", "no numeric parameter 'final'"),
        ("ucb-tuned1.fpu=1..2", "no numeric parameter"),
    ],
)
def test_bad_ranges_are_refused(text: str, message: str) -> None:
    with pytest.raises((ArgumentError, SpecError), match=message):
        parse_range(text, UCT)


@given(st.text(st.characters(codec="ascii"), max_size=30))
def test_any_text_is_a_range_or_a_clear_error(text: str) -> None:
    with pytest.raises((ArgumentError, SpecError)):
        parse_range(text + "?", UCT)


def test_too_many_or_doubled_parameters_are_refused() -> None:
    item = Range(name="c", low=0, high=1)
    for ranges, message in [((), "from 1 to 4"), ((item,) * 5, "from 1 to 4"), ((item, item), "twice")]:
        with pytest.raises(ArgumentError, match=message):
            Space(ranges)


def test_a_value_enters_the_spec() -> None:
    assert str(UCT.with_value("c", 0.37)) == "uct(c=0.37)"
    assert str(UCT.with_value("uct.c", 0.37).with_value("expand", 3)) == "uct(c=0.37)+expand=3"
    assert UCT.with_value("c", 1.0) == UCT
    with pytest.raises(SpecError, match="c of uct"):
        UCT.with_value("c", -1)


def test_the_model_is_bayes_rule_at_one_place() -> None:
    setting = _Setting(height=0.5, lengths=np.array([0.4]))
    place, games, points = np.array([[0.3]]), np.array([60.0]), np.array([42.0])
    prior = norm(0, math.sqrt(setting.variance()))

    def density(x: float) -> float:
        return float(prior.pdf(x) * expit(x) ** 42 * expit(-x) ** 18)

    total = quad(density, -6, 6, epsabs=0)[0]
    mean = quad(lambda x: x * density(x), -6, 6, epsabs=0)[0] / total
    variance = quad(lambda x: (x - mean) ** 2 * density(x), -6, 6, epsabs=0)[0] / total
    posterior = _Posterior(setting, place, games, points)
    found_mean, found_variance = posterior.mean_and_variance(place)
    assert found_mean[0] == pytest.approx(mean, abs=0.02)
    assert found_variance[0] == pytest.approx(variance, rel=0.05)
    assert posterior.evidence == pytest.approx(math.log(total), abs=0.02)
    # Far from any game it knows what it knew before, but for the level that all places share.
    far_mean, far_variance = posterior.mean_and_variance(np.array([[1e6]]))
    assert 0 < far_mean[0] < mean
    assert setting.variance() - LEVEL**2 < far_variance[0] < setting.variance()


def test_draws_agree_with_predictions() -> None:
    chance = np.random.default_rng(1)
    places = chance.random((30, 2))
    surface = Surface(places, np.full(30, 10.0), chance.binomial(10, expit(1 - 2 * places[:, 0])).astype(float))
    new = chance.random((5, 2))
    mean, deviation = surface.predict(new)
    draws = surface.draw(new, 20_000, chance)
    assert draws.shape == (20_000, 5)
    assert draws.mean(axis=0) == pytest.approx(mean, abs=0.03)
    assert draws.std(axis=0) == pytest.approx(deviation, rel=0.05)
    assert SETTINGS & (SETTINGS - 1) == 0  # Sobol points are balanced in powers of two only
