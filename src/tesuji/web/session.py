"""One connection: reads messages, hands them to the desk of its page, and sends what comes of it.

At most one piece of long work goes on in a session. Whatever happens to the connection, it ends with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Coroutine
from typing import Any, Final, Protocol

from fastapi import WebSocket, WebSocketDisconnect
from fastapi.websockets import WebSocketState
from pydantic import TypeAdapter, ValidationError

from tesuji.errors import TesujiError
from tesuji.web.connections import Allowance
from tesuji.web.messages import complaint
from tesuji.web.pool import Pool

_log = logging.getLogger(__name__)

# A person clicks a few times a second; what is more than this, for longer than a moment, is no person.
_MESSAGES_A_SECOND: Final = 20.0
_BURST: Final = 60.0
_PATIENCE: Final = 500  # messages beyond that, and the connection is closed
_SEND_SECONDS: Final = 20.0
_POLICY_VIOLATION: Final = 1008
#: The page then waits for its reader to come back before it connects again.
ASLEEP: Final = 4000


class Desk(Protocol):
    """What a page's messages do."""

    messages: TypeAdapter[Any]

    async def handle(self, message: Any) -> None:
        """Raises a `TesujiError` where the message makes no sense now; nothing has changed then."""


class Session:
    """The connection as the desks see it. `memory` is what the trees of this session may take together.

    After `idle` seconds in which nothing was said or searched it ends.
    """

    def __init__(self, socket: WebSocket, pool: Pool, *, memory: int, idle: float) -> None:
        self.pool = pool
        self.memory = memory
        self._socket = socket
        self._sending = asyncio.Lock()
        self._work: asyncio.Task[None] | None = None
        self._allowance = Allowance(at_once=_BURST, a_second=_MESSAGES_A_SECOND)
        self._ignored = 0
        self._idle = idle
        self._last_act = time.monotonic()
        self._patience: asyncio.Timeout | None = None

    # ---- for desks

    async def send(self, kind: str, **content: Any) -> None:
        text = json.dumps({"type": kind, **content}, allow_nan=False, separators=(",", ":"))
        async with self._sending, asyncio.timeout(_SEND_SECONDS):
            if self._socket.client_state != WebSocketState.CONNECTED:
                raise WebSocketDisconnect
            await self._socket.send_text(text)

    @property
    def is_busy(self) -> bool:
        return self._work is not None and not self._work.done()

    async def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Long work beside the messages; what went on before is ended."""
        await self.halt()
        self._work = asyncio.create_task(self._watched(work))

    async def halt(self) -> None:
        """Ends the work and waits until it has ended."""
        if self._work is not None:
            self._work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._work
            self._work = None

    # ---- for the site

    @property
    def idle_seconds(self) -> float:
        """For how long nothing has been said or searched."""
        return 0.0 if self.is_busy or self._patience is None else time.monotonic() - self._last_act

    def dismiss(self) -> None:
        """Ends a session that has been idle."""
        if self._patience is not None:
            self._patience.reschedule(0)

    # ---- the connection

    async def serve(self, desk: Desk) -> None:
        """Until the other side has gone, or is sent away."""
        try:
            while await self._serve_one(desk):
                pass
        except (WebSocketDisconnect, TimeoutError):
            pass
        finally:
            await self.halt()

    async def _serve_one(self, desk: Desk) -> bool:
        packet = await self._receive()
        if packet is None:
            await self._socket.close(ASLEEP, "nothing was said for long")
            return False
        if packet["type"] == "websocket.disconnect":
            return False
        if not self._allowance.take():
            self._ignored += 1
            if self._ignored > _PATIENCE:
                await self._socket.close(_POLICY_VIOLATION, "too many messages")
                return False
            if self._ignored == 1:
                await self._complain("too many messages at once: some were not read")
            return True
        self._ignored = 0
        await self._guarded(self._handle(desk, packet))
        return True

    async def _receive(self) -> Any | None:
        """What the other side says next, None where it has been silent for too long."""
        while True:
            self._patience = asyncio.timeout(self._idle)
            try:
                async with self._patience:
                    return await self._socket.receive()
            except TimeoutError:
                if not self.is_busy:
                    return None
            finally:
                self._patience = None
                self._last_act = time.monotonic()

    async def _handle(self, desk: Desk, packet: Any) -> None:
        text = packet.get("text")
        if text is None:
            await self._complain("messages are text, not bytes")
            return
        try:
            message = desk.messages.validate_json(text)
        except ValidationError as error:
            await self._complain(complaint(error))
            return
        try:
            await desk.handle(message)
        except TesujiError as error:
            await self._complain(str(error), about=message.type)

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            with contextlib.suppress(WebSocketDisconnect, TimeoutError):  # the reader sees that too
                await self._guarded(work)
        finally:
            self._last_act = time.monotonic()

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Says what went wrong, and goes on: no message of one session ends the server, nor the session."""
        try:
            await work
        except TesujiError as error:
            await self._complain(str(error))
        except (WebSocketDisconnect, TimeoutError):
            raise
        except Exception:
            _log.exception("a message could not be handled")
            await self._complain("something went wrong here; the server's terminal says what")

    async def _complain(self, text: str, *, about: str | None = None) -> None:
        """`about` is the type of the message that was refused, where it is known."""
        await self.send("error", message=text, about=about)
