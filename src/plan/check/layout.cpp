// Models, ranks and budgets.
#include <algorithm>

#include "catalog/figures.hpp"
#include "memory/formulas.hpp"
#include "plan/check/need.hpp"

namespace ullage::plan {
namespace {

using exact::Rational;
using provenance::FigureId;
using units::Bytes;
using units::Count;
using units::Share;

Rational value_or_one(const std::optional<Number>& number) {
  return number && number->value.sign() > 0 ? number->value : Rational{1};
}

bool left_open(const Workload& workload, std::string_view what) {
  return std::any_of(workload.unresolved.begin(), workload.unresolved.end(),
                     [what](const Unresolved& open) { return open.what == what; });
}

// Whether data parallelism takes devices of its own: SGLang's and TensorRT-LLM's attention data
// parallelism lies inside the tensor-parallel ranks.
bool data_multiplies(const Workload& workload) {
  return !workload.attention_dp;
}

// The world that is left for data parallelism.
void spread_training(Subject& subject) {
  Ranks& ranks = subject.ranks;
  const Workload& workload = subject.workload;
  const Rational model_ranks = ranks.tp * ranks.pp * ranks.cp;
  if (workload.dp) {
    ranks.needed = model_ranks * ranks.dp;
    return;
  }
  ranks.needed = model_ranks;
  if (!ranks.given || *ranks.given < model_ranks) return;
  ranks.dp = (*ranks.given / model_ranks).floor();
  ranks.needed = model_ranks * ranks.dp;
}

struct ShareChoice {
  Rational share;
  std::optional<base::Span> where;  // given; else assumed
  std::string why;
};

// The default of the vLLM version that the plan names.
std::optional<ShareChoice> default_of_version(const Workload& workload) {
  if (!workload.engine_version) return std::nullopt;
  const auto found = engine::find_engine("vllm@" + workload.engine_version->text);
  if (!found) return std::nullopt;
  const auto own = found->engine->utilization(found->version);
  if (!own) return std::nullopt;
  return ShareChoice{own->share, std::nullopt, own->citation};
}

ShareChoice share_of(const Subject& subject) {
  const Workload& workload = subject.workload;
  if (subject.choice.reserve) {
    return {Rational{1} - subject.choice.reserve->value, base::Span{},
            "1 − " + subject.choice.reserve->where};
  }
  if (subject.is_native()) {
    if (workload.utilization) return {workload.utilization->value, workload.utilization->where, ""};
    const auto& reserve = workload.native->reserve;
    if (reserve) return {Rational{1} - reserve->value, reserve->where, "1 − reserve"};
    return {*Rational::ratio(85, 100), std::nullopt,
            "1 − the default reserve of 15 %; set it with reserve:"};
  }
  const bool is_engine =
      workload.work == Work::serve && workload.engine && !subject.place.is_neuron;
  if (is_engine && workload.engine->text == "vllm") {
    if (workload.utilization) return {workload.utilization->value, workload.utilization->where, ""};
    if (const auto own = default_of_version(workload)) return *own;
    return {*Rational::ratio(9, 10), std::nullopt,
            "vLLM's default gpu_memory_utilization of 0.9 (vllm/config/cache.py); set it with "
            "--gpu-memory-utilization"};
  }
  if (is_engine && workload.engine->text == "sglang" && workload.mem_fraction) {
    return {workload.mem_fraction->value, workload.mem_fraction->where, ""};
  }
  return {*Rational::ratio(9, 10), std::nullopt,
          "the default share of 0.9 for plans that state none; set it with --reserve"};
}

// How many ranks one chip gives, and why.
FigureId ranks_of_device(Subject& subject) {
  const Rational& ranks = subject.place.ranks;
  const auto& lnc = subject.workload.lnc;
  if (!subject.place.is_neuron) {
    return subject.graph
        .assumed<Count>("ranks of one device", ranks,
                        "a TPU7x shows its two chiplets as devices "
                        "(cloud.google.com/tpu/docs/tpu7x)")
        .id();
  }
  const FigureId logical = catalog::bring(subject.graph, *subject.place.chip, "logical_cores", {});
  if (subject.graph.known(logical) && subject.graph.value(logical) == ranks) return logical;
  const FigureId cores = catalog::bring(subject.graph, *subject.place.chip, "cores", {});
  if (!lnc) return cores;
  const FigureId given =
      subject.graph.given<Count>("logical NeuronCore size", lnc->value, {text_of(lnc->where), ""})
          .id();
  return subject.graph
      .derived<Count>("ranks of one device", "cores ÷ logical NeuronCore size", "", {cores, given},
                      ranks)
      .id();
}

}  // namespace

base::Result<void> find_model(Subject& subject) {
  const Workload& workload = subject.workload;
  import::OpenContext context{subject.catalogue, subject.files, subject.graph, std::nullopt};
  if (subject.choice.model) {
    ULLAGE_TRY(subject.model, import::open_model(context, *subject.choice.model));
    return {};
  }
  if (!workload.model) {
    subject.model_unknown = "the file names no model";
    return {};
  }
  const std::string& name = workload.model->text;
  if (subject.is_native()) {
    auto opened = import::open_model(context, name);
    if (!opened) {
      base::Diagnostic fault = std::move(opened).error();
      if (fault.span.file.empty()) fault.span = workload.model->where;
      return fault;
    }
    subject.model = std::move(*opened);
    return {};
  }
  // A foreign file names a repository of the hub, or a path of another machine: the catalogue is
  // asked, no disk.
  auto card = subject.catalogue.model(name);
  if (!card) {
    subject.model_unknown = "the catalogue has no model " + base::printable(name);
    return {};
  }
  auto opened = import::open_model(context, (*card)->id);
  if (!opened) {
    subject.model_unknown = opened.error().message;
    return {};
  }
  subject.model = std::move(*opened);
  return {};
}

void find_ranks_of_layout(Subject& subject) {
  Workload& workload = subject.workload;
  Ranks& ranks = subject.ranks;
  Place& place = subject.place;
  if (subject.choice.devices) {
    workload.devices = Number{subject.choice.devices->value, {}};
    workload.cores.reset();
  } else if (!workload.devices && !workload.cores && place.chips_of_instance) {
    // A machine's type alone counts its chips; several machines multiply them.
    const bool counts = workload.nodes.has_value() || workload.kind == "kaito";
    const bool is_workspace = workload.kind == "kaito" && !workload.role;
    if (workload.nodes || is_workspace) {
      workload.devices =
          Number{*place.chips_of_instance * value_or_one(workload.nodes), place.stated.where};
      if (!workload.nodes && counts) {
        subject.note("nodes-assumed", base::Severity::note,
                     "one machine is assumed, KAITO's default of resource.count",
                     place.stated.where);
      }
    }
  } else if (!workload.devices && workload.cores && place.chip != nullptr &&
             subject.place.ranks_known) {
    workload.devices = Number{(workload.cores->value / place.ranks).ceil(), workload.cores->where};
  }
  ranks.tp = value_or_one(workload.tp);
  ranks.pp = value_or_one(workload.pp);
  ranks.cp = value_or_one(workload.cp);
  ranks.dp = value_or_one(workload.dp);
  ranks.ep = value_or_one(workload.ep);
  if (workload.kind == "kaito" && !workload.tp && workload.devices) {
    // Tensor parallel within a machine, pipeline parallel over several (kaito,
    // pkg/model/interface.go, configureParallelism).
    const Rational nodes = value_or_one(workload.nodes);
    ranks.tp = workload.devices->value / nodes;
    if (!workload.pp) ranks.pp = nodes;
  }
  if (place.ranks_known) {
    if (workload.cores) {
      ranks.given = workload.cores->value;
    } else if (workload.devices) {
      ranks.given = workload.devices->value * place.ranks;
    }
  }
  if (workload.visible) ranks.visible = workload.visible->value;
  const bool is_open = left_open(workload, "tp") || left_open(workload, "pp") ||
                       left_open(workload, "dp") || left_open(workload, "cp");
  if (is_open) return;
  if (subject.is_training()) {
    spread_training(subject);
    return;
  }
  ranks.needed = ranks.tp * ranks.pp * ranks.cp;
  if (data_multiplies(workload)) *ranks.needed *= ranks.dp;
  if (workload.expert_parallel)
    ranks.ep = ranks.tp * (data_multiplies(workload) ? ranks.dp : Rational{1});
}

void find_budget(Subject& subject) {
  if (!subject.place.capacity) return;
  const ShareChoice chosen = share_of(subject);
  const auto share = chosen.where ? subject.graph.given<Share>(
                                        "share of the memory that is used", chosen.share,
                                        {chosen.where->file.empty() ? subject.choice.reserve->where
                                                                    : text_of(*chosen.where),
                                         chosen.why})
                                  : subject.graph.assumed<Share>("share of the memory that is used",
                                                                 chosen.share, chosen.why);
  const auto capacity = *subject.place.capacity;
  const Rational ranks = subject.place.ranks;
  std::vector<FigureId> inputs{capacity.id(), share.id()};
  std::string formula = "memory of one device × share";
  if (ranks != Rational{1}) {
    inputs.push_back(ranks_of_device(subject));
    formula = "memory of one device × share ÷ ranks of one device";
  }
  const Rational whole =
      subject.graph.known(capacity.id()) ? subject.graph.value(capacity.id()) : Rational{0};
  subject.budget = subject.graph.derived<Bytes>("budget of one rank", formula, "", inputs,
                                                whole * chosen.share / ranks);
  subject.add("utilization", share.id());
  if (subject.graph.known(capacity.id())) return;
  subject.open.push_back(subject.graph[capacity.id()].unknown);
}

}  // namespace ullage::plan
