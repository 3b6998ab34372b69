// Wall time and the CPU time of the calling thread, both in seconds from an arbitrary start.
#pragma once

#include <chrono>
#include <ctime>

namespace tesuji {

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double thread_cpu_seconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#else
  // Without POSIX clocks the process's time is the nearest thing: the same while one thread works.
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

}  // namespace tesuji
