"""What one connection may take, from its first byte: uvicorn's own bounds begin with a whole request.

Connections for pages and files end after some seconds, and of too many the oldest makes room: a browser is answered at
once, so what stays is no browser. A WebSocket is for as long as its page is open, but has so many bytes a second: else
a stream of pings, of which the session above hears nothing, would keep everybody waiting.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from tesuji.web.messages import MAX_MESSAGE

_REQUEST_SECONDS: Final = 20.0
_MOST_REQUESTS: Final = 256
_BYTES_AT_ONCE: Final = 2.0 * MAX_MESSAGE
_BYTES_A_SECOND: Final = MAX_MESSAGE / 5


class Allowance:
    """So much at once, and so much more a second."""

    def __init__(self, *, at_once: float, a_second: float) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._left = at_once
        self._seen = time.monotonic()

    def take(self, amount: float = 1.0) -> bool:
        """Whether there was so much left; if not, nothing is taken."""
        now = time.monotonic()
        self._left = min(self._at_once, self._left + self._a_second * (now - self._seen))
        self._seen = now
        if self._left < amount:
            return False
        self._left -= amount
        return True


class BriefConnection(H11Protocol):
    """A connection for pages and files; it may become a WebSocket, and is none of ours then."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self.end = self.loop.call_later(_REQUEST_SECONDS, self.give_up)
        rivals = [other for other in self.connections if isinstance(other, BriefConnection)]
        rivals = [rival for rival in rivals if not rival.transport.is_closing()]
        if len(rivals) > _MOST_REQUESTS:
            min(rivals, key=lambda rival: rival.end.when()).give_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self.end.cancel()
        super().connection_lost(exc)

    def give_up(self) -> None:
        if self.transport.get_protocol() is self:
            self.transport.abort()


_AnyWebSocket: Any = AutoWebSocketsProtocol  # which of its own it is, uvicorn says


class MeasuredWebSocket(_AnyWebSocket):  # type: ignore[misc]  # as above
    """A WebSocket that ends where more comes than any page sends."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._allowance = Allowance(at_once=_BYTES_AT_ONCE, a_second=_BYTES_A_SECOND)

    def data_received(self, data: bytes) -> None:
        if self._allowance.take(len(data)):
            super().data_received(data)
        else:
            self.transport.abort()
