// Work on many records at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace tesuji::bindings {

// Calls work(record) for the records from `first` to `last`, on several threads.
template <class Work>
void for_each_record(std::size_t first, std::size_t last, int threads, Work&& work) {
  std::atomic<std::size_t> next = first;
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
  const auto run = [&] {
    try {
      for (std::size_t record = next++; record < last && !failed; record = next++) work(record);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int i = 1; i < threads; ++i) helpers.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tesuji::bindings
