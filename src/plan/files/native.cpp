// Reads ullage/plan/1 key by key (docs/schema/plan.schema.json).
#include "plan/files/native.hpp"

#include <algorithm>
#include <array>

#include "base/date.hpp"
#include "base/spelling.hpp"
#include "plan/files/tree.hpp"
#include "units/quantity.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using document::Type;
using document::Value;
using exact::Rational;

constexpr std::string_view kSchema = "ullage/plan/1";

constexpr std::array<std::string_view, 62> kNames{
    "fits",
    "does-not-fit",
    "parameters",
    "active_parameters",
    "trainable_parameters",
    "bits_per_parameter",
    "weights_floor",
    "weights_payload",
    "weights_per_device",
    "weights_loaded_per_device",
    "device_capacity",
    "device_budget",
    "budget_per_device",
    "utilization",
    "working_memory",
    "required_memory",
    "required_memory_per_device",
    "available_memory",
    "headroom",
    "headroom_per_device",
    "devices",
    "devices_min",
    "chips_min",
    "kv_per_token",
    "kv_per_token_per_device",
    "kv_per_sequence",
    "kv_per_sequence_per_device",
    "kv_total",
    "kv_total_per_device",
    "kv_memory",
    "kv_floor_per_sequence",
    "kv_full_per_sequence",
    "state_per_sequence",
    "blocks",
    "block_bytes",
    "block_tokens",
    "pool_bytes",
    "max_tokens",
    "max_concurrency",
    "max_context",
    "gradients_per_device",
    "master_per_device",
    "optimizer_per_device",
    "model_states",
    "model_states_per_device",
    "activations_floor_per_device",
    "activations_upper_per_device",
    "logits_floor_per_device",
    "logits_upper_per_device",
    "gathered_per_device",
    "total_floor_per_device",
    "total_upper_per_device",
    "state_bytes_per_parameter",
    "tp",
    "pp",
    "dp",
    "ep",
    "cp",
    "context",
    "concurrency",
    "sequence",
    "microbatch",
};

class PlanReader {
 public:
  explicit PlanReader(const PlanDocument& document) : tree_(document.document) {
    out_.file = document.file->path;
    out_.kind = "ullage";
    out_.where = tree_.span(tree_.root);
    out_.native.emplace();
    out_.asks_for_devices = true;
  }

  base::Result<Workload> read() {
    const Value& root = tree_.root;
    ULLAGE_CHECK(
        only_keys(tree_, root,
                  {"schema", "name", "model", "weights", "hardware", "layout", "serve", "train",
                   "working_memory", "reserve", "expect", "claims", "lock", "waivers"},
                  ""));
    if (!is_text(root.find("schema"), kSchema)) {
      return fault(*root.find("schema"), Code::usage, "this is no schema of a plan",
                   std::string(kSchema));
    }
    ULLAGE_TRY(const Word name, text(root, "name", "name"));
    out_.name = name.text;
    ULLAGE_TRY(out_.model, text(root, "model", "model"));
    if (const Value* weights = reach(root, {"weights"})) {
      ULLAGE_TRY(const std::string format, as_string(tree_, *weights, "weights"));
      out_.weights = Word{format, tree_.span(*weights)};
    }
    ULLAGE_CHECK(hardware(root));
    ULLAGE_CHECK(layout(root));
    ULLAGE_CHECK(serve(root));
    ULLAGE_CHECK(train(root));
    ULLAGE_CHECK(memory(root));
    ULLAGE_CHECK(expectations(root));
    ULLAGE_CHECK(claims(root));
    if (const Value* lock = reach(root, {"lock"})) {
      ULLAGE_TRY(const std::string path, as_string(tree_, *lock, "lock"));
      out_.native->lock = Word{path, tree_.span(*lock)};
    }
    return std::move(out_);
  }

 private:
  Diagnostic fault(const Value& value, Code code, std::string message, std::string hint) const {
    return {.code = code,
            .message = std::move(message),
            .span = tree_.span(value),
            .hint = std::move(hint),
            .notes = {}};
  }

  // A text that must be there; a number counts as its text (`model: 70B`, `name: 8`).
  base::Result<Word> text(const Value& object, std::string_view key, const std::string& what) {
    ULLAGE_TRY(const Value* const value, member(tree_, object, key, what));
    if (value->type == Type::number) return Word{value->text, tree_.span(*value)};
    ULLAGE_TRY(const std::string found, as_string(tree_, *value, what));
    return Word{found, tree_.span(*value)};
  }

  base::Result<std::optional<Word>> optional_text(const Value& object, std::string_view key,
                                                  const std::string& what) {
    if (reach(object, {key}) == nullptr) return std::optional<Word>();
    ULLAGE_TRY(const Word found, text(object, key, what));
    return std::optional<Word>(found);
  }

  // `8k`, 32768; at least 1, or 0 where `from_zero`.
  base::Result<std::optional<Number>> count(const Value& object, std::string_view key,
                                            const std::string& what, bool from_zero = false) {
    const Value* value = reach(object, {key});
    if (value == nullptr) return std::optional<Number>();
    const auto written = scalar_text(value);
    if (!written) return fault(*value, Code::wrong_type, what + " must be a number", "8, 128k");
    auto number = units::parse_count(*written);
    if (!number) {
      return fault(*value, number.error().code, what + ": " + number.error().message,
                   number.error().hint);
    }
    if (number->is_zero() && !from_zero) {
      return fault(*value, Code::out_of_range, what + " must be at least 1", "");
    }
    return std::optional(Number{*number, tree_.span(*value)});
  }

  base::Result<std::optional<Number>> size(const Value& object, std::string_view key) {
    const Value* value = reach(object, {key});
    if (value == nullptr) return std::optional<Number>();
    const auto written = scalar_text(value);
    if (!written) {
      return fault(*value, Code::wrong_type, std::string(key) + " must be a size", "32GB, 32GiB");
    }
    auto bytes = units::parse_size(*written);
    if (!bytes) {
      return fault(*value, bytes.error().code, std::string(key) + ": " + bytes.error().message,
                   bytes.error().hint);
    }
    return std::optional(Number{*bytes, tree_.span(*value)});
  }

  base::Result<void> hardware(const Value& root) {
    ULLAGE_TRY(const Value* const block, member(tree_, root, "hardware", "hardware"));
    ULLAGE_CHECK(expect(tree_, *block, Type::object, "hardware"));
    ULLAGE_CHECK(only_keys(tree_, *block, {"on", "count", "capacity"}, "hardware"));
    ULLAGE_TRY(const Word on, text(*block, "on", "hardware.on"));
    out_.selectors.push_back({"ullage.hardware", on});
    ULLAGE_TRY(out_.devices, count(*block, "count", "hardware.count"));
    ULLAGE_TRY(const auto capacity, optional_text(*block, "capacity", "hardware.capacity"));
    if (!capacity) return {};
    out_.native->capacity = *capacity;
    if (capacity->text == "nominal" || capacity->text == "visible") return {};
    const auto bytes = units::parse_size(capacity->text);
    if (bytes) return {};
    return fault(*reach(*block, {"capacity"}), bytes.error().code,
                 "hardware.capacity: " + bytes.error().message, "nominal, visible or a size");
  }

  base::Result<void> layout(const Value& root) {
    const Value* block = reach(root, {"layout"});
    if (block == nullptr) return {};
    ULLAGE_CHECK(expect(tree_, *block, Type::object, "layout"));
    ULLAGE_CHECK(only_keys(tree_, *block, {"tp", "pp", "dp", "ep", "cp"}, "layout"));
    out_.native->has_layout = true;
    ULLAGE_TRY(out_.tp, count(*block, "tp", "layout.tp"));
    ULLAGE_TRY(out_.pp, count(*block, "pp", "layout.pp"));
    ULLAGE_TRY(out_.dp, count(*block, "dp", "layout.dp"));
    ULLAGE_TRY(out_.ep, count(*block, "ep", "layout.ep"));
    ULLAGE_TRY(out_.cp, count(*block, "cp", "layout.cp"));
    return {};
  }

  base::Result<void> serve(const Value& root) {
    const Value* block = reach(root, {"serve"});
    if (block == nullptr) return {};
    ULLAGE_CHECK(expect(tree_, *block, Type::object, "serve"));
    ULLAGE_CHECK(only_keys(
        tree_, *block, {"engine", "context", "concurrency", "kv_dtype", "utilization"}, "serve"));
    out_.work = Work::serve;
    ULLAGE_TRY(const auto engine, optional_text(*block, "engine", "serve.engine"));
    if (engine) {
      const std::size_t at = engine->text.find('@');
      out_.engine = Word{engine->text.substr(0, at), engine->where};
      constexpr std::array<std::string_view, 6> known{"ideal",  "vllm",     "sglang",
                                                      "trtllm", "llamacpp", "neuronx"};
      if (std::find(known.begin(), known.end(), out_.engine->text) == known.end()) {
        return fault(*reach(*block, {"engine"}), Code::unknown_name,
                     "unknown engine " + base::printable(engine->text),
                     base::did_you_mean(base::nearest(engine->text, known, 2)));
      }
    }
    ULLAGE_TRY(out_.context, count(*block, "context", "serve.context"));
    ULLAGE_TRY(out_.concurrency, count(*block, "concurrency", "serve.concurrency"));
    ULLAGE_TRY(out_.kv_dtype, optional_text(*block, "kv_dtype", "serve.kv_dtype"));
    const Value* share = reach(*block, {"utilization"});
    if (share == nullptr) return {};
    ULLAGE_TRY(const Rational value, as_number(tree_, *share, "serve.utilization"));
    if (value.sign() <= 0 || value > Rational{1}) {
      return fault(*share, Code::out_of_range, "serve.utilization must be above 0 and at most 1",
                   "0.9");
    }
    out_.utilization = Number{value, tree_.span(*share)};
    return {};
  }

  base::Result<void> train(const Value& root) {
    const Value* block = reach(root, {"train"});
    if (block == nullptr) return {};
    ULLAGE_CHECK(expect(tree_, *block, Type::object, "train"));
    ULLAGE_CHECK(only_keys(tree_, *block,
                           {"rules", "recipe", "optimizer", "zero", "sequence", "microbatch",
                            "microbatches", "recompute", "lora_rank", "lora_targets"},
                           "train"));
    if (out_.work == Work::serve) {
      return fault(*block, Code::usage, "a plan has serve: or train:, not both",
                   "write two plans, separated by ---");
    }
    out_.work = Work::train;
    ULLAGE_TRY(const auto rules, optional_text(*block, "rules", "train.rules"));
    ULLAGE_TRY(const auto recipe, optional_text(*block, "recipe", "train.recipe"));
    if (rules) out_.native->rules = *rules;
    if (recipe) out_.native->recipe = *recipe;
    ULLAGE_TRY(out_.optimizer, optional_text(*block, "optimizer", "train.optimizer"));
    ULLAGE_TRY(out_.zero, count(*block, "zero", "train.zero", true));
    ULLAGE_TRY(out_.sequence, count(*block, "sequence", "train.sequence"));
    ULLAGE_TRY(out_.microbatch, count(*block, "microbatch", "train.microbatch"));
    ULLAGE_TRY(out_.native->microbatches, count(*block, "microbatches", "train.microbatches"));
    ULLAGE_TRY(out_.recompute, optional_text(*block, "recompute", "train.recompute"));
    ULLAGE_TRY(out_.lora_rank, count(*block, "lora_rank", "train.lora_rank"));
    const Value* targets = reach(*block, {"lora_targets"});
    if (targets == nullptr) return {};
    ULLAGE_CHECK(expect(tree_, *targets, Type::array, "train.lora_targets"));
    for (const Value& target : targets->items) {
      ULLAGE_TRY(std::string name, as_string(tree_, target, "train.lora_targets"));
      out_.lora_targets.push_back(std::move(name));
    }
    return {};
  }

  base::Result<void> memory(const Value& root) {
    ULLAGE_TRY(out_.native->working_memory, size(root, "working_memory"));
    if (out_.native->working_memory && out_.work != Work::unknown) {
      return fault(*reach(root, {"working_memory"}), Code::usage,
                   "working_memory stands in for a workload, and the plan has one",
                   "remove it, or serve: and train:");
    }
    const Value* reserve = reach(root, {"reserve"});
    if (reserve == nullptr) return {};
    const auto written = scalar_text(reserve);
    if (!written) return fault(*reserve, Code::wrong_type, "reserve must be a share", "10%");
    const auto share = units::parse_percent(*written);
    if (!share) {
      return fault(*reserve, share.error().code, "reserve: " + share.error().message,
                   share.error().hint);
    }
    if (out_.utilization) {
      return fault(*reserve, Code::usage, "reserve and serve.utilization both say what may be used",
                   "give one of them: a reserve of 10% is a utilization of 0.9");
    }
    out_.native->reserve = Number{*share, tree_.span(*reserve)};
    return {};
  }

  base::Result<void> expectations(const Value& root) {
    const Value* list = reach(root, {"expect"});
    if (list == nullptr) return {};
    ULLAGE_CHECK(expect(tree_, *list, Type::array, "expect"));
    for (const Value& item : list->items) {
      ULLAGE_TRY(const std::string line, as_string(tree_, item, "expect"));
      Expectation expectation;
      expectation.text = Word{line, tree_.span(item)};
      ULLAGE_CHECK(parse(item, line, expectation));
      out_.native->expectations.push_back(std::move(expectation));
    }
    return {};
  }

  // `NAME OP VALUE`.
  base::Result<void> parse(const Value& item, const std::string& line, Expectation& expectation) {
    const std::size_t operation = line.find_first_of("<=>!");
    std::string name = line.substr(0, operation);
    while (!name.empty() && name.back() == ' ')
      name.pop_back();
    expectation.name = name;
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
      return fault(item, Code::unknown_name, "unknown result " + base::printable(name),
                   base::did_you_mean(base::nearest(name, kNames, 3)));
    }
    const bool is_verdict = name == "fits" || name == "does-not-fit";
    if (operation == std::string::npos || is_verdict) {
      if (is_verdict && operation == std::string::npos) return {};
      return fault(item, Code::usage, "an expectation is fits, does-not-fit or NAME OP VALUE",
                   "\"devices_min <= 16\"");
    }
    const std::size_t length = operation + 1 < line.size() && line[operation + 1] == '=' ? 2 : 1;
    expectation.sign = line.substr(operation, length);
    if (expectation.sign == "=" || expectation.sign == "!") {
      return fault(item, Code::usage, "unknown comparison " + expectation.sign,
                   "one of < <= == != >= >");
    }
    std::string value = line.substr(operation + length);
    value.erase(0, value.find_first_not_of(' '));
    // A plain number, a count with a suffix of tokens, or a quantity with its unit.
    if (const auto number = Rational::parse_fraction(value)) {
      expectation.value = *number;
    } else if (const auto quantity = units::parse_written(value)) {
      expectation.value = quantity->value();
    } else if (const auto tokens = units::parse_count(value)) {
      expectation.value = *tokens;
    } else {
      return fault(item, quantity.error().code, quantity.error().message, quantity.error().hint);
    }
    return {};
  }

  base::Result<void> claims(const Value& root) {
    const Value* list = reach(root, {"claims"});
    if (list == nullptr) return {};
    ULLAGE_CHECK(expect(tree_, *list, Type::array, "claims"));
    for (const Value& item : list->items)
      ULLAGE_CHECK(claim(item));
    return {};
  }

  base::Result<void> claim(const Value& item) {
    ULLAGE_CHECK(expect(tree_, item, Type::object, "claims"));
    ULLAGE_CHECK(only_keys(tree_, item, {"figure", "value", "mode", "of", "source"}, "claims"));
    PlanClaim made;
    ULLAGE_TRY(made.figure, text(item, "figure", "claims.figure"));
    ULLAGE_TRY(made.value, text(item, "value", "claims.value"));
    ULLAGE_TRY(const auto of, optional_text(item, "of", "claims.of"));
    ULLAGE_TRY(const auto mode, optional_text(item, "mode", "claims.mode"));
    if (of) made.of = of->text;
    const auto written = units::parse_written(made.value.text);
    if (!written) {
      return fault(*reach(item, {"value"}), written.error().code,
                   "claims.value: " + written.error().message, written.error().hint);
    }
    const bool is_rate = written->dimension == units::kFlopRate;
    if (mode && mode->text != "dense" && mode->text != "sparse") {
      return fault(*reach(item, {"mode"}), Code::usage,
                   "claims.mode is dense or sparse, not " + base::printable(mode->text), "");
    }
    if (is_rate && !mode) {
      return fault(item, Code::missing_key, "claims.mode is missing: a rate is dense or sparse",
                   "mode: dense");
    }
    if (mode) made.mode = mode->text;
    ULLAGE_TRY(const Value* const source, member(tree_, item, "source", "claims.source"));
    ULLAGE_CHECK(expect(tree_, *source, Type::object, "claims.source"));
    ULLAGE_CHECK(only_keys(tree_, *source,
                           {"title", "publisher", "url", "revision", "checked", "locator"},
                           "claims.source"));
    ULLAGE_TRY(const Word title, text(*source, "title", "claims.source.title"));
    made.title = title.text;
    ULLAGE_TRY(const auto checked, optional_text(*source, "checked", "claims.source.checked"));
    if (checked) {
      if (!base::day_number(checked->text)) {
        return fault(*reach(*source, {"checked"}), Code::syntax,
                     "claims.source.checked is no date: " + base::printable(checked->text),
                     "YYYY-MM-DD");
      }
      made.checked = *checked;
    }
    out_.native->claims.push_back(std::move(made));
    return {};
  }

  const document::Document& tree_;
  Workload out_;
};

}  // namespace

bool is_native_plan(const PlanDocument& document) {
  const auto schema = scalar_text(reach(document.document.root, {"schema"}));
  return schema && schema->starts_with("ullage/plan/");
}

base::Result<Workload> read_native_plan(const PlanDocument& document) {
  return PlanReader(document).read();
}

std::span<const std::string_view> expectation_names() {
  return kNames;
}

}  // namespace ullage::plan
