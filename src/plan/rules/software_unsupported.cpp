// Rule software-unsupported.

#include "plan/rules/rules.hpp"
#include "plan/software_use.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  const Workload& workload = subject.workload;
  if (subject.place.chip == nullptr || !workload.engine) return;
  SoftwareUse use;
  // As the file names it: which stack serves vLLM on Neuron, and in which version, it does not say.
  use.engine = workload.engine->text;
  // The tag of an image counts the engine's releases, which is not what every stack counts.
  const bool names_version = subject.is_native() && workload.engine_version;
  if (names_version) use.version = workload.engine_version->text;
  if (workload.weights && !workload.weights_from_dtype) use.weight_format = workload.weights->text;
  if (workload.tp) use.tensor_parallel = workload.tp->value.to_int64();
  if (workload.lnc) use.logical_core = workload.lnc->value.to_int64();
  for (const base::Note& note : ruled_out(subject.catalogue, *subject.place.chip, use)) {
    const std::string where =
        note.source.empty() ? "" : " (" + note.source + ", " + note.locator + ")";
    // Sources speak of versions; whether a plan that names none runs one of them stays open.
    const Severity level = names_version ? Severity::error : Severity::warning;
    subject.note("software-unsupported", level,
                 note.text + where + (names_version ? "" : "; the plan names no version"),
                 workload.engine->where.file.empty() ? workload.where : workload.engine->where);
  }
}

}  // namespace

const PlanRule kSoftwareUnsupported{
    .id = "software-unsupported",
    .level = Severity::error,
    .help =
        "a source that the catalogue holds states that this engine, format or "
        "device combination is not supported",
    .formula = "no use of engine, version, format, degree or core size that a source rules out",
    .citation = "the statement's own source",
    .remedy = "another format, engine or device",
    .apply = apply};

}  // namespace ullage::plan
