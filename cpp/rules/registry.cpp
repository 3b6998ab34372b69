// The table of names: which function an engine spec's part stands for. A new rule is a file of its own and a line here.
#include "rules/registry.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "rules/accelerated.hpp"
#include "rules/bast.hpp"
#include "rules/discounted.hpp"
#include "rules/final.hpp"
#include "rules/max.hpp"
#include "rules/mean.hpp"
#include "rules/mix.hpp"
#include "rules/puct.hpp"
#include "rules/select.hpp"
#include "rules/select_avx2.hpp"
#include "rules/solver.hpp"
#include "rules/ucb1.hpp"
#include "rules/ucb_tuned1.hpp"
#include "rules/ucb_tuned2.hpp"

namespace tesuji {
namespace {

constexpr double kLeastDecay = 0.001;

template <class Rule, std::size_t kCount>
Rule find(const std::pair<const char*, Rule> (&table)[kCount], const std::string& name, const char* slot) {
  for (const auto& [known, rule] : table) {
    if (name == known) return rule;
  }
  throw std::invalid_argument(std::string("no ") + slot + " rule is called '" + name + "'");
}

template <class Backup>
constexpr bool kHasProofs = false;
template <class Backup>
constexpr bool kHasProofs<Solved<Backup>> = true;

template <class Selection, class Backup>
SelectRule select_rule() {
#if TESUJI_HAS_AVX2
  if constexpr (kHasProofs<Backup>) return select_child<PortableScan<Selection, Backup>>;
  if (active_cpu_path() == CpuPath::kAvx2) return select_child<Avx2Scan<Selection, Backup>>;
#endif
  return select_child<PortableScan<Selection, Backup>>;
}

struct BackupEntry {
  SelectRule (*select)(const std::string& selection, bool solver);
  BackupRule back_up;
  BackupNeeds needs;
};

template <class Backup>
SelectRule find_select(const std::string& selection) {
  const std::pair<const char*, SelectRule> table[] = {
      {"uct", select_rule<Ucb1, Backup>()},
      {"ucb-tuned1", select_rule<UcbTuned1, Backup>()},
      {"ucb-tuned2", select_rule<UcbTuned2, Backup>()},
      {"puct", select_puct<Backup>},
      {"bast", select_bast<Backup>},
  };
  return find(table, selection, "selection");
}

template <class Backup>
SelectRule select_by(const std::string& selection, bool solver) {
  return solver ? find_select<Solved<Backup>>(selection) : find_select<Backup>(selection);
}

constexpr std::pair<const char*, BackupEntry> kBackup[] = {
    {"mean", {select_by<Mean>, nullptr, {}}},
    {"discounted", {select_by<Discounted>, Discounted::back_up, Discounted::kNeeds}},
    {"accelerated", {select_by<BackedUp>, Accelerated::back_up, Accelerated::kNeeds}},
    {"mix", {select_by<BackedUp>, Mix::back_up, Mix::kNeeds}},
    {"max", {select_by<BackedUp>, Max::back_up, Max::kNeeds}},
};

constexpr std::pair<const char*, FinalRule> kFinal[] = {
    {"visits", final_visits}, {"value", final_value}, {"lcb", final_lcb}, {"balanced", final_balanced}};

}  // namespace

Rules make_rules(const Parameters& parameters) {
  if (!(parameters.c >= 0) || std::isinf(parameters.c)) {
    throw std::invalid_argument("c must be a finite number from 0 on");
  }
  if (std::isnan(parameters.fpu)) throw std::invalid_argument("fpu must be a number or infinity");
  if (parameters.expand < 1) throw std::invalid_argument("expand must be at least 1");
  if (!(parameters.decay >= kLeastDecay && parameters.decay <= 1)) {
    throw std::invalid_argument("decay must be a number from 0.001 to 1");
  }
  if (!(parameters.mix_q >= 0 && parameters.mix_q <= 1)) throw std::invalid_argument("q must be a number from 0 to 1");
  if (!(parameters.mix_m >= 0) || std::isinf(parameters.mix_m)) {
    throw std::invalid_argument("m must be a finite number from 0 on");
  }
  if (!(parameters.bast_delta >= 0) || std::isinf(parameters.bast_delta)) {
    throw std::invalid_argument("delta must be a finite number from 0 on");
  }
  if (!(parameters.bast_gamma >= 0 && parameters.bast_gamma <= 1)) {
    throw std::invalid_argument("gamma must be a number from 0 to 1");
  }
  if (!(parameters.bast_b > 0 && parameters.bast_b <= 1)) {
    throw std::invalid_argument("b must be a number above 0 and at most 1");
  }
  if (!parameters.evaluation.empty() && parameters.backup != "max") {
    throw std::invalid_argument("an evaluation function is for the backup rule max alone");
  }
  const BackupEntry backup = find(kBackup, parameters.backup, "backup");
  return Rules{.select = backup.select(parameters.selection, parameters.solver),
               .back_up = backup.back_up,
               .bound = parameters.selection == "bast" ? Bast::update : nullptr,
               .final = find(kFinal, parameters.final, "final"),
               .solver = parameters.solver ? SolverRules{Solver::prove, Solver::final_move} : SolverRules{},
               .needs_prior = parameters.selection == "puct",
               .needs = backup.needs,
               .growth = 1 / parameters.decay,
               .parameters = parameters,
               .layout = {}};
}

}  // namespace tesuji
