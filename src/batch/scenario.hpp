// From the fields of a line to flags of a command, and the command's own reading of them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "batch/record.hpp"
#include "plan/fit.hpp"
#include "plan/kv.hpp"
#include "provenance/answer.hpp"

namespace ullage::batch {

// A flag and the field that gives it.
struct FlagWord {
  std::string_view flag;  // without dashes; `model` is the operand
  const Field* field = nullptr;
};

// What a batch needs of the commands. One object a thread: it owns a catalogue.
class Commands {
 public:
  virtual ~Commands() = default;
  // The flags that the command takes, without dashes, and `model`. Error usage for a command that
  // is none of a batch, with suggestions.
  virtual base::Result<std::vector<std::string>> flags_of(std::string_view command) = 0;
  // The answer of the command to these flags: what the program prints for the same words.
  virtual base::Result<provenance::Answer> answer(std::string_view command,
                                                  const std::vector<FlagWord>& flags) = 0;
  // The question of `fit`, read as the command reads it.
  virtual base::Result<plan::FitRequest> fit_request(const std::vector<FlagWord>& flags) = 0;
  // That of `kv`, likewise.
  virtual base::Result<plan::KvRequest> kv_request(const std::vector<FlagWord>& flags) = 0;
  virtual catalog::Catalogue& catalogue() = 0;
  virtual const base::FileSystem& files() = 0;
};

// Flags of `fit` that the plain way knows.
enum class Slot : std::uint8_t {
  model,
  on,
  assume,
  weights,
  bits,
  capacity,
  reserve,
  kv_dtype,
  working_memory,
  devices,
  context,
  concurrency,
  none,
};
inline constexpr std::size_t kSlots = static_cast<std::size_t>(Slot::none);

struct Scenario {
  std::string_view command;
  std::vector<FlagWord> flags;
  std::array<const Field*, kSlots> slots{};  // null where the line does not give it
  bool only_slots = true;                    // whether every flag has a slot

  const Field* operator[](Slot slot) const { return slots[static_cast<std::size_t>(slot)]; }
};

// Tells flags from columns that pass through. A key is a flag where it is one of the command's, `_`
// and `-` alike; a key that looks like a misspelt flag, or like a flag of the whole batch, is a
// fault; every other one passes through.
class Keys {
 public:
  explicit Keys(Commands& commands) : commands_(commands) {}

  // Errors stand at line 1 and the key's column of `line`.
  base::Result<void> read(std::string_view line, const Record& record, Scenario& scenario);

  // Keys that passed through and are short enough to be a misspelt flag all the same.
  const std::vector<std::string>& passed() const { return passed_; }

 private:
  struct Use {
    enum class Kind : std::uint8_t { flag, passes, command, fault };
    Kind kind = Kind::passes;
    Slot slot = Slot::none;
    std::string flag;
    std::string message;
    std::string hint;
  };
  struct OfCommand {
    std::vector<std::string> flags;
    std::unordered_map<std::string, Use> uses;
    std::vector<const std::pair<const std::string, Use>*> places;  // by position of the last line
  };

  base::Result<OfCommand*> of_command(std::string_view line, const Field* field,
                                      std::string_view command);
  const Use& use_of(OfCommand& command, std::string_view key, std::size_t place);
  Use classify(const OfCommand& command, std::string_view key);

  Commands& commands_;
  std::map<std::string, OfCommand, std::less<>> known_;
  OfCommand* last_ = nullptr;
  std::string_view last_name_;
  std::vector<std::string> passed_;
};

// The place of a fault of a command: that of the field whose flag or text the message names, else
// the line's start.
base::Diagnostic placed(base::Diagnostic fault, std::string_view line, const Scenario& scenario);

}  // namespace ullage::batch
