#include "search/team.hpp"

namespace tesuji {

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  called_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::start() {
  while (threads_.size() + 1 < size_) {
    const std::size_t worker = threads_.size() + 1;
    threads_.emplace_back([this, worker] { serve(worker); });
  }
}

void Team::run(const std::function<void(std::size_t)>& work) {
  if (size_ == 1) return work(0);
  start();
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    at_work_ = size_ - 1;
    ++calls_;
  }
  called_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return at_work_ == 0; });
}

void Team::serve(std::size_t worker) {
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

}  // namespace tesuji
