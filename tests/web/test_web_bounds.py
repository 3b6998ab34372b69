"""What takes too much, or stays too long, makes room for others."""

from __future__ import annotations

import contextlib
import random
import socket
import time

import pytest

import tesuji
from tests.web.running import PATIENCE, RunningServer, closing_code, get, impatient_server
from tesuji.errors import GameStateError, SpecError
from tesuji.web.boards import Record, engine_for
from tesuji.web.connections import Allowance
from tesuji.web.messages import MAX_MOVES, Board
from tesuji.web.session import ASLEEP

WATCH = {"type": "watch", "board": {"game": "othello"}, "engines": ["uct"]}
HALF_A_REQUEST = b"GET /play HTTP/1.1\r\nHost: 127.0"
UPGRADE = (
    b"GET /ws/play HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def connected(server: RunningServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def trickle(connection: socket.socket, beginning: bytes) -> None:
    connection.sendall(beginning)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        connection.sendall(b"x")
        time.sleep(0.01)


def flood(connection: socket.socket, part: bytes) -> None:
    for _ in range(2000):
        connection.sendall(part)


# ---- connections


def test_of_too_many_half_open_requests_the_oldest_makes_room(server: RunningServer) -> None:
    with contextlib.ExitStack() as stack:
        halves = [stack.enter_context(connected(server)) for _ in range(600)]
        for half in halves[::2]:
            with contextlib.suppress(ConnectionError):  # gone already
                half.sendall(HALF_A_REQUEST)
        assert get(server, "/play")[0] == 200
        assert server.is_alive()
        assert is_closed(halves[0])
        halves[-1].setblocking(False)
        with pytest.raises(BlockingIOError):
            halves[-1].recv(1)


def test_a_request_has_its_time(server: RunningServer) -> None:
    unread = b"POST /play HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\r\n"
    with impatient_server() as impatient:
        for beginning in (b"", HALF_A_REQUEST):
            with connected(impatient) as connection:
                connection.sendall(beginning)
                assert is_closed(connection)
        with connected(impatient) as connection, pytest.raises(ConnectionError):
            trickle(connection, unread)
        with impatient.talk("watch") as talk:
            time.sleep(1)  # a WebSocket is no request
            assert talk.ask("stopped", **WATCH)["engines"]


def test_a_stream_of_pings_ends_its_connection(server: RunningServer) -> None:
    ping = b"\x89\x80\x00\x00\x00\x00"
    with connected(server) as connection:
        connection.sendall(UPGRADE)
        connection.settimeout(5)
        with pytest.raises(ConnectionError):
            flood(connection, 1000 * ping)
    assert server.is_alive()


def test_an_allowance_fills_again() -> None:
    allowance = Allowance(at_once=10, a_second=200)
    assert allowance.take(10)
    assert not allowance.take(5)
    time.sleep(0.1)
    assert allowance.take(10)
    assert not allowance.take(11), "it never holds more"


# ---- sessions


def test_who_has_been_idle_for_longest_makes_room() -> None:
    with impatient_server(idle_among_many=0.5) as server, server.talk("learn") as idle, server.talk("watch") as busy:
        busy.ask("stopped", **WATCH)
        busy.ask("running", type="run")
        time.sleep(0.7)
        with server.talk("watch") as third:
            assert third.ask("stopped", **WATCH)["engines"]
            assert closing_code(idle) == ASLEEP
            with server.talk("watch") as fourth:  # one is at work, and the other has just come
                assert "all 2 places are taken" in fourth.receive("full")["message"]
        busy.ask("stopped", type="stop")


def test_a_session_ends_where_nothing_is_said_or_searched() -> None:
    with impatient_server(idle=0.5) as server, server.talk("watch") as talk:
        talk.ask("stopped", **WATCH)
        talk.ask("running", type="run")
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            talk.receive("look")
        talk.ask("stopped", type="stop")
        assert closing_code(talk) == ASLEEP


# ---- games


def test_a_game_has_no_more_moves_than_can_be_sent_again() -> None:
    position, dice = tesuji.Go(19), random.Random(1)
    moves: list[int] = []
    while len(moves) < MAX_MOVES:
        moves.append(dice.choice(position.legal_moves()[:-1] or position.legal_moves()))
        position = position.play(moves[-1])
    texts = [position.format_move(move) for move in moves]
    record = Record(Board(game="go", size=19, moves=texts))
    with pytest.raises(GameStateError, match="no more than 1,000 moves"):
        record.play(position.legal_moves()[0])


@pytest.mark.parametrize("taken_back", [0, 1])
def test_a_record_with_stones_set_up_in_its_middle_can_be_sent_again(taken_back: int) -> None:
    text = "(;SZ[9];B[ee];W[cc];AB[gg][gh];B[aa])"
    record = Record(Board(record=text))
    record.undo(taken_back)
    again = Record(Board(record=text, kept=record.to_dict()["kept"]))
    assert str(again.position) == str(record.position)
    assert record.position.native.cells().count(0) == 4 - taken_back


def test_engines_are_bounded_where_a_turn_would_be_long() -> None:
    position = tesuji.Go(9)
    for spec in ("best", "uct+semeai", "uct+semeai(conditioning,positions=10000,retries=100)"):
        assert engine_for(spec, position) == tesuji.parse_engine(spec, position=position)
    with pytest.raises(SpecError, match="positions of semeai may be at most"):
        engine_for("uct+semeai(positions=10001)", position)
    with pytest.raises(SpecError, match="effort of semeai may be at most"):
        engine_for("uct+semeai(effort=1001)", position)
