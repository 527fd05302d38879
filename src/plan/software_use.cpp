// Holds a use against support and lists.
#include "plan/software_use.hpp"

#include <algorithm>

#include "catalog/software.hpp"

namespace ullage::plan {
namespace {

using base::Note;
using base::Severity;
using catalog::ListFact;
using catalog::Software;

std::string joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values)
    text += (text.empty() ? "" : ", ") + value;
  return text;
}

Note note_of(const std::string& text, const std::string& source, const std::string& locator) {
  return {"software-unsupported", Severity::error, text, source, locator};
}

// `fp8-block` is a layout of `fp8`, which is what a list names.
bool lists_format(const ListFact& list, const std::string& format) {
  return std::any_of(list.values.begin(), list.values.end(), [&](const std::string& value) {
    return format == value || format.starts_with(value + "-");
  });
}

class Judge {
 public:
  Judge(const Software& stack, const catalog::Entry& device, const SoftwareUse& use)
      : stack_(stack), subject_(stack.name + " on " + device.id), use_(use) {}

  std::vector<Note> notes() {
    if (catalog::support_of(stack_, use_.version) == catalog::Support::unsupported) {
      refuse_version();
      return std::move(notes_);
    }
    const std::string lnc = use_.logical_core ? std::to_string(*use_.logical_core) : std::string();
    if (use_.logical_core) number("logical_core_settings", "LNC", *use_.logical_core, "");
    if (use_.tensor_parallel) {
      number("tensor_parallel_degrees", "tensor-parallel degree", *use_.tensor_parallel, lnc);
    }
    format("weight_formats", "weights in", use_.weight_format);
    format("kv_formats", "a KV cache in", use_.kv_format);
    return std::move(notes_);
  }

 private:
  void refuse_version() {
    std::string text = subject_ + " is not supported";
    if (!stack_.until.empty()) {
      text += " after " + stack_.counts + " " + stack_.until;
      text += use_.version.empty() ? "; name the version that is used" : "";
    }
    notes_.push_back(note_of(text, stack_.support.source, stack_.support.locator));
  }

  void number(std::string_view name, const std::string& what, std::int64_t value,
              const std::string& lnc) {
    const ListFact* list = catalog::list_of(stack_, name, lnc.empty() ? "" : "lnc", lnc);
    if (list == nullptr || list->values.empty()) return;
    const std::vector<std::int64_t> known = catalog::numbers_of(*list);
    if (std::find(known.begin(), known.end(), value) != known.end()) return;
    notes_.push_back(note_of(subject_ + ": " + what + " " + std::to_string(value) + " is none of " +
                                 joined(list->values),
                             list->source, list->locator));
  }

  void format(std::string_view name, const std::string& what, const std::string& value) {
    const ListFact* list = catalog::list_of(stack_, name);
    if (value.empty() || list == nullptr || list->values.empty()) return;
    if (lists_format(*list, value)) return;
    notes_.push_back(
        note_of(subject_ + ": " + what + " " + value + " is none of " + joined(list->values),
                list->source, list->locator));
  }

  const Software& stack_;
  std::string subject_;
  const SoftwareUse& use_;
  std::vector<Note> notes_;
};

}  // namespace

std::vector<Note> ruled_out(catalog::Catalogue& catalogue, const catalog::Entry& device,
                            const SoftwareUse& use) {
  std::vector<Note> first;
  const std::vector<Software>& software = catalogue.software(device);
  for (const Software* stack : catalog::stacks_of(software, use.engine)) {
    std::vector<Note> notes = Judge(*stack, device, use).notes();
    if (notes.empty()) return notes;
    if (first.empty()) first = std::move(notes);
  }
  return first;
}

}  // namespace ullage::plan
