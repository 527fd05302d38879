// Small things that every stage needs.
#include "plan/check/subject.hpp"

namespace ullage::plan {

void Subject::note(std::string_view code, base::Severity level, std::string text,
                   const base::Span& where) {
  base::Finding made;
  made.rule = code;
  made.level = level;
  made.message = std::move(text);
  made.span = where;
  row.findings.push_back(std::move(made));
}

GivenNumber Subject::given(const Number& number) const {
  return {number.value, text_of(number.where)};
}

const provenance::NamedFigure* Subject::result(std::string_view name) const {
  for (const provenance::NamedFigure& figure : row.results) {
    if (figure.name == name) return &figure;
  }
  return nullptr;
}

void Subject::add(std::string_view name, provenance::FigureId figure) {
  if (result(name) == nullptr) row.results.push_back({std::string(name), figure});
}

std::string text_of(const base::Span& where) {
  std::string text = where.file;
  if (where.line > 0) text += ":" + std::to_string(where.line);
  if (where.line > 0 && where.column > 0) text += ":" + std::to_string(where.column);
  return text;
}

std::string size_text(const exact::Rational& bytes) {
  const exact::Rational gb = bytes / exact::power_of_ten(9);
  const exact::Rational gib = bytes / exact::power_of_two(30);
  return gb.to_decimal(1, exact::Rounding::up) + " GB (" + gib.to_decimal(1, exact::Rounding::up) +
         " GiB)";
}

}  // namespace ullage::plan
