// Which of the compiled code paths this processor takes: decided once a process, never inside a loop.
//
// A kernel that profits from vector or bit-manipulation instructions is written once, as a file without include guard,
// and included twice: plainly, and between TESUJI_AVX2_BEGIN and TESUJI_AVX2_END in a namespace of its own, where the
// compiler may use AVX2 and BMI2. So the rest of the program stays portable, and both paths can be tested in one build.
#pragma once

namespace tesuji {

enum class CpuPath { kPortable, kAvx2 };

// AVX2 with a fast `pdep` where this machine has it. TESUJI_CPU=portable in the environment forces the portable path.
CpuPath active_cpu_path();

// Whether the AVX2 path was compiled in and this processor runs it, whatever the environment says.
bool avx2_available();

const char* name_of(CpuPath path);

}  // namespace tesuji

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define TESUJI_HAS_AVX2 1
#if defined(__clang__)
#define TESUJI_AVX2_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"avx2,bmi,bmi2,popcnt\"))), apply_to = function)")
#define TESUJI_AVX2_END _Pragma("clang attribute pop")
#else
#define TESUJI_AVX2_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,bmi,bmi2,popcnt\")")
#define TESUJI_AVX2_END _Pragma("GCC pop_options")
#endif
#else
#define TESUJI_HAS_AVX2 0
#endif
