// Derivations as an outline.
#include "report/explain.hpp"

#include <doctest/doctest.h>

#include "report/text.hpp"
#include "sample_answer.hpp"

namespace {

using namespace ullage;
using namespace ullage::report;

std::string explained(const provenance::Answer& answer,
                      const std::vector<provenance::NamedFigure>& figures) {
  return to_text({explain(answer.graph, figures, sample::source)}, {.colour = false, .width = 0});
}

TEST_CASE("a derivation goes down to its sources") {
  const provenance::Answer answer = sample::answer();
  CHECK(
      explained(answer, {answer.rows.front().results[1]}) ==
      "required_memory\n"
      "  - required memory = 352.00 GB (327.83 GiB), exactly 352,000,000,000 B [derived]\n"
      "    = weight floor + working memory\n"
      "    = 320,000,000,000 B + 32,000,000,000 B\n"
      "    - weight floor = 320.00 GB (298.02 GiB), exactly 320,000,000,000 B [derived]\n"
      "      = parameters × bits ÷ 8\n"
      "      = 320,000,000,000 × 8 ÷ 8\n"
      "      - parameters = 320,000,000,000 [published]\n"
      "        printed \"320B\" in Example-320B model card, Example Models, first table\n"
      "        revision 7; checked 2026-11-30; primary source\n"
      "        https://example.org/models/320b\n"
      "      - bits = 8 [given: --bits 8]\n"
      "    - working memory = 32.00 GB (29.80 GiB), exactly 32,000,000,000 B [assumed: a default; "
      "--working-memory sets it]\n");
}

TEST_CASE("what was shown is referred to, with its place") {
  const provenance::Answer answer = sample::answer();
  const std::vector<provenance::NamedFigure>& results = answer.rows.front().results;
  const std::string text = explained(answer, {results[0], results[1], results[0]});
  CHECK(text.find("    - weight floor = 320.00 GB (298.03 GiB) [see weights_floor above]\n") !=
        std::string::npos);
  CHECK(text.find("printed") == text.rfind("printed"));
}

TEST_CASE("every claim is shown with its relation and the reason of the pin") {
  const provenance::Answer answer = sample::answer();
  CHECK(explained(answer, {answer.rows.front().results[3]}) ==
        "memory_bandwidth\n"
        "  - memory bandwidth = 2.90 TB/s [published; memory B/s]\n"
        "    printed \"2.9 TB/sec\" in Example Chip Architecture, Example Devices, L31\n"
        "    commit 0a1b2c3d; checked 2026-11-30; primary source\n"
        "    https://example.org/chips/example_chip\n"
        "    pinned because: the chip's own page; the guide rounds\n"
        "    - another claim: 3.00 TB/s [another page of the publisher]\n"
        "      printed \"3TB/s\" in Example Kernel Guide, Example Devices, L16\n"
        "      checked 2026-11-30; quoted source\n"
        "      https://example.org/guide\n"
        "      source note: an old page\n");
}

TEST_CASE("an unknown figure says why, and so does what rests on it") {
  provenance::Answer answer = sample::answer();
  const provenance::FigureId power = answer.rows.front().results[5].figure;
  const provenance::FigureId double_power =
      answer.graph.derived("twice", {.dimension = units::kWatts}, "2 × power", "", {power}, 0);
  CHECK(explained(answer, {{"twice", double_power}}) ==
        "twice\n"
        "  - twice = unknown [derived]\n"
        "    because power: printed nowhere\n"
        "    = 2 × power\n"
        "    = 2 × unknown\n"
        "    - power = unknown [unpublished]\n"
        "      because printed nowhere\n");
}

TEST_CASE("fractions, citations, remarks, recomputed claims and further sources") {
  provenance::Answer answer = sample::answer();
  const provenance::FigureId third = answer.rows.front().results[4].figure;
  answer.graph.annotate(third, "a remark");
  CHECK(explained(answer, {{"a_third", third}}) ==
        "a_third\n"
        "  - a third = 0.3333, exactly 1/3 [derived]\n"
        "    = 1 ÷ 3\n"
        "    after Euclid, book VII\n"
        "    note: a remark\n");
  provenance::Claim half = sample::claim("12", {}, "", "chip-page", "L65");
  half.derivation = "24 ÷ 2";
  half.also = {"guide-page"};
  const provenance::FigureId recomputed = answer.graph.published("half", {half});
  const std::string text = explained(answer, {{"half", recomputed}});
  CHECK(text.find("computed as 24 ÷ 2 from Example Chip Architecture, Example Devices, L65\n") !=
        std::string::npos);
  CHECK(text.find("also printed in Example Kernel Guide, Example Devices\n") != std::string::npos);
}

TEST_CASE("what is printed beside a derived figure is shown as such") {
  provenance::Graph graph;
  const provenance::FigureId one = graph.given("one", {7, {}}, {"--one 7", ""});
  const provenance::FigureId all = graph.derived("all", {}, "2 × one", "", {one}, 14);
  graph.keep_beside(all, {sample::claim("15", {}, "15", "chip-page", "L9")});
  CHECK(to_text({explain(graph, {{"all", all}}, sample::source)}) ==
        "all\n"
        "  - all = 14 [derived]\n"
        "    = 2 × one\n"
        "    = 2 × 7\n"
        "    - printed for the same: 15\n"
        "      printed \"15\" in Example Chip Architecture, Example Devices, L9\n"
        "      commit 0a1b2c3d; checked 2026-11-30; primary source\n"
        "      https://example.org/chips/example_chip\n"
        "    - one = 7 [given: --one 7]\n");
}

TEST_CASE("parts that were shown before share one line") {
  provenance::Graph graph;
  const provenance::FigureId layers = graph.given("layers", {4, {}}, {"--layers 4", ""});
  const provenance::FigureId width = graph.given("width", {8, {}}, {"--width 8", ""});
  const provenance::FigureId query =
      graph.derived("query", {}, "layers × width", "", {layers, width}, 32);
  const provenance::FigureId value =
      graph.derived("value", {}, "layers × width", "", {layers, width}, 32);
  const provenance::FigureId both =
      graph.derived("both", {}, "query + value", "", {query, value}, 64);
  CHECK(to_text({explain(graph, {{"both", both}}, sample::source)}) ==
        "both\n"
        "  - both = 64 [derived]\n"
        "    = query + value\n"
        "    = 32 + 32\n"
        "    - query = 32 [derived]\n"
        "      = layers × width\n"
        "      = 4 × 8\n"
        "      - layers = 4 [given: --layers 4]\n"
        "      - width = 8 [given: --width 8]\n"
        "    - value = 32 [derived]\n"
        "      = layers × width\n"
        "      = 4 × 8\n"
        "      from above: layers = 4; width = 8\n");
}

TEST_CASE("a place in a file names its key") {
  provenance::Graph graph;
  const provenance::FigureId hidden =
      graph.given("hidden size", {4096, {}}, {"config.json:7:18", "key hidden_size"});
  CHECK(to_text({explain(graph, {{"h", hidden}}, sample::source)}) ==
        "h\n  - hidden size = 4,096 [given: config.json:7:18 (key hidden_size)]\n");
}

}  // namespace
