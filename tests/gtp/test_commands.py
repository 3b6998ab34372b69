"""Each command of GTP 2 and of the dialects, by what it answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.gtp.conversation import Live, answers, say
from tesuji import __version__
from tesuji.gtp.registry import COMMANDS
from tesuji.gtp.table import GAMES
from tesuji.sgf import SgfGame


def test_what_the_protocol_says_of_lines() -> None:
    lines = ["", "# a comment", "name # the rest is a comment", "  12\tname", "\x01na\x07me\r", "7", "0012 name"]
    assert say(lines) == "= tesuji\n\n=12 tesuji\n\n= tesuji\n\n?7 unknown command ''\n\n=0012 tesuji\n\n"


def test_administration() -> None:
    found = answers(
        ["protocol_version", "name", "version", "tesuji-version", "known_command genmove", "known_command x"]
    )
    assert found == ["= 2", "= tesuji", "= 0.20.0", f"= {__version__}", "= true", "= false"]


def test_every_listed_command_is_known() -> None:
    for game in ("go", "othello", "havannah"):
        names = answers(["list_commands"], game=game)[0].removeprefix("= ").split("\n")
        assert answers([f"known_command {name}" for name in names], game=game) == ["= true"] * len(names)
    required = {"boardsize", "clear_board", "komi", "play", "genmove", "undo", "quit", "loadsgf", "reg_genmove"}
    assert required < set(answers(["list_commands"])[0].split())


def test_quit_ends_it() -> None:
    assert say(["quit", "name"]) == "=\n\n"


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("nosuch", "unknown command 'nosuch'"),
        ("genmoev b", "unknown command 'genmoev'; did you mean 'genmove'?"),
        ("hguicoords", "unknown command 'hguicoords'"),
        ("boardsize", "syntax error: write boardsize SIZE, with 1 argument, not 0"),
        ("boardsize 4", "unacceptable size: "),
        ("boardsize 26", "unacceptable size: "),
        ("boardsize nine", "unacceptable size: "),
        ("komi high", "komi must be a number from -1000 to 1000, not 'high'"),
        ("komi nan", "komi must be a number"),
        ("play b", "syntax error: write play COLOUR MOVE, with 2 arguments, not 1"),
        ("play red A1", "syntax error: 'red' is no colour"),
        ("play b I1", "syntax error: 'I1' is no move here"),
        ("play b K10", "syntax error: 'K10' is no move here"),
        ("undo", "cannot undo: 0 moves have been played"),
        ("genmove x", "syntax error: 'x' is no colour"),
        ("fixed_handicap 1", "the number of stones must be a whole number from 2 to 361"),
        ("fixed_handicap 10", "invalid number of stones: handicap on 9x9 must be 0 or 2 to 9, not 10"),
        ("set_free_handicap A1", "syntax error: write set_free_handicap VERTEX VERTEX ..."),
        ("set_free_handicap A1 A1", "bad vertex list: two stones on A1"),
        ("set_free_handicap A1 pass", "bad vertex list: 'pass' is no point"),
        ("final_status_list asleep", "syntax error: a status is dead, alive or seki, not 'asleep'"),
        ("time_settings 1 2", "syntax error: write time_settings MAIN PERIOD STONES, with 3 arguments, not 2"),
        ("time_settings -1 0 0", "main must be a number from 0"),
        ("time_left b ten 0", "the time must be a number from 0"),
        ("kgs-time_settings byoyomi 10", "syntax error: write none, absolute MAIN"),
        ("kgs-time_settings byoyomi 10 5 0", "periods must be a whole number from 1"),
        ("kgs-time_settings fischer 10 5", "syntax error: write none, absolute MAIN"),
        ("kgs-rules ing", "there are no rules 'ing'"),
        ("loadsgf /no/such/file.sgf", "cannot load file: /no/such/file.sgf cannot be read: No such file or directory"),
        (
            "printsgf /no/such/folder/a.sgf",
            "cannot write: /no/such/folder/a.sgf cannot be written: No such file or directory",
        ),
        ("gogui-play_sequence b A1 w", "syntax error: the last colour has no move"),
        ("lz-analyze b 50 nosuch 1", "syntax error: 'nosuch' is no key of an analysis"),
        ("lz-analyze b 50 minmoves", "syntax error: 'minmoves' wants 1 more words"),
        ("kata-analyze 10 avoid b A1", "syntax error: 'avoid' wants 3 more words"),
        ("tesuji-param nosuch", "uct+rave has no numeric parameter 'nosuch'"),
        ("tesuji-param engine uct(c=x)", "c of uct must be"),
        ("tesuji-param expand 2.7", "expand must be an integer from 1 to 1000000, not '2.7'"),
        ("tesuji-param expand inf", "expand must be an integer"),
        ("tesuji-param threads 0", "threads must be"),
        ("tesuji-param lag soon", "lag must be a number"),
        ("tesuji-param ponder perhaps", "ponder must be true or false, not 'perhaps'"),
    ],
)
def test_what_is_wrong_is_said(command: str, error: str) -> None:
    (first, position) = answers([f"3 {command}", "showboard"], engine="uct+rave")
    assert first.startswith(f"?3 {error}")
    assert first.count("\n") == 0
    assert position == answers(["showboard"])[0], "nothing has changed"


def test_illegal_moves_change_nothing() -> None:
    found = answers(["play b A1", "play w A1", "play w B1", "play w A2", "play b A1", "undo", "undo", "undo", "undo"])
    assert found[1] == "? illegal move A1 for White: the point is occupied by Black (move number 72)"
    assert found[4].startswith("? illegal move A1 for Black: it is suicide")
    assert found[5:8] == ["="] * 3
    assert found[8].startswith("? cannot undo")


def test_either_player_may_move_at_any_time_and_after_two_passes() -> None:
    found = answers(["play b A1", "play b B2", "play w pass", "play b pass", "play b C3", "genmove b", "showboard"])
    assert found[:5] == ["="] * 5
    assert re.fullmatch(r"= ([A-HJ][1-9]|pass)", found[5])
    assert found[6].count("X") >= 4


def test_a_new_game_keeps_size_komi_and_rules() -> None:
    lines = [
        "boardsize 7",
        "komi 3.5",
        "kgs-rules japanese",
        "play b D4",
        "clear_board",
        "final_score",
        "tesuji-param rules",
    ]
    assert answers(lines)[-2:] == ["= W+3.5", "= japanese"]


def test_handicap() -> None:
    assert answers(["boardsize 19", "fixed_handicap 4"])[1] == "= D4 Q16 D16 Q4"
    assert len(set(answers(["place_free_handicap 20"])[0].split())) == 1 + 20
    found = answers(["set_free_handicap C3 G7", "genmove w", "undo", "undo", "fixed_handicap 2"])
    assert re.fullmatch(r"= [A-HJ][1-9]", found[1])
    assert found[3].startswith("? cannot undo")
    assert found[4] == "? board not empty: handicap stones come first"
    # Under Chinese rules White gets a point for each of the stones, and the board is Black's.
    assert answers(["fixed_handicap 2", "komi 0.5", "final_score"])[-1] == "= B+78.5"


def test_the_count_takes_dead_stones_off() -> None:
    wall = [f"play b {letter}5" for letter in "ABCDEFGHJ"] + [f"play w {letter}6" for letter in "ABCDEFGHJ"]
    game = [*wall, "play b B3", "play b D3", "play b F3", "play w E8", "play w C8", "play w E1", "komi 0.5"]
    found = answers(
        [*game, "final_status_list dead", "final_score", "final_status_list seki", "final_status_list alive"]
    )
    dead, score, seki, alive = found[-4:]
    assert dead == "= E1"
    assert score == "= B+8.5"
    assert seki == "="
    assert "A5 B5 C5 D5 E5 F5 G5 H5 J5" in alive.split("\n")
    assert answers([*game, "kgs-rules tromp-taylor", "final_score"])[-1] != score, "there all stones are alive"


def test_japanese_rules_count_prisoners() -> None:
    wall = [f"play b {letter}5" for letter in "ABCDEFGHJ"] + [f"play w {letter}6" for letter in "ABCDEFGHJ"]
    more = ["play b B3", "play b D3", "play b F3", "play w E8", "play w C8", "komi 0", "kgs-rules japanese"]
    capture = ["play w A1", "play b A2", "play b B1"]
    assert answers([*capture, *wall, *more, "final_score"])[-1] == "= B+7", "31 and a prisoner against 25"


def test_it_passes_when_the_opponent_has_and_the_count_is_won() -> None:
    wall = [f"play b {letter}4" for letter in "ABCDEFGHJ"] + [f"play w {letter}3" for letter in "ABCDEFGHJ"]
    game = [*wall, "play w E2", "play w G2", "play w C2", "play b C6", "play b G6", "play b E7", "play w pass"]
    assert answers([*game, "genmove b"])[-1] == "= pass"
    behind = ["play b E5", "play b C3", "play b G7", "play w A1", "play b pass"]
    assert answers([*behind, "genmove w"])[-1] != "= pass", "White would lose the count"
    # Few stones seem to settle a small board; that is no reason to give up before it has begun.
    few = [f"play b {vertex}" for vertex in ("B3", "C3", "D3", "C2", "C4")]
    assert answers([*few, "play b pass", "genmove w"], size=5)[-1] != "= pass"


def test_the_cleanup_takes_the_dead_before_it_passes() -> None:
    wall = [f"play b {letter}4" for letter in "ABCDEFGHJ"] + [f"play w {letter}3" for letter in "ABCDEFGHJ"]
    game = [*wall, "play w E2", "play w C2", "play b C6", "play b G6", "play w A9", "play b A8", "play w pass"]
    assert answers([*game, "genmove b"], playouts=200)[-1] == "= pass"
    assert answers([*game, "kgs-genmove_cleanup b"], playouts=200)[-1] != "= pass"
    clean = [line for line in game if line != "play w A9"]
    assert answers([*clean, "kgs-genmove_cleanup b"], playouts=200)[-1] == "= pass"


def test_it_resigns_when_it_has_been_hopeless_for_a_while() -> None:
    late = ["komi -100", *["play b pass", "play w pass"] * 17]
    lines = [*late, "genmove w", "play b A1", "genmove w", "play b B2", "genmove w", "play b C1", "genmove w"]
    moves = answers(lines, resign=0.1)[len(late) :: 2]
    assert moves[2:] == ["= resign", "= resign"]
    assert "= resign" not in moves[:2]
    assert "= resign" not in answers(lines, resign=0.0)
    early = ["komi -100", *lines[len(late) :]]
    assert "= resign" not in answers(early, resign=0.1)


def test_reg_genmove_repeats_and_changes_nothing() -> None:
    lines = ["play b E5", "showboard", "reg_genmove w", "reg_genmove w", "showboard"]
    found = answers(lines, playouts=200)
    assert found[2] == found[3]
    assert found[1] == found[4]


def test_the_same_seed_plays_the_same_game() -> None:
    lines = ["boardsize 7", *["genmove b", "genmove w"] * 10]
    assert answers(lines, seed=5) == answers(lines, seed=5)
    assert answers(lines, seed=5) != answers(lines, seed=6)


def test_records(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    game = ["boardsize 9", "komi 5.5", "fixed_handicap 2", "play w E5", "play b pass", "play w A1"]
    assert answers([*game, f"printsgf {file}"])[-1] == "="
    found = answers([f"loadsgf {file}", "showboard", f"loadsgf {file} 2", "showboard", "printsgf"])
    assert found[0] == "= black"
    assert found[1] == answers([*game, "showboard"])[-1]
    assert found[3] == answers([*game[:4], "showboard"])[-1]
    assert "AB[cg][gc]" in found[4]
    assert ";W[ee])" in found[4].replace("\n", "")


@pytest.mark.parametrize(
    ("content", "until"),
    [
        ("(;SZ[9];B[ee];W[cc];AB[gg][gh])", ""),
        ("(;SZ[9];B[ee];W[cc];AB[gg][gh];B[aa])", "3"),
        ("(;SZ[9];B[ee];W[cc];AB[gg][gh];B[aa])", ""),
        ("(;SZ[9];B[ee];AE[ee];B[ee])", ""),
        ("(;SZ[9];B[ee];B[cc];W[gg];W[];B[])", ""),
    ],
)
def test_stones_that_are_set_up_in_the_middle_of_a_record(tmp_path: Path, content: str, until: str) -> None:
    file, again = tmp_path / "game.sgf", tmp_path / "again.sgf"
    file.write_text(content)
    lines = [f"loadsgf {file} {until}", "showboard", f"printsgf {again}", f"loadsgf {again}", "showboard"]
    _, board, _, _, written = answers(lines)
    stones = SgfGame.read(file).position(int(until) - 1 if until else None).native.cells()
    assert (board.count(" X"), board.count(" O")) == (stones.count(0), stones.count(1))
    assert written == board


def test_a_game_without_set_up_stones_can_be_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[9];B[ee];B[cc];W[gg];PL[W];W[];B[])")
    assert answers([f"loadsgf {file}", *["undo"] * 5, "undo"])[1:6] == ["="] * 5


#: Black takes two stones, and White may not take back on B5: the board would be as it was before A5.
REPEATING = "(;SZ[5]AB[ab][bb]AW[ba][da][cb];W[aa];B[ca]"


def test_superko_knows_the_positions_of_a_record(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(REPEATING + ")")
    assert "superko" in answers([f"loadsgf {file}", "play w B5"])[1]
    assert answers([f"loadsgf {file}", "undo", "undo", "play w A5", "play b C5", "play w E1", "play b E2"])[-1] == "="
    assert answers(["kgs-rules japanese", f"loadsgf {file}", "play w B5"])[-1] == "="
    stones = ["play b A4", "play b B4", "play w B5", "play w D5", "play w C4", "play w A5", "play b C5"]
    rules = ["kgs-rules japanese", "kgs-rules chinese"]
    assert "superko" in answers(["boardsize 5", *stones, *rules, "play w B5"])[-1]


def test_a_record_that_repeats_a_position_is_loaded_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(REPEATING + ";W[ba])")
    with Live() as engine:
        assert engine.ask(f"loadsgf {file}") == ["= black"]
        assert "W[ba])" in "".join(engine.ask("printsgf"))
        assert engine.session.table.captures() == (2, 1)


def test_a_broken_record_leaves_the_board(tmp_path: Path) -> None:
    file = tmp_path / "broken.sgf"
    for content in ("(;GM[1]SZ[9];B[ee", "(;SZ[9];B[ee];W[ee])", "(;SZ[40])", "hello", ""):
        file.write_text(content)
        found = answers(["play b C3", f"loadsgf {file}", "showboard"])
        assert found[1].startswith("? cannot load file"), content
        assert found[2] == answers(["play b C3", "showboard"])[1]


def test_parameters() -> None:
    lines = [
        "tesuji-param engine uct(c=0.4)+final=value",
        "tesuji-param engine",
        "tesuji-param c",
        "tesuji-param c 0.7",
    ]
    found = answers([*lines, "tesuji-param engine", "tesuji-param", "tesuji-param playouts 10", "genmove b"])
    assert found[1:3] == ["= uct(c=0.4)+final=value", "= 0.4"]
    assert found[4] == "= uct(c=0.7)+final=value"
    assert "[bool] ponder 0" in found[5].split("\n")
    assert re.fullmatch(r"= [A-HJ][1-9]", found[7])


def lines_of(*parameters: str) -> list[str]:
    return [f"tesuji-param {parameter}" for parameter in parameters]


def test_the_constants_of_a_model_s_use_are_parameters() -> None:
    lines = [
        "tesuji-param engine uct+bias+widening+model=go9",
        "tesuji-param bias.c 0.8",
        "tesuji-param bias.k 400",
        "tesuji-param mu 1.5",
        "tesuji-param model go19",
        "tesuji-param final balanced",
    ]
    found = answers([*lines, "tesuji-param engine", "tesuji-param model", "tesuji-param model go21"])
    assert found[: len(lines)] == ["="] * len(lines)
    assert found[-3] == "= uct+widening(mu=1.5)+bias(c=0.8,k=400.0)+model=go19+final=balanced"
    assert found[-2] == "= go19"
    assert found[-1].startswith("? there is no model 'go21': go9, go19, ")
    lines = ["bias.k inf", "playout-temperature", "playout-temperature 0.5", "playout-temperature", "bias.k"]
    found = answers([*lines_of("engine uct+bias+model=go9"), *lines_of(*lines), *lines_of("playout-temperature 0")])
    assert found[1:-1] == ["=", "= none", "=", "= 0.5", "= inf"]
    assert found[-1].startswith("? playout-temperature must be")
    found = answers(["tesuji-param engine puct+model=go9", "tesuji-param puct.c 1.5", "tesuji-param engine"])
    assert found[-1] == "= puct(c=1.5)+model=go9"
    assert answers(["tesuji-param engine uct", "tesuji-param model"])[-1] == "= none"


def test_priors_of_a_model_are_shown_on_the_board() -> None:
    lines = ["boardsize 9", "tesuji-param engine puct+model=go9", "tesuji-param playouts 50", "tesuji-priors"]
    labels = [word for word in answers(lines)[-1].split()[1:] if word != '""']
    assert labels
    assert 50 < sum(map(int, labels)) <= 105
    without = answers(["boardsize 9", "tesuji-param engine uct", "tesuji-param playouts 50", "tesuji-priors"])[-1]
    assert set(without.split()[1:]) == {'""'}


def test_gogui() -> None:
    found = answers(
        ["gogui-interrupt", "gogui-play_sequence b C3 w G7 b pass", "gogui-play_sequence b D3 w C3", "showboard"]
    )
    assert found[:2] == ["=", "="]
    assert found[2].startswith("? illegal move C3 for White")
    assert found[3].count("X") == 1, "all moves or none"
    lines = answers(["gogui-analyze_commands"])[0].removeprefix("= ").split("\n")
    for line in lines:
        kind, _, command = line.split("/")
        assert kind in ("param", "sboard", "var", "dboard", "plist", "string")
        assert answers([command])[0].startswith("=")


def test_boards_for_gogui() -> None:
    visits, ownership = answers(["tesuji-visits", "tesuji-ownership"])
    for board in (visits, ownership):
        rows = board.removeprefix("=\n").split("\n")
        assert [len(row.split()) for row in rows] == [9] * 9


def test_the_manual_has_every_command() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "gtp.md").read_text()
    for entry in COMMANDS.values():
        games = "all" if entry.games == GAMES else ", ".join(entry.games)
        assert f"| `{entry.usage}` | {games} | {entry.summary} |" in manual, f"in docs/gtp.md: {entry.usage}"
    assert manual.partition("## Commands")[2].count("\n| `") == len(COMMANDS), "and no other"
