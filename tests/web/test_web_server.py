"""The server without a browser: who is let in, what bad input does, and that no session harms another."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.web.running import PATIENCE, RunningServer, Talk, closing_code, get, running_server
from tesuji.cli import app
from tesuji.web.guard import Guard
from tesuji.web.messages import MAX_MESSAGE

NEW_GAME = {"type": "new", "board": {"game": "othello"}, "engine": "uct", "playouts": 10}
WATCH = {"type": "watch", "board": {"game": "go", "size": 9}, "engines": ["uct", "uct(c=0.4)"]}


# ---- who is let in


def test_pages_and_files(server: RunningServer) -> None:
    for path in ("/", "/play", "/watch", "/learn", "/follow"):
        status, headers, text = get(server, path)
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "<script>" not in text
        assert "http" not in text, "nothing comes from elsewhere"
    assert get(server, "/static/board.js")[1]["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/static//etc/passwd", "/static/%00", "/etc/passwd", "//etc/passwd", "/static/", "/static", "/docs",
        "/openapi.json", "/static/..\\app.py",
    ],
)  # fmt: skip
def test_nothing_else_can_be_read(server: RunningServer, path: str) -> None:
    status, _, text = get(server, path)
    assert status == 404
    assert "import" not in text
    assert "root:" not in text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "127.0.0.1.evil.example", "8.8.8.8", "[", "@"])
def test_other_names_are_refused(server: RunningServer, host: str) -> None:
    assert get(server, "/play", Host=host)[0] in (400, 403)


def test_own_names_are_welcome(server: RunningServer) -> None:
    for host in ("127.0.0.1", "localhost", f"localhost:{server.port}", "[::1]"):
        assert get(server, "/play", Host=host)[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost", "file://"]
)
def test_pages_of_other_sites_are_refused(server: RunningServer, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refusal, server.talk("play", additional_headers={"Origin": origin}):
        pass
    assert refusal.value.response.status_code == 403
    assert get(server, "/play", Origin=origin)[0] == 403


def test_its_own_pages_are_welcome(server: RunningServer) -> None:
    origin = f"http://127.0.0.1:{server.port}"
    with server.talk("play", additional_headers={"Origin": origin}) as talk:
        assert talk.ask("state", **NEW_GAME)["game"] == "othello"


def test_it_listens_on_the_loopback_alone(server: RunningServer) -> None:
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.2", server.port), timeout=5):
        pass


def test_beyond_this_machine_only_with_a_token() -> None:
    with running_server("--host", "0.0.0.0") as server:
        token = server.address.partition("?token=")[2]
        assert len(token) >= 24
        for path in ("/play", "/static/play.js", "/play?token=wrong", "/play?token="):
            assert get(server, path)[0] == 403
        with pytest.raises(InvalidStatus), server.talk("play"):
            pass
        status, headers, _ = get(server, f"/play?token={token}")
        assert (status, headers["location"]) == (303, "/play")
        cookie = headers["set-cookie"].partition(";")[0]
        assert "httponly" in headers["set-cookie"].lower()
        assert get(server, "/play", Cookie=cookie)[0] == 200
        assert get(server, "/play", Cookie=f'other={{"set by": "another server"}}; {cookie}')[0] == 200
        assert get(server, "/play", Cookie=cookie, Host="evil.example")[0] == 403
        assert get(server, "/play", Cookie=f"{cookie}x")[0] == 403
        with server.talk("play", additional_headers={"Cookie": cookie}) as talk:
            assert talk.ask("state", **NEW_GAME)["game"] == "othello"


@given(st.dictionaries(st.sampled_from(["host", "origin", "cookie"]), st.text(max_size=40)), st.text(max_size=40))
def test_a_guard_never_fails(headers: dict[str, str], token: str) -> None:
    assert Guard(host="127.0.0.1", token="secret").refusal(headers, given_token=token) is not None


# ---- bad input

MALFORMED = [
    "", "{", "[]", "null", "17", '"new"', "{}", '{"type": 3}', '{"type": "no such"}', "[" * 5000, "\x00",
    '{"type": "new"}', '{"type": "new", "board": {"game": "chess"}}', '{"type": "new", "board": {"size": 1e99}}',
    '{"type": "new", "board": {"komi": NaN}}', '{"type": "new", "board": {"moves": 3}}',
    '{"type": "new", "board": {"size": "9"}}', '{"type": "new", "board": {}, "playouts": 0}',
    '{"type": "new", "board": {}, "playouts": 99999999999999999999}', '{"type": "new", "board": {}, "extra": 1}',
    '{"type": "new", "board": {}, "engine": ""}', '{"type": "new", "board": {}, "seconds": -1}',
    '{"type": "move", "move": -1}', '{"type": "move", "move": "toolongamove"}', '{"type": "undo"}',
]  # fmt: skip


def test_malformed_messages_get_errors(server: RunningServer) -> None:
    with server.talk("play") as talk:
        for text in MALFORMED:
            talk.connection.send(text)
            message = talk.receive("error")["message"]
            assert "something went wrong" not in message
            time.sleep(0.05)  # no flood
        talk.connection.send(b"\xff\x00")
        assert "text" in talk.receive("error")["message"]
        assert talk.ask("state", **NEW_GAME)["game"] == "othello"


@pytest.mark.parametrize(
    ("board", "engine", "message"),
    [
        ({"game": "go", "size": 9}, "uct+model=/etc/passwd", "model must be"),
        ({"game": "go", "size": 9}, "@gnugo", "unknown part"),
        ({"game": "go", "size": 9}, "uct(c=nan)", "c of uct"),
        ({"game": "othello"}, "uct+model=go9", "says nothing of"),
        ({"game": "go", "size": 9}, "uct+semeai(positions=1000000000)", "at most 10,000"),
        ({"game": "go", "size": 9}, "uct+semeai(conditioning,retries=1000)", "at most 100"),
        ({"game": "go", "size": 4}, "uct", "from 5 to 19"),
        ({"game": "havannah", "size": 19}, "uct", "from 3 to 10"),
        ({"game": "go", "size": 9, "moves": ["E5", "E5"]}, "uct", "occupied"),
        ({"game": "go", "size": 9, "moves": ["pass", "pass", "E5"]}, "uct", "the game is over"),
        ({"game": "go", "size": 6, "handicap": 9}, "uct", "handicap on 6x6"),
        ({"game": "go", "record": "(;SZ[9];B[aa];W[aa])"}, "uct", "move 2"),
        ({"game": "go", "record": "(" + ";B[]" * 3000 + ")"}, "uct", "more than 2,000 nodes"),
        ({"game": "othello", "record": "f5 f5"}, "uct", "move 2 of the record"),
    ],
)
def test_bad_games_get_errors_and_change_nothing(
    server: RunningServer, board: dict[str, Any], engine: str, message: str
) -> None:
    with server.talk("play") as talk:
        before = talk.ask("state", **{**NEW_GAME, "board": {"game": "othello", "moves": ["f5", "d6"]}})
        assert message in talk.refusal(type="new", board=board, engine=engine)
        talk.send(type="resign")
        assert talk.receive("state")["all_moves"] == before["all_moves"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=5), values, max_size=3),
    max_leaves=6,
)
boards = st.fixed_dictionaries(
    {"game": st.sampled_from(["go", "othello", "havannah"])},
    optional={
        "size": st.integers(3, 19) | st.none(),
        "komi": st.floats(-2000, 2000) | st.none(),
        "handicap": st.integers(0, 9),
        "record": st.sampled_from(["", "(;SZ[9];B[ee])", "(;SZ[99])", "(;", "f5 d6", "\x00", "(;GM[2])", "(;CA[x])"]),
        "kept": st.integers(0, 1000),
        "moves": st.lists(st.sampled_from(["E5", "f5", "pass", "swap", "a1", "z9", "A1", "é"]), max_size=4),
        "swap": st.booleans(),
    },
)
specs = st.sampled_from(["uct", "best", "rave", "bast", "uct(c=0)", "max", "max(discs)", "solver", "+", "uct+uct"])
questions = st.sampled_from([{"type": kind} for kind in ("undo", "resign", "score", "hint", "save")])
moves = st.builds(lambda move: {"type": "move", "move": move}, st.integers(0, 1000) | st.text(max_size=5))
new_games = st.builds(
    lambda board, engine, person: {"type": "new", "board": board, "engine": engine, "person": person, "playouts": 3},
    boards, specs, st.integers(0, 1),
)  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages=st.lists(new_games | questions | moves | json_values, min_size=1, max_size=10))
def test_no_sequence_of_messages_goes_wrong(server: RunningServer, messages: list[Any]) -> None:
    with server.talk("play") as talk:
        for message in messages:
            talk.connection.send(json.dumps(message))
        talk.connection.send(json.dumps({"type": "the last"}))
        while True:
            answer = json.loads(talk.connection.recv(timeout=PATIENCE))
            assert "something went wrong" not in answer.get("message", "")
            if "the last" in answer.get("message", "") or "does not match" in answer.get("message", ""):
                break


def test_oversized_messages_end_their_connection_alone(server: RunningServer) -> None:
    with server.talk("play") as bystander, server.talk("play") as talk:
        record = "x" * 150_000
        assert "record" in talk.refusal(type="new", board={"record": record})
        with contextlib.suppress(ConnectionClosed):
            talk.connection.send("x" * (MAX_MESSAGE + 1))
        assert closing_code(talk) == 1009
        assert bystander.ask("state", **NEW_GAME)["game"] == "othello"


def test_a_flood_is_sent_away_and_disturbs_nobody(server: RunningServer) -> None:
    with server.talk("play") as bystander:
        with server.talk("play") as talk:
            with contextlib.suppress(ConnectionClosed):
                for _ in range(3000):
                    talk.send(type="save")
            assert closing_code(talk) == 1008
        assert bystander.ask("state", **NEW_GAME)["game"] == "othello"


# ---- many at once


def test_places_are_limited_and_come_free_again() -> None:
    with running_server("--sessions", "2") as server:
        with server.talk("play"), server.talk("learn"), server.talk("play") as third:
            assert "all 2 places are taken" in third.receive("full")["message"]
            assert closing_code(third) == 1013
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(AssertionError, ConnectionClosed):
                assert server.is_alive()
                break
            assert time.monotonic() < end


def test_fifty_sessions_play_at_once(server: RunningServer) -> None:
    with contextlib.ExitStack() as stack:
        talks = [stack.enter_context(server.talk("play")) for _ in range(50)]
        for talk in talks:
            talk.send(**{**NEW_GAME, "person": 1, "playouts": 200})
        for _ in range(3):
            for talk in talks:
                state = answered(talk)
                talk.send(type="move", move=state["legal"][0])
        assert all(len(answered(talk)["all_moves"]) >= 7 for talk in talks)


def answered(talk: Talk) -> dict[str, Any]:
    """The next position in which it is the person's turn."""
    while True:
        state = talk.receive("state")
        if not state["thinking"]:
            return state


def test_a_long_thought_keeps_nobody_waiting() -> None:
    """With one searcher, and somebody who thinks for a minute, all others are served."""
    with running_server("--searchers", "1") as server, server.talk("play") as slow, server.talk("play") as quick:
        slow.send(type="new", board={"game": "go", "size": 19}, person=1, engine="uct", seconds=60.0)
        assert slow.receive("state")["thinking"]
        for _ in range(3):
            state = quick.ask("state", **{**NEW_GAME, "person": 1})
            assert state["thinking"]
            assert answered(quick)["all_moves"]
        slow.send(type="resign")
        assert "Black wins" in slow.receive("state")["result"], "it was still at it"


def cpu_seconds(process: subprocess.Popen[str]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_closing_the_tab_stops_its_search() -> None:
    with running_server() as server:
        with server.talk("watch") as talk:
            talk.ask("stopped", **WATCH)
            talk.ask("running", type="run")
            began = cpu_seconds(server.process)
            while cpu_seconds(server.process) < began + 0.5:
                talk.receive("look")
        time.sleep(1)
        at_rest = cpu_seconds(server.process)
        time.sleep(2)
        assert cpu_seconds(server.process) - at_rest < 0.1


def test_a_reader_who_does_not_read_disturbs_nobody(server: RunningServer) -> None:
    with server.talk("watch") as talk:
        talk.ask("stopped", **{**WATCH, "board": {"game": "go", "size": 19}, "ownership": True})
        talk.send(type="run")
        for _ in range(3):
            assert server.is_alive()
        talk.send(type="stop")
        assert talk.receive("stopped")["engines"][0]["visits"] > 0


# ---- beginning and end


def test_ctrl_c_is_clean_while_a_search_runs() -> None:
    with running_server() as server, server.talk("watch") as talk:
        talk.ask("stopped", **WATCH)
        talk.ask("running", type="run")
        server.process.send_signal(signal.SIGINT)
        output, _ = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 0
        assert "Traceback" not in output
        assert output.strip().endswith("stopped")


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["web", *arguments])
    assert result.exit_code == 2
    return result.stderr


def test_bad_options_say_what_to_do(server: RunningServer, tmp_path: Path) -> None:
    assert "try another with --port or --host" in refused("--port", str(server.port))
    assert "port" in refused("--port", "70000")
    assert "there is no store" in refused("--store", str(tmp_path / "missing.db"))
    assert "max_memory" in refused("--memory", "1kB")
    assert "sessions" in refused("--sessions", "0")
    assert "cannot listen on" in refused("--host", "256.1.1.1")


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['fastapi'] = None; sys.argv[1:] = ['web']; from tesuji.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert "pip install 'tesuji[web]'" in done.stderr
