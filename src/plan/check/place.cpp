// Resolves labels, instance types and partitions.
#include "plan/check/place.hpp"

#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "catalog/figures.hpp"
#include "memory/formulas.hpp"

namespace ullage::plan {
namespace {

using base::Severity;
using catalog::DeviceLabel;
using catalog::Entry;
using catalog::EntryKind;
using catalog::LabelMeaning;
using exact::Rational;
using units::Bytes;

constexpr std::string_view kInstance = "node.kubernetes.io/instance-type";
constexpr std::string_view kBetaInstance = "beta.kubernetes.io/instance-type";
constexpr std::string_view kProduct = "nvidia.com/gpu.product";

bool is_instance_key(std::string_view key) {
  return key == kInstance || key == kBetaInstance;
}

// SageMaker HyperPod writes `ml.p5.48xlarge`.
std::string instance_name(const std::string& value) {
  return value.starts_with("ml.") ? value.substr(3) : value;
}

// What one selector says.
struct Meaning {
  const Entry* chip = nullptr;
  std::optional<Rational> chips;   // of an instance
  std::optional<Rational> memory;  // of a partition, or the least that is asked for
  bool at_least = false;
  std::string remark;
  std::optional<std::string> never;  // the value that is meant
  std::string unknown;
};

const Entry* entry_of(catalog::Catalogue& catalogue, const std::string& id) {
  auto found = catalogue.hardware(id);
  return found ? *found : nullptr;
}

std::optional<Rational> chips_of(const Entry& entry) {
  const catalog::FigureFact* chips = entry.figure("chips");
  if (chips == nullptr || !chips->known()) return std::nullopt;
  return chips->claims.front().quantity.value;
}

Meaning instance_meaning(catalog::Catalogue& catalogue, const std::string& value) {
  Meaning meaning;
  const std::string name = instance_name(value);
  if (const DeviceLabel* label = catalogue.labels().find(kInstance, name)) {
    meaning.chip = entry_of(catalogue, label->device);
    return meaning;
  }
  const Entry* entry = entry_of(catalogue, name);
  if (entry == nullptr || entry->kind == EntryKind::chip) {
    meaning.unknown = "the instance type " + base::printable(value) + " is not in the catalogue";
    return meaning;
  }
  meaning.chip = entry_of(catalogue, entry->chip);
  meaning.chips = chips_of(*entry);
  return meaning;
}

// `3g.40gb`, `1g.10gb+me`: the profile's name states its memory.
std::optional<Rational> profile_memory(std::string_view profile) {
  const std::size_t dot = profile.find('.');
  const std::size_t end = profile.find("gb", dot == std::string_view::npos ? 0 : dot);
  if (dot == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  const auto number = Rational::parse(profile.substr(dot + 1, end - dot - 1));
  if (!number || number->sign() <= 0) return std::nullopt;
  return *number * exact::power_of_ten(9);
}

// `40Gi`, `80G` of Kubernetes.
std::optional<Rational> quantity_of(std::string_view text) {
  struct Suffix {
    std::string_view text;
    Rational scale;
  };
  const std::array suffixes{
      Suffix{"Ti", exact::power_of_two(40)}, Suffix{"Gi", exact::power_of_two(30)},
      Suffix{"Mi", exact::power_of_two(20)}, Suffix{"T", exact::power_of_ten(12)},
      Suffix{"G", exact::power_of_ten(9)},   Suffix{"M", exact::power_of_ten(6)}};
  for (const Suffix& suffix : suffixes) {
    if (!text.ends_with(suffix.text)) continue;
    const auto number = Rational::parse(text.substr(0, text.size() - suffix.text.size()));
    if (!number) return std::nullopt;
    return *number * suffix.scale;
  }
  return std::nullopt;
}

Meaning label_meaning(catalog::Catalogue& catalogue, const Selector& selector) {
  Meaning meaning;
  std::string value = selector.value.text;
  if (selector.key == kProduct) {
    if (value.ends_with("-SHARED")) {
      value.erase(value.size() - 7);
      meaning.remark = "the device is shared by several pods (" + selector.value.text +
                       "): its memory is counted as if this pod had all of it";
    }
    const std::size_t mig = value.find("-MIG-");
    if (mig != std::string::npos) {
      meaning.memory = profile_memory(std::string_view(value).substr(mig + 5));
      value.erase(mig);
    }
  }
  const DeviceLabel* label = catalogue.labels().find(selector.key, value);
  if (label == nullptr && selector.key == "skypilot.accelerator") {
    // SkyPilot does not distinguish capitals in the names of accelerators.
    for (const std::string_view known : catalogue.labels().values(selector.key)) {
      if (base::lower(known) == base::lower(value)) {
        label = catalogue.labels().find(selector.key, known);
      }
    }
  }
  if (label == nullptr) {
    meaning.unknown =
        "the value " + base::printable(value) + " of " + selector.key + " is none that is known";
    const auto known = catalogue.labels().values(selector.key);
    const auto close = base::nearest(value, known, 3);
    if (!close.empty()) meaning.unknown += "; " + base::did_you_mean(close);
    return meaning;
  }
  switch (label->meaning) {
    case LabelMeaning::device:
      meaning.chip = entry_of(catalogue, label->device);
      break;
    case LabelMeaning::likely:
      meaning.chip = entry_of(catalogue, label->device);
      meaning.remark = base::printable(value) +
                       " names several devices; the usual one is taken: " + label->device;
      break;
    case LabelMeaning::several:
      meaning.unknown = base::printable(value) + " names several devices: " + label->text;
      break;
    case LabelMeaning::never:
      meaning.never = label->text;
      break;
  }
  return meaning;
}

// What a selector says of the device, or nothing where its key is about something else. `own` are
// the labels that a project maps itself.
using OwnLabels = std::map<std::string, std::string, std::less<>>;
std::optional<Meaning> meaning_of(catalog::Catalogue& catalogue, const Selector& selector,
                                  const OwnLabels& own) {
  if (const auto mapped = own.find(selector.key + "=" + selector.value.text); mapped != own.end()) {
    Meaning meaning;
    const Entry* entry = entry_of(catalogue, mapped->second);
    if (entry == nullptr) {
      meaning.unknown = "the configuration maps " + mapped->first + " to " +
                        base::printable(mapped->second) + ", which is not in the catalogue";
    } else if (entry->kind == EntryKind::chip) {
      meaning.chip = entry;
    } else {
      meaning.chip = entry_of(catalogue, entry->chip);
      meaning.chips = chips_of(*entry);
    }
    return meaning;
  }
  if (!selector.value.resolved()) {
    const bool matters = is_instance_key(selector.key) || catalogue.labels().knows(selector.key);
    if (!matters) return std::nullopt;
    Meaning meaning;
    meaning.unknown = selector.key + " is left to " + selector.value.missing.front();
    return meaning;
  }
  if (is_instance_key(selector.key)) return instance_meaning(catalogue, selector.value.text);
  if (catalogue.labels().knows(selector.key)) return label_meaning(catalogue, selector);
  if (selector.key == "resource" && selector.value.text.starts_with("nvidia.com/mig-")) {
    Meaning meaning;
    meaning.memory = profile_memory(std::string_view(selector.value.text).substr(15));
    meaning.remark = "the partition " + selector.value.text.substr(15) +
                     " is counted with the memory that its name states; what it really has is a "
                     "little less";
    return meaning;
  }
  if (selector.key == "cel.memory") {
    Meaning meaning;
    meaning.memory = quantity_of(selector.value.text);
    meaning.at_least = true;
    meaning.remark =
        "any device with at least " + selector.value.text + " may be chosen: that much is counted";
    return meaning;
  }
  return std::nullopt;
}

// Whether the resource that is asked for belongs to another vendor than the chip: a stale selector.
bool is_neuron_chip(const Entry& chip) {
  return chip.figure("logical_cores") != nullptr || chip.id.starts_with("inferentia") ||
         chip.id.starts_with("trainium");
}

// The number of a figure of the chip.
std::optional<Rational> number_of(const Entry& chip, std::string_view name) {
  const catalog::FigureFact* fact = chip.figure(name);
  if (fact == nullptr || !fact->known()) return std::nullopt;
  return fact->claims.front().quantity.value;
}

// Ranks that one chip gives: logical cores of a Neuron chip, the two chiplets of a TPU7x, which JAX
// and vLLM each see as a device (cloud.google.com/tpu/docs/tpu7x, Dual-chiplet architecture).
void find_ranks(Subject& subject) {
  Place& place = subject.place;
  place.ranks = Rational{1};
  if (place.chip == nullptr) {
    const bool may_differ = std::any_of(
        subject.workload.selectors.begin(), subject.workload.selectors.end(),
        [](const Selector& selector) {
          return selector.key == "resource" &&
                 (selector.value.text.starts_with("aws.amazon.com/") ||
                  selector.value.text == "/dev/neuron" || selector.value.text == "google.com/tpu");
        });
    place.ranks_known = !may_differ && !subject.workload.cores;
    return;
  }
  place.is_neuron = is_neuron_chip(*place.chip);
  if (place.is_neuron) {
    const auto cores = number_of(*place.chip, "cores");
    const auto logical = number_of(*place.chip, "logical_cores");
    const bool groups = cores && logical && *cores != *logical;
    if (subject.workload.lnc && cores && groups && subject.workload.lnc->value.sign() > 0) {
      place.ranks = *cores / subject.workload.lnc->value;
    } else if (logical) {
      place.ranks = *logical;
    } else if (cores) {
      place.ranks = *cores;
    } else {
      place.ranks_known = false;
    }
  } else if (place.chip->id == "google-tpu-v7x") {
    place.ranks = Rational{2};
  }
}

void set_capacity(Subject& subject, const CapacityChoice& choice, const std::string& name) {
  auto device = open_device(subject.graph, subject.catalogue, name, choice);
  if (!device) {
    subject.place.unknown = device.error().message;
    return;
  }
  subject.place.notes.insert(subject.place.notes.end(), device->notes.begin(), device->notes.end());
  if (auto capacity = subject.graph.narrow<units::Capacity>(device->capacity)) {
    const provenance::FigureId id = capacity->id();
    const Rational value = subject.graph.known(id) ? subject.graph.value(id) : Rational{0};
    subject.add("device_capacity", id);
    subject.place.capacity =
        subject.graph.derived<Bytes>("memory of one device", "device capacity", "", {id}, value);
  }
}

// --on, or `hardware.on` of a native plan: a name of the catalogue.
base::Result<void> named_place(Subject& subject, const std::string& name, const base::Span& where,
                               const CapacityChoice& capacity) {
  auto entry = subject.catalogue.hardware(name);
  if (!entry) {
    base::Diagnostic fault = std::move(entry).error();
    if (fault.span.file.empty()) fault.span = where;
    return fault;
  }
  const Entry* chip = *entry;
  if (chip->kind != EntryKind::chip) {
    subject.place.chips_of_instance = chips_of(**entry);
    ULLAGE_TRY(chip, subject.catalogue.hardware((*entry)->chip));
  }
  subject.place.chip = chip;
  subject.place.stated = Word{name, where};
  set_capacity(subject, capacity, name);
  return {};
}

CapacityChoice native_capacity(const Subject& subject) {
  CapacityChoice choice = subject.choice.capacity;
  if (!subject.workload.native || choice.basis != CapacityBasis::nominal) return choice;
  const Word& stated = subject.workload.native->capacity;
  if (stated.text == "visible") choice.basis = CapacityBasis::visible;
  if (stated.text.empty() || stated.text == "nominal" || stated.text == "visible") return choice;
  if (const auto size = units::parse_size(stated.text)) {
    choice = {CapacityBasis::given, *size, text_of(stated.where)};
  }
  return choice;
}

// The first selector that settles the device; what others say is remembered as a remark.
void stated_place(Subject& subject) {
  Place& place = subject.place;
  std::optional<Meaning> partition;
  Word partition_text;
  for (const Selector& selector : subject.workload.selectors) {
    auto meaning = meaning_of(subject.catalogue, selector, subject.choice.devices_by_label);
    if (!meaning) continue;
    if (meaning->never) {
      place.unmatched =
          Remark{"device-label-unmatched", Severity::warning,
                 "no node carries " + selector.key + "=" + base::printable(selector.value.text) +
                     "; the label that is meant reads " + *meaning->never,
                 selector.value.where};
      continue;
    }
    if (!meaning->unknown.empty()) {
      place.unknown = meaning->unknown;
      place.unknown_where = selector.value.where;
      continue;
    }
    if (!meaning->remark.empty()) {
      subject.note("device-read-as", Severity::note, meaning->remark, selector.value.where);
    }
    if (meaning->memory) {
      partition = meaning;
      partition_text = selector.value;
    }
    if (meaning->chip == nullptr || place.chip != nullptr) continue;
    place.chip = meaning->chip;
    place.chips_of_instance = meaning->chips;
    place.stated = selector.value;
  }
  if (partition) {
    place.capacity = subject.graph.given<Bytes>(
        partition->at_least ? "least memory of a device" : "memory of the partition",
        *partition->memory, {text_of(partition_text.where), partition_text.text});
    subject.add("device_capacity", place.capacity->id());
    if (place.stated.text.empty()) place.stated = partition_text;
    return;
  }
  if (place.chip != nullptr) set_capacity(subject, subject.choice.capacity, place.chip->id);
}

}  // namespace

std::vector<Workload> alternatives_of(const Workload& workload, catalog::Catalogue& catalogue) {
  for (const Selector& selector : workload.selectors) {
    const bool names_devices =
        is_instance_key(selector.key) || catalogue.labels().knows(selector.key);
    if (!names_devices) continue;
    std::vector<Selector> values;
    std::vector<const Entry*> chips;
    for (const Selector& other : workload.selectors) {
      if (other.key != selector.key) continue;
      const auto meaning = meaning_of(catalogue, other, {});
      const Entry* chip = meaning ? meaning->chip : nullptr;
      // Machines with the same chip are one alternative.
      if (chip != nullptr && std::find(chips.begin(), chips.end(), chip) != chips.end()) continue;
      chips.push_back(chip);
      values.push_back(other);
    }
    if (values.size() < 2) continue;
    std::vector<Workload> rows;
    for (const Selector& value : values) {
      Workload one = workload;
      std::erase_if(one.selectors,
                    [&](const Selector& other) { return other.key == selector.key; });
      one.selectors.push_back(value);
      rows.push_back(std::move(one));
    }
    return rows;
  }
  return {workload};
}

base::Result<void> find_place(Subject& subject) {
  const CheckChoice& choice = subject.choice;
  stated_place(subject);
  const Word stated = subject.place.stated;
  if (choice.on) {
    const bool replaced = subject.place.chip != nullptr || subject.place.capacity;
    const std::optional<Remark> unmatched = subject.place.unmatched;
    const catalog::Entry* before = subject.place.chip;
    subject.place = {};
    subject.place.unmatched = unmatched;
    subject.row.results.clear();
    ULLAGE_CHECK(named_place(subject, *choice.on, {}, choice.capacity));
    if (replaced && before != subject.place.chip) {
      subject.note("device-overridden", Severity::note,
                   "--on " + *choice.on + " stands in for the device of the file, " +
                       base::printable(stated.text),
                   stated.where);
    }
  } else if (subject.is_native()) {
    for (const Selector& selector : subject.workload.selectors) {
      if (selector.key != "ullage.hardware") continue;
      ULLAGE_CHECK(named_place(subject, selector.value.text, selector.value.where,
                               native_capacity(subject)));
    }
  }
  find_ranks(subject);
  return {};
}

}  // namespace ullage::plan
