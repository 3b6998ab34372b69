"""The network of a real cluster: MPI, by messages from one machine to another that nobody waits for.

No collective operation is on the path: a machine that is stopped would hold up all. A machine that has died is found by
ULFM, the fault tolerance of MPI (`mpiexec --with-ft ulfm` with Open MPI 5): the calls that meet it return an error, and
it is left out from then on. One that is only silent is left out until it is heard from again.

One thread alone calls MPI.
"""

from __future__ import annotations

import os
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from tesuji.cluster.messages import Buffer
from tesuji.errors import ClusterError

if TYPE_CHECKING:
    from mpi4py import MPI

_TAG = 1
_FT_SETTING = "OMPI_MCA_mpi_ft_enable"  # what --with-ft ulfm sets
# Of messages under way to one machine beyond which no more are sent that may be left out.
_MOST_UNDER_WAY = 2


def load_mpi() -> Any:
    """mpi4py's module; an error says what to install."""
    try:
        import mpi4py  # noqa: PLC0415  a missing extra is no reason to fail before it is wanted

        mpi4py.rc.finalize = False  # it would wait for machines that are lost: see close()
        from mpi4py import MPI  # noqa: PLC0415  importing it starts MPI
    except ImportError as error:
        raise ClusterError(
            f"this needs MPI ({error}): pip install 'tesuji[mpi]' brings one, or install mpi4py for the system's MPI"
        ) from None
    except RuntimeError as error:
        raise ClusterError(f"MPI cannot be started: {error}") from None
    return MPI


def survives_failures(comm: MPI.Comm) -> bool:
    """Whether MPI lets the others go on when a machine dies."""
    try:
        comm.Get_failed()
    except Exception:  # an MPI without ULFM has its own ways to say so
        return False
    is_open_mpi = "OMPI_COMM_WORLD_SIZE" in os.environ
    return not is_open_mpi or os.environ.get(_FT_SETTING, "0").lower() in ("1", "true", "yes")


class MpiCommunicator:
    """A machine is silent when nothing has come from it for `patience` seconds of a search.

    So long the others wait for it at the end of one, once; then no more, until it is heard from again.
    """

    def __init__(self, *, patience: float) -> None:
        self._mpi = load_mpi()
        self._comm = self._mpi.COMM_WORLD.Dup()
        self._comm.Set_errhandler(self._mpi.ERRORS_RETURN)
        self.rank: int = self._comm.Get_rank()
        self.size: int = self._comm.Get_size()
        self.has_ulfm = survives_failures(self._comm)
        self.patience = patience
        self.lost: dict[int, float] = {}  # by machine, when it was found out
        self._under_way: dict[int, list[tuple[Any, Buffer]]] = {}
        self._arriving: dict[int, deque[tuple[Any, Buffer]]] = {}  # in the order in which they were sent
        self._heard: dict[int, float] = {}

    # ---- who is there

    def live(self) -> frozenset[int]:
        quiet = time.monotonic() - self.patience
        return frozenset(
            rank
            for rank in range(self.size)
            if rank == self.rank or (rank not in self.lost and self._heard.get(rank, 0.0) > quiet)
        )

    def not_lost(self) -> list[int]:
        return [rank for rank in range(self.size) if rank != self.rank and rank not in self.lost]

    def begin(self) -> None:
        """A search begins: whoever is not lost has time to be heard. While none went on nobody said anything."""
        now = time.monotonic()
        for rank in self.not_lost():
            self._heard[rank] = max(now, self._heard.get(rank, 0.0))

    def find_lost(self) -> None:
        """Asks MPI who has died. What was on its way to them is given up."""
        if not self.has_ulfm:
            return
        failed = self._comm.Get_failed()
        if failed.Get_size() > len(self.lost):
            group = self._comm.Get_group()
            ranks = failed.Translate_ranks(list(range(failed.Get_size())), group)
            group.Free()
            for rank in ranks:
                if rank not in self.lost:
                    self.lost[rank] = time.monotonic()
                    self._under_way.pop(rank, None)
                    self._arriving.pop(rank, None)
            self._comm.Ack_failed()
        failed.Free()

    # ---- messages

    def send(self, to: int, message: Buffer, *, keep: bool = False) -> None:
        if to in self.lost:
            return
        under_way = self._under_way[to] = [
            item for item in self._under_way.get(to, []) if self._is_done(item[0]) is False
        ]
        if len(under_way) >= _MOST_UNDER_WAY and not keep:
            return
        try:
            under_way.append((self._comm.Isend([message, self._mpi.BYTE], to, _TAG), message))
        except self._mpi.Exception:
            self._look_for_reason()

    def _is_done(self, request: Any) -> bool | None:
        """None where it can never be: the machine at the other end is lost."""
        try:
            return bool(request.Test())
        except self._mpi.Exception:
            return None

    def receive(self) -> list[tuple[int, Buffer]]:
        """A large message takes several looks, and one whose sender has been stopped may take for ever."""
        self._begin_to_receive()
        received: list[tuple[int, Buffer]] = []
        now = time.monotonic()
        for source, arriving in self._arriving.items():
            while arriving:
                is_done = self._is_done(arriving[0][0])
                if is_done is False:
                    break
                _, buffer = arriving.popleft()
                if is_done:
                    received.append((source, buffer))
                    self._heard[source] = now
        return received

    def _begin_to_receive(self) -> None:
        status = self._mpi.Status()
        while True:
            try:
                message = self._comm.Improbe(self._mpi.ANY_SOURCE, _TAG, status)
                if message is None:
                    return
                buffer = np.empty(status.Get_count(self._mpi.BYTE), dtype=np.uint8)
                request = message.Irecv([buffer, self._mpi.BYTE])
            except self._mpi.Exception:
                self._look_for_reason()
                return
            self._arriving.setdefault(status.Get_source(), deque()).append((request, buffer))

    def _look_for_reason(self) -> None:
        """An error of MPI that is no machine's death is one."""
        known = len(self.lost)
        self.find_lost()
        if self.has_ulfm:
            self._comm.Ack_failed()  # else nothing is received any more
        if len(self.lost) == known and not self.lost:
            raise ClusterError("MPI reports an error, and no machine is lost: see what mpiexec says")

    def flush(self, seconds: float) -> None:
        """Waits, but not for long, until what was sent is on its way."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            requests = [request for items in self._under_way.values() for request, _ in items]
            if not any(self._is_done(request) is False for request in requests):
                return
            time.sleep(0.001)

    def close(self, *, all_are_well: bool) -> None:
        """Ends MPI. That waits for all machines, and so is left out where not all of them can come to it."""
        if all_are_well and not self.lost:
            self._mpi.Finalize()
