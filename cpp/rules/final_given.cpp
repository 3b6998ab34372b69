#include "rules/final.hpp"
#include "rules/given.hpp"

namespace tesuji {

std::size_t final_given(std::span<const RootChild> children, const Parameters& parameters) {
  std::vector<double> scores(children.size());
  parameters.given_final->score(children, scores);
  return best_by(children,
                 [&](const RootChild& child) { return scores[static_cast<std::size_t>(&child - children.data())]; });
}

}  // namespace tesuji
