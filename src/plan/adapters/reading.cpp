// Asks the adapters, and looks things up in the set.
#include "plan/adapters/reading.hpp"

#include "base/spelling.hpp"
#include "document/read.hpp"
#include "plan/files/native.hpp"

namespace ullage::plan {

using document::Type;
using document::Value;

namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::vector<Workload> read_workloads(const Reading& reading) {
  std::vector<Workload> found;
  for (const PlanDocument& document : reading.set.documents) {
    if (!document.file->asked || is_native_plan(document)) continue;
    for (const Adapter& adapter : adapters()) {
      if (!adapter.takes(document)) continue;
      for (Workload& workload : adapter.read(reading, document)) {
        if (is_workload(workload)) found.push_back(std::move(workload));
      }
      break;
    }
  }
  return found;
}

Workload begin_workload(const PlanDocument& document, std::string_view kind, std::string name) {
  Workload workload;
  workload.file = document.file->path;
  workload.kind = kind;
  workload.name = std::move(name);
  workload.where = document.document.span(document.document.root);
  if (workload.where.line == 0) workload.where = {document.file->path, 1, 1};
  return workload;
}

std::optional<HeldText> held_text(const Reading& reading, std::string_view path) {
  const std::string_view name = base_name(path);
  for (const PlanDocument& document : reading.set.documents) {
    if (is_text(reach(document.document.root, {"kind"}), "ConfigMap")) {
      const Value* data = reach(document.document.root, {"data"});
      const Value* text = reach(data, {name});
      if (text != nullptr) return HeldText{&document, text};
    }
  }
  for (const PlanDocument& document : reading.set.documents) {
    if (base_name(document.file->path) == name) return HeldText{&document, nullptr};
  }
  return std::nullopt;
}

std::optional<document::Document> held_tree(const Reading& reading, std::string_view path) {
  const auto held = held_text(reading, path);
  if (!held) return std::nullopt;
  if (held->scalar == nullptr) return held->document->document;
  return inner_yaml(*held->document, *held->scalar);
}

const PlanDocument* find_object(const Reading& reading, std::string_view kind,
                                std::string_view name) {
  for (const PlanDocument& document : reading.set.documents) {
    const Value& root = document.document.root;
    if (is_text(reach(root, {"kind"}), kind) && is_text(reach(root, {"metadata", "name"}), name)) {
      return &document;
    }
  }
  return nullptr;
}

void put_tree(Dialect dialect, const PlanDocument& document, const Value& mapping,
              const Scope& scope, Settings& settings) {
  if (mapping.type != Type::object) return;
  Settings read;
  for (const document::Member& member : mapping.members) {
    if (auto word = word_of(document, &member.value, scope)) {
      put_key(dialect, member.key, *word, read);
      continue;
    }
    // JSON that is written as a mapping instead of a text.
    if (member.value.type != Type::object) continue;
    if (dialect == Dialect::vllm && base::lower(member.key).starts_with("speculative")) {
      if (auto draft = word_of(document, reach(&member.value, {"model"}), scope)) {
        read.put(Knob::draft_model, *draft);
      }
    }
    if (dialect == Dialect::trtllm && member.key == "kv_cache_config") {
      if (auto word = word_of(document, reach(&member.value, {"dtype"}), scope)) {
        read.put(Knob::kv_dtype, *word);
      }
      for (const char* key : {"free_gpu_memory_fraction", "tokens_per_block"}) {
        if (auto word = word_of(document, reach(&member.value, {key}), scope)) {
          put_key(dialect, key, *word, read);
        }
      }
    }
    if (dialect == Dialect::trtllm && member.key == "llm_api_args") {
      put_tree(dialect, document, member.value, scope, read);
    }
  }
  settings.fill_from(read);
}

void follow_config_file(const Reading& reading, const Launch& launch, const Scope& scope,
                        const std::vector<ShellCommand>& here, Settings& settings) {
  const Word* path = settings.find(Knob::config_file);
  if (path == nullptr || !path->resolved()) return;
  const std::string_view name = base_name(path->text);
  for (const ShellCommand& file : here) {
    if (!file.writes || base_name(file.writes->text) != name) continue;
    auto read = document::read_yaml_documents(file.here->text, file.here->where.file);
    if (read.empty() || !read.front()) continue;
    PlanFile shown{file.here->where.file, {}, FileFormat::yaml, true};
    const PlanDocument inner{&shown, std::move(*read.front())};
    put_tree(launch.dialect, inner, inner.document.root, scope, settings);
    return;
  }
  auto tree = held_tree(reading, path->text);
  if (!tree) {
    settings.remarks.push_back(
        {"file-not-given", base::Severity::note,
         "the program also reads " + path->text + ", which is in none of the files given",
         path->where});
    return;
  }
  const auto held = held_text(reading, path->text);
  const PlanDocument inner{held->document->file, std::move(*tree)};
  put_tree(launch.dialect, inner, inner.document.root, scope, settings);
}

}  // namespace ullage::plan
