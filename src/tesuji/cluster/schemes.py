"""The schemes by their names."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tesuji.cluster.broadcast import Broadcast
from tesuji.cluster.fast_tree import FastTree
from tesuji.cluster.scheme import Scheme
from tesuji.cluster.slow_root import SlowRoot
from tesuji.cluster.slow_tree import SlowTree
from tesuji.cluster.voting import Voting
from tesuji.errors import ArgumentError, shown, suggestion

SCHEMES: dict[str, type[SlowTree | SlowRoot | Voting | Broadcast | FastTree]] = {
    "slow-tree": SlowTree,
    "slow-root": SlowRoot,
    "voting": Voting,
    "broadcast": Broadcast,
    "fast-tree": FastTree,
}


def make_scheme(name: str, **options: Any) -> Scheme:
    """The scheme of this name; an option that is None has its default."""
    kind = SCHEMES.get(name) if isinstance(name, str) else None
    if kind is None:
        close = suggestion(str(name), SCHEMES)
        raise ArgumentError(f"there is no scheme {shown(name)}; known are {', '.join(SCHEMES)}{close}")
    given = {key: value for key, value in options.items() if value is not None}
    known = [field.name for field in fields(kind) if field.init]
    for key in given:
        if key not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise ArgumentError(f"the scheme {name} has no option {key!r}; {has}")
    return kind(**given)


def describe(scheme: Scheme) -> str:
    """`slow-tree(depth=1)`: the name, and what is not as usual."""
    kind = SCHEMES[scheme.name]
    parts = [
        f"{field.name}={getattr(scheme, field.name):g}"
        if isinstance(getattr(scheme, field.name), int | float)
        else f"{field.name}={getattr(scheme, field.name)}"
        for field in fields(kind)
        if field.init and getattr(scheme, field.name) != field.default
    ]
    return scheme.name + (f"({','.join(parts)})" if parts else "")
