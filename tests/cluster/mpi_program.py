"""A program for `mpiexec`: searches again and again with one scheme or several, and says what came of each.

Every machine first says who it is, a line of JSON each; then the first one a line for each search.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any

import tesuji
from tesuji.cluster.machine import Machine
from tesuji.cluster.mpi import MpiCommunicator
from tesuji.cluster.mpi_cluster import MpiCluster
from tesuji.cluster.schemes import make_scheme
from tesuji.cluster.server import Server
from tesuji.errors import ClusterError


def say(**values: Any) -> None:
    # One write for a line: those of several machines must not be mixed.
    os.write(1, (json.dumps(values) + "\n").encode())


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def search_often(machine: Machine, name: str, arguments: argparse.Namespace) -> None:
    options = {"scheme": make_scheme(name), "period": arguments.period, "threads": arguments.threads, "seed": 1}
    search = MpiCluster(tesuji.Go(9), arguments.engine, machine=machine, **options)
    for number in range(arguments.searches):
        for _ in range(arguments.slices):
            search.think(playouts=arguments.playouts, seconds=arguments.seconds)
        live = sorted(machine.communicator.live())
        if arguments.fail:
            search.think(seconds=0.1)
            raise ArithmeticError("as asked for")
        result = search.run(playouts=arguments.playouts, seconds=arguments.seconds)
        say(
            scheme=name, number=number, visits=result.visits, playouts=result.playouts,
            seconds=result.seconds, lost=result.lost, silent=sorted(machine.silent), best=result.moves[0].text,
            live=live, sum=sum(move.visits for move in result.moves),
            exchanges=result.exchanges, ended_by=result.stopped_by,
        )  # fmt: skip
        if arguments.advance:
            search.advance(result.best_move)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("schemes")
    parser.add_argument("--engine", default="uct(c=0.4)")
    parser.add_argument("--searches", type=int, default=1)
    parser.add_argument("--slices", type=int, default=0)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--playouts", type=int)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--period", type=float, default=0.05)
    parser.add_argument("--patience", type=float, default=1.0)
    parser.add_argument("--advance", action="store_true")
    parser.add_argument("--fail", action="store_true")
    parser.add_argument("--wait", type=float, default=0.0)
    arguments = parser.parse_args()
    communicator = MpiCommunicator(patience=arguments.patience)
    say(rank=communicator.rank, pid=os.getpid(), ulfm=communicator.has_ulfm)
    if communicator.rank != 0:
        Server(communicator, log=log).serve()
        return
    machine = Machine(communicator, log=log)
    try:
        for name in arguments.schemes.split(","):
            search_often(machine, name, arguments)
        time.sleep(arguments.wait)
    finally:
        machine.send_home()


if __name__ == "__main__":
    try:
        main()
    except ClusterError as error:
        log(str(error))
        sys.exit(3)
