// Boards of the usual sizes are compiled each for itself; the others share one that takes any.
#pragma once

namespace tesuji {

// Calls `use` with the number of lines as a constant, or with 0 where the board is the one for any size.
template <class Use>
decltype(auto) with_go_size(int size, Use&& use) {
  switch (size) {
    case 9:
      return use.template operator()<9>();
    case 13:
      return use.template operator()<13>();
    case 19:
      return use.template operator()<19>();
    default:
      return use.template operator()<0>();
  }
}

}  // namespace tesuji
