"""Dead stones at the end of a game of Go."""

from __future__ import annotations

import numpy as np
import pytest

from tests.arena.programs import PATIENCE, fake, needs
from tests.unit.go_boards import DEAD, SETTLED
from tests.unit.go_boards import SHARED_LIBERTIES as SEKI
from tesuji import ArgumentError, GameStateError, Go
from tesuji.arena.gtp_program import GtpProgram
from tesuji.arena.players import Budget, EnginePlayer
from tesuji.arena.settle import Settlement, settle_go
from tesuji.endgame import dead_stones, final_score, format_score
from tesuji.engines import parse_engine


def finished(board: str, komi: float = 7.5) -> Go:
    return Go.from_ascii(board, komi=komi).play("pass").play("pass")


def names(position: Go, points: frozenset[int]) -> set[str]:
    return {position.format_move(point) for point in points}


# ---- ownership


def test_ownership_of_a_settled_board_is_certain() -> None:
    position = finished(SETTLED)
    owned = position.ownership(200, seed=1)
    assert owned.shape == (2, 9, 9)
    assert set(np.unique(owned)) == {0.0, 1.0}
    assert np.array_equal(owned.sum(axis=0), np.ones((9, 9)))
    assert owned[0].sum() - owned[1].sum() - position.komi == position.score


def test_ownership_is_the_same_with_the_same_seed_and_before_passes() -> None:
    position = Go(9).play("E5")
    first = position.ownership(300, seed=7)
    assert np.array_equal(first, position.ownership(300, seed=7))
    assert not np.array_equal(first, position.ownership(300, seed=8))
    assert np.all(first.sum(axis=0) <= 1)
    after_passes = position.play("pass").play("pass")
    assert np.array_equal(first, after_passes.ownership(300, seed=7))


@pytest.mark.parametrize("size", [5, 9, 13, 19])
def test_ownership_favours_who_has_the_stones(size: int) -> None:
    corner = [f"{column}{row}" for column in "ABC" for row in (1, 2, 3) if (column, row) != ("A", 1)]
    owned = Go.from_stones(black=corner, size=size).ownership(200, seed=1)
    assert owned[0, -2, 1] > 0.6
    assert owned[0].sum() > owned[1].sum()


@pytest.mark.parametrize("playouts", [0, -1, 10**9, 1.5, True])
def test_ownership_wants_a_number_of_playouts(playouts: object) -> None:
    with pytest.raises(ArgumentError, match="playouts must be an integer from 1"):
        Go(9).ownership(playouts)  # type: ignore[arg-type]


# ---- by playouts


def test_a_settled_board_is_left_as_it_is() -> None:
    position = finished(SETTLED)
    assert settle_go(position, seed=1) == Settlement(
        points=position.outcome()[0], score=position.score, dead=frozenset()
    )


def test_dead_stones_are_taken_off() -> None:
    position = finished(DEAD)
    settlement = settle_go(position, seed=1)
    assert names(position, settlement.dead) == {"B9", "A8", "B8", "C8", "B1"}
    assert settlement.score == 45 - 36 - 7.5
    assert settlement.points == 1.0
    assert position.outcome() == (0.0, 1.0), "as it stands, with the dead stones, White has more"


def test_both_sides_of_a_seki_stay() -> None:
    position = finished(SEKI)
    for seed in range(20):
        assert dead_stones(position, seed=seed) == frozenset()
    assert settle_go(position, seed=1).score == position.score


def test_a_draw_is_half_a_point() -> None:
    position = finished(SETTLED, komi=1.0)
    assert position.score == 0
    assert settle_go(position, seed=1).points == 0.5


def test_an_empty_board() -> None:
    position = Go(9).play("pass").play("pass")
    assert settle_go(position, seed=1) == Settlement(points=0.0, score=-7.5, dead=frozenset())


def test_only_finished_games_are_settled() -> None:
    with pytest.raises(GameStateError, match="the game goes on"):
        settle_go(Go(9), seed=1)


def test_scores_as_text() -> None:
    assert [format_score(score) for score in (3.5, -1, 0)] == ["B+3.5", "W+1", "0"]


# ---- by a referee


@needs("gnugo", "apt install gnugo")
@pytest.mark.parametrize("board", [SETTLED, DEAD, SEKI], ids=["settled", "dead", "seki"])
def test_gnu_go_agrees(board: str) -> None:
    position = finished(board)
    referee = GtpProgram(command=("gnugo", "--mode", "gtp", "--chinese-rules"), timeout=PATIENCE)
    settlement = settle_go(position, seed=1, referee=referee)
    assert settlement.dead == dead_stones(position, seed=1)
    assert settlement.referee_score == settlement.score == final_score(position, dead=settlement.dead)
    assert settlement.disagreement is None


def judge(answer: str) -> GtpProgram:
    """A referee with this one answer to the question for the dead stones."""
    return fake("judge", answer)


def test_a_referee_has_the_last_word_and_a_disagreement_is_recorded() -> None:
    position = finished(DEAD)
    settlement = settle_go(position, seed=1, referee=judge(""))
    assert settlement.dead == frozenset()
    assert settlement.points == 0.0
    assert settlement.score == settlement.referee_score == position.score
    assert settlement.disagreement == f"playouts give B+1.5, judge {format_score(position.score)}"
    agreed = settle_go(position, seed=1, referee=judge("B9 A8 B8\nC8"))
    assert agreed.disagreement is None, "one dead stone less decides nothing here"
    assert agreed.points == 1.0


def test_a_referee_that_lists_no_dead_stones_is_asked_for_the_score() -> None:
    position = finished(DEAD)
    assert settle_go(position, seed=1, referee=judge("? B+2.5")).referee_score == 2.5
    assert settle_go(position, seed=1, referee=judge("? 0")).points == 0.5
    assert settle_go(position, seed=1, referee=judge("? W+3")).disagreement == "playouts give B+1.5, judge W+3"


@pytest.mark.parametrize("answer", ["Z99", "pass", "B9 A1", "? about even", "? B+R"])
def test_a_referee_that_fails_leaves_it_at_the_playouts(answer: str) -> None:
    position = finished(DEAD)
    settlement = settle_go(position, seed=1, referee=judge(answer))
    assert settlement.points == 1.0
    assert settlement.referee_score is None
    assert settlement.disagreement is not None
    assert "the referee failed (nonsense" in settlement.disagreement


def test_a_referee_that_crashes() -> None:
    settlement = settle_go(finished(DEAD), seed=1, referee=fake("exit-at-once"))
    assert settlement.points == 1.0
    assert settlement.disagreement is not None
    assert "the referee failed (crash" in settlement.disagreement


def test_an_engine_is_no_referee() -> None:
    engine = EnginePlayer(engine=parse_engine("uct"), budget=Budget(playouts=10))
    with pytest.raises(ArgumentError, match="a referee must be a program"):
        settle_go(finished(DEAD), seed=1, referee=engine)
