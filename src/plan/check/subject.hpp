// One workload under check: what the file says, what it stands on, what follows. Stages fill it in
// order; rules read it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalogue.hpp"
#include "import/open.hpp"
#include "memory/weights.hpp"
#include "plan/devices.hpp"
#include "plan/files/workload.hpp"
#include "plan/fit.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

// What the command line fills in or overrides.
struct CheckChoice {
  std::optional<std::string> on;
  std::optional<std::string> model;
  std::optional<std::string> weights;
  std::optional<GivenNumber> devices;
  std::optional<GivenNumber> reserve;
  CapacityChoice capacity;
  // `label=value` of a private label to the device that it means.
  std::map<std::string, std::string, std::less<>> devices_by_label;
  std::optional<std::int64_t> max_age;  // days
  std::int64_t today = 0;               // day number
};

// The device that a workload runs on.
struct Place {
  const catalog::Entry* chip = nullptr;  // null where only a size of memory is known
  std::optional<provenance::Figure<units::Bytes>> capacity;  // of one chip or partition
  exact::Rational ranks{1};  // that one chip gives to an engine: logical cores, devices of a chip
  bool ranks_known = true;
  bool is_neuron = false;
  std::optional<exact::Rational> chips_of_instance;
  Word stated;  // the text that was resolved
  std::vector<base::Note> notes;
  // A label's value that no node carries.
  std::optional<Remark> unmatched;
  // Why no device is known.
  std::string unknown;
  base::Span unknown_where;
};

// Ranks that the layout needs and that the file gives.
struct Ranks {
  std::optional<exact::Rational> needed;  // tp × pp × cp × dp, as far as they multiply
  std::optional<exact::Rational> given;
  std::optional<exact::Rational> visible;
  exact::Rational tp{1}, pp{1}, dp{1}, cp{1}, ep{1};
};

// What serving takes of one rank.
struct ServingNeed {
  std::optional<provenance::Figure<units::Bytes>> weights;    // of the fullest rank
  std::optional<provenance::Figure<units::Bytes>> one;        // with one sequence
  std::optional<provenance::Figure<units::Bytes>> cache_one;  // of that sequence
  std::optional<provenance::Figure<units::Bytes>> full;       // with every sequence
  std::optional<provenance::Figure<units::Bytes>> cache_full;
  std::optional<provenance::Figure<units::Bytes>>
      cache_budget;    // TensorRT-LLM: for the cache alone
  std::string engine;  // whose rules
  std::optional<exact::Rational> context;
  bool static_cache = false;  // allocated at the start for every sequence
};

struct TrainingNeed {
  std::optional<provenance::Figure<units::Bytes>> floor;  // of the fullest rank
  std::optional<provenance::Figure<units::Bytes>> upper;
};

struct Subject {
  Subject(Workload read, const CheckChoice& from_flags, catalog::Catalogue& entries,
          const base::FileSystem& disk, provenance::Graph& figures)
      : workload(std::move(read)),
        choice(from_flags),
        catalogue(entries),
        files(disk),
        graph(figures) {}

  Workload workload;
  const CheckChoice& choice;
  catalog::Catalogue& catalogue;
  const base::FileSystem& files;
  provenance::Graph& graph;

  std::optional<model::Model> model;
  std::string model_unknown;  // why there is none
  std::optional<memory::Weights> weights;
  Place place;
  Ranks ranks;
  std::optional<provenance::Figure<units::Bytes>> budget;  // of one rank
  ServingNeed serving;
  TrainingNeed training;
  // Where the layout is perfectly balanced: totals over all devices.
  std::optional<provenance::Figure<units::Bytes>> required_total;
  std::optional<provenance::Figure<units::Bytes>> available_total;
  bool overdrawn = false;  // a rule found that it cannot fit
  // What keeps the verdict open, one sentence each.
  std::vector<std::string> open;

  provenance::Row row;

  void note(std::string_view code, base::Severity level, std::string text, const base::Span& where);
  // A figure of a number that the file states.
  GivenNumber given(const Number& number) const;
  const provenance::NamedFigure* result(std::string_view name) const;
  void add(std::string_view name, provenance::FigureId figure);
  bool is_training() const { return workload.work == Work::train; }
  bool is_native() const { return workload.native.has_value(); }
};

// `file:line:column`.
std::string text_of(const base::Span& where);

// `41.2 GB (38.4 GiB)`, rounded up.
std::string size_text(const exact::Rational& bytes);

}  // namespace ullage::plan
