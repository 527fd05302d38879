// Writes down and compares.
#include "plan/check/lock.hpp"

#include <algorithm>
#include <array>

#include "base/sha256.hpp"
#include "document/read.hpp"
#include "plan/files/tree.hpp"

namespace ullage::plan {
namespace {

using base::Severity;
using document::Type;
using document::Value;
using provenance::Row;

// The figures that decide.
constexpr std::array<std::string_view, 12> kFigures{"parameters",
                                                    "bits_per_parameter",
                                                    "weights_floor",
                                                    "weights_payload",
                                                    "device_capacity",
                                                    "utilization",
                                                    "weights_per_device",
                                                    "kv_per_sequence_per_device",
                                                    "required_memory_per_device",
                                                    "budget_per_device",
                                                    "required_memory",
                                                    "available_memory"};

std::string plan_text(const Row& row, std::string_view name) {
  for (const provenance::PlanField& field : row.plan) {
    if (field.name == name) return field.number ? field.number->to_string() : field.text;
  }
  return {};
}

LockedEntry entry_of(catalog::Catalogue& catalogue, const std::string& name, bool is_model) {
  if (name.empty()) return {};
  const auto found = is_model ? catalogue.model(name) : catalogue.hardware(name);
  if (!found) return {};
  const catalog::Entry& entry = **found;
  return {entry.id, entry.version, base::sha256(catalogue.raw(entry))};
}

std::string shown(const LockedEntry& entry) {
  return entry.id.empty() ? "none" : entry.id + "@" + entry.version;
}

bool is_same(const LockedWorkload& a, const LockedWorkload& b) {
  return a.file == b.file && a.workload == b.workload && a.role == b.role;
}

std::string text_in(const Value& object, std::string_view key) {
  return scalar_text(reach(object, {key})).value_or("");
}

LockedEntry read_entry(const Value& object, std::string_view key) {
  const Value* entry = reach(object, {key});
  if (entry == nullptr) return {};
  return {text_in(*entry, "id"), text_in(*entry, "version"), text_in(*entry, "digest")};
}

void drift(Row& row, const std::string& lock_file, const std::string& text) {
  base::Finding note;
  note.rule = "lock-drift";
  note.level = Severity::error;
  note.message = text + " (" + lock_file + ")";
  note.span = {plan_text(row, "file"), 0, 0};
  row.findings.push_back(std::move(note));
}

void compare_one(const LockedWorkload& before, const LockedWorkload& now,
                 const std::string& lock_file, Row& row) {
  const std::string verdict = before.verdict == now.verdict
                                  ? "; the verdict stays " + now.verdict
                                  : "; the verdict was " + before.verdict + ", is " + now.verdict;
  bool drifted = false;
  const auto differ = [&](const std::string& what, const std::string& was, const std::string& is) {
    if (was == is) return;
    drifted = true;
    drift(row, lock_file, what + " was " + was + ", is " + is + verdict);
  };
  differ("the model", before.model, now.model);
  differ("the revision", before.revision.empty() ? "none" : before.revision,
         now.revision.empty() ? "none" : now.revision);
  differ("the device's entry", shown(before.device), shown(now.device));
  differ("the model's card", shown(before.card), shown(now.card));
  for (const auto& was : before.figures) {
    const auto is = std::find_if(now.figures.begin(), now.figures.end(),
                                 [&](const auto& figure) { return figure.first == was.first; });
    differ(was.first, was.second, is == now.figures.end() ? "unknown" : is->second);
  }
  for (const auto& is : now.figures) {
    const bool known = std::any_of(before.figures.begin(), before.figures.end(),
                                   [&](const auto& figure) { return figure.first == is.first; });
    if (!known) differ(is.first, "unknown", is.second);
  }
  if (drifted) return;
  if (before.device.digest != now.device.digest) {
    drift(row, lock_file,
          "the text of the device's entry " + shown(now.device) + " changed" + verdict);
  }
  if (before.card.digest != now.card.digest) {
    drift(row, lock_file, "the text of the model's card " + shown(now.card) + " changed" + verdict);
  }
}

}  // namespace

std::vector<LockedWorkload> lock_of(const provenance::Answer& answer,
                                    catalog::Catalogue& catalogue) {
  std::vector<LockedWorkload> locked;
  for (const Row& row : answer.rows) {
    if (plan_text(row, "kind").empty()) continue;
    LockedWorkload one;
    one.file = plan_text(row, "file");
    one.workload = plan_text(row, "workload");
    one.role = plan_text(row, "role");
    one.model = plan_text(row, "model");
    one.revision = plan_text(row, "revision");
    one.verdict = row.verdict;
    one.device = entry_of(catalogue, row.device, false);
    one.card = entry_of(catalogue, row.model, true);
    for (const std::string_view name : kFigures) {
      for (const provenance::NamedFigure& figure : row.results) {
        if (figure.name != name || !answer.graph.known(figure.figure)) continue;
        one.figures.emplace_back(figure.name, answer.graph.value(figure.figure).to_string());
      }
    }
    locked.push_back(std::move(one));
  }
  return locked;
}

base::Result<std::vector<LockedWorkload>> read_lock(std::string_view text,
                                                    const std::string& file) {
  ULLAGE_TRY(const document::Document document, document::read_json(text, file));
  if (!is_text(reach(document.root, {"schema"}), "ullage/lock/1")) {
    return base::Diagnostic{.code = base::Code::missing_key,
                            .message = "this is no lock file",
                            .span = {file, 1, 1},
                            .hint = "`ullage lock PLAN…` writes one",
                            .notes = {}};
  }
  std::vector<LockedWorkload> locked;
  ULLAGE_TRY(const Value* const list, member(document, document.root, "workloads", "workloads"));
  ULLAGE_CHECK(expect(document, *list, Type::array, "workloads"));
  for (const Value& item : list->items) {
    ULLAGE_CHECK(expect(document, item, Type::object, "workloads"));
    LockedWorkload one;
    one.file = text_in(item, "file");
    one.workload = text_in(item, "workload");
    one.role = text_in(item, "role");
    one.model = text_in(item, "model");
    one.revision = text_in(item, "revision");
    one.verdict = text_in(item, "verdict");
    one.device = read_entry(item, "device");
    one.card = read_entry(item, "card");
    if (const Value* figures = reach(item, {"figures"})) {
      for (const document::Member& figure : figures->members)
        one.figures.emplace_back(figure.key, scalar_text(&figure.value).value_or(""));
    }
    locked.push_back(std::move(one));
  }
  return locked;
}

void compare_with_lock(const std::vector<LockedWorkload>& locked, const std::string& lock_file,
                       catalog::Catalogue& catalogue, provenance::Answer& answer,
                       std::optional<std::size_t> only) {
  std::vector<bool> met(locked.size(), false);
  const std::vector<LockedWorkload> present = lock_of(answer, catalogue);
  std::size_t next = 0;
  for (Row& row : answer.rows) {
    if (plan_text(row, "kind").empty()) continue;
    const LockedWorkload& now = present[next++];
    if (only && &row != &answer.rows[*only]) continue;
    bool found = false;
    for (std::size_t i = 0; i < locked.size() && !found; ++i) {
      if (met[i] || !is_same(locked[i], now)) continue;
      met[i] = true;
      found = true;
      compare_one(locked[i], now, lock_file, row);
    }
    if (!found) drift(row, lock_file, "this workload is not locked");
  }
  if (answer.rows.empty() || only) return;
  for (std::size_t i = 0; i < locked.size(); ++i) {
    if (met[i]) continue;
    drift(answer.rows.back(), lock_file,
          locked[i].file + (locked[i].workload.empty() ? "" : ", " + locked[i].workload) +
              " is locked and is not there any more");
  }
}

}  // namespace ullage::plan
