#include "search/team.hpp"

#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace tesuji {
namespace {

// A fork has its parent's memory, but none of its threads. Windows has no forks.
std::int64_t process_number() {
#if defined(_WIN32)
  return 0;
#else
  return getpid();
#endif
}

}  // namespace

// The threads, and what they wait for.
class Team::Crew {
 public:
  explicit Crew(std::size_t size) {
    threads_.reserve(size - 1);
    try {
      while (threads_.size() + 1 < size) {
        const std::size_t worker = threads_.size() + 1;
        threads_.emplace_back([this, worker] { serve(worker); });
      }
    } catch (const std::system_error&) {
      const std::size_t started = threads_.size() + 1;
      end();
      throw TooManyThreads("the system does not give threads = " + std::to_string(size) + ", only " +
                           std::to_string(started) + " could be started: ask for fewer");
    } catch (...) {
      end();
      throw;
    }
  }
  ~Crew() { end(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  bool is_of_this_process() const { return process_ == process_number(); }

  void run(const std::function<void(std::size_t)>& work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      at_work_ = threads_.size();
      ++calls_;
    }
    called_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return at_work_ == 0; });
  }

 private:
  void serve(std::size_t worker) {
    std::uint64_t served = 0;
    std::unique_lock lock(mutex_);
    while (true) {
      called_.wait(lock, [&] { return ends_ || calls_ != served; });
      if (ends_) return;
      served = calls_;
      const std::function<void(std::size_t)>* work = work_;
      lock.unlock();
      (*work)(worker);
      lock.lock();
      if (--at_work_ == 0) done_.notify_one();
    }
  }

  void end() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  const std::int64_t process_ = process_number();
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable called_;
  std::condition_variable done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::uint64_t calls_ = 0;  // how often work was given out
  std::size_t at_work_ = 0;
  bool ends_ = false;
};

Team::Team(std::size_t size) : size_(size) {}

Team::~Team() { leave_crew_of_another_process(); }

void Team::run(const std::function<void(std::size_t)>& work) {
  if (size_ == 1) return work(0);
  leave_crew_of_another_process();
  if (crew_ == nullptr) crew_ = std::make_unique<Crew>(size_);
  crew_->run(work);
}

// After a fork the child has a copy of everything but the threads: nobody is there to be called, or to be waited for.
// Its copy of the crew is lost, since not even its locks can be taken down.
void Team::leave_crew_of_another_process() {
  if (crew_ != nullptr && !crew_->is_of_this_process()) static_cast<void>(crew_.release());
}

}  // namespace tesuji
