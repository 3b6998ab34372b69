#include "core/cpu.hpp"

#include <cstdlib>
#include <cstring>

namespace tesuji {
namespace {

#if TESUJI_HAS_AVX2
bool detect_avx2() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
      !__builtin_cpu_supports("popcnt")) {
    return false;
  }
  // AMD before Zen 3 runs pdep as microcode, many times slower than the portable loop.
  return !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2") && !__builtin_cpu_is("bdver4");
}
#else
bool detect_avx2() { return false; }
#endif

CpuPath choose() {
  const char* forced = std::getenv("TESUJI_CPU");
  if (forced != nullptr && std::strcmp(forced, "portable") == 0) return CpuPath::kPortable;
  return avx2_available() ? CpuPath::kAvx2 : CpuPath::kPortable;
}

}  // namespace

bool avx2_available() {
  static const bool available = detect_avx2();
  return available;
}

CpuPath active_cpu_path() {
  static const CpuPath path = choose();
  return path;
}

const char* name_of(CpuPath path) { return path == CpuPath::kAvx2 ? "avx2+bmi2" : "portable"; }

}  // namespace tesuji
