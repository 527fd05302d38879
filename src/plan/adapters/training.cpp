// Keys to knobs.
#include "plan/adapters/training.hpp"

namespace ullage::plan {

using document::Type;
using document::Value;

TrainingFile::TrainingFile(const Reading& reading, const PlanDocument& document,
                           std::string_view kind, Dialect dialect)
    : workload(begin_workload(document, kind,
                              scalar_text(reach(document.document.root, {"name"})).value_or(""))),
      document_(document),
      dialect_(dialect),
      scope_(reading.scope()) {
  workload.work = Work::train;
}

const Value* TrainingFile::at(std::initializer_list<std::string_view> path) const {
  return reach(document_.document.root, path);
}

std::optional<Word> TrainingFile::word(const Value* value) const {
  auto written = scalar_text(value);
  if (!written) return std::nullopt;
  // `${a.b}` of OmegaConf names a key of the file itself.
  for (int hops = 0; hops < 8; ++hops) {
    if (!written->starts_with("${") || !written->ends_with('}')) break;
    const std::string path = written->substr(2, written->size() - 3);
    const Value* found = &document_.document.root;
    std::size_t from = 0;
    while (found != nullptr && from <= path.size()) {
      const std::size_t end = std::min(path.find('.', from), path.size());
      found = reach(found, {std::string_view(path).substr(from, end - from)});
      from = end + 1;
    }
    const auto text = scalar_text(found);
    if (!text) break;
    written = text;
    value = found;
  }
  return expand_field({*written, span(*value)}, scope_);
}

void TrainingFile::take(const Value* value, Knob knob) {
  auto found = word(value);
  // "auto" of DeepSpeed and its kin: the value stands in another program's arguments.
  if (found && found->text != "auto" && found->text != "null") {
    settings.put(knob, *std::move(found));
  }
}

void TrainingFile::take(std::initializer_list<std::string_view> path, Knob knob) {
  take(at(path), knob);
}

std::optional<Number> TrainingFile::count(const Value* value, const char* what) {
  const auto found = word(value);
  if (!found || found->text == "auto") return std::nullopt;
  if (!found->resolved()) {
    for (const std::string& variable : found->missing)
      workload.unresolved.push_back({what, variable, found->where});
    return std::nullopt;
  }
  const auto number = exact::Rational::parse(without_underscores(found->text));
  if (!number || !number->is_whole() || number->sign() < 0) return std::nullopt;
  return Number{*number, found->where};
}

Workload& TrainingFile::settle_in() {
  settle(dialect_, settings, workload);
  return workload;
}

}  // namespace ullage::plan
