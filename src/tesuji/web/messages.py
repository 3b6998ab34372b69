"""What a page may send, and nothing else. Anything beyond these bounds is refused before it is looked at."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

#: Of one message, in bytes: a record of a game and some words around it.
MAX_MESSAGE: Final = 250_000
MAX_RECORD: Final = 100_000
#: A record with more nodes than this is no game, and would take long to replay.
MAX_NODES: Final = 2000
MAX_MOVES: Final = 1000
MAX_PLAYOUTS: Final = 1_000_000
MAX_SECONDS: Final = 60.0

Spec = Annotated[str, Field(min_length=1, max_length=300)]
MoveText = Annotated[str, Field(min_length=1, max_length=5)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]
Playouts = Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Board(Message):
    """A game as far as it has been played: where it begins, of a record the first `kept` moves, and further moves."""

    game: Literal["go", "othello", "havannah"] = "go"
    size: Annotated[int, Field(ge=3, le=19)] | None = None
    komi: float | None = None
    handicap: Annotated[int, Field(ge=0, le=9)] = 0
    swap: bool = False
    record: Annotated[str, Field(max_length=MAX_RECORD)] = ""
    kept: Annotated[int, Field(ge=0, le=MAX_NODES)] | None = None
    moves: Annotated[list[MoveText], Field(max_length=MAX_MOVES)] = []


# ---- play


class NewGame(Message):
    """A game of a person against an engine: a new one, or one that goes on after a lost connection."""

    type: Literal["new"]
    board: Board
    person: Annotated[int, Field(ge=0, le=1)] = 0
    engine: Spec = "best"
    playouts: Playouts | None = None
    seconds: Annotated[float, Field(gt=0, le=MAX_SECONDS)] | None = None
    seed: Seed | None = None
    resigned: Annotated[int, Field(ge=0, le=1)] | None = None


class Move(Message):
    type: Literal["move"]
    move: Annotated[int, Field(ge=0, le=1000)] | MoveText


class Ask(Message):
    """What needs no further words."""

    type: Literal["undo", "resign", "score", "hint", "save"]


PLAY: Final[TypeAdapter[NewGame | Move | Ask]] = TypeAdapter(
    Annotated[NewGame | Move | Ask, Field(discriminator="type")]
)

# ---- watch


class Watch(Message):
    """One engine or two at the same position."""

    type: Literal["watch"]
    board: Board
    engines: Annotated[list[Spec], Field(min_length=1, max_length=2)]
    seed: Seed = 1
    ownership: bool = False


class Run(Message):
    """Go on: without a number, until a stop."""

    type: Literal["run"]
    playouts: Playouts | None = None


class Stop(Message):
    """End what is being searched; what is known stays known."""

    type: Literal["stop"]


class Ownership(Message):
    type: Literal["ownership"]
    shown: bool


class OpenNode(Message):
    """The children of a node, which is named by the moves that lead to it."""

    type: Literal["open"]
    engine: Annotated[int, Field(ge=0, le=1)]
    path: Annotated[list[MoveText], Field(max_length=100)] = []


class SaveTree(Message):
    type: Literal["tree"]
    engine: Annotated[int, Field(ge=0, le=1)]


WATCH: Final[TypeAdapter[Watch | Run | Stop | Ownership | OpenNode | SaveTree]] = TypeAdapter(
    Annotated[Watch | Run | Stop | Ownership | OpenNode | SaveTree, Field(discriminator="type")]
)

# ---- learn


class Figure(Message):
    """The values of all nodes of a small tree after each playout."""

    type: Literal["figure"]
    tree: Literal["figure-1", "ladder"] = "figure-1"
    c: Annotated[float, Field(ge=0, le=10)] = 0.1
    decay: Annotated[float, Field(ge=0.1, lt=1)] = 0.9
    playouts: Annotated[int, Field(ge=1, le=1000)] = 200
    seed: Seed = 1


LEARN: Final[TypeAdapter[Figure]] = TypeAdapter(Figure)

# ---- follow


class ListMatches(Message):
    type: Literal["matches"]


class ShowMatch(Message):
    """The standing of a match; `seen` games are known already, and with no more there is no answer but "same"."""

    type: Literal["match"]
    match: Digest
    seen: Annotated[int, Field(ge=-1)] = -1
    first: Annotated[int, Field(ge=0, le=2**31)] = 0


class ShowGame(Message):
    type: Literal["game"]
    match: Digest
    number: Annotated[int, Field(ge=0, le=2**31)]


FOLLOW: Final[TypeAdapter[ListMatches | ShowMatch | ShowGame]] = TypeAdapter(
    Annotated[ListMatches | ShowMatch | ShowGame, Field(discriminator="type")]
)


def complaint(error: ValidationError) -> str:
    """The first thing that is wrong with a message, in one line."""
    details: Any = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in details["loc"])
    return f"that message is none of this page's: {place + ': ' if place else ''}{details['msg']}"
