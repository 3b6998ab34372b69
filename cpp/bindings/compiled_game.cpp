#include "games/compiled_game.hpp"

#include "bindings/bind_game.hpp"

namespace tesuji::bindings {
namespace {

// A playout policy as a compiled function: it gets the state, the legal moves, how many they are and 64 random bits,
// and answers with the place of one of them.
class CompiledPolicy final : public PlayoutPolicy<CompiledGame> {
 public:
  using Function = std::int32_t (*)(const void* state, const std::int32_t* moves, std::int32_t count,
                                    std::uint64_t random);
  explicit CompiledPolicy(Function function) : function_(function) {}

  Move choose(const CompiledGame& position, const MoveList& moves, Rng& rng) override {
    const auto count = static_cast<std::int32_t>(moves.size());
    const std::int32_t place =
        function_(position.state().data(), reinterpret_cast<const std::int32_t*>(moves.data()), count, rng.next());
    if (place < 0 || place >= count) {
      throw BadGame("the playout policy answered " + std::to_string(place) + ", and there are " +
                    std::to_string(count) + " moves to choose from");
    }
    return moves[static_cast<std::size_t>(place)];
  }

 private:
  Function function_;
};

template <class Function>
Function function_at(std::uintptr_t address) {
  return reinterpret_cast<Function>(address);
}

CompiledGame compiled_game(const nb::bytes& state, std::uintptr_t legal_moves, std::uintptr_t play,
                           std::uintptr_t status, std::uintptr_t probabilities, int num_players,
                           std::uint32_t num_moves, double low, double high) {
  const CompiledRules rules{.legal_moves = function_at<decltype(CompiledRules::legal_moves)>(legal_moves),
                            .play = function_at<decltype(CompiledRules::play)>(play),
                            .status = function_at<decltype(CompiledRules::status)>(status),
                            .probabilities = function_at<decltype(CompiledRules::probabilities)>(probabilities),
                            .num_players = num_players,
                            .num_moves = num_moves,
                            .low = low,
                            .high = high};
  return CompiledGame(rules, {state.c_str(), state.size()});
}

}  // namespace

void bind_compiled_game(nb::module_& module) {
  bind_game<CompiledGame>(module, "CompiledGame",
                          [](const CompiledGame& position) { return position.rules().num_moves; })
      .def("state",
           [](const CompiledGame& position) { return nb::bytes(position.state().data(), position.state().size()); })
      .def("chance_probabilities",
           [](const CompiledGame& position) {
             Probabilities probabilities;
             position.chance_probabilities(probabilities);
             return probabilities;
           })
      .def(
          "searcher_with_policy",
          [](const CompiledGame& position, const Parameters& parameters, std::uint64_t seed, std::size_t max_memory,
             nb::handle evaluator, std::size_t batch_size, std::uintptr_t policy, nb::handle solver) {
            Knowledge<CompiledGame> knowledge =
                python_knowledge<CompiledGame>(evaluator, batch_size, nb::none(), solver);
            knowledge.policy = std::make_unique<CompiledPolicy>(function_at<CompiledPolicy::Function>(policy));
            return std::unique_ptr<Searcher>(std::make_unique<RemoteSearch<CompiledGame>>(
                position, make_rules(parameters), seed, max_memory, std::move(knowledge)));
          },
          nb::arg("parameters"), nb::arg("seed"), nb::arg("max_memory"), nb::arg("evaluator").none(),
          nb::arg("batch_size"), nb::arg("policy"), nb::arg("solver") = nb::none());
  module.def("compiled_game", &compiled_game, nb::arg("state"), nb::arg("legal_moves"), nb::arg("play"),
             nb::arg("status"), nb::arg("probabilities"), nb::arg("num_players"), nb::arg("num_moves"), nb::arg("low"),
             nb::arg("high"));
}

}  // namespace tesuji::bindings
