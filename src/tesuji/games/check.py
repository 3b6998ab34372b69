"""Plays random games of any position and says what is wrong with it, before a search stumbles over it."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from tesuji.checks import as_integer, check_integer, check_seed
from tesuji.errors import GameError, shown
from tesuji.games.own import CHANCE, check_players, check_range, missing_names, move_text
from tesuji.games.sameness import copied, has_equality, same

DEFAULT_MAX_PLIES: Final = 20_000

# At the start of each game every position is looked at closely, later one in sixteen: a close look plays several moves
# and copies the position, and a game of thousands of plies would take minutes.
_CLOSE_PLIES = 64
_CLOSE_EVERY = 16
_MOVES_TRIED = 12
_EQUAL_POSITIONS_KEPT = 2_000

Answer = TypeVar("Answer")


@dataclass(frozen=True, kw_only=True)
class GameCheck:
    """What `check_game` found. Each kind of problem is there once, with the moves after which it was met.

    A remark is nothing that a search would mind.
    """

    game: str
    games: int
    mean_length: float
    mean_branching: float
    problems: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        played = (
            f"{self.game}: {self.games} random game{'' if self.games == 1 else 's'}, "
            f"{self.mean_length:.1f} moves long and {self.mean_branching:.1f} moves wide on average"
        )
        verdict = "nothing is wrong" if self.ok else f"{len(self.problems)} wrong"
        lines = [f"{played}: {verdict}"]
        lines += [f"- {problem}" for problem in self.problems]
        lines += [f"- remark: {remark}" for remark in self.remarks]
        return "\n".join(lines)


def check_game(game: Any, *, games: int = 20, seed: int = 0, max_plies: int = DEFAULT_MAX_PLIES) -> GameCheck:
    """Plays random games from a position, the package's or of your own, and says what is wrong with it.

    It never raises for a bad game. That nothing was found is no proof: random games do not reach everything.
    """
    count = check_integer("games", games, low=1)
    inspector = _Inspector(game, random.Random(check_seed(seed)), check_integer("max_plies", max_plies, low=1))
    inspector.look_at_start()
    for _ in range(count):
        if inspector.usable:
            inspector.play_game()
    return inspector.verdict()


class _BadPositionError(Exception):
    """The game cannot be followed any further; the problem is noted."""


@dataclass
class _Inspector:
    """The state of one check. Problems and remarks are kept by their kind, the first of each."""

    start: Any
    random: random.Random
    max_plies: int
    problems: dict[str, str] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    path: list[Hashable] = field(default_factory=list)
    usable: bool = True
    num_players: int = 2
    reward_range: tuple[float, float] = (0.0, 1.0)
    lengths: list[int] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    movers: set[int] = field(default_factory=set)
    outcomes: set[tuple[float, ...]] = field(default_factory=set)
    met: dict[int, tuple[Any, list[Hashable]]] = field(default_factory=dict)

    # ---- what is found

    def problem(self, kind: str, text: str) -> None:
        self.problems.setdefault(kind, f"{text} ({self.where()})")

    def stop(self, kind: str, text: str) -> _BadPositionError:
        self.problem(kind, text)
        return _BadPositionError()

    def where(self) -> str:
        return _where(self.start, self.path)

    def ask(self, what: str, question: Callable[[], Answer]) -> Answer:
        """An answer of the user's code, whose exceptions are problems and not ours."""
        try:
            return question()
        except Exception as error:
            raise self.stop(what, f"{what} raised {_brief(error)}") from error

    def note_surprise(self, error: Exception) -> None:
        """The user's code can raise anywhere: when moves are compared, or an attribute is only looked for."""
        self.problem("surprise", f"a look at the position or its moves raised {_brief(error)}")

    def verdict(self) -> GameCheck:
        return GameCheck(
            game=_name(self.start),
            games=len(self.lengths),
            mean_length=_mean(self.lengths),
            mean_branching=_mean(self.widths),
            problems=tuple(self.problems.values()),
            remarks=(*self.remarks.values(), *(self.remarks_on_games() if self.usable else [])),
        )

    def remarks_on_games(self) -> list[str]:
        idle = [str(player) for player in range(self.num_players) if player not in self.movers]
        remarks = [f"player {' and '.join(idle)} never moved"] if idle and self.widths else []
        if len(self.outcomes) == 1 and len(self.lengths) > 1:
            remarks.append(f"every game had the outcome {shown(next(iter(self.outcomes)))}")
        return remarks

    # ---- once

    def look_at_start(self) -> None:
        try:
            self.usable = False
            self.look_at_face()
            if self.ask_over(self.start):
                self.remarks["over"] = "the game is over at its start"
            self.look_at_pickle()
            self.usable = True
        except _BadPositionError:
            pass
        except Exception as error:
            self.note_surprise(error)

    def look_at_face(self) -> None:
        if isinstance(self.start, type):
            raise self.stop("class", f"{self.start.__name__} is a class: give a position, {self.start.__name__}()")
        missing = missing_names(self.start)
        if missing:
            raise self.stop("face", f"there is no {', '.join(missing)}: see tesuji.Game")
        for name in ("legal_moves", "play", "outcome"):
            if not self.ask(name, lambda name=name: callable(getattr(self.start, name))):  # type: ignore[misc]
                raise self.stop("face", f"{name} must be a method")
        try:
            self.num_players = check_players(getattr(self.start, "num_players", 2))
            self.reward_range = check_range(getattr(self.start, "reward_range", (0.0, 1.0)))
        except Exception as error:
            text = str(error) if isinstance(error, GameError | ValueError) else _brief(error)
            raise self.stop("face", text) from error

    def look_at_pickle(self) -> None:
        try:
            again = pickle.loads(pickle.dumps(self.start))  # noqa: S301  made a moment ago
            if type(again) is not type(self.start):
                self.remarks["pickle"] = f"pickle makes {shown(again)} of {shown(self.start)}"
        except Exception as error:  # pickle raises what it likes
            self.remarks["pickle"] = f"positions cannot be pickled, which matches with jobs > 1 need: {_brief(error)}"

    # ---- a game

    def play_game(self) -> None:
        position = self.start
        self.path = []
        try:
            while not self.ask_over(position):
                if len(self.path) >= self.max_plies:
                    text = f"the game had not ended after {self.max_plies} moves"
                    raise self.stop("end", f"{text}; the search counts one that is too long for playout-cap as drawn")
                position = self.step(position)
            self.look_at_outcome(position)
        except _BadPositionError:
            pass
        except Exception as error:
            self.note_surprise(error)
        self.lengths.append(len(self.path))

    def step(self, position: Any) -> Any:
        """One random move; what is wrong with the position is noted on the way."""
        mover = self.ask_to_move(position)
        moves = self.ask_moves(position)
        self.widths.append(len(moves))
        self.movers.add(mover)
        weights = self.ask_probabilities(position, moves) if mover == CHANCE else None
        if len(self.path) < _CLOSE_PLIES or len(self.path) % _CLOSE_EVERY == 0:
            self.look_closely(position, moves)
        move = self.random.choices(moves, weights)[0]
        following = self.ask_play(position, move)
        self.path.append(move)
        return following

    # ---- questions to a position

    def ask_over(self, position: Any) -> bool:
        answer = self.ask("is_over", lambda: position.is_over)
        if callable(answer):
            raise self.stop(
                "is_over", "is_over is a method, and must be an attribute or a property: put @property there"
            )
        return self.ask("is_over", lambda: bool(answer))

    def ask_to_move(self, position: Any) -> int:
        answer = self.ask("to_move", lambda: position.to_move)
        if callable(answer):
            raise self.stop(
                "to_move", "to_move is a method, and must be an attribute or a property: put @property there"
            )
        player = as_integer(answer)
        if player is None or not CHANCE <= player < self.num_players:
            last = self.num_players - 1
            raise self.stop("to_move", f"to_move is {shown(answer)}: it must be 0 to {last}, or tesuji.CHANCE")
        return player

    def ask_moves(self, position: Any) -> list[Hashable]:
        """The legal moves, each once."""
        given = self.ask("legal_moves()", position.legal_moves)
        moves = self.ask("legal_moves()", lambda: list(given))
        if not moves:
            raise self.stop("no moves", "legal_moves() is empty, though is_over is false")
        if isinstance(given, set | frozenset):
            text = "legal_moves() gives a set, whose order can differ from run to run: games then do not repeat"
            self.remarks.setdefault("set", text)
        try:
            distinct = dict.fromkeys(moves)
        except TypeError:
            unhashable = next((move for move in moves if not isinstance(move, Hashable)), moves[0])
            raise self.stop("unhashable", f"the move {shown(unhashable)} is not hashable") from None
        if len(distinct) < len(moves):
            twice = next(move for move in moves if moves.count(move) > 1)
            self.problem("duplicates", f"legal_moves() has the move {shown(twice)} {moves.count(twice)} times")
        return moves

    def ask_probabilities(self, position: Any, moves: list[Hashable]) -> list[float]:
        if not hasattr(position, "chance_probabilities"):
            raise self.stop("no chance", "to_move is tesuji.CHANCE, and there is no chance_probabilities()")
        source = "chance_probabilities()"
        given = self.ask(source, lambda: [float(share) for share in position.chance_probabilities()])
        if len(given) != len(moves):
            raise self.stop("chance", f"{source} has {len(given)} numbers for {len(moves)} legal moves")
        if not all(0 <= share <= 1 for share in given) or abs(sum(given) - 1) > 1e-6:
            text = f"{source} must be from 0 to 1 and add up to 1, not to {sum(given):g}: {shown(given)}"
            raise self.stop("chance", text)
        return given

    def ask_play(self, position: Any, move: Hashable) -> Any:
        try:
            following = position.play(move)
        except Exception as error:
            text = f"play({shown(move)}), a legal move, raised {_brief(error)}"
            raise self.stop("play", text) from error
        if following is None:
            raise self.stop("None", f"play({shown(move)}) returned None: it must return the next position")
        missing = missing_names(following)
        if missing:
            text = f"play({shown(move)}) returned {shown(following)}, which has no {', '.join(missing)}"
            raise self.stop("no position", text)
        return following

    def look_at_outcome(self, position: Any) -> None:
        rewards = self.ask("outcome()", lambda: [float(reward) for reward in position.outcome()])
        if len(rewards) != self.num_players:
            raise self.stop("rewards", f"outcome() has {len(rewards)} rewards for {self.num_players} players")
        low, high = self.reward_range
        if not all(low <= reward <= high for reward in rewards):
            hint = "" if hasattr(position, "reward_range") else "; a game with other rewards has reward_range"
            raise self.stop("range", f"outcome() is {shown(rewards)}, not within {low:g} and {high:g}{hint}")
        self.outcomes.add(tuple(rewards))

    # ---- the close look

    def look_closely(self, position: Any, moves: list[Hashable]) -> None:
        if self.ask_moves(position) != moves:
            self.problem("twice", "legal_moves(), asked twice, answers differently")
        self.look_at_texts(position, moves)
        self.look_at_constants(position)
        if has_equality(position):
            self.look_at_equality(position)
        for move in self.random.sample(moves, min(len(moves), _MOVES_TRIED)):
            self.look_at_play(position, move, moves)

    def look_at_play(self, position: Any, move: Hashable, moves: list[Hashable]) -> None:
        """The same move twice: it must leave the position as it is, and lead to the same one again."""
        before = copied(position)
        following = self.ask_play(position, move)
        if not self.unchanged(before, position, moves):
            self.usable = False  # the start of all games may be among what was changed
            text = f"play({shown(move)}) changed the position that it was asked of"
            raise self.stop("changes", f"{text}: it must leave it as it is, and return a new one")
        again = self.ask_play(position, move)
        if not same(following, again) and same(again, copied(again)):
            text = f"play({shown(move)}), asked twice, leads to different positions"
            self.problem("dice", f"{text}: where dice decide, to_move is tesuji.CHANCE and the rolls are moves")

    def unchanged(self, before: Any, position: Any, moves: list[Hashable]) -> bool:
        if "equality" not in self.problems and not same(before, position):
            return False
        try:
            # Their order is another matter, and looked at elsewhere.
            return not position.is_over and set(position.legal_moves()) == set(moves)
        except Exception:  # it did not raise before
            return False

    def look_at_texts(self, position: Any, moves: list[Hashable]) -> None:
        texts: dict[str, Hashable] = {}
        for move in moves:
            text = self.ask("format_move()", lambda move=move: move_text(position, move))  # type: ignore[misc]
            if texts.setdefault(text, move) != move:
                self.problem("texts", f"{shown(move)} and {shown(texts[text])} have the same text, {text!r}")
                return

    def look_at_constants(self, position: Any) -> None:
        players = self.ask("num_players", lambda: getattr(position, "num_players", 2))
        rewards = self.ask("reward_range", lambda: tuple(getattr(position, "reward_range", (0.0, 1.0))))
        if players != self.num_players or rewards != self.reward_range:
            self.problem(
                "constants", f"num_players or reward_range changed in the game, to {players}, {shown(rewards)}"
            )

    def look_at_equality(self, position: Any) -> None:
        """Equal positions must have equal hashes, and be the same position to a player."""
        other = copied(position)
        try:
            equal = bool(position == other)
        except Exception as error:  # a dataclass with an array in it, say; a search compares no positions
            self.remarks.setdefault("==", f"positions cannot be compared: == raised {_brief(error)}")
            return
        if not equal:
            self.problem("equality", "a position is not equal to a copy of itself")
            return
        try:
            key, other_key = hash(position), hash(other)
        except TypeError:
            return  # a search needs no hash of a position
        if key != other_key:
            self.problem("hash", "two equal positions have different hashes")
            return
        known = self.met.get(key)
        if known is None:
            if len(self.met) < _EQUAL_POSITIONS_KEPT:
                self.met[key] = position, list(self.path)
        elif known[0] == position and self.face_of(known[0]) != self.face_of(position):
            there = _where(self.start, known[1])
            self.problem("equal", f"equal positions have different moves or players to move; the other one is {there}")

    def face_of(self, position: Any) -> tuple[Any, ...]:
        over = self.ask_over(position)
        return over, None if over else (self.ask_to_move(position), set(self.ask_moves(position)))


# ---- texts


def _name(start: Any) -> str:
    try:
        return str(getattr(start, "game", type(start).__name__))
    except Exception:  # a property of the user's
        return type(start).__name__


def _where(start: Any, path: list[Hashable]) -> str:
    if not path:
        return "at the start"
    try:
        texts = [move_text(start, move) for move in path]
    except Exception:  # then as Python writes them
        texts = [shown(move) for move in path]
    line = " ".join(texts)
    if len(line) > 200:
        line = f"{line[:120]} ... {line[-60:]}"
    return f"after {len(path)} move{'' if len(path) == 1 else 's'}: {line}"


def _brief(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__


def _mean(numbers: list[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
