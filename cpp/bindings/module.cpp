// The native module tesuji._core: positions, the search, and what is known of the build.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bind_game.hpp"
#include "core/cpu.hpp"
#include "search/searcher.hpp"

namespace tesuji::bindings {
namespace {

std::map<std::string, std::string> build_info() {
#if defined(__clang__)
  const std::string compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
  const std::string compiler = "g++ " __VERSION__;
#else
  const std::string compiler = "unknown";
#endif
#if defined(NDEBUG)
  const std::string build_type = "release";
#else
  const std::string build_type = "with assertions";
#endif
  return {{"compiler", compiler},
          {"build_type", build_type},
          {"cpu_path", name_of(active_cpu_path())},
          {"avx2_available", avx2_available() ? "yes" : "no"}};
}

// The runs under way in all threads. When the interpreter goes they must have come home: a thread that asks for its
// lock later is killed on the spot, in the middle of C++ code, and takes the process with it.
class RunsUnderWay {
 public:
  void begin() {
    const std::lock_guard lock(mutex_);
    if (closing_.load()) throw std::runtime_error("the interpreter is about to end: no search begins now");
    ++count_;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    --count_;
    ended_.notify_all();
  }
  bool closing() const { return closing_.load(std::memory_order_relaxed); }

  void close() {
    const nb::gil_scoped_release release;
    std::unique_lock lock(mutex_);
    closing_.store(true);
    ended_.wait(lock, [this] { return count_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  int count_ = 0;
  std::atomic<bool> closing_{false};
};

RunsUnderWay*& runs_of_this_process() {
  static RunsUnderWay* runs = new RunsUnderWay;
  return runs;
}
RunsUnderWay& runs_under_way() { return *runs_of_this_process(); }

// The child has none of its parent's runs: it begins with a count, and a lock, of its own. What those runs hold is
// never given back there, which is no fault to warn of.
void begin_after_fork() {
  runs_of_this_process() = new RunsUnderWay;
  nb::set_leak_warnings(false);
}

// Counts a run from before the interpreter's lock is given up until after it is taken again.
class CountedRun {
 public:
  CountedRun() { runs_under_way().begin(); }
  ~CountedRun() { runs_under_way().end(); }
  CountedRun(const CountedRun&) = delete;
  CountedRun& operator=(const CountedRun&) = delete;
};

// Ctrl-C while the interpreter waits for the search: true for a KeyboardInterrupt, which ends the run with the result
// that it has; any other exception of a signal handler goes on to the caller.
bool interrupted_by_signal() {
  const nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() == 0) return false;
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) throw nb::python_error();
  PyErr_Clear();
  return true;
}

// Python runs signal handlers in the main thread only: the others need not ask, and so do not wait for its lock.
bool in_main_thread() {
  const nb::object main_thread = nb::module_::import_("threading").attr("main_thread")();
  return nb::cast<unsigned long>(main_thread.attr("ident")) == PyThread_get_thread_ident();
}

RunReport run(Searcher& searcher, std::optional<std::uint64_t> playouts, std::optional<double> seconds,
              std::optional<double> cpu_seconds) {
  Budget budget;
  if (playouts) budget.playouts = *playouts;
  if (seconds) budget.seconds = *seconds;
  if (cpu_seconds) budget.cpu_seconds = *cpu_seconds;
  const bool watch_signals = in_main_thread();
  const CountedRun counted;
  const nb::gil_scoped_release release;
  return searcher.run(
      budget, [watch_signals] { return runs_under_way().closing() || (watch_signals && interrupted_by_signal()); });
}

void bind_search(nb::module_& module) {
  nb::exception<SearchBusy>(module, "SearchBusy", PyExc_RuntimeError);
  nb::exception<BadGame>(module, "BadGame", PyExc_RuntimeError);
  nb::exception<MemoryTooSmall>(module, "MemoryTooSmall", PyExc_RuntimeError);
  nb::exception<TooManyThreads>(module, "TooManyThreads", PyExc_RuntimeError);
  nb::exception<BadMessage>(module, "BadMessage", PyExc_RuntimeError);

  auto parameters = nb::class_<Parameters>(module, "Parameters");
  parameters.def(nb::init<>())
      .def_rw("selection", &Parameters::selection)
      .def_rw("backup", &Parameters::backup)
      .def_rw("final", &Parameters::final)
      .def_rw("c", &Parameters::c)
      .def_rw("prior_even", &Parameters::prior_even)
      .def_rw("lcb_c", &Parameters::lcb_c)
      .def_rw("fpu", &Parameters::fpu)
      .def_rw("term_outside", &Parameters::term_outside)
      .def_rw("decay", &Parameters::decay)
      .def_rw("rave", &Parameters::rave)
      .def_rw("rave_initial", &Parameters::rave_initial)
      .def_rw("rave_final", &Parameters::rave_final)
      .def_rw("rave_distance", &Parameters::rave_distance)
      .def_rw("rave_check_same", &Parameters::rave_check_same)
      .def_rw("rave_skip", &Parameters::rave_skip)
      .def_rw("amaf_k", &Parameters::amaf_k)
      .def_rw("amaf_b", &Parameters::amaf_b)
      .def_rw("widening_mu", &Parameters::widening_mu)
      .def_rw("bias", &Parameters::bias)
      .def_rw("bias_c", &Parameters::bias_c)
      .def_rw("bias_k", &Parameters::bias_k)
      .def_rw("bias_gamma", &Parameters::bias_gamma)
      .def_rw("bias_alpha", &Parameters::bias_alpha)
      .def_rw("bias_beta", &Parameters::bias_beta)
      .def_rw("automatic_decay", &Parameters::automatic_decay)
      .def_rw("mix_q", &Parameters::mix_q)
      .def_rw("mix_m", &Parameters::mix_m)
      .def_rw("bast_delta", &Parameters::bast_delta)
      .def_rw("bast_gamma", &Parameters::bast_gamma)
      .def_rw("bast_b", &Parameters::bast_b)
      .def_rw("solver", &Parameters::solver)
      .def_rw("playout", &Parameters::playout)
      .def_rw("final_weight", &Parameters::final_weight)
      .def_rw("playout_temperature", &Parameters::playout_temperature)
      .def_rw("playout_mercy", &Parameters::playout_mercy)
      .def_rw("prior_weight", &Parameters::prior_weight)
      .def_rw("semeai_weight", &Parameters::semeai_weight)
      .def_rw("semeai_retries", &Parameters::semeai_retries)
      .def_rw("semeai_settles", &Parameters::semeai_settles)
      .def_rw("semeai_positions", &Parameters::semeai_positions)
      .def_rw("semeai_effort", &Parameters::semeai_effort)
      .def_rw("semeai_stones", &Parameters::semeai_stones)
      .def_rw("semeai_life", &Parameters::semeai_life)
      .def_rw("evaluation", &Parameters::evaluation)
      .def_rw("expand", &Parameters::expand)
      .def_rw("all_moves", &Parameters::all_moves)
      .def_rw("playout_cap", &Parameters::playout_cap)
      .def_rw("threads", &Parameters::threads)
      .def_rw("parallel", &Parameters::parallel)
      .def_rw("virtual_loss", &Parameters::virtual_loss)
      .def_rw("plays_elsewhere", &Parameters::plays_elsewhere);

  nb::class_<RunReport>(module, "RunReport")
      .def_ro("playouts", &RunReport::playouts)
      .def_ro("seconds", &RunReport::seconds)
      .def_ro("cpu_seconds", &RunReport::cpu_seconds)
      .def_prop_ro("stopped_by", [](const RunReport& report) { return name_of(report.stopped_by); });

  nb::class_<ChildStatistics>(module, "ChildStatistics")
      .def_ro("move", &ChildStatistics::move)
      .def_ro("visits", &ChildStatistics::visits)
      .def_ro("value", &ChildStatistics::value)
      .def_ro("prior", &ChildStatistics::prior)
      .def_ro("rave", &ChildStatistics::rave)
      .def_ro("proven", &ChildStatistics::proven)
      .def_ro("pv", &ChildStatistics::pv);

  nb::class_<Snapshot>(module, "Snapshot")
      .def_ro("visits", &Snapshot::visits)
      .def_ro("moves", &Snapshot::moves)
      .def_ro("best", &Snapshot::best)
      .def_ro("proven", &Snapshot::proven)
      .def_ro("nodes", &Snapshot::nodes)
      .def_ro("child_slots", &Snapshot::child_slots)
      .def_ro("memory", &Snapshot::memory)
      .def_ro("tree_full", &Snapshot::tree_full);

  nb::class_<TreeLine>(module, "TreeLine")
      .def_ro("id", &TreeLine::id)
      .def_ro("parent", &TreeLine::parent)
      .def_ro("move", &TreeLine::move)
      .def_ro("visits", &TreeLine::visits)
      .def_ro("value", &TreeLine::value);

  auto searcher = nb::class_<Searcher>(module, "Searcher");
  searcher
      .def("run", &run, nb::arg("playouts") = nb::none(), nb::arg("seconds") = nb::none(),
           nb::arg("cpu_seconds") = nb::none())
      .def("advance", &Searcher::advance, nb::arg("move"), nb::call_guard<nb::gil_scoped_release>())
      .def("plies", &Searcher::plies)
      .def("is_over", &Searcher::is_over)
      .def("stop", &Searcher::stop)
      .def("snapshot", &Searcher::snapshot)
      .def("best_move", &Searcher::best_move)
      .def("tree", &Searcher::tree_lines, nb::arg("max_depth"), nb::arg("min_visits"));
  bind_tree_columns(module, searcher);
  bind_python_rules(module, parameters);
  bind_sharing(module, searcher);
}

}  // namespace
}  // namespace tesuji::bindings

NB_MODULE(_core, module) {
  using namespace tesuji::bindings;
  bind_search(module);
  bind_bradley_terry(module);
  bind_compiled_game(module);
  bind_go(module);
  bind_go_moves(module);
  bind_go_races(module);
  bind_havannah(module);
  bind_othello(module);
  bind_python_game(module);
  bind_sources(module);
  bind_sum_of_switches(module);
  bind_tic_tac_toe(module);
  bind_tree_game(module);
  module.def("build_info", &build_info);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] { runs_under_way().close(); }));
  const nb::module_ os = nb::module_::import_("os");
  if (nb::hasattr(os, "register_at_fork")) {
    os.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function(&begin_after_fork));
  }
}
