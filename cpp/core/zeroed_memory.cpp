#include "core/zeroed_memory.hpp"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#else
#include <cstdlib>
#endif

namespace tesuji {

#if defined(__linux__)

// The tree is read here and there: with huge pages a 9x9 Go search of 50,000 playouts spends some 7% less in the tree.
// The first megabytes are left out, so that a small search does not pay for a large page.
constexpr std::size_t kSmallPages = 4 << 20;

ZeroedMemory allocate_zeroed(std::size_t bytes) {
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  // A wish: where the system has no huge pages, small ones do.
  if (bytes > kSmallPages) madvise(static_cast<std::byte*>(block) + kSmallPages, bytes - kSmallPages, MADV_HUGEPAGE);
  return ZeroedMemory(static_cast<std::byte*>(block), ZeroedMemoryDeleter{bytes});
}

void ZeroedMemoryDeleter::operator()(std::byte* block) const { munmap(block, bytes); }

#else

ZeroedMemory allocate_zeroed(std::size_t bytes) {
  void* block = std::calloc(bytes, 1);
  if (block == nullptr) throw std::bad_alloc();
  return ZeroedMemory(static_cast<std::byte*>(block), ZeroedMemoryDeleter{bytes});
}

void ZeroedMemoryDeleter::operator()(std::byte* block) const { std::free(block); }

#endif

}  // namespace tesuji
