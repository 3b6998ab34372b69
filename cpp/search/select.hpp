// From the arrays of a node to the child to descend into: copies the children out in batches and lets the rules score.
#pragma once

#include "rules/rules.hpp"
#include "search/tree.hpp"

namespace tesuji {

// The child with the highest score, the first of equals. `parent_visits` are all visits of the node, those made before
// it had children included.
std::uint32_t highest_score(const Node& node, std::uint32_t parent_visits, const Rules& rules);

}  // namespace tesuji
