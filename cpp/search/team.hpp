// Threads that wait for work, and are kept between searches: to start one takes longer than a hundred playouts.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tesuji {

class Team {
 public:
  // `size` workers, the caller being one of them. The threads start when they are first needed.
  explicit Team(std::size_t size) : size_(size) {}
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const { return size_; }

  // Calls work(0) here and work(1) to work(size - 1) in the other threads, and waits for all of them. `work` must not
  // throw.
  void run(const std::function<void(std::size_t worker)>& work);

 private:
  void start();
  void serve(std::size_t worker);

  std::size_t size_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable called_;
  std::condition_variable done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::uint64_t calls_ = 0;  // how often work was given out
  std::size_t at_work_ = 0;
  bool ends_ = false;
};

}  // namespace tesuji
