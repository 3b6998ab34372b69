// How long a cache line takes from one core to another, the L of docs/threads.md:
//
//   g++ -O2 -std=c++20 -pthread benchmarks/line_transfer.cpp -o build/line_transfer && build/line_transfer
//
// Two threads pass a number to and fro: each waits for the other's, adds one, and waits again. A round trip is two
// transfers. Then both add to one counter as fast as they can, to two on one line, and to two on lines of their own.
// Medians and quartiles of many short batches, so that a batch in which the system takes a core away does not count.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr int kBatches = 2001, kRounds = 1000;

struct alignas(64) Line {
  std::atomic<std::uint64_t> first{0}, second{0};
};
Line line, other;

double nanoseconds() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void print(const char* name, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t quarter = times.size() / 4;
  std::printf("%-40s %6.1f ns (%.1f to %.1f)\n", name, times[2 * quarter], times[quarter], times[3 * quarter]);
}

// A transfer: half of a round trip.
std::vector<double> pass_to_and_fro() {
  constexpr std::uint64_t kAll = 2ull * kBatches * kRounds;
  std::thread partner([] {
    for (std::uint64_t turn = 1; turn < kAll; turn += 2) {
      while (line.first.load(std::memory_order_acquire) != turn) {
      }
      line.first.store(turn + 1, std::memory_order_release);
    }
  });
  std::vector<double> times;
  std::uint64_t turn = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    const double start = nanoseconds();
    for (int round = 0; round < kRounds; ++round, turn += 2) {
      line.first.store(turn + 1, std::memory_order_release);
      while (line.first.load(std::memory_order_acquire) != turn + 2) {
      }
    }
    times.push_back((nanoseconds() - start) / (2 * kRounds));
  }
  partner.join();
  return times;
}

// One addition while another thread adds to `theirs` all the time, or while nobody does. Where the partner had no core
// for most of a batch, the batch does not count.
std::vector<double> add(std::atomic<std::uint64_t>& mine, std::atomic<std::uint64_t>* theirs) {
  std::atomic<bool> done{false};
  Line made;
  std::thread partner([&] {
    while (theirs != nullptr && !done.load(std::memory_order_relaxed)) {
      theirs->fetch_add(1, std::memory_order_relaxed);
      made.first.store(made.first.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
  });
  std::vector<double> times;
  while (times.size() < kBatches) {
    const std::uint64_t before = made.first.load(std::memory_order_relaxed);
    const double start = nanoseconds();
    for (int round = 0; round < kRounds; ++round) mine.fetch_add(1, std::memory_order_relaxed);
    const double time = (nanoseconds() - start) / kRounds;
    if (theirs == nullptr || made.first.load(std::memory_order_relaxed) - before > kRounds / 4) times.push_back(time);
  }
  done.store(true);
  partner.join();
  return times;
}

}  // namespace

int main() {
  print("a line passed to the other core", pass_to_and_fro());
  print("an addition, alone", add(line.first, nullptr));
  print("both add to the same number", add(line.first, &line.first));
  print("to two numbers on one line", add(line.first, &line.second));
  print("to two numbers on two lines", add(line.first, &other.first));
}
