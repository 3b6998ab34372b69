// The layer of a model that playouts draw their moves by.
#pragma once

#include <stdexcept>
#include <string>

namespace tesuji::bindings {

// Of a model that may be missing, as may its layer: then an error says what to do. `example` is a model's name.
template <class Model>
const auto& fast_layer_of(const Model* model, const std::string& playout, const std::string& example) {
  if (model == nullptr) {
    throw std::invalid_argument("playout=" + playout + " needs a model of moves: add model=" + example +
                                ", or give the search one");
  }
  if (model->fast() == nullptr) {
    throw std::invalid_argument(
        "playout=" + playout +
        ": the model has no fast layer, or one of other features; tesuji learn --fast-only adds one");
  }
  return *model->fast();
}

}  // namespace tesuji::bindings
