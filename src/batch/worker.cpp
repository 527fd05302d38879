// Holds the tables of facts and decides which way a line goes.
#include "batch/worker.hpp"

#include <algorithm>
#include <set>

#include "plan/statements.hpp"
#include "units/quantity.hpp"

namespace ullage::batch {
namespace {

constexpr std::size_t kModels = 4096;
constexpr std::size_t kDevices = 4096;
constexpr std::size_t kCaches = 4096;
constexpr std::size_t kSourceLists = 16384;
constexpr std::size_t kNumbers = 4096;
constexpr std::size_t kKvAnswers = 8192;
constexpr char kSeparator = '\x1f';

bool is_unknown(base::Code code) {
  return code == base::Code::unsupported_architecture || code == base::Code::unknown_figure;
}

// `8192`: most numbers of a file are plain.
std::optional<std::int64_t> plain_digits(std::string_view text) {
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// `70B`, `320B:18B`: no two lines need have the same.
bool looks_like_literal(std::string_view model) {
  return !model.empty() && model.front() >= '0' && model.front() <= '9' &&
         model.find_first_not_of("0123456789.:kKmMbBtT") == std::string_view::npos;
}

}  // namespace

Worker::Worker(Commands& commands, const RowSettings& settings, bool fail_fast, bool plain)
    : commands_(commands),
      settings_(settings),
      writer_(settings),
      keys_(commands),
      fail_fast_(fail_fast),
      lump_is_plain_(plain && settings.lump_is_plain()),
      workload_is_plain_(plain && settings.workload_is_plain()),
      sequences_are_a_factor_(settings.sequences_are_a_factor()),
      shows_sources_(settings.shows_sources()),
      models_(kModels),
      devices_(kDevices),
      caches_(kCaches),
      sources_(kSourceLists),
      numbers_(kNumbers),
      kv_(kKvAnswers),
      opened_(commands.catalogue(), commands.files()) {}

void Worker::fault(LineContext context, const base::Diagnostic& fault, PartResult& result) {
  ++result.lines;
  ++(is_unknown(fault.code) ? result.unknown : result.wrong);
  if (!result.first_fault) result.first_fault = fault_text(context, fault);
  writer_.write_fault(context, fault, result.text);
  ++result.rows;
  result.stop = fail_fast_;
}

void Worker::answer(std::string_view line, LineContext context, PartResult& result) {
  if (auto read = keys_.read(line, *context.record, scenario_); !read.ok()) {
    fault(context, read.error(), result);
    return;
  }
  if (try_plain(context, result) || try_kv(context, result)) {
    ++result.lines;
    ++result.plain;
    return;
  }
  answer_exactly(line, context, result);
}

void Worker::rank(const LineContext& context, PartResult& result) {
  if (!settings_.order) {
    result.text += row_text_;
  } else if (writer_.key()) {
    result.ranked.push_back({*writer_.key(), context.line, row_text_});
  } else {
    return;
  }
  ++result.rows;
}

void Worker::answer_exactly(std::string_view line, const LineContext& context, PartResult& result) {
  const auto answer = commands_.answer(scenario_.command, scenario_.flags);
  if (!answer) {
    fault(context, placed(answer.error(), line, scenario_), result);
    return;
  }
  ++result.lines;
  for (const provenance::Row& row : answer->rows) {
    row_text_.clear();
    if (writer_.write(context, *answer, row, row_text_)) rank(context, result);
  }
}

bool Worker::try_plain(const LineContext& context, PartResult& result) {
  if (scenario_.command != "fit" || !scenario_.only_slots || !lump_is_plain_) return false;
  forget_if_full();
  Reserved facts;
  if (!gather(facts)) return false;
  FitQuestion question{.model = facts.model,
                       .device = facts.device,
                       .cache = facts.cache,
                       .working_memory = Number(std::int64_t{32'000'000'000}),
                       .devices = {},
                       .context = {},
                       .concurrency = 1};
  if (!number_of(Slot::working_memory, question.working_memory)) return false;
  if (scenario_[Slot::devices] != nullptr) {
    question.devices.emplace();
    if (!number_of(Slot::devices, *question.devices)) return false;
  }
  if (!number_of(Slot::context, question.context)) return false;
  if (!number_of(Slot::concurrency, question.concurrency)) return false;
  if (!compute_fit(question, row_)) return false;
  const std::string_view sources = shows_sources_ ? sources_of(facts) : std::string_view();
  if (!settings_.order) {
    if (writer_.write(context, row_, sources, result.text)) ++result.rows;
    return true;
  }
  row_text_.clear();
  if (writer_.write(context, row_, sources, row_text_)) rank(context, result);
  return true;
}

// The facts of the row at hand; false where the exact way has to answer.
bool Worker::gather(Reserved& facts) {
  const Field* const model = scenario_[Slot::model];
  const Field* const on = scenario_[Slot::on];
  if (model == nullptr || on == nullptr || model->text == "-") return false;
  if (on->text == "all" || on->text.find(',') != std::string_view::npos) return false;
  const bool workload = scenario_[Slot::context] != nullptr;
  const bool working = scenario_[Slot::working_memory] != nullptr;
  if (workload) {
    // A lump beside a workload, and the sources of its time bounds, are the command's to say.
    const bool bounds = shows_sources_ && scenario_[Slot::devices] != nullptr;
    if (!workload_is_plain_ || working || bounds) return false;
  } else if (scenario_[Slot::kv_dtype] != nullptr || scenario_[Slot::concurrency] != nullptr) {
    return false;
  }
  facts.model = model_facts_of();
  if (facts.model == nullptr) return false;
  facts.device = device_facts_of();
  if (facts.device == nullptr) return false;
  if (!workload) return true;
  facts.cache = cache_facts_of(facts);
  return facts.cache != nullptr;
}

// Pointers into the tables live as long as a row: they are emptied between rows only.
void Worker::forget_if_full() {
  const bool full = models_.full() || devices_.full() || caches_.full() || sources_.full();
  if (!full) return;
  models_.clear();
  devices_.clear();
  caches_.clear();
  sources_.clear();
  literal_key_.clear();
}

void Worker::add_key(Slot slot) {
  const Field* const field = scenario_[slot];
  if (field != nullptr) key_ += field->text;
  key_ += kSeparator;
}

base::Result<plan::FitRequest> Worker::request_of(std::initializer_list<Slot> slots) {
  std::vector<FlagWord> words;
  for (const FlagWord& word : scenario_.flags) {
    const bool wanted = std::any_of(slots.begin(), slots.end(),
                                    [&](Slot slot) { return scenario_[slot] == word.field; });
    if (wanted) words.push_back(word);
  }
  return commands_.fit_request(words);
}

const ModelFacts* Worker::model_facts_of() {
  const std::string_view model = scenario_[Slot::model]->text;
  const bool literal = looks_like_literal(model) && scenario_[Slot::assume] == nullptr;
  key_.clear();
  add_key(Slot::weights);
  add_key(Slot::bits);
  add_key(Slot::assume);
  const std::size_t weights_end = key_.size();
  key_ += literal ? std::string_view("1B") : model;
  const ModelFacts* facts = models_.find(key_);
  if (facts == nullptr) {
    auto request = request_of({Slot::model, Slot::on, Slot::weights, Slot::bits, Slot::assume});
    ModelFacts made;
    if (request) {
      if (literal) request->model = "1B";
      made = model_facts(*request, commands_.catalogue(), commands_.files());
    }
    facts = models_.put(key_, std::move(made));
  }
  if (!facts->covered) return nullptr;
  if (!literal) return facts;
  key_.resize(weights_end);
  key_ += model;
  if (literal_key_ == key_) return &literal_;
  literal_key_.clear();
  if (!literal_facts(model, *facts, literal_)) return nullptr;
  literal_key_ = key_;
  return &literal_;
}

const DeviceFacts* Worker::device_facts_of() {
  key_.clear();
  add_key(Slot::on);
  add_key(Slot::capacity);
  add_key(Slot::reserve);
  const DeviceFacts* facts = devices_.find(key_);
  if (facts == nullptr) {
    const auto request = request_of({Slot::model, Slot::on, Slot::capacity, Slot::reserve});
    facts =
        devices_.put(key_, request ? device_facts(*request, commands_.catalogue()) : DeviceFacts());
  }
  return facts->covered ? facts : nullptr;
}

const CacheFacts* Worker::cache_facts_of(const Reserved& facts) {
  key_.clear();
  add_key(Slot::model);
  add_key(Slot::weights);
  add_key(Slot::bits);
  add_key(Slot::assume);
  add_key(Slot::kv_dtype);
  if (facts.model->cache_depends_on_chip) key_ += facts.device->chip->id;
  const CacheFacts* cache = caches_.find(key_);
  if (cache == nullptr) {
    const auto request = request_of({Slot::model, Slot::on, Slot::weights, Slot::bits, Slot::assume,
                                     Slot::kv_dtype, Slot::context});
    CacheFacts made;
    if (request) {
      made = cache_facts(*request, facts.device->chip, commands_.catalogue(), commands_.files());
    }
    cache = caches_.put(key_, std::move(made));
  }
  return cache->covered ? cache : nullptr;
}

// The number of the slot, unchanged where the line gives none; false where the exact way has to say
// what is wrong with it, or 64 bits do not hold it.
bool Worker::number_of(Slot slot, Number& number) {
  const Field* const field = scenario_[slot];
  return field == nullptr || count_in(field->text, slot == Slot::working_memory, number);
}

// A size, or a count of at least 1.
bool Worker::count_in(std::string_view text, bool size, Number& number) {
  if (!size) {
    if (const auto digits = plain_digits(text)) {
      number = Number(*digits);
      return *digits > 0;
    }
  }
  key_.assign(1, size ? 's' : 'c');
  key_ += text;
  const std::optional<Number>* known = numbers_.find(key_);
  if (known == nullptr) {
    auto value = size ? units::parse_size(text) : units::parse_count(text);
    const bool usable = value.ok() && (size || value->sign() > 0);
    known = numbers_.put(key_, usable ? Number::of(*value) : std::nullopt);
  }
  if (!known->has_value()) return false;
  number = **known;
  return true;
}

std::string_view Worker::text_of(std::string_view flag) const {
  for (const FlagWord& word : scenario_.flags) {
    if (word.flag == flag) return word.field->text;
  }
  return {};
}

// A row of `kv` from the answer for one sequence. The number of sequences enters the answers of
// every engine but llama.cpp only as a factor.
bool Worker::try_kv(const LineContext& context, PartResult& result) {
  if (scenario_.command != "kv" || !lump_is_plain_) return false;
  const bool factored = sequences_are_a_factor_ && !text_of("engine").starts_with("llamacpp");
  Number sequences = 1;
  Number copies = 1;
  const std::string_view dp = text_of("dp");
  if (factored && !number_of(Slot::concurrency, sequences)) return false;
  if (factored && !dp.empty() && !count_in(dp, false, copies)) return false;
  const KvFacts* const facts = kv_facts_of(factored);
  if (facts == nullptr) return false;
  const Number of_copy = (sequences / copies).ceil();
  kv_values_.clear();
  for (const NamedValue& named : facts->results) {
    Value& value = kv_values_.emplace_back(named.value);
    if (!value.known() || named.scaling == Scaling::fixed) continue;
    value.number = value.number * (named.scaling == Scaling::sequences ? sequences : of_copy);
    if (value.number.overflowed()) return false;
  }
  if (!settings_.order) {
    if (writer_.write(context, *facts, kv_values_, result.text)) ++result.rows;
    return true;
  }
  row_text_.clear();
  if (writer_.write(context, *facts, kv_values_, row_text_)) rank(context, result);
  return true;
}

// The answer for one sequence, or where it is not factored for the row's. Null where the exact way
// has to say what is wrong.
const KvFacts* Worker::kv_facts_of(bool factored) {
  const Field* const number = factored ? scenario_[Slot::concurrency] : nullptr;
  key_.clear();
  for (const FlagWord& word : scenario_.flags) {
    if (word.field == number) continue;
    key_ += word.flag;
    key_ += '=';
    key_ += word.field->text;
    key_ += kSeparator;
  }
  const KvFacts* facts = kv_.find(key_);
  if (facts == nullptr) {
    std::vector<FlagWord> words;
    for (const FlagWord& word : scenario_.flags) {
      if (word.field != number) words.push_back(word);
    }
    std::string opening;
    for (const char* flag : {"model", "assume", "weights", "bits", "draft"})
      opening.append(text_of(flag)) += kSeparator;
    KvFacts made;
    if (const auto request = commands_.kv_request(words)) {
      made = opened_.kv_facts(opening, *request);
    }
    if (!factored) {
      for (NamedValue& named : made.results)
        named.scaling = Scaling::fixed;
    }
    for (const Column& column : settings_.columns) {
      std::size_t at = 0;
      while (at < made.results.size() && made.results[at].name != column.name)
        ++at;
      made.columns.push_back(at);
    }
    facts = kv_.put(key_, std::move(made));
  }
  return facts->covered ? facts : nullptr;
}

// Sources of the facts and of the statements of the card that concern the chip.
std::string_view Worker::sources_of(const Reserved& facts) {
  key_.clear();
  const void* const parts[] = {facts.model == &literal_ ? nullptr : facts.model, facts.device,
                               facts.cache};
  key_.append(reinterpret_cast<const char*>(parts), sizeof parts);
  if (facts.model == &literal_) {
    add_key(Slot::weights);
    add_key(Slot::bits);
  }
  if (const std::string* known = sources_.find(key_)) return *known;
  std::set<std::string_view> ids(facts.model->sources.begin(), facts.model->sources.end());
  ids.insert(facts.device->sources.begin(), facts.device->sources.end());
  if (facts.cache != nullptr) {
    ids.insert(facts.cache->sources.begin(), facts.cache->sources.end());
  }
  if (facts.model->card != nullptr) {
    for (const catalog::Statement& statement : facts.model->card->statements) {
      if (plan::applies(statement, *facts.device->chip)) ids.insert(statement.source);
    }
  }
  ids.erase(std::string_view());
  std::string text;
  for (const std::string_view id : ids) {
    if (!text.empty()) text += ';';
    text += id;
  }
  return *sources_.put(key_, std::move(text));
}

}  // namespace ullage::batch
