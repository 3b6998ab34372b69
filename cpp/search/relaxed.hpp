// Numbers of the tree that several threads may read while one of them writes. Every access is a relaxed atomic: a
// number is seen whole, early or late. On today's machines that is an ordinary load or store.
//
// An operation such as += is a load and a store, not one step: whoever writes has the tree, or the node, for itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tesuji {

template <class T>
class Relaxed {
 public:
  [[gnu::always_inline]] explicit Relaxed(T* place) : place_(place) {}
  Relaxed(const Relaxed&) = default;

  [[gnu::always_inline]] operator T() const { return std::atomic_ref<T>(*place_).load(std::memory_order_relaxed); }
  [[gnu::always_inline]] const Relaxed& operator=(T value) const {
    std::atomic_ref<T>(*place_).store(value, std::memory_order_relaxed);
    return *this;
  }
  const Relaxed& operator=(const Relaxed& other) const { return *this = static_cast<T>(other); }
  const Relaxed& operator+=(T value) const { return *this = static_cast<T>(*this) + value; }
  const Relaxed& operator*=(T value) const { return *this = static_cast<T>(*this) * value; }
  const Relaxed& operator/=(T value) const { return *this = static_cast<T>(*this) / value; }

 private:
  T* place_;
};

template <class T>
class RelaxedArray {
 public:
  RelaxedArray() = default;
  explicit RelaxedArray(T* first) : first_(first) {}

  [[gnu::always_inline]] Relaxed<T> operator[](std::size_t place) const { return Relaxed<T>(first_ + place); }

  // For vector instructions, where one thread has the tree for itself.
  T* data() const { return first_; }

 private:
  T* first_ = nullptr;
};

}  // namespace tesuji
