"""A whole game of Go searched move by move: how the chances went, and what would have been better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tesuji.arena.seeds import derive_seed
from tesuji.checks import check_seed
from tesuji.engines import EngineSpec, parse_engine
from tesuji.plot import plot_course
from tesuji.search import Search, SearchResult
from tesuji.sgf import SgfGame, Step

# Its chances swing less from move to move than those of plain UCT with as many playouts.
ENGINE = "uct(c=0.4)+rave"
# So many moves of a better line are written into a record.
VARIATION_MOVES = 8
# A move that loses this much of the winning chances, or more, gets the better line as a variation.
MISTAKE = 0.05


@dataclass(frozen=True, kw_only=True)
class ReviewedMove:
    """A move of the game, and the search of the position before it.

    `value` is the chance to win of the player who moved, before the move: the mean of all playouts, since that of the
    best move alone is too hopeful for whoever is to move, and the chances would jump from move to move. `best_value` is
    what the best move is worth to him, and `loss` how much less the search after the move in the game gives him: never
    below 0, and None where there was no such search. Small losses are noise.
    """

    step: Step
    value: float
    best_move: int
    best_value: float
    loss: float | None
    pv: tuple[int, ...]

    @property
    def black(self) -> float:
        """Black's chance to win before the move."""
        return self.value if self.step.player == 0 else 1 - self.value

    @property
    def text(self) -> str:
        return self.step.before.format_move(self.step.move)

    @property
    def pv_text(self) -> tuple[str, ...]:
        return tuple(self.step.before.format_move(move) for move in self.pv)


@dataclass(frozen=True, kw_only=True)
class Review:
    """What `review` found; `interrupted` says that it has only the beginning of the game.

    `final` is Black's chance to win at the end of the record, None where the game was over there or not reached.
    """

    record: SgfGame
    variation: int
    engine: EngineSpec
    threads: int
    seed: int
    moves: tuple[ReviewedMove, ...]
    final: float | None
    interrupted: bool

    @property
    def course(self) -> list[float]:
        """Black's chance to win after 0, 1, 2 ... moves."""
        return [move.black for move in self.moves] + ([] if self.final is None else [self.final])

    def plot(self, path: Path | str) -> None:
        course = self.course
        title = f"{self.record.name}, {self.engine}"
        plot_course(path, range(len(course)), [100 * value for value in course], title=title)

    def to_dict(self) -> dict[str, Any]:
        return {
            "record": self.record.name,
            "variation": self.variation,
            "engine": str(self.engine),
            "threads": self.threads,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "final_black": self.final,
            "moves": [
                {
                    "number": move.step.number,
                    "player": move.step.player,
                    "move": move.text,
                    "black": move.black,
                    "best_value": move.best_value,
                    "loss": move.loss,
                    "best_move": move.step.before.format_move(move.best_move),
                    "pv": list(move.pv_text),
                }
                for move in self.moves
            ],
        }

    def annotate(self) -> None:
        """Writes into the record what was found: a comment at each move, and better lines as variations."""
        for move in self.moves:
            node = move.step.node
            best = move.step.before.format_move(move.best_move)
            lost = "" if move.loss is None else f", {move.text} gives away {100 * move.loss:.1f}%"
            self.record.add_comment(node, f"Black {100 * move.black:.1f}% before this move; best {best}{lost}.")
            is_plain = node.parent is not None and not node.has_setup_stones() and not node.has_property("PL")
            if is_plain and move.best_move != move.step.move and (move.loss or 0) >= MISTAKE:
                self.record.add_line(node.parent, move.step.before, move.pv[:VARIATION_MOVES])
                text = f"Better: {100 * move.best_value:.1f}% for {move.step.before.players[move.step.player]}."
                self.record.add_comment(node.parent[-1], text)


def review(
    record: SgfGame,
    *,
    variation: int = 1,
    engine: str | EngineSpec = ENGINE,
    playouts: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int | None = None,
    on_move: Callable[[int, int], None] | None = None,
) -> Review:
    """Searches the position before every move of a variation, and the last one.

    `on_move(done, all)` is called after each. Ctrl-C ends the review, which then has what was found until there.
    """
    line = record.line(variation)
    last = record.position(variation=variation)
    spec = parse_engine(engine, position=last)
    base = check_seed(seed)
    positions = [step.before for step in line] + ([] if last.is_over else [last])
    results: list[SearchResult] = []
    interrupted = False
    try:
        for number, position in enumerate(positions):
            search = Search(position, spec, threads=threads, seed=derive_seed(base, number, "review"))
            result = search.run(playouts=playouts, seconds=seconds)
            if result.stopped_by == "interrupt":  # too short to be compared with the others
                raise KeyboardInterrupt
            results.append(result)
            if on_move is not None:
                on_move(number + 1, len(positions))
    except KeyboardInterrupt:
        interrupted = True
    final = _chance(results[-1], player=0) if len(results) == len(line) + 1 else None
    return Review(
        record=record,
        variation=variation,
        engine=spec,
        threads=threads,
        seed=base,
        moves=tuple(_reviewed(step, index, results) for index, step in enumerate(line[: len(results)])),
        final=final,
        interrupted=interrupted,
    )


def _reviewed(step: Step, index: int, results: list[SearchResult]) -> ReviewedMove:
    result = results[index]
    loss = None
    if index + 1 < len(results):
        is_best = step.move == result.best_move
        loss = 0.0 if is_best else max(0.0, result.value - _chance(results[index + 1], player=step.player))
    return ReviewedMove(
        step=step,
        value=_chance(result, player=step.player),
        best_move=result.best_move,
        best_value=result.value,
        loss=loss,
        pv=result.pv,
    )


def _chance(result: SearchResult, *, player: int) -> float:
    """The player's mean reward over all playouts."""
    value = sum(move.visits * move.value for move in result.moves) / sum(move.visits for move in result.moves)
    return value if result.position.to_move == player else 1 - value
