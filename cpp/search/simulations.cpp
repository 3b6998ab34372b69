#include "search/simulations.hpp"

#include "search/searcher.hpp"

namespace tesuji {
namespace {

[[noreturn]] void works_alone() { throw std::logic_error("this search works alone"); }

}  // namespace

void Searcher::collect_simulations(Simulations& /*into*/) { works_alone(); }
void Searcher::back_up_all(std::span<const std::uint32_t> /*words*/, bool /*begun_here*/) { works_alone(); }
void Searcher::begin_all(std::uint32_t /*count*/, Simulations& /*into*/) { works_alone(); }
void Searcher::give_up_all(std::span<const std::uint32_t> /*words*/) { works_alone(); }
void Searcher::play_out_all(std::span<const std::uint32_t> /*words*/, Simulations& /*into*/) { works_alone(); }

void Searcher::keep_simulations(bool keep) {
  const Busy busy(*this);
  keeps_simulations_ = keep;
}

Simulations Searcher::take_simulations() {
  const Busy busy(*this);
  Simulations all;
  collect_simulations(all);
  return all;
}

void Searcher::back_up_simulations(std::span<const std::uint32_t> words) {
  const Busy busy(*this);
  prepare_root();
  back_up_all(words, /*begun_here=*/false);
}

Simulations Searcher::begin_simulations(std::uint32_t count) {
  const Busy busy(*this);
  stop_.store(false, std::memory_order_relaxed);
  prepare_root();
  Simulations begun;
  begin_all(count, begun);
  return begun;
}

void Searcher::end_simulations(std::span<const std::uint32_t> words) {
  const Busy busy(*this);
  back_up_all(words, /*begun_here=*/true);
}

void Searcher::give_up_simulations(std::span<const std::uint32_t> words) {
  const Busy busy(*this);
  give_up_all(words);
}

Simulations Searcher::play_out_simulations(std::span<const std::uint32_t> words) {
  const Busy busy(*this);
  stop_.store(false, std::memory_order_relaxed);
  budget_ = {};
  Simulations played;
  play_out_all(words, played);
  return played;
}

}  // namespace tesuji
