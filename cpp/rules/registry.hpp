// The table of rules by their names in the engine specs.
#pragma once

#include "search/rules.hpp"

namespace tesuji {

// std::invalid_argument for a name or a number that makes no sense.
Rules make_rules(const Parameters& parameters);

}  // namespace tesuji
