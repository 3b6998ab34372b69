"""Connect four as three compiled functions: the same game, and the search runs it without Python.

The state is three 64-bit words: the stones of each player, one bit a cell, and how many stones there are. A column is
seven bits, of which the top one stays empty, so that shifted boards never run into the next column.

    python examples/connect_four_numba.py
"""

import numpy as np
from numba import cfunc

import tesuji


@cfunc("int32(CPointer(uint64), CPointer(int32))")
def legal_moves(state, moves):
    taken = state[0] | state[1]
    count = 0
    for column in range(7):
        moves[count] = column  # written over by the next one if this column is full
        count += 1 - ((taken >> np.uint64(7 * column + 5)) & np.uint64(1))
    return count


@cfunc("void(CPointer(uint64), int32)")
def play(state, column):
    taken = state[0] | state[1]
    lowest = np.uint64(1) << np.uint64(7 * column)
    state[state[2] & np.uint64(1)] |= (taken + lowest) & ~taken & (np.uint64(0x3F) * lowest)
    state[2] += np.uint64(1)


@cfunc("int32(CPointer(uint64), CPointer(float64))")
def status(state, rewards):
    player = state[2] & np.uint64(1)
    mine = state[1 - player]  # of the player who has just moved
    for step in (np.uint64(1), np.uint64(6), np.uint64(7), np.uint64(8)):
        pairs = mine & (mine >> step)
        if pairs & (pairs >> (step + step)):
            rewards[1 - player] = 1.0
            rewards[player] = 0.0
            return -2
    if state[2] == 42:
        rewards[0] = rewards[1] = 0.5
        return -2
    return player


def connect_four():
    return tesuji.CompiledGame(
        np.zeros(3, dtype=np.uint64), legal_moves=legal_moves, play=play, status=status, num_moves=7
    )


if __name__ == "__main__":
    result = tesuji.Search(connect_four(), seed=1).run(playouts=200_000)
    for entry in result.moves:
        print(f"column {entry.text}: {entry.visits:7} visits, value {entry.value:.3f}")
    print(f"{result.playouts / result.cpu_seconds:,.0f} playouts a second")
