// The table of names: which function an engine spec's part stands for. A new rule is a file of its own and a line here.
#include "rules/registry.hpp"

#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "rules/accelerated.hpp"
#include "rules/amaf.hpp"
#include "rules/bast.hpp"
#include "rules/bias_bradley_terry.hpp"
#include "rules/bias_chaslot.hpp"
#include "rules/bias_huang.hpp"
#include "rules/discounted.hpp"
#include "rules/final.hpp"
#include "rules/given.hpp"
#include "rules/informed.hpp"
#include "rules/max.hpp"
#include "rules/mean.hpp"
#include "rules/mix.hpp"
#include "rules/puct.hpp"
#include "rules/rave.hpp"
#include "rules/select.hpp"
#include "rules/select_avx2.hpp"
#include "rules/solver.hpp"
#include "rules/ucb1.hpp"
#include "rules/ucb_tuned1.hpp"
#include "rules/ucb_tuned2.hpp"

namespace tesuji {
namespace {

constexpr double kLeastDecay = 0.001;
constexpr double kMostAmafK = 1e9;  // far beyond it beta is 1 to the last bit, and a visit would weigh nothing at all

constexpr double kMostPriorWeight = 1000;  // visits are counted in 32 bits
constexpr double kMostSemeaiWeight = 100'000;

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
  SelectRule (*select)(const Parameters& parameters);
  BackupRule back_up;
  BackupNeeds needs;
};

template <class Backup, class Rave>
SelectRule select_informed_by(const Parameters& parameters) {
#if TESUJI_HAS_AVX2
  if constexpr (kHasRave<Rave> && !kHasProofs<Backup> && !std::is_same_v<Rave, PriorAlone>) {
    const bool by_rave_alone = parameters.bias == "none" && parameters.widening_mu == 0;
    if (by_rave_alone && parameters.selection != "puct" && active_cpu_path() == CpuPath::kAvx2) {
      const bool explores = parameters.c != 0;
      const std::pair<const char*, SelectRule> table[] = {
          {"uct", explores ? select_rave_avx2<Ucb1, Backup, Rave> : select_rave_avx2<Ucb1OfValuesAlone, Backup, Rave>},
          {"ucb-tuned1", select_rave_avx2<UcbTuned1, Backup, Rave>},
          {"ucb-tuned2", select_rave_avx2<UcbTuned2, Backup, Rave>},
      };
      return find(table, parameters.selection, "selection");
    }
  }
#endif
  const std::pair<const char*, SelectRule> table[] = {
      {"uct", select_informed<Ucb1, Backup, Rave>},
      {"ucb-tuned1", select_informed<UcbTuned1, Backup, Rave>},
      {"ucb-tuned2", select_informed<UcbTuned2, Backup, Rave>},
      {"puct", select_informed<Puct, Backup, Rave>},
  };
  return find(table, parameters.selection, "selection");
}

bool is_informed(const Parameters& parameters) {
  return parameters.rave != "none" || parameters.has_virtual_visits() || parameters.bias != "none" ||
         parameters.widening_mu != 0 || parameters.selection == "puct";
}

template <class Backup>
SelectRule find_select(const Parameters& parameters) {
  using Informed = SelectRule (*)(const Parameters&);
  if (is_informed(parameters)) {
    const std::pair<const char*, Informed> table[] = {
        {"none", select_informed_by<Backup, NoRave>},
        {"prior", select_informed_by<Backup, PriorAlone>},
        {"rave", select_informed_by<Backup, RaveWeights>},
        {"amaf-schedule", select_informed_by<Backup, AmafSchedule>},
        {"amaf-error", select_informed_by<Backup, AmafError>},
    };
    const bool by_prior_alone = parameters.rave == "none" && parameters.has_virtual_visits();
    return find(table, by_prior_alone ? "prior" : parameters.rave, "RAVE")(parameters);
  }
  const std::pair<const char*, SelectRule> table[] = {
      {"uct", select_rule<Ucb1, Backup>()},
      {"ucb-tuned1", select_rule<UcbTuned1, Backup>()},
      {"ucb-tuned2", select_rule<UcbTuned2, Backup>()},
      {"bast", select_bast<Backup>},
      {"given", select_given<Backup>},
  };
  return find(table, parameters.selection, "selection");
}

template <class Backup>
SelectRule select_by(const Parameters& parameters) {
  return parameters.solver ? find_select<Solved<Backup>>(parameters) : find_select<Backup>(parameters);
}

constexpr std::pair<const char*, BiasRule> kBias[] = {
    {"none", {}},
    {"bradley-terry", {BradleyTerryBias::term}},
    {"chaslot", {ChaslotBias::term}},
    {"huang", {HuangBias::term, /*mixes_scores=*/true}},
};

constexpr std::pair<const char*, BackupEntry> kBackup[] = {
    {"mean", {select_by<Mean>, nullptr, {}}},
    {"discounted", {select_by<Discounted>, Discounted::back_up, Discounted::kNeeds}},
    {"accelerated", {select_by<BackedUp>, Accelerated::back_up, Accelerated::kNeeds}},
    {"mix", {select_by<BackedUp>, Mix::back_up, Mix::kNeeds}},
    {"max", {select_by<BackedUp>, Max::back_up, Max::kNeeds}},
};

constexpr std::pair<const char*, FinalRule> kFinal[] = {{"visits", final_visits},
                                                        {"value", final_value},
                                                        {"lcb", final_lcb},
                                                        {"balanced", final_balanced},
                                                        {"given", final_given}};

void check_informed(const Parameters& parameters) {
  if (parameters.selection == "bast" && is_informed(parameters)) {
    throw std::invalid_argument("bast goes by its bounds alone: it takes no RAVE, no bias, no prior and no widening");
  }
  if (parameters.selection == "given" && is_informed(parameters)) {
    throw std::invalid_argument("a selection rule from outside takes no RAVE, no bias, no prior and no widening");
  }
  if ((parameters.selection == "given" && parameters.given_selection == nullptr) ||
      (parameters.final == "given" && parameters.given_final == nullptr)) {
    throw std::invalid_argument("the given rule is not given");
  }
  if (!(parameters.prior_weight >= 0 && parameters.prior_weight <= kMostPriorWeight)) {
    throw std::invalid_argument("the weight of the prior must be from 0 to 1000");
  }
  if (!(parameters.semeai_weight >= 0 && parameters.semeai_weight <= kMostSemeaiWeight)) {
    throw std::invalid_argument("the weight of semeai must be from 0 to 100000");
  }
  if (!(parameters.rave_initial >= 0)) throw std::invalid_argument("the initial weight of rave must be at least 0");
  if (!(parameters.rave_final > 0)) throw std::invalid_argument("the final weight of rave must be above 0");
  if (!(parameters.amaf_k > 0 && parameters.amaf_k <= kMostAmafK)) {
    throw std::invalid_argument("k of amaf must be above 0, at most 1e9");
  }
  if (!(parameters.amaf_b >= 0)) throw std::invalid_argument("b of amaf must be at least 0");
  if (parameters.widening_mu != 0 && !(parameters.widening_mu > 1)) {
    throw std::invalid_argument("mu of widening must be above 1");
  }
  if (!(parameters.bias_k > 0) && parameters.bias == "bradley-terry") {
    throw std::invalid_argument("k of the bias must be above 0");
  }
  const bool gives_alpha = parameters.bias_alpha != kFromRave;
  if (parameters.bias == "chaslot" && gives_alpha != (parameters.bias_beta != kFromRave)) {
    throw std::invalid_argument("alpha and beta of the bias go together: give both, or neither");
  }
}

}  // namespace

Rules make_rules(const Parameters& parameters) {
  if (!(parameters.c >= 0) || std::isinf(parameters.c)) {
    throw std::invalid_argument("c must be a finite number from 0 on");
  }
  if (!(parameters.prior_even >= 0 && parameters.prior_even <= 1)) {
    throw std::invalid_argument("even must be a number from 0 to 1");
  }
  if (std::isnan(parameters.fpu)) throw std::invalid_argument("fpu must be a number or infinity");
  if (!(parameters.playout_mercy >= 0 && parameters.playout_mercy <= 1)) {
    throw std::invalid_argument("mercy must be a number from 0 to 1");
  }
  if (parameters.expand < 1) throw std::invalid_argument("expand must be at least 1");
  if (!(parameters.decay >= kLeastDecay && parameters.decay <= 1)) {
    throw std::invalid_argument("decay must be a number from 0.001 to 1");
  }
  check_informed(parameters);
  if (parameters.automatic_decay && (parameters.backup != "accelerated" || parameters.decay != 1)) {
    throw std::invalid_argument("automatic_decay is for the accelerated rule, in place of a decay");
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
  const bool given_uses_prior = parameters.selection == "given" && parameters.given_selection->uses_prior();
  const bool uses_prior =
      parameters.selection == "puct" || parameters.bias != "none" || parameters.widening_mu != 0 || given_uses_prior;
  return Rules{.select = backup.select(parameters),
               .back_up = backup.back_up,
               .bound = parameters.selection == "bast" ? Bast::update : nullptr,
               .update_rave = parameters.rave == "none" ? nullptr : update_rave,
               .bias = find(kBias, parameters.bias, "bias"),
               .final = find(kFinal, parameters.final, "final"),
               .solver = parameters.solver ? SolverRules{Solver::prove, Solver::final_move} : SolverRules{},
               .uses_prior = uses_prior,
               .needs = backup.needs,
               .growth = 1 / parameters.decay,
               .parameters = parameters,
               .cpu_path = active_cpu_path(),
               .layout = {}};
}

}  // namespace tesuji
