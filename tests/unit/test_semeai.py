"""The solver of capturing races: against brute force, against the theory of liberties, and on boards drawn by hand."""

from __future__ import annotations

import itertools
import re
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.reference import semeai as brute_force
from tesuji import ArgumentError, Go, IllegalMoveError, semeai

GOLDEN = Path(__file__).parents[1] / "golden" / "semeai-races.txt"
COLOURS = ("black", "white")


@dataclass(frozen=True)
class GoldenRace:
    """A race of the golden file."""

    number: int
    rows: tuple[str, ...]
    stones: tuple[str, str]
    to_move: int
    ko: str | None
    outcomes: tuple[str, str]

    @property
    def position(self) -> Go:
        return drawn(self.rows, to_move=self.to_move, ko=self.ko)

    def solve(self) -> semeai.Race:
        return semeai.solve(self.position, black=[self.stones[0]], white=[self.stones[1]])


def drawn(rows: tuple[str, ...], *, to_move: int = 0, ko: str | None = None) -> Go:
    position = Go.from_ascii("\n".join(rows), to_move=to_move, superko=False)
    if ko is None:
        return position
    return Go._from_state({**position._state(), "ko": position.parse_move(ko)})


def read_golden() -> list[GoldenRace]:
    races = []
    for block in GOLDEN.read_text(encoding="utf-8").split("\n\n")[1:]:
        number, *rows, race, answer = block.split("\n")[: None if block[-1] != "\n" else -1]
        found = re.fullmatch(r"race (\w+) (\w+), (\w+) to move(?:, (\w+) forbidden by ko)?", race)
        wanted = re.fullmatch(r"black first: (\w+), white first: (\w+)", answer)
        assert found is not None
        assert wanted is not None
        races.append(
            GoldenRace(
                number=int(number),
                rows=tuple(rows),
                stones=(found[1], found[2]),
                to_move=COLOURS.index(found[3]),
                ko=found[4],
                outcomes=(wanted[1], wanted[2]),
            )
        )
    return races


RACES = read_golden()


def by_brute_force(race: GoldenRace, colours: tuple[int, ...] = (0, 1)) -> tuple[str, str]:
    """Of chains of both colours, or of one alone."""
    position = race.position
    stones = [sum(1 << i for i, cell in enumerate("".join(race.rows)) if cell == colour) for colour in "XO"]
    ko = 0 if race.ko is None else 1 << position.parse_move(race.ko)
    start = brute_force.State((stones[0], stones[1]), ko, race.to_move, 0)
    black, white = (1 << position.parse_move(race.stones[c]) if c in colours else 0 for c in (0, 1))
    return brute_force.outcomes(brute_force.Board(position.size), start, (black, white))


# ---- against brute force


@pytest.mark.parametrize("race", RACES, ids=lambda race: str(race.number))
def test_golden_races(race: GoldenRace) -> None:
    assert race.solve().outcomes == race.outcomes


@pytest.mark.parametrize("race", RACES[::40], ids=lambda race: str(race.number))
def test_some_golden_races_are_what_brute_force_says(race: GoldenRace) -> None:
    assert by_brute_force(race) == race.outcomes


@pytest.mark.slow
def test_all_golden_races_are_what_brute_force_says() -> None:
    """The last three have too many positions for this one in Python: another, in C++, has found and settled them."""
    assert [race.number for race in RACES[:228] if by_brute_force(race) != race.outcomes] == []


def rank(outcome: str, player: int) -> int:
    return {"seki": 2, "ko": 1, COLOURS[player]: 3}.get(outcome, 0)


@pytest.mark.parametrize("race", RACES[::3] + RACES[228:], ids=lambda race: str(race.number))
def test_necessary_moves_are_all_that_reach_the_outcome(race: GoldenRace) -> None:
    """Of all legal moves of the board, not only of those that the solver looks at."""
    player = race.to_move
    solved = race.solve()
    best = solved.outcomes[player]
    needs_a_move = rank(best, player) > rank(solved.outcomes[1 - player], player)
    reaching = set()
    for move in race.position.legal_moves() if needs_a_move else []:
        after = race.position.play(move)
        cells = after.native.cells()
        captured = cells[after.parse_move(race.stones[1 - player])] != 1 - player
        outcome = COLOURS[player] if captured else solve_again(after, race).outcomes[1 - player]
        if outcome == best:
            reaching.add(move)
    assert set(solved.necessary[player]) == reaching
    assert needs_a_move or solved.necessary[player] == ()


def solve_again(position: Go, race: GoldenRace) -> semeai.Race:
    return semeai.solve(position, black=[race.stones[0]], white=[race.stones[1]])


@given(st.sampled_from(RACES), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_race_is_the_same_from_every_side(race: GoldenRace, mirror: bool, turn: bool, swap: bool) -> None:
    size = len(race.rows)
    position = race.position

    def moved(text: str) -> str:
        row, column = divmod(position.parse_move(text), size)
        if mirror:
            column = size - 1 - column
        return position.format_move(column * size + row if turn else row * size + column)

    rows = [row[::-1] for row in race.rows] if mirror else list(race.rows)
    if turn:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    to_move, stones, wanted = race.to_move, race.stones, race.outcomes
    if swap:
        rows = [row.translate(str.maketrans("XO", "OX")) for row in rows]
        to_move, stones = 1 - to_move, (stones[1], stones[0])
        other = {"black": "white", "white": "black"}
        wanted = (other.get(wanted[1], wanted[1]), other.get(wanted[0], wanted[0]))
    seen = drawn(tuple(rows), to_move=to_move, ko=None if race.ko is None else moved(race.ko))
    assert semeai.solve(seen, black=[moved(stones[0])], white=[moved(stones[1])]).outcomes == wanted


# ---- against the theory of liberties


@pytest.mark.parametrize(("black", "white"), list(itertools.product(range(1, 5), repeat=2)))
def test_without_eyes_who_has_more_liberties_wins(black: int, white: int) -> None:
    """And of equals who moves first (Müller 1999, class 1)."""
    position = outside_race(black, white)
    solved = semeai.solve(position, black=["A5"], white=["A4"])
    assert solved.first("black") == ("black" if black >= white else "white")
    assert solved.first("white") == ("white" if white >= black else "black")
    assert solved.is_won_after_pass("black") == (black > white)
    assert (solved.necessary_for("black") != ()) == (black == white)


def outside_race(black: int, white: int) -> Go:
    """Two chains along the fourth and fifth lines, each walled in, with so many liberties beyond."""
    above = "." * black + "O" * (5 - black)
    below = "." * white + "X" * (5 - white)
    rows = [
        "OOOOOO.XX",
        ".O.OOO.X.",
        "OOOOOOXXX",
        f"{above}OX.X",
        "XXXXXOXXX",
        "OOOOOXOOO",
        f"{below}XO.O",
        "XXXXXXOOO",
    ]
    return Go.from_ascii("\n".join([*rows, ".X.X.X.O."]))


# ---- chains alone: life and death


#: Rooms in the middle of the board, as every book on life and death has them: who lives if the attacker is first, if
#: the defender is, and the vital point as a row and a column of the room.
ROOMS = {
    "straight three": (("ooo",), "unsettled", (0, 1)),
    "bent three": (("oo", "o."), "unsettled", (0, 0)),
    "straight four": (("oooo",), "alive", None),
    "bent four": (("ooo", "o.."), "alive", None),
    "skewed four": (("oo.", ".oo"), "alive", None),
    "pyramid four": (("ooo", ".o."), "unsettled", (0, 1)),
    "square four": (("oo", "oo"), "dead", None),
    "straight five": (("ooooo",), "alive", None),
    "bulky five": (("ooo", "oo."), "unsettled", (0, 1)),
    "cross five": ((".o.", "ooo", ".o."), "unsettled", (1, 1)),
    "rabbity six": ((".oo", "ooo", ".o."), "unsettled", (1, 1)),
    "rectangular six": (("ooo", "ooo"), "alive", None),
}


def around(points: set[tuple[int, int]]) -> set[tuple[int, int]]:
    wide = {(row + i, column + j) for row, column in points for i in (-1, 0, 1) for j in (-1, 0, 1)}
    return wide - points


@pytest.mark.parametrize(("room", "status", "vital"), ROOMS.values(), ids=list(ROOMS))
def test_eye_spaces_are_what_the_books_say(room: tuple[str, ...], status: str, vital: tuple[int, int] | None) -> None:
    points = {(2 + i, 2 + j) for i, row in enumerate(room) for j, cell in enumerate(row) if cell == "o"}
    defender = around(points)
    attacker = around(points | defender)
    cells = {**dict.fromkeys(defender, "O"), **dict.fromkeys(attacker, "X")}
    position = drawn(tuple("".join(cells.get((row, column), ".") for column in range(9)) for row in range(9)))
    stone = min(defender)
    solved = semeai.solve(position, white=[stone[0] * 9 + stone[1]])
    assert (
        solved.outcomes
        == {
            "alive": ("white", "white"),
            "dead": ("black", "black"),
            "unsettled": ("black", "white"),
        }[status]
    )
    wanted = set() if vital is None else {(2 + vital[0]) * 9 + 2 + vital[1]}
    assert set(solved.necessary[0]) == wanted
    assert wanted <= set(solved.necessary[1])  # five points may also be made four that live
    assert (solved.necessary[1] == ()) == (vital is None)


@pytest.mark.parametrize(("number", "colour"), [(4, 0), (31, 0), (193, 1), (205, 1)])
def test_chains_alone_are_what_brute_force_says(number: int, colour: int) -> None:
    """Of golden boards that are small enough, for the game goes on after captures; on these all of them live."""
    race = RACES[number - 1]
    assert race.number == number
    wanted = tuple(COLOURS[colour] if found == "seki" else found for found in by_brute_force(race, colours=(colour,)))
    black, white = ([stone] if player == colour else [] for player, stone in enumerate(race.stones))
    assert semeai.solve(race.position, black=black, white=white).outcomes == wanted


def test_stones_in_an_eye_race_against_nobody() -> None:
    """White would win a race against three stones, and die of it: what is asked is whether White lives."""
    rows = [
        ".........",
        ".........",
        "XXXX.....",
        "OOOXX....",
        "..OOX....",
        ".XXOX....",
        "..XOX....",
        "OOOOX....",
        "XXXXX....",
    ]
    position = drawn(tuple(rows))
    assert semeai.find(position, life=True) == [([], ["A6"])]
    assert semeai.find(position) == [(["B4"], ["A6"])]


@pytest.mark.parametrize(("top", "outcome"), [("...OX....", "black"), ("...OXO...", "unknown")])
def test_who_attacks_must_not_run_out_of_liberties(top: str, outcome: str) -> None:
    """Black, first, kills the corner; with two liberties left the wall might go before it, or run."""
    rows = (top, "OOOOX....", "XXXXX....", "OOOOO....", *["........."] * 5)
    assert semeai.solve(drawn(rows), white=["A8"]).first("black") == outcome


# ---- bounds, several chains, and what is asked wrongly


@pytest.mark.parametrize("bound", [1, 10, 100, 1000])
def test_a_bound_makes_no_wrong_answers(bound: int) -> None:
    for race in RACES[::4]:
        black, white = ([stone] for stone in race.stones)
        solved = semeai.solve(race.position, black=black, white=white, positions=bound)
        assert all(found in ("unknown", wanted) for found, wanted in zip(solved.outcomes, race.outcomes, strict=True))
        assert solved.positions <= bound + 1000


def test_a_small_bound_leaves_a_long_race_unknown() -> None:
    assert semeai.solve(outside_race(4, 4), black=["A5"], white=["A4"], positions=50).outcomes == ("unknown", "unknown")


def test_the_first_capture_of_any_chain_decides() -> None:
    """White has the more liberties, but a second chain of White's has one."""
    rows = str_rows(outside_race(2, 4))
    rows[0] = "OOOOOO.X."
    rows[1] = ".O.OOO.XO"
    position = Go.from_ascii("\n".join(rows))
    alone = semeai.solve(position, black=["A5"], white=["A4"])
    together = semeai.solve(position, black=["A5"], white=["A4", "J8"])
    assert alone.first("black") == "white"
    assert together.first("black") == "black"


def str_rows(position: Go) -> list[str]:
    cells = position.native.cells()
    size = position.size
    return ["".join("XO."[cell] for cell in cells[row * size : (row + 1) * size]) for row in range(size)]


#: Black has four liberties above. The stones below that shut it in have four as well, and Black moves first.
SHUT_IN_BY_WEAK_STONES = {
    "closed": (".OOOOO.", "OOOOOOO", "O....OO", "XXXXXXX", "OOOOOOO", "....XXX", "XXXX.X."),
    "open": (
        ".O.OOOOOO",
        "OOOOOOOOO",
        "O....OOOO",
        "XXXXXXXXX",
        "OOOOOOOOO",
        "....XXXXX",
        "XXXXXXXXX",
        ".........",
        ".........",
    ),
}


@pytest.mark.parametrize("rows", SHUT_IN_BY_WEAK_STONES.values(), ids=list(SHUT_IN_BY_WEAK_STONES))
def test_who_is_shut_in_may_capture_what_shuts_it_in(rows: tuple[str, ...]) -> None:
    """That takes many moves: to see what it brings takes more than the bound, but White has not won."""
    black, white = f"A{len(rows) - 3}", f"A{len(rows) - 1}"
    solved = semeai.solve(drawn(rows), black=[black], white=[white], positions=20_000)
    assert solved.first("black") in ("seki", "unknown")
    assert solved.necessary == ((), ())


def test_a_long_answer_lets_signals_in() -> None:
    seen = 0

    def ring(_number: int, _frame: object) -> None:
        nonlocal seen
        seen += 1
        if seen == 3:  # without a look in between all would be one, at the end
            raise ZeroDivisionError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        with pytest.raises(ZeroDivisionError):
            semeai.solve(drawn(SHUT_IN_BY_WEAK_STONES["open"]), black=["A6"], white=["A8"], positions=10_000_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_races_of_a_board_are_found() -> None:
    assert semeai.find(outside_race(3, 3)) == [(["A5"], ["A4"])]
    assert semeai.find(Go(9)) == []


def test_as_json() -> None:
    solved = semeai.solve(outside_race(2, 2), black="A5", white="A4").to_json()
    assert solved.pop("positions") > 0
    assert solved == {
        "first": {"black": "black", "white": "white"},
        "necessary": {"black": ["A3", "B3"], "white": ["A6", "B6"]},
        "won after a pass": {"black": False, "white": False},
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"black": ["A4"], "white": ["A4"]}, "black has no stone on A4"),
        ({"black": ["A5"], "white": ["A3"]}, "white has no stone on A3"),
        ({"black": [], "white": []}, "no stones were named"),
        ({}, "no stones were named"),
        ({"black": None, "white": ["A4"]}, "None .* is no move"),
        ({"black": 3.5, "white": ["A4"]}, "3.5 .* is no move"),
        ({"black": ["pass"], "white": ["A4"]}, "black has no stone on pass"),
        ({"black": ["A5"], "white": ["A4"], "positions": 0}, "positions must be an integer from 1"),
    ],
)
def test_wrong_questions(arguments: dict[str, object], message: str) -> None:
    with pytest.raises((ArgumentError, IllegalMoveError), match=message):
        semeai.solve(outside_race(3, 3), **arguments)  # type: ignore[arg-type]


def test_wrong_games_and_colours() -> None:
    with pytest.raises(ArgumentError, match="on a Go board"):
        semeai.solve(tesuji.Othello(), black=[0], white=[1])  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="on a Go board"):
        semeai.find(tesuji.Othello())  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="black or white"):
        semeai.solve(outside_race(3, 3), black=["A5"], white=["A4"]).first("red")
