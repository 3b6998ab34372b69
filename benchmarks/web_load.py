"""How soon `tesuji web` answers when many play at once.

python benchmarks/web_load.py --json

It starts a server of its own, and so many players on the loopback, each in a game against the engine, and none of whom
stops to think. A reply is the time from sending a move to reading the engine's answer. The server says how long the
search was at work and how long it waited for a searcher; what is left is the page's own: it is to stay below 150 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection, connect


@dataclass(frozen=True, kw_only=True)
class Reply:
    """Seconds until an answer; of these, at work and in the queue."""

    total: float
    thinking: float
    queued: float

    @property
    def beyond(self) -> float:
        return self.total - self.thinking - self.queued


async def answer(connection: ClientConnection) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await connection.recv())
        if message["type"] in ("error", "full"):
            raise RuntimeError(message["message"])
        if message["type"] == "state" and not message["thinking"]:
            return message


async def play(address: str, options: argparse.Namespace, seed: int, together: asyncio.Barrier) -> list[Reply]:
    dice = random.Random(seed)
    replies = []
    board = {"game": options.game} if options.size is None else {"game": options.game, "size": options.size}
    game = {"type": "new", "board": board, "engine": options.engine, "playouts": options.playouts, "seed": seed}
    async with connect(address, open_timeout=60) as connection:
        await connection.send(json.dumps(game))
        state = await answer(connection)
        await together.wait()
        for _ in range(options.moves):
            if state["over"]:
                await connection.send(json.dumps(game))
                state = await answer(connection)
            began = time.perf_counter()
            await connection.send(json.dumps({"type": "move", "move": dice.choice(state["legal"])}))
            state = await answer(connection)
            total = time.perf_counter() - began
            spent = state.get("answer")
            if spent is not None:  # none where the person's own move ended the game
                replies.append(Reply(total=total, thinking=spent["seconds"], queued=spent["queued"]))
    return replies


async def measure(address: str, options: argparse.Namespace) -> list[Reply]:
    together = asyncio.Barrier(options.sessions)
    players = [play(address, options, seed, together) for seed in range(options.sessions)]
    return [reply for replies in await asyncio.gather(*players) for reply in replies]


def summary(replies: list[Reply]) -> dict[str, float]:
    def milliseconds(values: list[float], share: float) -> float:
        return round(1000 * statistics.quantiles(values, n=100)[round(100 * share) - 1], 1)

    rows = {"beyond": [r.beyond for r in replies], "thinking": [r.thinking for r in replies]}
    rows |= {"queued": [r.queued for r in replies], "total": [r.total for r in replies]}
    return {
        f"{name}_{word}_ms": milliseconds(row, share) for name, row in rows.items() for word, share in SHARES.items()
    }


SHARES = {"median": 0.5, "p95": 0.95}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--moves", type=int, default=20, help="moves that each of them makes")
    parser.add_argument("--game", default="othello")
    parser.add_argument("--size", type=int)
    parser.add_argument("--engine", default="uct")
    parser.add_argument("--playouts", type=int, default=3000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    command = [sys.executable, "-m", "tesuji", "web", "--port", "0", "--sessions", str(max(64, options.sessions))]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http(://\S+/)", server.stdout.readline())
        assert found is not None, "the server did not start"
        figures = summary(asyncio.run(measure(f"ws{found[1]}ws/play", options)))
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
    if options.json:
        print(json.dumps({**vars(options), **figures}, indent=2))
        return
    for name, value in figures.items():
        print(f"{name:<22} {value:>10,.1f}")


if __name__ == "__main__":
    main()
