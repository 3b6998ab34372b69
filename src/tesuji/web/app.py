"""The routes: four pages, their files, and a WebSocket for each page. Files are those of the package, and no others."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request, Response, WebSocket

from tesuji.web.follow import FollowDesk
from tesuji.web.guard import COOKIE, Guard
from tesuji.web.learn import LearnDesk
from tesuji.web.play import PlayDesk
from tesuji.web.pool import Pool
from tesuji.web.session import Desk, Session
from tesuji.web.watch import WatchDesk

PAGES: Final = ("play", "watch", "learn", "follow")
_MEDIA_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_TRY_AGAIN_LATER: Final = 1013


@dataclass(frozen=True, kw_only=True)
class Limits:
    """So many sessions at once; their trees take at most `memory` bytes in all, each session its equal part.

    A session in which nothing is said or searched for `idle` seconds is ended; where another page needs its place,
    already after `idle_among_many`.
    """

    searchers: int
    sessions: int
    memory: int
    idle: float = 3600.0
    idle_among_many: float = 60.0

    @property
    def share(self) -> int:
        return self.memory // self.sessions


def _suffix(name: str) -> str:
    return name.rpartition(".")[2]


class Site:
    """What the routes share."""

    def __init__(self, guard: Guard, limits: Limits, pool: Pool, store: Path | None) -> None:
        self._guard = guard
        self._store = store
        self._limits = limits
        self._pool = pool
        self._sessions: set[Session] = set()
        folder = resources.files("tesuji.web") / "static"
        self._files = {file.name: file.read_bytes() for file in folder.iterdir() if _suffix(file.name) in _MEDIA_TYPES}

    def page(self, name: str, request: Request) -> Response:
        """A page; where the address has the token, the browser is to keep it, and forget the address."""
        given = request.query_params.get("token")
        if self._guard.token is not None and given is not None and self._guard.knows(given):
            answer = Response(status_code=303, headers={"Location": request.url.path})
            answer.set_cookie(COOKIE, given, httponly=True, samesite="strict")
            return answer
        return self.file(f"{name}.html")

    def file(self, name: str) -> Response:
        content = self._files.get(name)
        if content is None:
            return Response("there is no such page\n", status_code=404, media_type="text/plain")
        return Response(content, media_type=_MEDIA_TYPES[_suffix(name)])

    async def connect(self, page: str, socket: WebSocket) -> None:
        await socket.accept()
        session = Session(socket, self._pool, memory=self._limits.share, idle=self._limits.idle)
        if len(self._sessions) >= self._limits.sessions and not self._make_room():
            await session.send("full", message=f"all {self._limits.sessions} places are taken: try again later")
            await socket.close(_TRY_AGAIN_LATER)
            return
        self._sessions.add(session)
        try:
            await session.serve(self._desk(page, session))
        finally:
            self._sessions.discard(session)

    def _make_room(self) -> bool:
        """Whether somebody gave up a place."""
        longest = max(self._sessions, key=lambda session: session.idle_seconds)
        if longest.idle_seconds < self._limits.idle_among_many:
            return False
        longest.dismiss()
        self._sessions.discard(longest)
        return True

    def _desk(self, page: str, session: Session) -> Desk:
        match page:
            case "watch":
                return WatchDesk(session)
            case "learn":
                return LearnDesk(session)
            case "follow":
                return FollowDesk(session, self._store)
            case _:
                return PlayDesk(session)


def create_app(guard: Guard, limits: Limits, pool: Pool, store: Path | None) -> Any:
    """The whole site behind its guard. The page to follow matches shows this store, or none."""
    site = Site(guard, limits, pool, store)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/static/{name}")
    async def file(name: str) -> Response:
        return site.file(name)

    def add_page(path: str, name: str) -> None:
        async def page(request: Request) -> Response:
            return site.page(name, request)

        app.add_api_route(path, page)

    def add_socket(name: str) -> None:
        async def connect(socket: WebSocket) -> None:
            await site.connect(name, socket)

        app.add_api_websocket_route(f"/ws/{name}", connect)

    add_page("/", PAGES[0])
    for name in PAGES:
        add_page(f"/{name}", name)
        add_socket(name)
    return _Guarded(app, guard)


class _Guarded:
    """Looks at every request before anything else does, and adds the headers that keep browsers careful."""

    def __init__(self, app: FastAPI, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request = Request({**scope, "type": "http", "method": scope.get("method", "GET")})
        reason = self._guard.refusal(request.headers, given_token=request.query_params.get("token"))
        if reason is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": reason})  # before accept: a plain 403
        else:
            await Response(f"{reason}\n", status_code=403, media_type="text/plain")(scope, receive, send)


def _with_headers(send: Any) -> Any:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            extra = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *extra]}
        await send(message)

    return sending
