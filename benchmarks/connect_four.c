/* Connect four as native functions, the measure for what numba makes of examples/connect_four_numba.py: the same
   state, the same steps. */
#include <stdint.h>

int32_t legal_moves(const uint64_t* state, int32_t* moves) {
  const uint64_t taken = state[0] | state[1];
  int32_t count = 0;
  for (int32_t column = 0; column < 7; ++column) {
    moves[count] = column;
    count += 1 - (int32_t)(taken >> (7 * column + 5) & 1);
  }
  return count;
}

void play(uint64_t* state, int32_t column) {
  const uint64_t taken = state[0] | state[1];
  const uint64_t lowest = UINT64_C(1) << (7 * column);
  state[state[2] & 1] |= (taken + lowest) & ~taken & (UINT64_C(0x3f) * lowest);
  ++state[2];
}

int32_t status(const uint64_t* state, double* rewards) {
  const int player = (int)(state[2] & 1);
  const uint64_t mine = state[1 - player];
  const int steps[] = {1, 6, 7, 8};
  for (int k = 0; k < 4; ++k) {
    const uint64_t pairs = mine & (mine >> steps[k]);
    if (pairs & (pairs >> (2 * steps[k]))) {
      rewards[1 - player] = 1.0;
      rewards[player] = 0.0;
      return -2;
    }
  }
  if (state[2] == 42) {
    rewards[0] = rewards[1] = 0.5;
    return -2;
  }
  return player;
}
