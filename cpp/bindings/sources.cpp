// Of which sources this module was built.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings/bind_game.hpp"

namespace tesuji::bindings {

void bind_sources(nb::module_& module) {
  module.def("sources_digest", [] { return std::string(TESUJI_SOURCES_DIGEST); });
}

}  // namespace tesuji::bindings
