// A large block of memory that reads as zero and costs nothing until it is touched.
#pragma once

#include <cstddef>
#include <memory>

namespace tesuji {

struct ZeroedMemoryDeleter {
  std::size_t bytes = 0;
  void operator()(std::byte* block) const;
};
using ZeroedMemory = std::unique_ptr<std::byte, ZeroedMemoryDeleter>;

// Aligned for any scalar. std::bad_alloc where the system has not that much to give.
ZeroedMemory allocate_zeroed(std::size_t bytes);

}  // namespace tesuji
