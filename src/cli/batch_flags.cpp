// Reads each flag of `batch`.
#include "cli/batch_flags.hpp"

#include <algorithm>

#include "base/spelling.hpp"
#include "cli/values.hpp"
#include "plan/devices.hpp"

namespace ullage::cli {
namespace {

using base::Code;
using base::Diagnostic;
using batch::Column;

Diagnostic wrong(const std::string& flag, const std::string& text, const std::string& why,
                 std::string hint) {
  return {.code = Code::usage,
          .message = flag + " " + base::printable(text) + ": " + why,
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    items.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return items;
}

base::Result<std::vector<std::string>> axis_values(const std::string& key, const std::string& list,
                                                   catalog::Catalogue& catalogue) {
  if (key == "on" && list == "all") return plan::device_names(catalogue, list);
  std::vector<std::string> values;
  if (key == "model" && list == "all") {
    for (const catalog::Listing& listing : catalogue.listings()) {
      const bool model = listing.kind == catalog::EntryKind::model && listing.current;
      if (model) values.emplace_back(listing.id);
    }
    return values;
  }
  return split(list);
}

// What a row may hold whatever it is: the columns that no command asks for, and every result name
// that has words.
bool may_be_result(const std::string& name) {
  return name.find('_') != std::string::npos;
}

std::vector<std::string> known_columns(const std::vector<std::string>& keys) {
  std::vector<std::string> names = keys;
  for (const std::string_view command : {"fit", "kv", "train", "flops", "weights"}) {
    for (const Column& column : batch::default_columns({}, command))
      names.push_back(column.name);
  }
  for (std::size_t i = 0; i < batch::kFitResults; ++i)
    names.emplace_back(batch::name_of(static_cast<batch::FitResult>(i)));
  for (const char* more : {"line", "notes", "measured", "cost", "mfu", "hfu"})
    names.emplace_back(more);
  return names;
}

// Whether a column can be: where the keys of the input are not all known, any name may be one.
base::Result<void> check_column(const std::string& flag, const std::string& name,
                                const std::vector<std::string>& keys, bool all_known) {
  const std::vector<std::string> known = known_columns(keys);
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  std::vector<std::string> close;
  for (const std::string& candidate : known) {
    const std::size_t limit = name.size() < 4 ? 0 : name.size() < 6 ? 1 : 2;
    const bool near = base::edit_distance(name, candidate, limit) <= limit;
    if (near && std::find(close.begin(), close.end(), candidate) == close.end()) {
      close.push_back(candidate);
    }
  }
  if (close.empty() && (!all_known || may_be_result(name))) return {};
  return Diagnostic{.code = Code::unknown_key,
                    .message = flag + ": no row has a column " + base::printable(name),
                    .span = {},
                    .hint = close.empty() ? "a result, a key of the input, device, verdict, line, "
                                            "sources, notes or error"
                                          : base::did_you_mean(close),
                    .notes = {}};
}

base::Result<std::optional<batch::Order>> order_of(const BatchArguments& arguments) {
  if (arguments.top.has_value() != arguments.by.has_value()) {
    return wrong(arguments.top ? "--top" : "--by", arguments.top ? *arguments.top : *arguments.by,
                 arguments.top ? "by what is not said" : "of how many is not said",
                 "--top 10 --by devices_min");
  }
  ULLAGE_TRY(const auto most, whole_flag("--top", arguments.top));
  if (!most) return std::optional<batch::Order>();
  batch::Order order;
  order.name = *arguments.by;
  order.most = *most;
  if (order.name.ends_with(":desc")) {
    order.descending = true;
    order.name.resize(order.name.size() - 5);
  }
  if (*most > 1'000'000) {
    return wrong("--top", *arguments.top, "more rows than are kept in memory", "at most 1000000");
  }
  return std::optional(std::move(order));
}

}  // namespace

std::vector<Flag> batch_flags(BatchArguments& arguments) {
  return {
      {"--columns", "NAME,...",
       "columns of a row: results, keys of the input, device, verdict, line, sources, notes, "
       "error",
       &arguments.columns},
      {"--matrix", "KEY=LIST",
       "a product instead of a file (repeatable): model=a,b context=8k,32k; on=all and "
       "model=all are every entry",
       &arguments.matrix},
      {"--where", "EXPR", "only rows for which it holds: verdict == fits and devices_min <= 8",
       &arguments.where},
      {"--top", "N", "only the N rows that come first --by", &arguments.top},
      {"--by", "NAME", "a result; NAME:desc for the largest first", &arguments.by},
      {"--limit", "N", "end after N rows", &arguments.limit},
      {"--shard", "K/N", "only the K-th of N pieces; one behind the other they are the whole",
       &arguments.shard},
      {"--fail-fast", "", "end at the first line that cannot be answered", &arguments.fail_fast},
      {"--explain-line", "N", "answer line N alone, with its whole derivation",
       &arguments.explain_line},
      {"--threads", "N", "threads (default: as many as there are processors)", &arguments.threads},
      {"--reference", "", "answer every line by the single command: slow, and the same",
       &arguments.reference}};
}

base::Result<std::shared_ptr<const batch::Matrix>> batch_matrix(
    const std::vector<std::string>& texts, catalog::Catalogue& catalogue) {
  if (texts.empty()) return std::shared_ptr<const batch::Matrix>();
  auto matrix = std::make_shared<batch::Matrix>();
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return wrong("--matrix", text, "no key with its values", "--matrix context=8k,32k");
    }
    batch::Axis axis;
    axis.key = text.substr(0, equals);
    for (const batch::Axis& other : *matrix) {
      if (other.key == axis.key) {
        return wrong("--matrix", text, base::printable(axis.key) + " is given twice",
                     "one list of values: --matrix context=8k,32k");
      }
    }
    ULLAGE_TRY(axis.values, axis_values(axis.key, text.substr(equals + 1), catalogue));
    if (std::find(axis.values.begin(), axis.values.end(), "") != axis.values.end()) {
      return wrong("--matrix", text, "has an empty value", "--matrix context=8k,32k");
    }
    matrix->push_back(std::move(axis));
  }
  return std::shared_ptr<const batch::Matrix>(std::move(matrix));
}

base::Result<batch::Shard> shard_flag(const std::optional<std::string>& text) {
  batch::Shard shard;
  if (!text) return shard;
  const auto stroke = text->find('/');
  const auto number = [](const std::string& part) -> std::uint64_t {
    const auto value = exact::Rational::parse(part);
    const auto whole = value ? value->to_int64() : std::nullopt;
    return whole && *whole > 0 ? static_cast<std::uint64_t>(*whole) : 0;
  };
  if (stroke != std::string::npos) {
    shard.number = number(text->substr(0, stroke));
    shard.of = number(text->substr(stroke + 1));
  }
  const bool good = stroke != std::string::npos && shard.number > 0 && shard.number <= shard.of &&
                    shard.of <= 1'000'000;
  if (!good) return wrong("--shard", *text, "is no piece", "1/4, 2/4, 3/4 and 4/4 are four pieces");
  return shard;
}

base::Result<std::optional<std::uint64_t>> whole_flag(const std::string& flag,
                                                      const std::optional<std::string>& text) {
  ULLAGE_TRY(const auto count, count_flag(flag, text));
  if (!count) return std::optional<std::uint64_t>();
  const auto whole = count->value.to_int64();
  if (!whole) return wrong(flag, *text, "is too large", "a whole number");
  return std::optional(static_cast<std::uint64_t>(*whole));
}

base::Result<batch::RowSettings> row_settings(const BatchArguments& arguments, Format format,
                                              batch::Parts& parts) {
  batch::RowSettings settings;
  ULLAGE_TRY(const std::vector<std::string> keys, parts.keys());
  settings.json_input = parts.format() == batch::InputFormat::json;
  const bool json = format == Format::json || (format == Format::text && settings.json_input);
  settings.format = json ? batch::RowFormat::json : batch::RowFormat::csv;
  const bool all_known = !settings.json_input;
  if (arguments.columns) {
    for (std::string& name : split(*arguments.columns)) {
      if (name.empty()) {
        return wrong("--columns", *arguments.columns, "has an empty name", "device,devices_min");
      }
      ULLAGE_CHECK(check_column("--columns", name, keys, all_known));
      settings.columns.push_back(batch::column_of(std::move(name)));
    }
    const bool error =
        std::any_of(settings.columns.begin(), settings.columns.end(),
                    [](const Column& column) { return column.kind == Column::Kind::error; });
    if (!error && !json) settings.columns.push_back(batch::column_of("error"));
  } else if (!json) {
    settings.columns = batch::default_columns(keys, parts.command());
  }
  if (arguments.where) {
    ULLAGE_TRY(settings.where, batch::Expression::parse(*arguments.where));
    for (const std::string& name : settings.where->names())
      ULLAGE_CHECK(check_column("--where", name, keys, all_known));
  }
  ULLAGE_TRY(settings.order, order_of(arguments));
  if (settings.order) ULLAGE_CHECK(check_column("--by", settings.order->name, keys, all_known));
  return settings;
}

}  // namespace ullage::cli
