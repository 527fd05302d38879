// What adapters of training frameworks share.
#pragma once

#include "plan/adapters/reading.hpp"

namespace ullage::plan {

// Reads keys of one mapping into knobs and fields.
class TrainingFile {
 public:
  TrainingFile(const Reading& reading, const PlanDocument& document, std::string_view kind,
               Dialect dialect);

  // The value behind a path of keys of the document.
  const document::Value* at(std::initializer_list<std::string_view> path) const;
  // Puts the value behind a path into a knob, where there is one.
  void take(std::initializer_list<std::string_view> path, Knob knob);
  void take(const document::Value* value, Knob knob);
  // A switch that the file turns on.
  bool is_on(std::initializer_list<std::string_view> path) const { return is_true(at(path)); }
  base::Span span(const document::Value& value) const { return document_.document.span(value); }
  // Text of another place of the same file (`${batch_size}`, `${model.x}`) put in.
  std::optional<Word> word(const document::Value* value) const;
  std::optional<Number> count(const document::Value* value, const char* what);

  // Moves the knobs into the workload.
  Workload& settle_in();

  Workload workload;
  Settings settings;

 private:
  const PlanDocument& document_;
  Dialect dialect_;
  Scope scope_;
};

}  // namespace ullage::plan
