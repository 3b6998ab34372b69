"""Games of Go as SGF files: read with their variations and set-up stones, written, and added to.

The format itself is sgfmill's work. Here are its games as positions, and errors that say where in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from sgfmill import sgf, sgf_grammar

from tesuji.checks import check_integer
from tesuji.errors import ArgumentError, SgfError, TesujiError, shown
from tesuji.games.go import Go
from tesuji.games.position import EMPTY
from tesuji.replacing import replacing

#: A record of a game has some kilobytes; what is larger than this is something else.
MAX_BYTES: Final = 20_000_000
_COLOURS: Final = "bw"
_PROPERTY_VALUE_OR_NODE: Final = re.compile(rb"\[(?:\\.|[^\\\]])*\]|;", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One move of a line: the position before it and after it. `node` is where comments and variations go."""

    number: int
    player: int
    move: int
    before: Go
    after: Go
    node: Any


class SgfGame:
    """A game of Go with all its variations.

    Variations are numbered from 1 in the order of the file: each is a way from the root to an end, and the first is the
    game itself. Records are replayed without superko, since not all rules have it.
    """

    def __init__(self, game: Any, *, name: str = "the record", data: bytes = b"") -> None:
        """`game` is sgfmill's, and `data` what it was read from."""
        self.game = game
        self.name = name
        self._data = data

    # ---- reading

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """The first game of a file."""
        return cls.parse(_content(path), name=str(path))

    @classmethod
    def read_all(cls, path: Path | str) -> Iterator[tuple[str, Self | SgfError]]:
        """Each game of a file by its name, or what is wrong with it. The second is called "FILE, game 2", and so on."""
        try:
            data = _content(path)
        except SgfError as error:
            yield str(path), error
            return
        for number, piece in enumerate(_games_in(data), start=1):
            name = str(path) if number == 1 else f"{path}, game {number}"
            try:
                yield name, cls.parse(piece, name=name)
            except SgfError as error:
                yield name, error

    @classmethod
    def parse(cls, data: bytes, *, name: str = "the record") -> Self:
        """Reads the first game of a file. The moves are looked at when a line is asked for."""
        if len(data) > MAX_BYTES:
            raise SgfError(f"{name} is larger than {MAX_BYTES:,} bytes: that is no record of a game")
        try:
            tree = sgf_grammar.parse_sgf_game(data)
        except ValueError as error:
            offset = _offset_of_error(data, str(error))
            here = data[offset : offset + 10].decode("utf-8", "replace")
            message = f"{error}, at {shown(here)}" if here else str(error)
            raise SgfError(f"{name}, {_place(data, offset)}: this is no SGF: {message}") from None
        try:
            game = sgf.Sgf_game.from_coarse_game_tree(tree)
            _check_encoding(game.get_root().get_encoding())
        except ValueError as error:
            raise SgfError(f"{name}, {_place(data, _node_offsets(data)[0])}: bad root node: {error}") from None
        record = cls(game, name=name, data=data)
        record._check_root()
        return record

    def _check_root(self) -> None:
        root = self.game.get_root()
        if root.has_property("GM") and root.get_raw("GM").strip() != b"1":
            raise self._error(root, f"this is a game of another kind (GM[{_text(root.get_raw('GM'))}]), not Go (GM[1])")
        komi = self.komi
        try:
            Go(self.size, komi)
        except TesujiError as error:
            raise self._error(root, str(error)) from None

    @property
    def size(self) -> int:
        return int(self.game.get_size())

    @property
    def komi(self) -> float:
        return float(self._root_value("KM", "komi", 0.0))

    @property
    def handicap(self) -> int:
        stones = int(self._root_value("HA", "the handicap", 0))
        if not 0 <= stones <= self.size * self.size:
            raise self._error(self.game.get_root(), f"there cannot be {shown(stones)} handicap stones on this board")
        return stones

    def info(self, property_name: str) -> str | None:
        """A property of the whole game as text, such as PB, PW, RE or RU; None where the record has none."""
        root = self.game.get_root()
        if not root.has_property(property_name):
            return None
        return str(sgf_grammar.text_value(root.get_raw(property_name)).decode(root.get_encoding(), "replace"))

    def _root_value(self, property_name: str, meaning: str, default: float) -> float:
        root = self.game.get_root()
        try:
            value: float = root.get(property_name)
        except KeyError:
            return default
        except ValueError:
            raw = _text(root.get_raw(property_name))
            raise self._error(root, f"{meaning} must be a number, not {shown(raw)}") from None
        return value

    # ---- lines

    @property
    def variation_count(self) -> int:
        return sum(1 for node in _nodes(self.game) if not len(node))

    def line(self, variation: int = 1) -> tuple[Step, ...]:
        """The moves of a variation, each with the positions around it."""
        return tuple(step for step, _ in self._replay(variation) if step is not None)

    def position(self, moves: int | None = None, *, variation: int = 1) -> Go:
        """The position after so many moves of a variation; without a number, at its end. What follows is not read."""
        if moves is not None:
            check_integer("moves", moves, low=0)
        replayed = list(self._replay(variation, until=moves))
        played = sum(step is not None for step, _ in replayed)
        if moves is not None and played < moves:
            raise ArgumentError(f"variation {variation} of {self.name} has {played} moves, not {moves}")
        return replayed[-1][1]

    def _path(self, variation: int) -> list[Any]:
        check_integer("variation", variation, low=1)
        ends = 0
        for node in _nodes(self.game):
            if len(node):
                continue
            ends += 1
            if ends == variation:
                return [*self.game.get_sequence_above(node), node]
        has = "one variation" if ends == 1 else f"{ends} variations"
        raise ArgumentError(f"{self.name} has {has}, so there is no variation {variation}")

    def _replay(self, variation: int, *, until: int | None = None) -> Iterator[tuple[Step | None, Go]]:
        """For each node the move, where it has one, and the position at it; the last is that before another move."""
        position = self._empty_board()
        number = 0
        for node in self._path(variation):
            position = self._set_up(node, position)
            colour, raw = node.get_raw_move()
            if colour is None:
                yield None, position
                continue
            before = turned(position, _COLOURS.index(colour))
            if number == until:
                yield None, before
                return
            number += 1
            position, move = self._played(node, before, raw, number)
            step = Step(number=number, player=before.to_move, move=move, before=before, after=position, node=node)
            yield step, position

    def _empty_board(self) -> Go:
        return Go(self.size, self.komi, superko=False)

    def _set_up(self, node: Any, position: Go) -> Go:
        """The position with the node's stones put on it, or taken from it, and the player to move that it names."""
        to_move = position.to_move
        try:
            black, white, empty = node.get_setup_stones()
            if node.has_property("PL"):
                to_move = _COLOURS.index(node.get("PL"))
        except ValueError:
            raise self._error(
                node, "the set-up stones, or the player to move, are none: write AB[dd][pp], PL[W]"
            ) from None
        if not (black or white or empty):
            return position if to_move == position.to_move else position.with_to_move(to_move)
        if black and not white and not node.has_property("PL") and position == self._empty_board():
            to_move = 1  # handicap stones
        cells = list(position.native.cells())
        for points, cell in ((empty, EMPTY), (black, 0), (white, 1)):
            for row, column in points:
                cells[(position.size - 1 - row) * position.size + column] = cell
        vertices = [
            [position.format_move(point) for point, cell in enumerate(cells) if cell == player] for player in (0, 1)
        ]
        try:
            return Go.from_stones(
                black=vertices[0], white=vertices[1],
                to_move=to_move, size=position.size, komi=position.komi, superko=False,
            )  # fmt: skip
        except TesujiError as error:
            raise self._error(node, str(error)) from None

    def _played(self, node: Any, position: Go, raw: bytes, number: int) -> tuple[Go, int]:
        if node.has_property("B") and node.has_property("W"):
            raise self._error(node, "one node has a move of Black and one of White: give each a node of its own")
        try:
            move = position.parse_sgf_move(_text(raw))
            return position.play(move), move
        except TesujiError as error:
            raise self._error(node, f"move {number}: {error}") from None

    def _error(self, node: Any, message: str) -> SgfError:
        """An error at a node: with its line and column where the game was read from a file."""
        index = next(index for index, other in enumerate(_nodes(self.game)) if other is node)
        offsets = _node_offsets(self._data)
        place = f"{_place(self._data, offsets[index])} (node {index})" if index < len(offsets) else f"node {index}"
        return SgfError(f"{self.name}, {place}: {message}")

    # ---- writing

    @classmethod
    def from_moves(cls, start: Go, moves: Iterable[int], *, properties: Mapping[str, Any] | None = None) -> Self:
        """A game that begins at this position; `properties` are those of the root, such as {"PB": "tesuji"}."""
        game = sgf.Sgf_game(size=start.size)
        record = cls(game)
        root = game.get_root()
        root.set("KM", start.komi)
        cells = start.native.cells()
        stones = [[_to_sgf(start, point) for point, cell in enumerate(cells) if cell == colour] for colour in (0, 1)]
        if stones[0] or stones[1]:
            root.set_setup_stones(*stones)
        if start.to_move == 1 or stones[0] or stones[1]:
            root.set("PL", _COLOURS[start.to_move])
        for name, value in (properties or {}).items():
            try:
                root.set(name, value)
            except (TypeError, ValueError) as error:
                raise SgfError(f"the property {shown(name)} cannot be {shown(value)}: {error}") from None
        record.add_line(root, start, moves)
        return record

    def add_line(self, node: Any, position: Go, moves: Iterable[int]) -> None:
        """Adds moves below a node, at which this is the position: as a variation where others follow already."""
        for move in moves:
            after = position.play(move)  # which refuses what is no move
            node = node.new_child()
            node.set_move(_COLOURS[position.to_move], _to_sgf(position, move))
            position = after

    def add_comment(self, node: Any, text: str) -> None:
        """Adds a paragraph to the comment of a node."""
        try:
            before = f"{node.get('C')}\n\n" if node.has_property("C") else ""
            node.set("C", before + text)
        except ValueError as error:
            raise self._error(node, f"its comment cannot be read or written: {error}") from None

    def to_bytes(self) -> bytes:
        try:
            return bytes(self.game.serialise())
        except ValueError as error:
            raise SgfError(f"{self.name} cannot be written: {error}") from None

    def write(self, path: Path | str) -> None:
        data = self.to_bytes()
        try:
            with replacing(path) as beside:  # it may be the record that was read
                beside.write_bytes(data)
        except OSError as error:
            raise SgfError(f"{path} cannot be written: {error.strerror}") from None


def _nodes(game: Any) -> Iterator[Any]:
    """All nodes in the order of the file."""
    todo = [game.get_root()]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(list(node)))


def _check_encoding(name: str) -> None:
    """Python knows encodings that are none of text, or cannot hold the signs of SGF as they are."""
    try:
        is_usable = "(;C[a])".encode(name) == b"(;C[a])" and bool(b"a\xff".decode(name, "replace"))
    except (LookupError, UnicodeError):
        is_usable = False
    if not is_usable:
        raise ValueError(f"a record cannot be in the encoding {name}: use UTF-8")


def turned(position: Go, player: int) -> Go:
    """The position with this player to move: the colours need not alternate in a record, nor two passes end it."""
    return position.with_to_move(player) if position.is_over or position.to_move != player else position


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _to_sgf(position: Go, move: int) -> tuple[int, int] | None:
    """Row from below and column, as sgfmill counts; None is a pass."""
    if move == position.pass_move:
        return None
    row, column = divmod(move, position.size)
    return position.size - 1 - row, column


def _content(path: Path | str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SgfError(f"{path} cannot be read: {error.strerror}") from None


def _games_in(data: bytes) -> Iterator[bytes]:
    """The games of a file, at least one. A broken one is the last: what follows may be a variation of it."""
    position, is_whole = 0, True
    while is_whole:
        tokens, end = sgf_grammar.tokenise(data, position)
        if not tokens and position > 0:
            return
        is_whole = bool(tokens) and tokens.count(("D", b"(")) == tokens.count(("D", b")"))
        piece = data[position:end] if is_whole else data[position:]
        yield piece.lstrip() if position > 0 else piece  # lines are counted from where a game begins
        position = end


# ---- places in a file


def _place(data: bytes, offset: int) -> str:
    lines = data[:offset].split(b"\n")
    return f"line {len(lines)}, column {len(lines[-1]) + 1}"


def _node_offsets(data: bytes) -> list[int]:
    """Where the nodes of the first game begin, in order; those of further games follow."""
    start = re.search(rb"\(\s*;", data)
    found = _PROPERTY_VALUE_OR_NODE.finditer(data, start.start() if start else len(data))
    return [match.start() for match in found if match[0] == b";"]


def _offset_of_error(data: bytes, message: str) -> int:
    """Where sgfmill, which does not tell, gave up.

    What ends too early ends where there are no more tokens. Any other error it makes of every beginning of the file
    that reaches as far as the error, and of no shorter one.
    """
    if message in ("unexpected end of SGF data", "no SGF data found"):
        end: int = sgf_grammar.tokenise(data)[1]
        return end + len(data[end:]) - len(data[end:].lstrip())
    low, high = 0, len(data)
    while low < high:
        middle = (low + high) // 2
        if _parse_message(data[:middle]) == message:
            high = middle
        else:
            low = middle + 1
    return max(0, low - 1)


def _parse_message(data: bytes) -> str | None:
    try:
        sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        return str(error)
    return None
