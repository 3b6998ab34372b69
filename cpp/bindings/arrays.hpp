// numpy arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

namespace tesuji::bindings {

namespace nb = nanobind;

template <class Number>
using InputArray = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Number>
std::span<const Number> as_span(const InputArray<Number>& array) {
  return {array.data(), array.size()};
}

template <class Number>
std::vector<Number> as_vector(const InputArray<Number>& array) {
  return {array.data(), array.data() + array.size()};
}

// The array owns what was the vector's.
template <class Number>
nb::ndarray<nb::numpy, Number, nb::ndim<1>> to_array(std::vector<Number> numbers) {
  auto* kept = new std::vector<Number>(std::move(numbers));
  const nb::capsule owner(kept, [](void* vector) noexcept { delete static_cast<std::vector<Number>*>(vector); });
  return {kept->data(), {kept->size()}, owner};
}

}  // namespace tesuji::bindings
