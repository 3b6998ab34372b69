// The final selection rules; each is a file of its own.
#pragma once

#include "search/rules.hpp"

namespace tesuji {

std::size_t final_visits(std::span<const RootChild> children);
std::size_t final_value(std::span<const RootChild> children);

}  // namespace tesuji
