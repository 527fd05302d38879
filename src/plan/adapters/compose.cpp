// Compose files.
#include <algorithm>

#include "plan/adapters/adapters.hpp"
#include "plan/adapters/launching.hpp"
#include "plan/adapters/pods.hpp"

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

class ComposeReader {
 public:
  ComposeReader(const Reading& reading, const PlanDocument& document)
      : reading_(reading), document_(document), scope_(reading.scope()) {
    for (auto& [name, value] : variables_beside(reading.set, document.file->path))
      scope_.set(name, value);
  }

  std::vector<Workload> read() {
    const Value* services = reach(document_.document.root, {"services"});
    for (const document::Member& service : services->members) {
      Workload workload = begin_workload(document_, "compose", service.key);
      workload.where = document_.document.span(service);
      read_service(service.value, workload);
      if (is_workload(workload)) found_.push_back(std::move(workload));
    }
    return std::move(found_);
  }

 private:
  void read_service(const Value& service, Workload& workload) {
    const Scope environment = variables(service);
    const std::string image =
        word_of(document_, reach(&service, {"image"}), scope_).value_or(Word{}).text;
    std::vector<Word> words = argument_words(reach(&service, {"entrypoint"}), environment);
    const bool has_entrypoint = !words.empty();
    for (Word& word : argument_words(reach(&service, {"command"}), environment))
      words.push_back(std::move(word));
    Started started = start_words(words, document_.file->source(), environment);
    if (!started.launch && !has_entrypoint) started.launch = launch_of_image(image, words);
    if (started.launch) {
      take_launch(reading_, *started.launch, started.scope, started.here, workload);
      const auto version = version_of_image(image, started.launch->engine);
      if (version) {
        workload.engine_version =
            Word{*version, document_.document.span(*reach(&service, {"image"}))};
      }
    }
    ScalarPlaces places(document_.file->source());
    read_knob_variables(started.scope, image, &places, workload);
    // A server whose flags lie in a variable is started by its image.
    if (!workload.engine && started.launch) {
      workload.engine = Word{started.launch->engine, started.launch->what.where};
    }
    devices(service, workload);
    if (const Value* replicas = reach(&service, {"deploy", "replicas"})) {
      workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
    }
  }

  // `environment` as a list of NAME=value or as a mapping, and files of variables in the set.
  Scope variables(const Value& service) {
    Scope scope = scope_;
    const Value* files = reach(&service, {"env_file"});
    if (files != nullptr) {
      for (const PlanFile& file : reading_.set.files) {
        if (file.format != FileFormat::variables) continue;
        for (auto& [name, value] : variables_beside(reading_.set, file.path))
          scope.set(name, value);
      }
    }
    const Value* environment = reach(&service, {"environment"});
    if (environment == nullptr) return scope;
    for (const document::Member& member : environment->members) {
      if (auto word = word_of(document_, &member.value, scope_)) scope.set(member.key, *word);
    }
    for (const Value& item : environment->items) {
      const auto text = scalar_text(&item);
      const std::size_t equals = text ? text->find('=') : std::string::npos;
      if (equals == std::string::npos) continue;
      scope.set(text->substr(0, equals),
                expand_shell({text->substr(equals + 1), document_.document.span(item)}, scope_));
    }
    return scope;
  }

  std::vector<Word> argument_words(const Value* value, const Scope& scope) {
    std::vector<Word> words;
    if (value == nullptr) return words;
    if (value->type == Type::array) {
      for (const Value& item : value->items) {
        const auto text = scalar_text(&item);
        if (text) words.push_back(expand_shell({*text, document_.document.span(item)}, scope));
      }
      return words;
    }
    const auto text = scalar_text(value);
    if (!text) return words;
    ScalarPlaces places = places_in(document_, *value);
    return shell_words(*text, places, scope);
  }

  // Reserved devices, device files, `gpus`.
  void devices(const Value& service, Workload& workload) {
    const Value* reserved = reach(&service, {"deploy", "resources", "reservations", "devices"});
    if (reserved != nullptr) {
      for (const Value& device : reserved->items) {
        workload.asks_for_devices = true;
        const Value* ids = reach(&device, {"device_ids"});
        const Value* count = reach(&device, {"count"});
        if (ids != nullptr && ids->type == Type::array) {
          counted_ids(*ids, workload);
        } else if (count != nullptr && !is_text(count, "all")) {
          workload.devices = count_of(document_, count, scope_, "devices", workload);
        }
      }
    }
    const Value* gpus = reach(&service, {"gpus"});
    if (gpus != nullptr) {
      workload.asks_for_devices = true;
      if (!is_text(gpus, "all") && gpus->type != Type::array) {
        workload.devices = count_of(document_, gpus, scope_, "devices", workload);
      }
    }
    const Value* files = reach(&service, {"devices"});
    if (files == nullptr) return;
    std::int64_t neuron = 0;
    for (const Value& file : files->items) {
      const auto text = scalar_text(&file);
      if (text && text->starts_with("/dev/neuron")) ++neuron;
    }
    if (neuron == 0) return;
    workload.asks_for_devices = true;
    workload.devices = Number{exact::Rational{neuron}, document_.document.span(*files)};
    workload.selectors.push_back({"resource", {"/dev/neuron", document_.document.span(*files)}});
  }

  void counted_ids(const Value& ids, Workload& workload) {
    std::int64_t number = 0;
    for (const Value& id : ids.items) {
      const auto word = word_of(document_, &id, scope_);
      if (!word || !word->resolved()) {
        workload.unresolved.push_back({"devices",
                                       word ? word->missing.front() : std::string("device_ids"),
                                       document_.document.span(id)});
        return;
      }
      // One item may list several: "0,1".
      number += 1 + std::count(word->text.begin(), word->text.end(), ',');
    }
    workload.devices = Number{exact::Rational{number}, document_.document.span(ids)};
  }

  const Reading& reading_;
  const PlanDocument& document_;
  Scope scope_;
  std::vector<Workload> found_;
};

}  // namespace

bool takes_compose(const PlanDocument& document) {
  const Value* services = reach(document.document.root, {"services"});
  if (services == nullptr || services->type != Type::object) return false;
  return std::any_of(
      services->members.begin(), services->members.end(), [](const document::Member& service) {
        return service.value.find("image") != nullptr || service.value.find("build") != nullptr ||
               service.value.find("command") != nullptr;
      });
}

std::vector<Workload> read_compose(const Reading& reading, const PlanDocument& document) {
  return ComposeReader(reading, document).read();
}

}  // namespace ullage::plan
