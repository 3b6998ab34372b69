"""About how many points a move is ahead, by playouts: what boards call the score lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tesuji.arena.seeds import derive_seed

if TYPE_CHECKING:
    from tesuji.games.go import Go
    from tesuji.search import MoveStatistics

# Each look plays the end of a variation out so often, on a small board more often than on a large one, and the looks at
# the same variation are taken together, up to so many.
_POINTS_PLAYED: Final = 10_000
_LOOKS: Final = 20
# So many moves have a lead of their own. The others share that of the position: they have few visits.
_LED_MOVES: Final = 10
# Further ahead a variation changes with every look.
_LED_PLIES: Final = 4


@dataclass(slots=True)
class _Mean:
    count: int = 0
    value: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.value += (value - self.value) / self.count


class ScoreLeads:
    """The leads of the moves in one position, as the player to move sees them; they get better from look to look."""

    def __init__(self, position: Go, seed: int) -> None:
        self._position = position
        self._seed = seed
        self._means: dict[tuple[Any, ...], _Mean] = {}

    def of(self, entries: Sequence[MoveStatistics]) -> list[float]:
        """One for each of the moves, which come the best first."""
        here = self._lead(())
        led = [entry.pv[:_LED_PLIES] for entry in entries[:_LED_MOVES]]
        # Variations change all the time, and an analysis may last for hours.
        self._means = {variation: self._means.get(variation, _Mean()) for variation in ((), *led)}
        return [self._lead(variation) for variation in led] + [here] * (len(entries) - len(led))

    def _lead(self, variation: tuple[Any, ...]) -> float:
        mean = self._means.setdefault(variation, _Mean())
        if mean.count < _LOOKS:
            mean.add(self._look(variation, mean.count))
        return mean.value

    def _look(self, variation: tuple[Any, ...], number: int) -> float:
        end = self._position
        for move in variation:
            end = end.play(move)
        playouts = max(1, _POINTS_PLAYED // self._position.size**2)
        owned = end.ownership(playouts, derive_seed(self._seed, "lead", number))
        black = float(owned[0].sum() - owned[1].sum()) - self._position.komi
        return black if self._position.to_move == 0 else -black
