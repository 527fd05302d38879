// Numbered marks and their legend.
#include "report/source_list.hpp"

#include <doctest/doctest.h>

#include "report/text.hpp"
#include "sample_answer.hpp"

namespace {

using namespace ullage;
using namespace ullage::report;

TEST_CASE("marks number sources as they come, the legend explains them") {
  const provenance::Answer answer = sample::answer();
  const std::vector<provenance::NamedFigure>& results = answer.rows.front().results;
  SourceList list(answer.graph, sample::source);
  CHECK(list.empty());
  CHECK(list.marks(results[2].figure) == "[1]");  // budget: the chip's page
  CHECK(list.marks(results[1].figure) == "[2]");  // required memory: the model card
  CHECK(list.marks(results[3].figure) == "[1]");  // bandwidth: the pinned claim only
  CHECK(list.marks(results[5].figure).empty());   // unknown
  CHECK(to_text({{list.legend()}}, {.colour = false, .width = 0}) ==
        "Sources\n"
        "  [1]  Example Chip Architecture, Example Devices: L30; L31 (commit 0a1b2c3d; "
        "checked 2026-11-30; primary source)\n"
        "       https://example.org/chips/example_chip\n"
        "  [2]  Example-320B model card, Example Models: first table (revision 7; "
        "checked 2026-11-30; primary source)\n"
        "       https://example.org/models/320b\n");
}

TEST_CASE("what places have in common is written once") {
  provenance::Graph graph;
  SourceList list(graph, sample::source);
  for (const char* locator : {"file.json, key a", "file.json, key b", "L30", "L30", "row c"})
    list.marks(graph.published("x", {sample::claim("1", {}, "1", "model-card", locator)}));
  CHECK(to_text({{list.legend()}}).find(": file.json, key a; b; L30; row c (") !=
        std::string::npos);
}

TEST_CASE("a figure that rests on two sources has both marks, in order") {
  provenance::Answer answer = sample::answer();
  const std::vector<provenance::NamedFigure>& results = answer.rows.front().results;
  const provenance::FigureId both =
      answer.graph.derived("both", {}, "a ÷ b", "", {results[2].figure, results[0].figure}, 1);
  SourceList list(answer.graph, sample::source);
  list.marks(results[0].figure);
  CHECK(list.marks(both) == "[1] [2]");
}

}  // namespace
