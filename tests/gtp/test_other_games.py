"""Othello and Havannah by GTP, and Othello by NBoard's protocol."""

from __future__ import annotations

import re

import pytest

from tests.gtp.conversation import Live, answers, say
from tesuji import ArgumentError, Havannah, Othello
from tesuji.gtp.nboard import parse_ggf, serve_nboard
from tesuji.gtp.protocol import GtpError

START = "(;GM[Othello]PC[NBoard]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]{};)"


def test_othello_with_goguis_rules() -> None:
    lines = ["gogui-rules_game_id", "gogui-rules_board_size", "gogui-rules_side_to_move", "gogui-rules_legal_moves"]
    found = answers([*lines, "play b d3", "gogui-rules_board", "gogui-rules_final_result"], game="othello")
    assert found[:4] == ["= othello", "= 8", "= black", "= d3 c4 f5 e6"]
    rows = found[5].split("\n")[1:]  # row 1 is the lowest one for GoGui
    assert rows[8 - 3] == ". . . X . . . ."
    assert rows[8 - 4] == ". . . X X . . ."
    assert rows[8 - 5] == ". . . X O . . ."
    assert found[6] == "= unknown"


def test_othello_is_played_to_its_end() -> None:
    lines = [f"genmove {'bw'[number % 2]}" for number in range(70)]
    found = answers([*lines, "gogui-rules_final_result", "gogui-rules_legal_moves", "play b pass"], game="othello")
    moves = [answer.removeprefix("= ") for answer in found[:70]]
    position = Othello()
    for move in moves:
        if not position.is_over:
            position = position.play(move)
    assert position.is_over
    black, white = position.discs()
    winner = "draw" if black == white else "black" if black > white else "white"
    assert found[70] == f"= {winner}, {black} : {white}"
    assert found[71:] == ["=", "="]


def test_in_othello_it_must_be_the_players_turn() -> None:
    assert answers(["play w d3"], game="othello") == ["? illegal move: it is the turn of Black"]
    assert answers(["play b pass"], game="othello")[0].startswith(
        "? illegal move pass for Black: there is a legal move"
    )


def test_passes_in_othello_need_not_be_told() -> None:
    """Games with passes in them: the moves are told without, and the board is the same."""
    passes = 0
    for seed in range(1, 6):
        found = answers([f"genmove {'bw'[number % 2]}" for number in range(70)], game="othello", seed=seed, playouts=2)
        position, told = Othello(), []
        for answer in found:
            move = answer.removeprefix("= ")
            if position.is_over:
                break
            if move == "pass":
                passes += 1
            else:
                told.append(f"play {'bw'[position.to_move]} {move}")
            position = position.play(move)
        replayed = answers([*told, "showboard"], game="othello")
        assert replayed[-1] == f"=\n{position}"
        assert replayed[:-1] == ["="] * len(told)
    assert passes > 0


def test_havannah_with_castros_two_coordinate_systems() -> None:
    board = Havannah(4)
    lines = ["boardsize 4", "play white g7", "gridcoords", "undo", "play white g4", "hguicoords", "all_legal"]
    found = answers(lines, game="havannah")
    assert found[:6] == ["="] * 6
    assert "g7" not in found[6].split()
    for move in board.legal_moves():
        grid, golem = board.format_move(move), board.format_little_golem_move(move)
        lines = ["boardsize 4", f"white {grid}", "gridcoords", f"black {golem}", "genmove b", "undo", "all_legal"]
        found = answers(lines, game="havannah", playouts=2)
        assert found[3].startswith("? illegal move"), "it is the same cell"
        assert golem not in found[6].split()
        assert board.play(move).is_legal(board.parse_little_golem_move(found[4].removeprefix("= ")))


def test_havannah_to_its_end() -> None:
    bridge = "playgame a1 d7 b1 e7 c1 f7 d1"
    lines = ["boardsize 4", bridge, "havannah_winner", "gogui-rules_final_result", "play b d4", "genmove b"]
    found = answers(lines, game="havannah")
    assert found[2:4] == ["= white", "= white"]
    assert found[4].startswith("? illegal move: the game is over")
    assert found[5].startswith("? the game is over")


def test_havannah_with_swap() -> None:
    found = answers(["swap 1", "play w e5", "all_legal", "play b swap", "gogui-rules_board"], game="havannah")
    assert "swap" in found[2].split()
    assert found[3] == "="
    assert found[4].count("X") == 1, "the stone has become Black's"
    assert found[4].count("O") == 0


def test_all_moves_or_none() -> None:
    found = answers(["playgame a1 a2 a1", "all_legal"], game="havannah")
    assert found[0].startswith("? illegal move a1")
    assert "a1" in found[1].split()


def test_analysis_of_the_other_games() -> None:
    for game in ("othello", "havannah"):
        lines = say(["kata-genmove_analyze 1 ownership true"], game=game, playouts=3000).split("\n")
        assert lines[0] == "="
        assert re.fullmatch(r"play [a-j]\d+", lines[-3])


# ---- NBoard


def test_nboard() -> None:
    game = START.format("B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4]")
    with Live(serve_nboard, game="othello") as engine:
        engine.send("nboard 2")
        assert engine.line() == "set myname tesuji"
        engine.send(f"set game {game}")
        engine.send("set depth 6")
        engine.send("ping 1")
        assert engine.line() == "pong 1"
        engine.send("go")
        assert engine.line() == "status tesuji is thinking"
        assert re.fullmatch(r"nodestats \d+ \d+\.\d+", engine.line())
        move = re.fullmatch(r"=== ([A-H][1-8])/-?\d+\.\d\d/\d+\.\d\d", engine.line())
        assert move is not None
        assert engine.line() == "status tesuji is waiting"
        engine.send(f"move {move[1]}/1.2/3")
        engine.send("hint 2")
        lines = [engine.line() for _ in range(5)]
        assert all(re.fullmatch(r"search ([A-H][1-8]|PA)+ -?\d+\.\d\d 0 \d+", line) for line in lines[2:4])
        engine.send("learn")
        assert engine.line() == "learned"
        engine.send("what is this")
        engine.send("move A1")
        assert engine.line().startswith("status error: illegal move")
        engine.send("quit")


def test_nboard_keeps_its_game_where_the_new_one_is_broken() -> None:
    lines = [f"set game {START.format('B[F5]')}", f"set game {START.format('B[D3]W[A1]')}", "move D6", "move C3"]
    heard = say(lines, serve_nboard, game="othello").splitlines()
    assert len(heard) == 1, heard
    assert heard[0].startswith("status error: illegal move a1")


def test_nboard_analyses_the_game_from_its_end() -> None:
    with Live(serve_nboard, game="othello") as engine:
        engine.send(f"set game {START.format('B[F5]W[D6]B[C3]')}")
        engine.send("analyze")
        lines = [engine.line() for _ in range(4)]
    assert [line.split()[:2] for line in lines] == [["analysis", str(made)] for made in (3, 2, 1, 0)]


def test_nboards_analysis_is_blacks() -> None:
    """Black is far ahead, whoever is to move."""
    for mover in "*O":
        with Live(serve_nboard, game="othello") as engine:
            engine.send(f"set game (;BO[8 O*****--{'*' * 56} {mover}];)")
            engine.send("analyze")
            assert float(engine.line().split()[2]) > 0


def test_ggf() -> None:
    start, moves = parse_ggf(START.format("B[F5//1.5]W[d6/2/3]B[PA]"))
    assert start == Othello()
    assert moves == ["F5", "d6", "PA"]
    white_first = "(;BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 + " O])"
    assert parse_ggf(white_first)[0].to_move == 1
    for text in ("", "(;)", "(;BO[8 --- *])", "(;BO[10 " + "-" * 100 + " *])", "(;BO[8 " + "?" * 64 + " *])"):
        with pytest.raises(GtpError):
            parse_ggf(text)


def test_nboard_is_for_othello() -> None:
    with pytest.raises(ArgumentError, match="NBoard is for othello, not for go"):
        say([], serve_nboard)
