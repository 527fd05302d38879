// Reads flags by the tables.
#include "plan/files/settings.hpp"

#include <algorithm>

#include "base/spelling.hpp"

namespace ullage::plan {
namespace {

// `--max_model_len` and `--max-model-len` are one flag; short flags keep their letters.
std::string folded(std::string_view flag) {
  std::string text(flag);
  if (text.starts_with("--")) std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

// `maxModelLen` and `max_model_len` are `max-model-len`.
std::string kebab(std::string_view key) {
  std::string text;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool is_upper = key[i] >= 'A' && key[i] <= 'Z';
    const bool after_lower = i > 0 && key[i - 1] >= 'a' && key[i - 1] <= 'z';
    if (is_upper && after_lower) text += '-';
    text += key[i] == '_' ? '-' : key[i];
  }
  return base::lower(text);
}

const FlagName* find_flag(Dialect dialect, std::string_view name) {
  for (const FlagName& flag : flag_table(dialect)) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

// Whose parser takes unique prefixes: Python's argparse does, click and llama.cpp's do not.
bool abbreviates(Dialect dialect) {
  return dialect != Dialect::trtllm && dialect != Dialect::llamacpp;
}

// The one flag that starts so, or nullptr.
const FlagName* find_prefix(Dialect dialect, std::string_view name) {
  const FlagName* found = nullptr;
  for (const FlagName& flag : flag_table(dialect)) {
    if (!flag.name.starts_with("--") || !flag.name.starts_with(name)) continue;
    if (found != nullptr && found->knob != flag.knob) return nullptr;
    if (found == nullptr) found = &flag;
  }
  return found;
}

bool is_truth(std::string_view text) {
  const std::string word = base::lower(text);
  return word == "true" || word == "false" || word == "1" || word == "0" || word == "yes" ||
         word == "no";
}

bool is_false(std::string_view text) {
  const std::string word = base::lower(text);
  return word == "false" || word == "0" || word == "no" || word == "none" || word == "null";
}

// Whether a word can be the value of the flag before it.
bool can_be_value(std::string_view text) {
  if (!text.starts_with('-') || text.size() == 1) return true;
  return (text[1] >= '0' && text[1] <= '9') || text[1] == '.';
}

// Flags of no table that take no value by their names.
bool looks_like_switch(std::string_view name) {
  for (const std::string_view start : {"--enable-", "--disable-", "--no-", "--use-"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

class FlagReader {
 public:
  FlagReader(Dialect dialect, std::span<const Word> words, Settings& settings)
      : dialect_(dialect), words_(words), settings_(settings) {}

  std::vector<Word> read() {
    while (at_ < words_.size()) {
      const Word& word = words_[at_++];
      if (can_be_value(word.text)) {
        positionals_.push_back(word);
      } else {
        flag(word);
      }
    }
    return std::move(positionals_);
  }

 private:
  void flag(const Word& word) {
    const std::size_t equals = word.text.find('=');
    const std::string name = folded(word.text.substr(0, equals));
    std::optional<Word> value;
    if (equals != std::string::npos) {
      value = Word{word.text.substr(equals + 1), word.where, word.missing};
    }
    const FlagName* known = find_flag(dialect_, name);
    if (known == nullptr && abbreviates(dialect_) && name.starts_with("--") && name.size() > 4) {
      known = find_prefix(dialect_, name);
      if (known != nullptr && known->knob != Knob::none) {
        settings_.remarks.push_back({"flag-abbreviated", base::Severity::note,
                                     name + " is read as " + std::string(known->name) +
                                         ", of which it is the only abbreviation",
                                     word.where});
      }
    }
    const bool is_switch = known != nullptr ? known->is_switch : looks_like_switch(name);
    if (is_switch) {
      if (!value && at_ < words_.size() && is_truth(words_[at_].text)) value = words_[at_++];
      if (!value) value = Word{"true", word.where};
      if (known != nullptr && !(value->resolved() && is_false(value->text))) {
        settings_.put(known->knob, *std::move(value));
      }
      return;
    }
    if (!value && at_ < words_.size() && can_be_value(words_[at_].text)) value = words_[at_++];
    if (known != nullptr && known->knob != Knob::none && value) {
      settings_.put(known->knob, *std::move(value));
    }
  }

  Dialect dialect_;
  std::span<const Word> words_;
  Settings& settings_;
  std::size_t at_ = 0;
  std::vector<Word> positionals_;
};

}  // namespace

const Word* Settings::find(Knob knob) const {
  const auto known = values_.find(knob);
  return known == values_.end() ? nullptr : &known->second;
}

void Settings::fill_from(const Settings& other) {
  values_.insert(other.values_.begin(), other.values_.end());
  remarks.insert(remarks.end(), other.remarks.begin(), other.remarks.end());
}

std::vector<Word> read_flags(Dialect dialect, std::span<const Word> words, Settings& settings) {
  return FlagReader(dialect, words, settings).read();
}

bool put_key(Dialect dialect, std::string_view key, const Word& value, Settings& settings) {
  const std::string name = kebab(key);
  const FlagName* known = find_flag(dialect, "--" + name);
  if (known == nullptr) known = find_flag(dialect, "-" + name);
  if (known == nullptr) return false;
  if (known->knob == Knob::none) return true;
  if (known->is_switch && value.resolved() && is_false(value.text)) return true;
  settings.put(known->knob, value);
  return true;
}

std::string without_underscores(std::string_view text) {
  std::string digits(text);
  const bool is_number = !text.empty() && text.front() != '_' && text.back() != '_' &&
                         text.find_first_not_of("0123456789_") == std::string_view::npos;
  if (is_number) std::erase(digits, '_');
  return digits;
}

std::optional<exact::Rational> read_count(Dialect dialect, std::string_view text) {
  exact::Rational scale{1};
  const std::string plain = without_underscores(text);
  std::string_view digits = plain;
  // vllm/utils/argparse_utils.py, human_readable_int: lower case is decimal, upper case binary.
  if (dialect == Dialect::vllm && !text.empty()) {
    switch (text.back()) {
      case 'k':
        scale = exact::Rational{1000};
        break;
      case 'K':
        scale = exact::Rational{1024};
        break;
      case 'm':
        scale = exact::power_of_ten(6);
        break;
      case 'M':
        scale = exact::power_of_two(20);
        break;
      case 'g':
        scale = exact::power_of_ten(9);
        break;
      case 'G':
        scale = exact::power_of_two(30);
        break;
      default:
        break;
    }
    if (scale != exact::Rational{1}) digits.remove_suffix(1);
  }
  const auto number = exact::Rational::parse(digits);
  if (!number) return std::nullopt;
  const exact::Rational value = *number * scale;
  if (!value.is_whole() || value.sign() < 0) return std::nullopt;
  return value;
}

std::string weight_format(std::string_view text) {
  const std::string name = base::lower(text);
  static const std::map<std::string, std::string, std::less<>> known{
      {"auto", ""},
      {"none", ""},
      {"null", ""},
      {"", ""},
      {"compressed-tensors", ""},
      {"compressed_tensors", ""},
      {"gguf", ""},
      {"quark", ""},
      {"torchao", ""},
      {"half", "fp16"},
      {"float16", "fp16"},
      {"torch.float16", "fp16"},
      {"16", "fp16"},
      {"16-mixed", "fp16"},
      {"bfloat16", "bf16"},
      {"torch.bfloat16", "bf16"},
      {"bf16-mixed", "bf16"},
      {"float", "fp32"},
      {"float32", "fp32"},
      {"torch.float32", "fp32"},
      {"32", "fp32"},
      {"awq_marlin", "awq"},
      {"awq-int4", "awq"},
      {"gptq_marlin", "gptq"},
      {"marlin", "gptq"},
      {"bitsandbytes", "nf4"},
      {"bnb", "nf4"},
      {"modelopt", "fp8"},
      {"modelopt_fp8", "fp8"},
      {"modelopt_fp4", "nvfp4"},
      {"fp4", "nvfp4"},
      {"fbgemm_fp8", "fp8"},
      {"ptpc_fp8", "fp8"},
      {"fp8_e4m3", "fp8"},
      {"float8_e4m3fn", "fp8"},
      {"w8a8_fp8", "fp8"},
      {"f8e4m3", "fp8"},
      {"w8a8_int8", "int8"},
      {"experts_int8", "int8"},
      {"w4afp8", "int4"},
  };
  const auto found = known.find(name);
  return found == known.end() ? name : found->second;
}

std::string optimizer_name(std::string_view text) {
  const std::string name = base::lower(text.substr(text.rfind('.') + 1));
  const auto has = [&name](std::string_view part) { return name.find(part) != std::string::npos; };
  // mcore_distributed_optim is Megatron core's sharded Adam.
  const bool is_adam = has("adam") || name == "mcore_distributed_optim";
  if (is_adam) return has("8bit") || has("8-bit") ? "adamw-8bit" : "adamw";
  if (has("adafactor")) return "adafactor";
  if (has("lion")) return "lion";
  if (has("muon")) return "muon";
  if (has("sgd")) return has("momentum") ? "sgd-momentum" : "sgd";
  return name;
}

}  // namespace ullage::plan
