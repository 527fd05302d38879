// What a command answers: rows of named figures with their verdicts and notes, over one graph.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/finding.hpp"
#include "base/note.hpp"
#include "provenance/graph.hpp"

namespace ullage::provenance {

// A figure under the name that scripts read (`weights_floor`).
struct NamedFigure {
  std::string name;
  FigureId figure;
};

// A fact in words, such as `memory_type: HBM3`, with its source.
struct NamedText {
  std::string name;
  std::string value;    // empty where unknown
  std::string unknown;  // why
  std::string source;   // id
  std::string locator;
  std::string note;
};

// What a deployment plan says, with its place: `tp` 8 at line 12. A number or a text.
struct PlanField {
  std::string name;
  std::optional<exact::Rational> number;
  std::string text;
  base::Span where;
};

// One model on one device, one model, or one device.
struct Row {
  std::string model;    // empty where the command has none
  std::string device;   // likewise
  std::string verdict;  // fits, does-not-fit, unknown, lower-bound; empty where none was asked for
  std::vector<NamedFigure> results;   // in showing order
  std::vector<NamedText> attributes;  // facts in words about the device or model
  std::vector<base::Note> notes;
  std::vector<PlanField> plan = {};          // of `check`: what was read
  std::vector<base::Finding> findings = {};  // of `check`: what its rules say, each with its place
};

struct Answer {
  std::string command;
  std::vector<Row> rows;
  Graph graph;
};

}  // namespace ullage::provenance
