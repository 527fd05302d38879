// Classifies keys once per command and key.
#include "batch/scenario.hpp"

#include <algorithm>

#include "base/spelling.hpp"

namespace ullage::batch {
namespace {

using base::Code;
using base::Diagnostic;

constexpr std::array<std::string_view, kSlots> kSlotFlags{
    "model",   "on",       "assume",         "weights", "bits",    "capacity",
    "reserve", "kv-dtype", "working-memory", "devices", "context", "concurrency"};

constexpr std::array<std::string_view, 6> kOfTheBatch{"output",      "explain", "catalogue",
                                                      "output-file", "color",   "quiet"};

Slot slot_of(std::string_view flag) {
  const auto* const found = std::find(kSlotFlags.begin(), kSlotFlags.end(), flag);
  return static_cast<Slot>(found - kSlotFlags.begin());
}

std::string with_dashes(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

Diagnostic at(std::string_view line, std::size_t offset, Code code, std::string message,
              std::string hint) {
  return {.code = code,
          .message = std::move(message),
          .span = {"", 1, column_at(line, offset)},
          .hint = std::move(hint),
          .notes = {}};
}

bool has(const Scenario& scenario, std::string_view flag) {
  return std::any_of(scenario.flags.begin(), scenario.flags.end(),
                     [&](const FlagWord& word) { return word.flag == flag; });
}

}  // namespace

base::Result<Keys::OfCommand*> Keys::of_command(std::string_view line, const Field* field,
                                                std::string_view command) {
  if (last_ != nullptr && last_name_ == command) return last_;
  auto found = known_.find(command);
  if (found == known_.end()) {
    auto flags = commands_.flags_of(command);
    if (!flags) {
      Diagnostic fault = std::move(flags).error();
      fault.span = {"", 1, column_at(line, field == nullptr ? 0 : field->offset)};
      return fault;
    }
    found = known_.emplace(std::string(command), OfCommand{std::move(*flags), {}, {}}).first;
  }
  last_ = &found->second;
  last_name_ = found->first;
  return last_;
}

Keys::Use Keys::classify(const OfCommand& command, std::string_view key) {
  const std::string name = with_dashes(key);
  Use use;
  if (name == "command") {
    use.kind = Use::Kind::command;
    return use;
  }
  if (std::find(command.flags.begin(), command.flags.end(), name) != command.flags.end()) {
    use.kind = Use::Kind::flag;
    use.flag = name;
    use.slot = slot_of(name);
    return use;
  }
  use.message = "the key " + base::printable(key) + " is no flag of " + std::string(last_name_);
  if (std::find(kOfTheBatch.begin(), kOfTheBatch.end(), name) != kOfTheBatch.end()) {
    use.kind = Use::Kind::fault;
    use.hint = "it is one of the whole batch: ullage batch --" + name;
    return use;
  }
  // Rows of a batch may be scenarios again: `device` is one of their columns.
  if (name == "device") return use;
  const std::size_t limit = name.size() < 4 ? 0 : name.size() < 6 ? 1 : 2;
  std::vector<std::string_view> near;
  for (const std::string& flag : command.flags) {
    if (base::edit_distance(name, flag, limit) <= limit) near.push_back(flag);
  }
  if (!near.empty()) {
    use.kind = Use::Kind::fault;
    use.hint = base::did_you_mean({near.begin(), near.end()}) +
               " A column of your own needs a name that is further from it";
    return use;
  }
  const bool close = std::any_of(command.flags.begin(), command.flags.end(), [&](const auto& flag) {
    return base::edit_distance(name, flag, 1) <= 1;
  });
  if (close && passed_.size() < 100) passed_.emplace_back(key);
  return use;
}

const Keys::Use& Keys::use_of(OfCommand& command, std::string_view key, std::size_t place) {
  if (place < command.places.size() && command.places[place]->first == key) {
    return command.places[place]->second;
  }
  auto found = command.uses.find(std::string(key));
  if (found == command.uses.end()) {
    found = command.uses.emplace(std::string(key), classify(command, key)).first;
  }
  if (place <= command.places.size() && place < 256) {
    if (place == command.places.size()) command.places.push_back(nullptr);
    command.places[place] = &*found;
  }
  return found->second;
}

base::Result<void> Keys::read(std::string_view line, const Record& record, Scenario& scenario) {
  scenario.flags.clear();
  scenario.slots.fill(nullptr);
  scenario.only_slots = true;
  const Field* const named = record.find("command");
  const bool given = named != nullptr && named->type != FieldType::nothing;
  ULLAGE_TRY(OfCommand* const command, of_command(line, named, given ? named->text : "fit"));
  scenario.command = last_name_;
  // Keys are few; hostile lines may make them many.
  if (command->uses.size() > 4096) {
    command->uses.clear();
    command->places.clear();
  }
  for (std::size_t i = 0; i < record.fields.size(); ++i) {
    const Field& field = record.fields[i];
    const Use& use = use_of(*command, field.key, i);
    if (use.kind == Use::Kind::fault) {
      if (field.type == FieldType::nothing) continue;
      return at(line, field.key_offset, Code::unknown_key, use.message, use.hint);
    }
    if (use.kind != Use::Kind::flag || field.type == FieldType::nothing) continue;
    if (field.type == FieldType::nested) {
      return at(line, field.offset, Code::wrong_type,
                base::printable(field.key) + " is no text, number or list of texts", {});
    }
    const bool again =
        use.slot == Slot::none ? has(scenario, use.flag) : scenario[use.slot] != nullptr;
    if (again) {
      return at(line, field.key_offset, Code::duplicate_key, "--" + use.flag + " stands twice", {});
    }
    scenario.flags.push_back({use.flag, &field});
    if (use.slot == Slot::none) {
      scenario.only_slots = false;
    } else {
      scenario.slots[static_cast<std::size_t>(use.slot)] = &field;
    }
  }
  return {};
}

Diagnostic placed(Diagnostic fault, std::string_view line, const Scenario& scenario) {
  std::size_t offset = 0;
  std::size_t named = 0;
  for (const FlagWord& word : scenario.flags) {
    const std::string flag = "--" + std::string(word.flag);
    if (fault.message.starts_with(flag + " ") || fault.message.starts_with(flag + ":")) {
      offset = word.field->offset;
      break;
    }
    // The longest text that the message repeats.
    const std::string_view text = word.field->text;
    if (text.size() > named && fault.message.find(text) != std::string::npos) {
      named = text.size();
      offset = word.field->offset;
    }
  }
  // A fault inside a file that the scenario names keeps its place there.
  if (!fault.span.file.empty()) {
    std::string place = fault.span.file;
    if (fault.span.line > 0) {
      place += ":" + std::to_string(fault.span.line) + ":" + std::to_string(fault.span.column);
    }
    fault.message = place + ": " + fault.message;
  }
  fault.span = {"", 1, column_at(line, offset)};
  return fault;
}

}  // namespace ullage::batch
