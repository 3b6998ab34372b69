"""What working together costs: CPU an exchange, playouts with and without sharing, bytes, and the ceiling of broadcast.

python benchmarks/cluster_exchange.py                    # all; starts mpiexec for the second part
python benchmarks/cluster_exchange.py --part exchange    # exchange, sharing or ceiling
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import tesuji
from tesuji.cluster.messages import unpack
from tesuji.cluster.schemes import make_scheme

ENGINE = "uct(c=0.4)"
MPIEXEC = Path(sys.executable).parent / "mpiexec"


def print_line(**values: Any) -> None:
    print(json.dumps(values), flush=True)


# ---- the CPU that an exchange takes


def exchange_milliseconds(depth: int, engine: str, *, machines: int, playouts: int, rounds: int) -> dict[str, Any]:
    """Of one machine: to send its statistics, to take in those of all others, and to bring the tree up to date."""
    cluster = tesuji.Cluster(
        tesuji.Go(9), n=machines, scheme="slow-tree", engine=engine, seed=1, depth=depth, max_memory="512MB"
    )
    cluster.run(playouts=playouts)
    nodes = cluster.nodes
    spent = []
    for _ in range(rounds):
        for node in nodes:
            node.search.think(playouts=playouts // 10)
        took = [0.0] * machines
        for step in (_send, _take_in, _settle):
            for rank, node in enumerate(nodes):
                began = time.thread_time()
                step(node)
                took[rank] += time.thread_time() - began
        spent += took
    return {
        "engine": engine,
        "depth": depth,
        "machines": machines,
        "nodes": nodes[0].board.node_count,
        "moves": nodes[0].board.moves,
        "message bytes": sum(array.nbytes for array in nodes[0].board.tell()),
        "CPU ms an exchange": round(1000 * statistics.median(spent), 3),
    }


def _send(node: Any) -> None:
    node.exchange()


def _take_in(node: Any) -> None:
    for source, buffer in node.communicator.receive():
        node.take(source, unpack(buffer))


def _settle(node: Any) -> None:
    node.scheme.settle(node)


# ---- playouts with and without sharing, on real processes


def share_and_not(arguments: argparse.Namespace) -> None:
    """On every machine of MPI: rounds of slow tree and of voting, which shares nothing while it searches, in turns."""
    from tesuji.cluster.machine import Machine  # noqa: PLC0415  the same
    from tesuji.cluster.mpi import MpiCommunicator  # noqa: PLC0415  MPI is started by it
    from tesuji.cluster.mpi_cluster import MpiCluster  # noqa: PLC0415  the same
    from tesuji.cluster.server import Server  # noqa: PLC0415  the same

    communicator = MpiCommunicator(patience=5.0)
    if communicator.rank != 0:
        Server(communicator, log=print).serve()
        return
    machine = Machine(communicator, log=print)
    ratios, rates, sent = [], [], []
    for number in range(arguments.rounds):
        made = {}
        for name in ("slow-tree", "voting") if number % 2 else ("voting", "slow-tree"):
            options = {"depth": 1} if name == "slow-tree" else {}
            search = MpiCluster(
                tesuji.Go(9),
                ENGINE,
                machine=machine,
                scheme=make_scheme(name, **options),
                period=arguments.period,
                seed=1,
            )
            result = search.run(seconds=arguments.seconds)
            made[name] = result.visits
            if name == "slow-tree":
                sent.append(result.bytes_sent / result.seconds)
        ratios.append(made["slow-tree"] / made["voting"])
        rates.append(made["slow-tree"] / arguments.seconds)
    low, _, high = statistics.quantiles(ratios, n=4)
    print_line(
        machines=communicator.size, period=arguments.period, rounds=arguments.rounds,
        ratio=round(statistics.median(ratios), 3), quartiles=[round(low, 3), round(high, 3)],
        playouts_a_second=round(statistics.median(rates)), bytes_a_second_and_machine=round(statistics.median(sent)),
    )  # fmt: skip
    machine.send_home()


def start_mpi(arguments: argparse.Namespace) -> None:
    command = [
        str(MPIEXEC), "--oversubscribe", "-n", str(arguments.machines), sys.executable, __file__, "--part", "rank",
        "--rounds", str(arguments.rounds), "--seconds", str(arguments.seconds), "--period", str(arguments.period),
    ]  # fmt: skip
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    subprocess.run(command, env={**os.environ, **root}, check=True)


# ---- the ceiling of broadcast


def ceiling(position: tesuji.Position, engine: str, *, playouts: int, rounds: int) -> dict[str, Any]:
    """alpha: what backing up a simulation of another machine takes, of what making one takes."""
    alphas = []
    for number in range(rounds):
        one, other = (tesuji.Search(position, engine, seed=2 * number + k, max_memory="512MB") for k in (0, 1))
        for search in (one, other):
            search.think(playouts=playouts)
        one.core.keep_simulations(True)
        made = one.think(playouts=playouts).cpu_seconds
        words = one.core.take_simulations()
        began = time.thread_time()
        other.core.back_up_simulations(words)
        backed_up = time.thread_time() - began
        alphas.append(backed_up / made)
    alpha = statistics.median(alphas)
    return {
        "game": position.game,
        "size": getattr(position, "size", None),
        "engine": engine,
        "alpha": round(alpha, 4),
        "ceiling": round(1 / alpha, 1),
        "bytes a simulation": round(words.nbytes / playouts),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=["all", "exchange", "sharing", "ceiling", "rank"], default="all")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--period", type=float, default=0.1)
    parser.add_argument("--machines", type=int, default=4)
    arguments = parser.parse_args()
    if arguments.part == "rank":
        share_and_not(arguments)
        return
    if arguments.part in ("all", "exchange"):
        for depth, engine, machines in (
            (0, ENGINE, 4),
            (1, ENGINE, 4),
            (3, ENGINE, 4),
            (1, "rave", 4),
            (1, ENGINE, 32),
        ):
            print_line(**exchange_milliseconds(depth, engine, machines=machines, playouts=20_000, rounds=20))
    if arguments.part in ("all", "sharing"):
        start_mpi(arguments)
    if arguments.part in ("all", "ceiling"):
        for position, engine in (
            (tesuji.Go(9), ENGINE),
            (tesuji.Go(19), ENGINE),
            (tesuji.Go(9), "rave(distance)+prior+playout=knowledge"),
            (tesuji.Go(9), "accelerated(k=4)"),
            (tesuji.Othello(), ENGINE),
            (tesuji.Havannah(5), ENGINE),
        ):
            print_line(**ceiling(position, engine, playouts=20_000, rounds=arguments.rounds))


if __name__ == "__main__":
    main()
