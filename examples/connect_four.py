"""Connect four in plain Python: all that a search needs of a game.

python examples/connect_four.py
"""

from dataclasses import dataclass

import tesuji

# The cells are numbered row by row from the bottom. A line is four of them in a row, a column or a diagonal.
LINES = [
    [(row + step * up) * 7 + column + step * right for step in range(4)]
    for row in range(6)
    for column in range(7)
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * up < 6 and 0 <= column + 3 * right < 7
]
LINES_THROUGH = [[line for line in LINES if cell in line] for cell in range(42)]


@dataclass(frozen=True)
class ConnectFour:
    cells: str = "." * 42
    to_move: int = 0
    winner: int | None = None

    @property
    def is_over(self):
        return self.winner is not None or "." not in self.cells

    def legal_moves(self):
        return [column for column in range(7) if self.cells[35 + column] == "."]

    def play(self, column):
        stone = "XO"[self.to_move]
        cell = 7 * (6 - self.cells[column::7].count(".")) + column
        cells = self.cells[:cell] + stone + self.cells[cell + 1 :]
        won = any(all(cells[place] == stone for place in line) for line in LINES_THROUGH[cell])
        return ConnectFour(cells, 1 - self.to_move, self.to_move if won else None)

    def outcome(self):
        return (0.5, 0.5) if self.winner is None else (1.0 - self.winner, float(self.winner))

    def __str__(self):
        return "\n".join(self.cells[7 * row : 7 * row + 7] for row in reversed(range(6)))


if __name__ == "__main__":
    print(tesuji.check_game(ConnectFour()))
    result = tesuji.Search(ConnectFour(), seed=1).run(playouts=10_000)
    for entry in result.moves:
        print(f"column {entry.text}: {entry.visits:5} visits, value {entry.value:.3f}")
    print(f"{result.playouts / result.cpu_seconds:,.0f} playouts a second")
