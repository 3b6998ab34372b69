"""Programs as players: fakes that fail in every way there is, and real ones that know the rules."""

from __future__ import annotations

import pickle
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.arena.programs import PATIENCE, fake, needs, never
from tesuji import ArgumentError, GameStateError, Go, Havannah, Othello, Position, TicTacToe
from tesuji.arena.game import play_game
from tesuji.arena.gtp_client import GtpClient
from tesuji.arena.gtp_dialects import DIALECTS
from tesuji.arena.gtp_program import GtpPlayer, GtpProgram
from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import PlayerFailure

GNUGO = GtpProgram(
    command=("gnugo", "--mode", "gtp", "--chinese-rules", "--positional-superko", "--level", "0", "--seed", "{seed}"),
    timeout=PATIENCE,
)
RHINO = GtpProgram(command=("gtp-rhino", "--level", "1"), timeout=PATIENCE)
CASTRO = GtpProgram(command=("castro", "--nocolor"), setup=("verbose 0", "time -i 100"), timeout=PATIENCE)

needs_gnugo = needs("gnugo", "apt install gnugo")
needs_rhino = needs("gtp-rhino", "apt install grhino")
needs_castro = needs("castro", "build it from its sources")


def ask_for_a_move(program: GtpProgram, start: Position) -> int | None:
    player = program.open()
    try:
        player.begin(start, seed=1)
        return player.choose(start, never)
    finally:
        player.close()


# ---- what can go wrong


@pytest.mark.parametrize(
    ("mode", "moves", "reason", "detail"),
    [
        ("crash", [], "crash", "exited with code 3 when asked 'genmove black'; on stderr: first words / [2Jlast words"),
        ("segfault", [], "crash", "was killed by signal 11 (Segmentation fault)"),
        ("exit-at-once", [], "crash", "exited with code 1"),
        ("close-output", [], "crash", "closed its pipe but went on running"),
        ("flood-stdout", [], "nonsense", "which is no GTP"),
        ("flood-answer", [], "nonsense", "more than 1048576 bytes"),
        ("no-gtp", ["D4"], "nonsense", "which is no GTP"),
        ("wrong-number", ["D4"], "nonsense", "a wrong number"),
        ("refuse", [], "nonsense", "refuse refused 'genmove black': 'not today'"),
        ("sound", ["Z99"], "nonsense", "'Z99' is no move here"),
        ("sound", [""], "nonsense", "'' is no move here"),
        ("sound", ["D4 and why"], "nonsense", "is no move here"),
    ],
)
def test_a_failure_is_called_what_it_is(mode: str, moves: list[str], reason: str, detail: str) -> None:
    with pytest.raises(PlayerFailure) as caught:
        ask_for_a_move(fake(mode, *moves), Go(9))
    assert caught.value.reason == reason
    assert detail in caught.value.detail


@pytest.mark.parametrize("mode", ["hang", "late", "flood-stderr"])
def test_nobody_waits_for_ever(mode: str) -> None:
    with pytest.raises(PlayerFailure) as caught:
        ask_for_a_move(fake(mode, timeout=0.7), Go(9))
    assert caught.value.reason == "timeout"


def test_a_closed_input_is_noticed_with_the_next_command() -> None:
    player = fake("close-input", "D4").open()
    player.begin(Go(9), seed=1)
    assert player.choose(Go(9), never) == Go(9).parse_move("D4")
    player.observe(Go(9).parse_move("D4"))
    with pytest.raises(PlayerFailure, match=r"crash: .* closed its pipe but went on running"):
        player.observe(Go(9).parse_move("E5"))
    player.close()


def test_an_illegal_move() -> None:
    start = Go.from_stones(black=["D4"])
    with pytest.raises(PlayerFailure, match=r"illegal move D4 for Black: .* occupied") as caught:
        ask_for_a_move(fake("sound", "D4"), start)
    assert caught.value.reason == "illegal move"
    with pytest.raises(PlayerFailure, match="turns no disc"):
        ask_for_a_move(fake("sound", "a1"), Othello())


def test_resignation_and_passing() -> None:
    assert ask_for_a_move(fake("sound", "resign"), Go(9)) is None
    assert ask_for_a_move(fake("sound", "RESIGN"), Othello()) is None
    assert ask_for_a_move(fake("sound", "PASS"), Go(9)) == Go(9).pass_move


def test_a_program_is_started_again_after_a_failure(tmp_path: Path) -> None:
    player = fake("crash-once", str(tmp_path / "marker"), "D4").open()
    player.begin(Go(9), seed=1)
    with pytest.raises(PlayerFailure):
        player.choose(Go(9), never)
    player.begin(Go(9), seed=1)
    assert player.choose(Go(9), never) == Go(9).parse_move("D4")
    player.close()


def test_stopped_while_it_thinks() -> None:
    player = fake("hang").open()
    player.begin(Go(9), seed=1)
    began = time.monotonic()
    assert player.choose(Go(9), lambda: time.monotonic() > began + 0.2) is None
    player.close()


@pytest.mark.parametrize("command", ["hello", "boardsize", "play", "final_status_list"])
def test_a_game_is_stopped_while_a_program_is_waited_for(command: str, tmp_path: Path) -> None:
    hangs = tmp_path / "hangs"
    program = replace(fake(f"hang at {command}", str(hangs)), setup=("hello",))
    plan = MatchPlan(start=Go(9), players=(program, fake("sound", "D4")), seed=1, referee=program)
    assert play_game(plan, 0, hangs.exists) is None
    assert hangs.exists()


def test_a_player_wants_a_game_first() -> None:
    with pytest.raises(GameStateError, match=r"call begin\(\) first"):
        fake("sound").open().choose(Go(9), never)


# ---- specs


def test_a_spec_is_a_value() -> None:
    program = fake("sound", "D4")
    assert pickle.loads(pickle.dumps(program)) == program
    assert str(program).startswith("gtp:")
    variants = [
        program,
        fake("sound", "E5"),
        fake("sound", "D4", timeout=1),
        GtpProgram(command=program.command, timeout=program.timeout, setup=("level 1",)),
        GtpProgram(command=program.command, timeout=program.timeout, dialect="go"),
        GtpProgram(command=program.command, timeout=program.timeout, ids=False),
    ]
    assert len({str(variant) for variant in variants}) == len(set(variants)) == len(variants)
    assert GtpProgram(command=("gnugo",), name="a") == GtpProgram(command=("gnugo",), name="b"), "a name is no strength"


def test_what_no_program_can_be_is_refused() -> None:
    with pytest.raises(ArgumentError, match="is empty"):
        GtpProgram(command=())
    with pytest.raises(ArgumentError, match="timeout must be positive"):
        GtpProgram(command=("gnugo",), timeout=0)
    with pytest.raises(ArgumentError, match=r"no dialect 'otello'; .* did you mean 'othello'"):
        GtpProgram(command=("gnugo",), dialect="otello")
    with pytest.raises(ArgumentError, match="one line"):
        GtpProgram(command=("gnugo",), setup=("level 1\nquit",))


def test_check_says_what_is_missing_before_the_first_game() -> None:
    absent = GtpProgram(command=("/no/such/gnugo",), name="gnugo", install="apt install gnugo")
    with pytest.raises(
        ArgumentError, match=r"the player gnugo: there is no program '/no/such/gnugo': .*apt install gnu"
    ):
        absent.check(Go(9))
    with pytest.raises(ArgumentError, match="it plays go, not othello"):
        GtpProgram(command=fake("sound").command, dialect="go").check(Othello())
    with pytest.raises(ArgumentError, match="GTP is spoken here for go, othello, havannah"):
        fake("sound").check(TicTacToe())


def test_where_games_can_begin() -> None:
    for start in (Go(9), Go(13, handicap=3), Othello(), Havannah(4)):
        fake("sound").check(start)


def test_where_they_cannot() -> None:
    for start in (Go(9).play("pass"), Othello().play("f5"), Havannah(4).play("a1"), Havannah(4, swap=True)):
        with pytest.raises(ArgumentError, match="use the start of the game"):
            fake("sound").check(start)


def test_passes_are_told_only_where_the_dialect_says_so() -> None:
    position = _othello_with_a_pass()[0]
    assert DIALECTS["othello"].tell(position, 64) is None
    assert DIALECTS["othello-with-passes"].tell(position, 64) in ("play black pass", "play white pass")


def test_havannah_cells() -> None:
    board = Havannah(5)
    cell = board.parse_move("h9")
    assert DIALECTS["havannah"].tell(board, cell) == "play white h9"
    assert DIALECTS["havannah-little-golem"].tell(board, cell) == "play white h6"
    assert DIALECTS["havannah-little-golem"].parse(board, "h6") == cell


# ---- real programs


@needs_gnugo
def test_gnu_go_sees_the_same_board() -> None:
    """Random games with captures, told move by move: the stones must be where GNU Go has them."""
    rng = random.Random(1)
    for start in (Go(5, superko=False), Go(9, handicap=3)):
        player = GNUGO.open()
        player.begin(start, seed=1)
        position: Go = start
        for _ in range(70):
            move = rng.choice(position.legal_moves())
            if position.play(move).is_over:
                break
            position = position.play(move)
            player.observe(move)
        client = _client_of(player)
        for colour, name in enumerate(("black", "white")):
            stones = {
                position.parse_move(text) for text in client.send(f"list_stones {name}", timeout=PATIENCE).split()
            }
            assert stones == {point for point, cell in enumerate(position.native.cells()) if cell == colour}
        assert float(client.send("get_komi", timeout=PATIENCE)) == start.komi
        player.close()


@needs_gnugo
def test_gnu_go_plays_the_same_game_with_the_same_seed() -> None:
    def game(seed: int) -> list[int]:
        players = [GNUGO.open(), GNUGO.open()]
        for player in players:
            player.begin(Go(5), seed=seed)
        position = Go(5)
        moves: list[int] = []
        while not position.is_over and len(moves) < 100:
            move = players[position.to_move].choose(position, never)
            if move is None:
                break
            moves.append(move)
            position = position.play(move)
            for player in players:
                player.observe(move)
        assert all(player.cpu_seconds >= 0 for player in players)
        for player in players:
            player.close()
        return moves

    first = game(3)
    assert len(first) > 5
    assert game(3) == first


@needs_rhino
def test_rhino_counts_whole_games_of_othello_as_we_do() -> None:
    """Games with passes, which are not told."""
    for seed in range(3):
        _, moves = _othello_with_a_pass(seed)
        player = RHINO.open()
        player.begin(Othello(), seed=1)
        position = Othello()
        for move in moves:
            before, position = position, position.play(move)
            player.observe(move)
        client = _client_of(player)
        last = DIALECTS["othello"].tell(before, moves[-1])  # a player is not told of the end
        assert last is not None
        client.send(last, timeout=PATIENCE)
        black, white = position.discs()
        # The winner gets the empty squares, as in tournaments.
        margin = 64 - 2 * min(black, white)
        expected = "0" if black == white else f"{'B' if black > white else 'W'}+{margin}"
        assert client.send("final_score", timeout=PATIENCE) == expected
        player.close()


@needs_rhino
def test_rhino_beats_a_random_player() -> None:
    assert _play_against_random_moves(RHINO, Othello(), seat=1).outcome() == (0, 1)


@needs_castro
def test_castro_beats_a_random_player() -> None:
    assert _play_against_random_moves(CASTRO, Havannah(4), seat=0).outcome() == (1, 0)


def _play_against_random_moves(program: GtpProgram, start: Position, *, seat: int) -> Position:
    """The end of a game in which every answer of the program was legal."""
    rng = random.Random(2)
    player = program.open()
    player.begin(start, seed=1)
    position = start
    while not position.is_over:
        move = player.choose(position, never) if position.to_move == seat else rng.choice(position.legal_moves())
        assert move is not None
        position = position.play(move)
        player.observe(move)
    player.close()
    return position


def _client_of(player: GtpPlayer) -> GtpClient:
    assert player._client is not None
    return player._client


def _othello_with_a_pass(seed: int = 0) -> tuple[Othello, list[int]]:
    """A random game that has a pass: the position before the first one, and all the moves."""
    rng = random.Random(seed)
    while True:
        position, moves, before = Othello(), [], None
        while not position.is_over:
            moves.append(rng.choice(position.legal_moves()))
            if moves[-1] == 64 and before is None:
                before = position
            position = position.play(moves[-1])
        if before is not None:
            return before, moves
