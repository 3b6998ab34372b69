#include "bindings/python_game.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "bindings/bind_game.hpp"

namespace tesuji::bindings {
namespace {

std::string kind_of(nb::handle value) { return Py_TYPE(value.ptr())->tp_name; }

std::string shown(double number) { return nb::cast<std::string>(nb::str(nb::float_(number))); }

// A method where a value is wanted would be true for ever.
nb::object attribute(nb::handle state, const char* name) {
  nb::object value = state.attr(name);
  if (PyCallable_Check(value.ptr()) != 0) {
    throw BadGame(std::string(name) +
                  " is a method, and must be a plain attribute or a property: write @property above it");
  }
  return value;
}

// The items of a list, a tuple or anything else that can be gone through.
class Items {
 public:
  Items(nb::handle values, const char* source) : items_(nb::steal(PySequence_Fast(values.ptr(), ""))) {
    if (items_.is_valid()) return;
    PyErr_Clear();
    throw BadGame(std::string(source) + " must give a list or a tuple, not " + kind_of(values));
  }
  std::size_t size() const { return static_cast<std::size_t>(PySequence_Fast_GET_SIZE(items_.ptr())); }
  nb::handle operator[](std::size_t k) const {
    return PySequence_Fast_GET_ITEM(items_.ptr(), static_cast<Py_ssize_t>(k));
  }
  double number(std::size_t k, const char* source) const {
    const double value = PyFloat_AsDouble((*this)[k].ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) {
      const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
      PyErr_Clear();
      if (too_large) throw BadGame(std::string(source) + " gave a number that is too large");
      throw BadGame(std::string(source) + " must give numbers, not " + kind_of((*this)[k]));
    }
    return value;
  }

 private:
  nb::object items_;
};

// A dictionary would give its keys, a set its numbers in any order.
void check_ordered(nb::handle values, const char* source) {
  if (PyDict_Check(values.ptr()) || PyAnySet_Check(values.ptr())) {
    throw BadGame(std::string(source) + " must give a list or a tuple, not " + kind_of(values));
  }
}

// Who gives the interpreter's lock back and asks again at once gets it before a thread that waits has woken up; so a
// search would keep all others out. It waits a moment, two hundred times a second at most.
void let_others_run() {
  using Clock = std::chrono::steady_clock;
  thread_local Clock::time_point last = Clock::now();
  if (Clock::now() - last < std::chrono::milliseconds(5)) return;
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  last = Clock::now();
}

// The search over such a game holds the interpreter's lock while it works: its threads take turns.
class PythonSearch final : public RemoteSearch<PythonGame> {
 public:
  using RemoteSearch::RemoteSearch;

 protected:
  std::uint64_t simulate(std::size_t worker, std::uint64_t most) override {
    const std::uint64_t made = with_python([&] { return Search::simulate(worker, most); });
    let_others_run();
    return made;
  }
  // Whoever has the tree may be waiting for the interpreter's lock.
  void lock_tree() override {
    if (tree_mutex_.try_lock()) return;
    const nb::gil_scoped_release release;
    tree_mutex_.lock();
  }
  void prepare_root() override {
    with_python([&] { Search::prepare_root(); });
  }
  void play_at_root(Move move) override {
    with_python([&] { Search::play_at_root(move); });
  }
  void begin_all(std::uint32_t count, Simulations& into) override {
    with_python([&] { RemoteSearch::begin_all(count, into); });
  }
  void play_out_all(std::span<const std::uint32_t> words, Simulations& into) override {
    with_python([&] { RemoteSearch::play_out_all(words, into); });
  }

 public:
  int traverse(visitproc visit, void* arg) {
    int result = 0;
    for_each_position([&](PythonGame& position) {
      if (result == 0) result = position.traverse(visit, arg);
    });
    return result;
  }
  void clear() {
    for_each_position([](PythonGame& position) { position.clear(); });
  }
};

// The garbage collector's two questions, for each type here that holds Python objects.
template <class T>
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<T>(self)->traverse(visit, arg) : 0;
}
template <class T>
int clear(PyObject* self) {
  nb::inst_ptr<T>(self)->clear();
  return 0;
}
template <class T>
PyType_Slot collectable[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<T>)},
                             {Py_tp_clear, reinterpret_cast<void*>(clear<T>)},
                             {0, nullptr}};

}  // namespace

Move PythonRules::number(nb::handle move) {
  if (PyObject* known = PyDict_GetItemWithError(numbers.ptr(), move.ptr())) return nb::cast<Move>(nb::handle(known));
  if (PyErr_Occurred() != nullptr) {
    nb::python_error error;
    if (!error.matches(PyExc_TypeError)) throw error;  // of the user's __hash__ or __eq__
    nb::raise_from(error, PyExc_TypeError, "a move must be hashable, and one of type %s is not", kind_of(move).c_str());
  }
  if (moves.size() >= kNoMove) throw BadGame("a game has fewer than 2^32 different moves");
  // The user's __hash__ or __eq__ may let another thread in, with the same move: the first number in the dictionary
  // counts, and the other is never used.
  const nb::int_ number(moves.size());
  moves.push_back(nb::borrow(move));
  PyObject* first = PyDict_SetDefault(numbers.ptr(), move.ptr(), number.ptr());
  if (first == nullptr) throw nb::python_error();
  return nb::cast<Move>(nb::handle(first));
}

PythonGame::PythonGame(nb::object state, int num_players, double low, double high)
    : rules_(nb::cast(PythonRules(num_players, low, high))), state_(std::move(state)) {}

int PythonGame::to_move() const {
  if (!to_move_) {
    const nb::object answer = attribute(state_, "to_move");
    const nb::object number = nb::steal(PyNumber_Index(answer.ptr()));
    if (!number.is_valid()) {
      PyErr_Clear();
      throw BadGame("to_move must be the number of a player or tesuji.CHANCE, not " + kind_of(answer));
    }
    int overflow = 0;
    const long player = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0 || player < kChance || player >= num_players()) {
      throw BadGame("to_move is " + nb::cast<std::string>(nb::str(answer)) + ": it must be a player, 0 to " +
                    std::to_string(num_players() - 1) + ", or tesuji.CHANCE");
    }
    to_move_ = static_cast<int>(player);
  }
  return *to_move_;
}

bool PythonGame::is_over() const {
  if (!is_over_) is_over_ = nb::cast<bool>(nb::bool_(attribute(state_, "is_over")));
  return *is_over_;
}

void PythonGame::legal_moves(MoveList& moves) const {
  moves.clear();
  if (is_over()) return;
  const Items items(state_.attr("legal_moves")(), "legal_moves()");
  if (items.size() == 0) throw BadGame("legal_moves() is empty, though is_over is false");
  moves.reserve(items.size());
  for (std::size_t k = 0; k < items.size(); ++k) moves.push_back(rules().number(items[k]));
}

bool PythonGame::is_legal(Move move) const {
  MoveList moves;
  legal_moves(moves);
  for (const Move legal : moves) {
    if (legal == move) return true;
  }
  return false;
}

void PythonGame::play(Move move) {
  nb::object next = state_.attr("play")(rules().move(move));
  if (next.is_none()) throw BadGame("play() gave None: it must return the next position, and leave this one as it is");
  state_ = std::move(next);
  to_move_.reset();
  is_over_.reset();
}

Rewards PythonGame::rewards() const {
  const nb::object outcome = state_.attr("outcome")();
  check_ordered(outcome, "outcome()");
  const Items items(outcome, "outcome()");
  if (items.size() != static_cast<std::size_t>(num_players())) {
    throw BadGame("outcome() gave " + std::to_string(items.size()) + " rewards, and there are " +
                  std::to_string(num_players()) + " players");
  }
  Rewards rewards{};
  for (std::size_t player = 0; player < items.size(); ++player) {
    const double reward = items.number(player, "outcome()");
    if (!(reward >= rules().low && reward <= rules().high)) {
      throw BadGame("outcome() gave player " + std::to_string(player) + " the reward " + shown(reward) +
                    ", outside the game's range of " + shown(rules().low) + " to " + shown(rules().high) +
                    ": a game with other rewards says so with reward_range = (low, high)");
    }
    rewards[player] = to_reward((reward - rules().low) / (rules().high - rules().low));
  }
  return rewards;
}

void PythonGame::chance_probabilities(Probabilities& probabilities) const {
  const nb::object given = state_.attr("chance_probabilities")();
  check_ordered(given, "chance_probabilities()");
  const Items items(given, "chance_probabilities()");
  const Items moves(state_.attr("legal_moves")(), "legal_moves()");
  if (items.size() != moves.size()) {
    throw BadGame("chance_probabilities() gave " + std::to_string(items.size()) + " numbers, and there are " +
                  std::to_string(moves.size()) + " legal moves");
  }
  probabilities.clear();
  for (std::size_t k = 0; k < items.size(); ++k) probabilities.push_back(items.number(k, "chance_probabilities()"));
  check_probabilities(probabilities);
}

int PythonRules::traverse(visitproc visit, void* arg) const {
  Py_VISIT(numbers.ptr());
  for (const nb::object& object : moves) Py_VISIT(object.ptr());
  return 0;
}

void PythonRules::clear() {
  numbers.clear();
  moves.clear();
}

void bind_python_game(nb::module_& module) {
  nb::class_<PythonRules>(module, "PythonRules", nb::type_slots(collectable<PythonRules>));
  nb::class_<PythonSearch, Searcher>(module, "PythonSearcher", nb::type_slots(collectable<PythonSearch>));
  nb::class_<PythonGame>(module, "PythonGame", nb::type_slots(collectable<PythonGame>))
      .def(nb::init<nb::object, int, double, double>(), nb::arg("state"), nb::arg("num_players"), nb::arg("low"),
           nb::arg("high"))
      .def("state", &PythonGame::state)
      .def("move_object", &PythonGame::move_object, nb::arg("number"))
      .def("move_number", &PythonGame::move_number, nb::arg("move").none())
      .def(
          "searcher",
          [](const PythonGame& position, const Parameters& parameters, std::uint64_t seed, std::size_t max_memory,
             nb::handle evaluator, std::size_t batch_size, nb::handle policy, nb::handle solver) {
            return std::make_unique<PythonSearch>(position, make_rules(parameters), seed, max_memory,
                                                  python_knowledge<PythonGame>(evaluator, batch_size, policy, solver));
          },
          nb::arg("parameters"), nb::arg("seed"), nb::arg("max_memory"), nb::arg("evaluator") = nb::none(),
          nb::arg("batch_size") = 1, nb::arg("policy") = nb::none(), nb::arg("solver") = nb::none());
}

}  // namespace tesuji::bindings
