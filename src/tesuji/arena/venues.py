"""Where games are played: in this process, in several of this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Self

from tesuji.arena.pool import MAX_JOBS
from tesuji.arena.workers import Game, Here, Take, Workers
from tesuji.checks import check_integer

PlayGames = Callable[[Sequence[Game], Take], None]


class Venue(Protocol):
    """Serves any number of matches, one after another: so its processes are started once. Nothing is before `play`."""

    @property
    def jobs(self) -> int | None:
        """How many games are played on this machine at once; None where it is on others."""

    def play(self, games: Sequence[Game], take: Take) -> None:
        """Plays games, of one match or of several, and hands over each as it ends. An exception of `take` ends it."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def make_venue(*, jobs: int = 1, cluster: str | None = None, games: int | None = None) -> Venue:
    """`jobs` processes of this machine, no more than `games`, or the Dask cluster of this address."""
    count = check_integer("jobs", jobs, low=1, high=MAX_JOBS)
    if cluster is not None:
        from tesuji.arena.cluster import Cluster  # noqa: PLC0415  an extra, and slow to load

        return Cluster(cluster)
    count = count if games is None else min(count, games)
    return Here() if count == 1 else Workers(count)
