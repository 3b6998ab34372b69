// Threads that wait for work, and are kept between searches: to start one takes longer than a hundred playouts.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>

namespace tesuji {

// The system has no room for so many threads.
class TooManyThreads : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Team {
 public:
  // `size` workers, the caller being one of them. The threads start when they are first needed.
  explicit Team(std::size_t size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const { return size_; }

  // Calls work(0) here and work(1) to work(size - 1) in the other threads, and waits for all of them. `work` must not
  // throw. TooManyThreads where they cannot be started; then nothing was called.
  void run(const std::function<void(std::size_t worker)>& work);

 private:
  class Crew;

  void leave_crew_of_another_process();

  std::size_t size_;
  std::unique_ptr<Crew> crew_;  // none before the first run
};

}  // namespace tesuji
