"""Slow root (parallelization paper): the slow tree of depth 0. Machines agree on the root's moves alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from tesuji.cluster.slow_tree import SlowTree


@dataclass(frozen=True, kw_only=True)
class SlowRoot(SlowTree):
    depth: int = field(default=0, init=False)

    @property
    def name(self) -> str:
        return "slow-root"
