// Reads, resolves, asks the arithmetic and the rules.
#include "plan/check/check.hpp"

#include <algorithm>

#include "plan/adapters/reading.hpp"
#include "plan/check/need.hpp"
#include "plan/check/place.hpp"
#include "plan/files/native.hpp"
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;
using exact::Rational;
using provenance::PlanField;

void add_text(provenance::Row& row, const char* name, const std::optional<Word>& word) {
  if (word && word->resolved() && !word->text.empty()) {
    row.plan.push_back({name, std::nullopt, word->text, word->where});
  }
}

void add_number(provenance::Row& row, const char* name, const std::optional<Number>& number) {
  if (number) row.plan.push_back({name, number->value, {}, number->where});
}

// What was read, in the words of the contract.
void add_plan(Subject& subject) {
  const Workload& workload = subject.workload;
  provenance::Row& row = subject.row;
  row.plan.push_back({"file", std::nullopt, workload.file, {}});
  row.plan.push_back({"kind", std::nullopt, workload.kind, {}});
  if (!workload.name.empty()) {
    row.plan.push_back({"workload", std::nullopt, workload.name, workload.where});
  }
  add_text(row, "role", workload.role);
  add_text(row, "engine", workload.engine);
  add_text(row, "engine_version", workload.engine_version);
  add_text(row, "model", workload.model);
  add_text(row, "revision", workload.revision);
  add_text(row, "weights", workload.weights);
  add_text(row, "kv_dtype", workload.kv_dtype);
  add_number(row, "tp", workload.tp);
  add_number(row, "pp", workload.pp);
  add_number(row, "dp", workload.dp);
  add_number(row, "ep", workload.ep);
  add_number(row, "cp", workload.cp);
  add_number(row, "context", workload.context);
  add_number(row, "concurrency", workload.concurrency);
  add_number(row, "devices", workload.devices);
  add_number(row, "replicas", workload.replicas);
  if (subject.place.chip != nullptr) {
    row.plan.push_back(
        {"device", std::nullopt, subject.place.chip->id, subject.place.stated.where});
    const bool is_other = subject.place.stated.text != subject.place.chip->id;
    if (is_other && !subject.choice.on) {
      row.plan.push_back(
          {"device_stated", std::nullopt, subject.place.stated.text, subject.place.stated.where});
    }
  }
  add_number(row, "lnc", workload.lnc);
  auto share = workload.utilization;
  if (!share) share = workload.mem_fraction;
  add_number(row, "utilization", share);
  add_text(row, "optimizer", workload.optimizer);
  add_number(row, "zero", workload.zero);
  add_number(row, "microbatch", workload.microbatch);
  add_number(row, "sequence", workload.sequence);
  add_text(row, "recompute", workload.recompute);
}

// Weights under the format that the file, or the command line, states.
void weigh_model(Subject& subject) {
  memory::WeightChoice choice;
  if (subject.choice.weights) {
    choice.format = *subject.choice.weights;
  } else if (subject.workload.weights && !subject.is_training()) {
    const std::string& native = subject.model->native_format;
    const bool keeps_own = subject.workload.weights_from_dtype && !native.empty() &&
                           native != "bf16" && native != "fp16" && native != "fp32";
    if (!keeps_own) choice.format = subject.workload.weights->text;
  }
  auto weights = memory::weigh(subject.graph, *subject.model, choice, subject.catalogue);
  if (!weights) {
    subject.open.push_back(weights.error().message);
    return;
  }
  const bool known =
      subject.graph.known(weights->payload.id()) || subject.graph.known(weights->floor.id());
  if (!known) {
    subject.open.push_back(subject.graph[weights->floor.id()].unknown);
    return;
  }
  subject.weights = std::move(*weights);
  const memory::Weights& found = *subject.weights;
  subject.add("parameters", found.parameters.id());
  if (found.active_parameters) subject.add("active_parameters", found.active_parameters->id());
  subject.add("bits_per_parameter", found.bits.id());
  subject.add("weights_floor", found.floor.id());
  subject.add("weights_payload", found.payload.id());
}

void find_need(Subject& subject) {
  if (!subject.model) return;
  subject.row.notes.insert(subject.row.notes.end(), subject.model->notes.begin(),
                           subject.model->notes.end());
  if (subject.is_training()) {
    const bool is_spread = subject.workload.dp || subject.ranks.given;
    if (is_spread) {
      find_training_need(subject);
    } else {
      subject.open.push_back("the file states no number of devices");
      subject.note("value-unresolved", Severity::warning,
                   "devices: the file states no number of them, and states are shared by all: give "
                   "it with --devices N",
                   subject.workload.where);
    }
    return;
  }
  weigh_model(subject);
  if (!subject.weights) return;
  const bool is_balanced = subject.is_native() && subject.workload.work == Work::unknown;
  if (is_balanced) {
    find_balanced_need(subject);
  } else {
    find_serving_need(subject);
  }
}

// TensorRT-LLM takes a fraction of what weights leave for its cache.
void find_cache_budget(Subject& subject) {
  const Workload& workload = subject.workload;
  if (!workload.engine || workload.engine->text != "trtllm" || subject.choice.reserve) return;
  if (!subject.place.capacity || !subject.serving.weights) return;
  const auto capacity = *subject.place.capacity;
  const bool known =
      subject.graph.known(capacity.id()) && subject.graph.known(subject.serving.weights->id());
  const Rational share =
      workload.free_fraction ? workload.free_fraction->value : Rational{9} / Rational{10};
  const auto fraction =
      workload.free_fraction
          ? subject.graph.given<units::Share>("fraction of free memory", share,
                                              {text_of(workload.free_fraction->where), ""})
          : subject.graph.assumed<units::Share>(
                "fraction of free memory", share,
                "TensorRT-LLM's default free_gpu_memory_fraction of 0.9 "
                "(tensorrt_llm/llmapi/llm_args.py, KvCacheConfig)");
  const Rational left = known ? subject.graph.value(capacity) / subject.place.ranks -
                                    subject.graph.value(*subject.serving.weights)
                              : Rational{0};
  subject.serving.cache_budget = subject.graph.derived<units::Bytes>(
      "memory for the cache", "fraction × (memory of one device − weights)", "",
      {fraction.id(), capacity.id(), subject.serving.weights->id()}, share * left);
}

std::string verdict_of(const Subject& subject) {
  if (subject.overdrawn) return "does-not-fit";
  if (!subject.open.empty()) return "inconclusive";
  if (subject.is_native() && !subject.workload.devices) return "lower-bound";
  const bool is_judged =
      subject.required_total
          ? subject.available_total && subject.graph.known(subject.available_total->id())
          : subject.budget && subject.graph.known(subject.budget->id()) &&
                (subject.serving.one || subject.training.floor);
  return is_judged ? "fits" : "inconclusive";
}

// Why there is no verdict, where no rule has said it.
void say_what_is_open(Subject& subject) {
  if (subject.row.verdict != "inconclusive") return;
  for (const base::Finding& note : subject.row.findings) {
    const bool is_said = note.rule == kModelUnknown.id || note.rule == kDeviceUnknown.id ||
                         note.rule == kValueUnresolved.id;
    if (is_said) return;
  }
  for (const std::string& reason : subject.open)
    subject.note("undecided", Severity::warning, reason, subject.workload.where);
}

base::Result<provenance::Row> row_of(Workload workload, const CheckRequest& request,
                                     catalog::Catalogue& catalogue, const base::FileSystem& files,
                                     provenance::Graph& graph) {
  Subject subject(std::move(workload), request.choice, catalogue, files, graph);
  ULLAGE_CHECK(find_place(subject));
  ULLAGE_CHECK(find_model(subject));
  find_ranks_of_layout(subject);
  find_budget(subject);
  find_need(subject);
  find_cache_budget(subject);
  add_totals(subject);
  subject.row.model = subject.model            ? subject.model->name
                      : subject.workload.model ? subject.workload.model->text
                                               : std::string();
  if (subject.place.chip != nullptr) subject.row.device = subject.place.chip->id;
  for (const PlanRule* rule : plan_rules()) {
    if (rule->apply != nullptr && rule != &kExpectationFailed) rule->apply(subject);
  }
  subject.row.verdict = verdict_of(subject);
  say_what_is_open(subject);
  kExpectationFailed.apply(subject);
  for (const Remark& remark : subject.workload.remarks)
    subject.note(remark.code, remark.level, remark.text, remark.where);
  subject.row.notes.insert(subject.row.notes.end(), subject.place.notes.begin(),
                           subject.place.notes.end());
  add_plan(subject);
  return std::move(subject.row);
}

provenance::Row unreadable_row(const std::string& file, const base::Diagnostic& fault) {
  provenance::Row row;
  row.verdict = "inconclusive";
  row.plan.push_back({"file", std::nullopt, file, {}});
  base::Finding note;
  note.rule = "file-unreadable";
  note.level = Severity::error;
  note.message = fault.message;
  note.span = fault.span;
  if (note.span.file.empty()) note.span.file = file;
  row.findings.push_back(std::move(note));
  return row;
}

// A template that another program renders first: nobody can say what it deploys.
provenance::Row template_row(const Unreadable& unreadable) {
  provenance::Row row;
  row.verdict = "inconclusive";
  row.plan.push_back({"file", std::nullopt, unreadable.file->path, {}});
  base::Finding note;
  note.rule = "value-unresolved";
  note.level = Severity::warning;
  note.message = "this is a template: render it first (helm template … | ullage check -); " +
                 unreadable.fault.message;
  note.span = unreadable.fault.span;
  row.findings.push_back(std::move(note));
  return row;
}

// The lock that a plan names stands beside it.
base::Result<void> hold_against_own_lock(const std::string& plan, const Word& lock,
                                         catalog::Catalogue& catalogue,
                                         const base::FileSystem& files,
                                         provenance::Answer& answer) {
  const std::size_t slash = plan.rfind('/');
  const std::string path =
      slash == std::string::npos ? lock.text : base::join(plan.substr(0, slash), lock.text);
  auto text = files.read(path, 64u << 20);
  if (!text) {
    base::Diagnostic fault = std::move(text).error();
    fault.notes.push_back("the plan names it at " + text_of(lock.where));
    return fault;
  }
  ULLAGE_TRY(const std::vector<LockedWorkload> locked, read_lock(*text, path));
  compare_with_lock(locked, path, catalogue, answer, answer.rows.size() - 1);
  return {};
}

// `waivers:` of a plan of our own; they hold for its row alone.
base::Result<std::vector<Waiver>> waivers_in(const PlanDocument& document) {
  const document::Value* list = reach(document.document.root, {"waivers"});
  if (list == nullptr) return std::vector<Waiver>{};
  return read_waivers(document.document, *list);
}

}  // namespace

base::Result<CheckResult> check(const CheckRequest& request, catalog::Catalogue& catalogue,
                                const base::FileSystem& files) {
  ULLAGE_TRY(const FileSet set, read_files(files, request.paths));
  CheckResult result;
  result.answer.command = "check";
  result.files = static_cast<std::size_t>(std::count_if(
      set.files.begin(), set.files.end(), [](const PlanFile& file) { return file.asked; }));
  std::vector<Workload> workloads;
  const auto add_fault = [&](const std::string& file, const base::Diagnostic& fault) {
    result.answer.rows.push_back(unreadable_row(file, fault));
    result.faults.push_back(fault);
  };
  std::vector<std::vector<Waiver>> own_waivers;  // of each native plan, which stand first
  for (const PlanDocument& document : set.documents) {
    if (!is_native_plan(document)) continue;
    auto plan = read_native_plan(document);
    auto own = waivers_in(document);
    if (plan && own) {
      workloads.push_back(std::move(*plan));
      own_waivers.push_back(std::move(*own));
    } else {
      add_fault(document.file->path, plan ? own.error() : plan.error());
    }
  }
  const Reading reading{set, request.variables};
  for (Workload& workload : read_workloads(reading)) {
    for (Workload& one : alternatives_of(workload, catalogue))
      workloads.push_back(std::move(one));
  }
  std::vector<Waiver> waivers = request.waivers;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    Workload& workload = workloads[i];
    const bool is_native = workload.native.has_value();
    const std::string file = workload.file;
    const Word lock = is_native ? workload.native->lock : Word{};
    auto row = row_of(std::move(workload), request, catalogue, files, result.answer.graph);
    if (row) {
      result.answer.rows.push_back(std::move(*row));
      if (i < own_waivers.size()) {
        for (Waiver& waiver : own_waivers[i]) {
          waiver.row = result.answer.rows.size() - 1;
          waivers.push_back(std::move(waiver));
        }
      }
      if (lock.text.empty()) continue;
      auto drifted = hold_against_own_lock(file, lock, catalogue, files, result.answer);
      if (!drifted) add_fault(file, drifted.error());
    } else if (is_native) {
      add_fault(file, row.error());
    } else {
      return std::move(row).error();
    }
  }
  for (const Unreadable& unreadable : set.unreadable) {
    if (unreadable.is_template) {
      result.answer.rows.push_back(template_row(unreadable));
    } else {
      add_fault(unreadable.file->path, unreadable.fault);
    }
  }
  if (request.locked) {
    compare_with_lock(*request.locked, request.lock_file, catalogue, result.answer);
  }
  apply_waivers(result.answer, waivers, set, request.choice.today);
  return result;
}

}  // namespace ullage::plan
