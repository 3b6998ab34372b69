// Rules that somebody else wrote, outside the core: a search asks them where its engine has no rule of the table.
#pragma once

#include <span>

namespace tesuji {

struct ParentTerms;
struct ChildTerms;
struct RootChild;

class GivenSelection {
 public:
  virtual ~GivenSelection() = default;
  // Whether children without visits are scored like the others; if not they have the first-play urgency.
  virtual bool scores_unvisited() const = 0;
  // Whether children have priors, and come by falling ones.
  virtual bool uses_prior() const = 0;
  // One score a child. Threads may ask at once.
  virtual void score(const ParentTerms& parent, std::span<const ChildTerms> children, std::span<double> scores) = 0;
};

class GivenFinal {
 public:
  virtual ~GivenFinal() = default;
  virtual void score(std::span<const RootChild> children, std::span<double> scores) = 0;
};

}  // namespace tesuji
