// Reads the table of device labels (docs/data-format.md, Device labels).
#include "catalog/device_labels.hpp"

#include <array>
#include <set>

#include "base/spelling.hpp"
#include "catalog/fields.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using document::Value;

struct Kind {
  std::string_view key;
  LabelMeaning meaning;
};
constexpr std::array kKinds{
    Kind{"values", LabelMeaning::device}, Kind{"likely", LabelMeaning::likely},
    Kind{"several", LabelMeaning::several}, Kind{"never", LabelMeaning::never}};

}  // namespace

base::Result<DeviceLabels> DeviceLabels::load(const document::Document& document) {
  std::vector<base::Diagnostic> faults;
  DeviceLabels table;
  Fields file(document, document.root, "", faults);
  file.allow_only({"schema", "labels"});
  const Value* list = file.find("labels");
  if (list == nullptr || list->type != document::Type::object) {
    file.fault(Code::missing_key, "labels is missing", list, "a mapping of names to groups");
    return faults.front();
  }
  for (const document::Member& member : list->members) {
    Fields fields(document, member.value, "labels." + member.key, faults);
    fields.allow_only({"keys", "source", "locator", "values", "likely", "several", "never"});
    const std::vector<std::string> keys = fields.text_list("keys");
    DeviceLabel label;
    label.source = fields.required_text("source");
    label.locator = fields.required_text("locator");
    for (const Kind& kind : kKinds) {
      const Value* values = fields.find(kind.key);
      if (values == nullptr) continue;
      const bool is_device =
          kind.meaning == LabelMeaning::device || kind.meaning == LabelMeaning::likely;
      for (const document::Member& value : values->members) {
        label.meaning = kind.meaning;
        label.device = is_device ? value.value.text : std::string();
        label.text = is_device ? std::string() : value.value.text;
        for (const std::string& key : keys) {
          if (table.by_key_[key].emplace(value.key, label).second) continue;
          fields.fault(Code::duplicate_key,
                       "the value " + base::printable(value.key) + " of " + key + " stands twice",
                       &value.value);
        }
      }
    }
  }
  if (!faults.empty()) return faults.front();
  return table;
}

bool DeviceLabels::knows(std::string_view key) const {
  return by_key_.find(key) != by_key_.end();
}

const DeviceLabel* DeviceLabels::find(std::string_view key, std::string_view value) const {
  const auto values = by_key_.find(key);
  if (values == by_key_.end()) return nullptr;
  const auto exact = values->second.find(value);
  if (exact != values->second.end()) return &exact->second;
  const std::string folded = base::lower(value);
  for (const auto& [known, label] : values->second) {
    if (base::lower(known) == folded) return &label;
  }
  return nullptr;
}

std::vector<std::string_view> DeviceLabels::values(std::string_view key) const {
  std::vector<std::string_view> found;
  const auto values = by_key_.find(key);
  if (values == by_key_.end()) return found;
  for (const auto& [value, label] : values->second) {
    if (label.meaning != LabelMeaning::never) found.push_back(value);
  }
  return found;
}

std::vector<std::string> DeviceLabels::devices() const {
  std::set<std::string> ids;
  for (const auto& [key, values] : by_key_) {
    for (const auto& [value, label] : values) {
      if (!label.device.empty()) ids.insert(label.device);
    }
  }
  return {ids.begin(), ids.end()};
}

}  // namespace ullage::catalog
