"""Who may talk to the server: the names by which it is called, the pages that call it, and the token.

A page of another site can make a browser send requests here. It cannot hide its Origin, and a name that it has made
point to this machine (DNS rebinding) stands in the Host header: hosts are numbers here, or names of this machine.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import cookie_parser

COOKIE: Final = "tesuji_token"


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def new_token() -> str:
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, kw_only=True)
class Guard:
    """`host` is the address that the server listens on; with a `token` every request must show it."""

    host: str
    token: str | None = None
    names: frozenset[str] = field(default_factory=lambda: frozenset({socket.gethostname().lower()}))

    def refusal(self, headers: Mapping[str, str], *, given_token: str | None = None) -> str | None:
        """Why a request is refused, None where it is welcome."""
        called = _split(f"//{headers.get('host', '')}")
        if called is None or not self._answers_to(called[0]):
            return "this server does not answer to that name: use its number or its own name"
        origin = headers.get("origin")
        if origin is not None and _split(origin) != called:
            return "this request comes from a page of another site"
        cookies = cookie_parser(headers.get("cookie", ""))  # forgiving: other servers of this machine set some too
        if not self.knows(given_token) and not self.knows(cookies.get(COOKIE)):
            return "the token is missing or wrong: open the address that `tesuji web` has printed"
        return None

    def knows(self, token: str | None) -> bool:
        if self.token is None:
            return True
        return token is not None and secrets.compare_digest(token.encode(), self.token.encode())

    def _answers_to(self, name: str) -> bool:
        if is_loopback(self.host):
            return is_loopback(name)
        return name == "localhost" or name in self.names or name == self.host.lower() or _address(name) is not None


def _split(url: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(url)
        return (parts.hostname.lower(), parts.port) if parts.hostname else None
    except ValueError:
        return None
