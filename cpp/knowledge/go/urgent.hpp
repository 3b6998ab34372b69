// What the other's last stone makes urgent: captures and rescues, then the vital point of an eye, then chains with two
// liberties.
#pragma once

#include "knowledge/go/atari.hpp"
#include "knowledge/go/low_liberties.hpp"
#include "knowledge/go/nakade.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// `captured`: how many stones the last one captured.
template <int kSize>
void find_urgent(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index last,
                 int captured, PointList<kSize>& moves) {
  const int theirs = tactics.liberty_count(last);
  const int ours = tactics.least_liberties_around(last, colour);
  if (theirs == 1) find_capture_of_last(tactics, colour, last, moves);
  if (ours == 1) find_rescues(tactics, colour, last, moves);
  if (!moves.is_empty()) return;
  if (captured >= kLeastNakade && captured <= kMostNakade) find_vital_points(tactics, colour, last, moves);
  if (!moves.is_empty()) return;
  if (ours <= 2) find_extensions(tactics, colour, last, moves);
  if (theirs == 2) find_ataris(tactics, colour, last, moves);
}

}  // namespace tesuji
