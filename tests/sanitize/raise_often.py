"""Games, evaluators and policies that raise, many times over: run under the address sanitizer, which tells of leaks."""

import tesuji
from tests.unit.own_games import Dice, Heap

calls = 0


def raises_sometimes() -> None:
    global calls  # noqa: PLW0603  the simplest counter
    calls += 1
    if calls % 97 == 0:
        raise ValueError("now and then")


class Moody(Heap):
    def play(self, move: str) -> Heap:
        raises_sometimes()
        following = Heap.play(self, move)
        return Moody(following.stones, following.to_move)


def judge(positions: list[object]) -> tuple[None, list[float]]:
    raises_sometimes()
    return None, [0.5] * len(positions)


def first(position: object, moves: list[int], random: object) -> int:
    raises_sometimes()
    return moves[0]


def main() -> None:
    raised = 0
    for seed in range(200):
        searches = [
            tesuji.Search(Moody(6), seed=seed),
            tesuji.Search(Dice(1), seed=seed),
            tesuji.Search(tesuji.TicTacToe(), "puct", seed=seed, evaluator=judge, batch=4),
            tesuji.Search(tesuji.TicTacToe(), seed=seed, policy=first),
        ]
        for search in searches:
            try:
                search.run(playouts=100)
            except ValueError:
                raised += 1
    if raised < 200:
        raise SystemExit(f"only {raised} exceptions came through")


if __name__ == "__main__":
    main()
