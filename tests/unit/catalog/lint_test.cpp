// Rules over files that are given as text, against the catalogue in the program.
#include "catalog/lint.hpp"

#include <doctest/doctest.h>

#include "base/date.hpp"

using namespace ullage;

namespace {

const char* const kSources =
    "schema: ullage/sources/1\n"
    "sources:\n"
    "  page:\n"
    "    {title: T, publisher: P, url: https://example.org, revision: r1, checked: 2026-11-30, "
    "tier: primary}\n";

std::string chip(const std::string& id, const std::string& figures) {
  return "schema: ullage/hardware/1\nid: " + id +
         "\nkind: chip\nname: X\nvendor: Y\nversion: 2026-11-30\n"
         "status: {value: documented, source: page, locator: L1}\nfigures:\n" +
         figures;
}

std::string figure(const std::string& name, const std::string& value,
                   const std::string& more = "") {
  return "  " + name + ": {value: " + value + ", printed: '" + value +
         "', source: page, locator: L1" + more + "}\n";
}

struct File {
  std::string name;
  std::string text;
};

// `rule@file:line level` of each finding.
std::vector<std::string> lint(const std::vector<File>& files, const catalog::LintAges& ages = {}) {
  catalog::Catalogue catalogue(catalog::embedded_catalogue());
  catalog::Lint lint(catalogue);
  for (const File& file : files)
    lint.add(file.name, file.text);
  lint.check(ages);
  std::vector<std::string> found;
  for (const base::Finding& finding : lint.findings()) {
    CHECK_FALSE(finding.message.empty());
    CHECK_NOTHROW(catalog::lint_rule(finding.rule));
    const char* const level = finding.level == base::Severity::error     ? " error"
                              : finding.level == base::Severity::warning ? " warning"
                                                                         : " note";
    found.push_back(finding.rule + "@" + finding.span.file + ":" +
                    std::to_string(finding.span.line) + level);
  }
  return found;
}

using Found = std::vector<std::string>;

}  // namespace

TEST_SUITE("catalog/lint") {
  TEST_CASE("zero, a prefix out of order and a unit in words are found") {
    const auto found = [](const std::string& figures) {
      return lint({{"sources.yaml", kSources}, {"x1.yaml", chip("x1", figures)}});
    };
    CHECK(found(figure("tdp", "0 W")) == Found{"zero-figure@x1.yaml:9 error"});
    CHECK(found(figure("dense_fp64", "0.5 PFLOPS") + figure("dense_bf16", "121 TFLOPS")) ==
          Found{"rate-order@x1.yaml:9 warning"});
    const std::string words =
        "  dense_fp32: {value: 30.3 PFLOPS, printed: 30.3 teraFLOPS, source: "
        "page, locator: L1}\n";
    CHECK(found(words) == Found{"printed-differs@x1.yaml:9 warning"});
    CHECK(found("  memory_capacity: {value: 96 GB, printed: 96 gigabytes of HBM, source: page, "
                "locator: L1}\n") == Found{});
    CHECK(found("  memory_capacity: {value: 96 GiB, printed: 96 gigabytes of HBM, source: page, "
                "locator: L1}\n") == Found{"printed-differs@x1.yaml:9 warning"});
  }

  TEST_CASE("a date that is none, and one that is to come") {
    const std::string far =
        "schema: ullage/sources/1\nsources:\n  page: {title: T, publisher: P, "
        "url: https://example.org, revision: r1, checked: 2999-01-01, tier: "
        "primary}\n";
    const std::string none =
        "schema: ullage/sources/1\nsources:\n  page: {title: T, publisher: P, "
        "url: https://example.org, revision: r1, checked: 2026-02-30, tier: "
        "primary}\n";
    const std::string one = chip("x1", figure("tdp", "5 W"));
    CHECK(lint({{"sources.yaml", far}, {"x1.yaml", one}}) ==
          Found{"future-date@sources.yaml:3 warning"});
    CHECK(lint({{"sources.yaml", none}, {"x1.yaml", one}}) ==
          Found{"out-of-range@sources.yaml:3 error"});
  }

  TEST_CASE("every figure of the catalogue has a source and a locator") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    std::size_t figures = 0;
    std::size_t known = 0;
    std::size_t claims = 0;
    for (const catalog::Listing& listing : catalogue.listings()) {
      const auto loaded = catalogue.load(listing);
      REQUIRE(loaded.ok());
      const catalog::Entry& entry = catalogue.complete(**loaded);
      std::vector<const catalog::FigureList*> lists{&entry.figures};
      for (const catalog::Entry& partition : entry.partitions)
        lists.push_back(&partition.figures);
      for (const catalog::Software& software : entry.software)
        lists.push_back(&software.figures);
      for (const catalog::FigureList* const list : lists) {
        for (const catalog::FigureFact& fact : *list) {
          ++figures;
          if (fact.known()) ++known;
          if (!fact.known()) CHECK_MESSAGE(!fact.unknown.empty(), entry.file, fact.name);
          for (const provenance::Claim& claim : fact.claims) {
            ++claims;
            CHECK_MESSAGE(!claim.locator.empty(), entry.file, fact.name);
            CHECK_MESSAGE(catalogue.source(claim.source) != nullptr, entry.file, fact.name);
            for (const std::string& id : claim.also)
              CHECK_MESSAGE(catalogue.source(id) != nullptr, entry.file, fact.name);
          }
        }
      }
    }
    CHECK(figures > 2400);
    MESSAGE(figures, " figures, ", known, " known by ", claims,
            " claims: each with source and locator");
  }

  TEST_CASE("files that keep the rules are clean") {
    CHECK(lint({{"sources.yaml", kSources},
                {"new-chip.yaml", chip("new-chip", figure("memory_capacity", "96 GiB") +
                                                       figure("dense_fp8", "1000 TFLOPS") +
                                                       figure("sparse_fp8", "2000 TFLOPS"))}}) ==
          Found{});
  }

  TEST_CASE("a file that is no YAML does not hide the faults of the others") {
    CHECK(lint({{"sources.yaml", kSources},
                {"a.yaml", "a: [1\n"},
                {"b.yaml", chip("b", figure("memory_capacity", "96 G") +
                                         figure("memory_bandwidth", "1 GiB"))}}) ==
          Found{"syntax@a.yaml:2 error", "unit@b.yaml:9 error", "unit@b.yaml:10 error"});
  }

  TEST_CASE("a file that only adds to an entry need not be whole") {
    const std::string addition =
        "schema: ullage/hardware/1\nid: trainium2\nversion: 2026-12-01\nfigures:\n" +
        figure("tdp", "500 W");
    CHECK(lint({{"sources.yaml", kSources}, {"ours.yaml", addition}}) == Found{});
    CHECK(lint({{"sources.yaml", kSources}, {"ours.yaml", "kind: chip\n" + addition}}) == Found{});
    CHECK(lint({{"sources.yaml", kSources}, {"ours.yaml", "kind: system\n" + addition}}) ==
          Found{"conflict@ours.yaml:1 error"});
    CHECK(lint({{"sources.yaml", kSources}, {"ours.yaml", "vendor: Y\n" + addition}}) ==
          Found{"missing-key@ours.yaml:1 error"});
  }

  TEST_CASE("a name of the catalogue's cannot be taken") {
    const auto alias = [](const std::string& name) {
      return lint({{"sources.yaml", kSources},
                   {"x1.yaml", chip("x1", "  {}\n") + "aliases: [" + name + "]\n"}});
    };
    CHECK(alias("trn2") == Found{"name-clash@x1.yaml:10 error"});
    CHECK(alias("TRAINIUM2") == Found{"name-clash@x1.yaml:10 error"});
    CHECK(alias("x2") == Found{});
    // A derived short form may be shared: asking for it is answered with every reading.
    CHECK(alias("h100") == Found{});
  }

  TEST_CASE("sparse rates against dense ones") {
    const auto rates = [](const std::string& dense, const std::string& sparse,
                          const std::string& note = "") {
      return lint({{"sources.yaml", kSources},
                   {"x.yaml",
                    chip("x", figure("dense_bf16", dense) + figure("sparse_bf16", sparse, note))}});
    };
    CHECK(rates("989.4 TFLOPS", "1979 TFLOPS") == Found{});
    CHECK(rates("362 TFLOPS", "733 TFLOPS") == Found{"sparse-ratio@x.yaml:10 error"});
    CHECK(rates("362 TFLOPS", "733 TFLOPS", ", note: the page prints 733") ==
          Found{"sparse-ratio@x.yaml:10 note"});
    CHECK(rates("362 TFLOPS", "733 TFLOPS", ", note: another page prints 724") ==
          Found{"sparse-ratio@x.yaml:10 error"});
    CHECK(rates("989 TFLOPS", "989 TFLOPS", ", note: n") ==
          Found{"sparse-equals-dense@x.yaml:10 error"});
    CHECK(rates("989 TFLOPS", "494 TFLOPS") == Found{"sparse-ratio@x.yaml:10 error"});
    CHECK(rates("15 PFLOPS", "20 PFLOPS") == Found{"sparse-below-pattern@x.yaml:10 warning"});
    CHECK(rates("15 PFLOPS", "20 PFLOPS", ", note: the page prints 20") == Found{});
  }

  TEST_CASE("several sparsity patterns give anything up to the best") {
    const auto patterns = [](const std::string& text, const std::string& sparse) {
      return lint({{"sources.yaml", kSources},
                   {"x.yaml",
                    chip("x", figure("dense_bf16", "100 TFLOPS") + figure("sparse_bf16", sparse)) +
                        "attributes:\n  sparsity_patterns: {value: '" + text +
                        "', source: page, locator: L1}\n"}});
    };
    CHECK(patterns("4:16, 2:4", "400 TFLOPS") == Found{});
    CHECK(patterns("4:16, 2:4", "250 TFLOPS") == Found{});
    CHECK(patterns("4:16, 2:4", "420 TFLOPS") == Found{"sparse-ratio@x.yaml:10 error"});
    CHECK(patterns("half", "200 TFLOPS") == Found{"out-of-range@x.yaml:12 error"});
    CHECK(patterns("4:0", "200 TFLOPS") == Found{"out-of-range@x.yaml:12 error"});
  }

  TEST_CASE("a value must be among what is printed") {
    const auto printed = [](const std::string& value, const std::string& text) {
      return lint({{"sources.yaml", kSources},
                   {"x.yaml", chip("x", "  memory_bandwidth: {value: " + value + ", printed: '" +
                                            text + "', source: page, locator: L1}\n")}});
    };
    const Found differs{"printed-differs@x.yaml:9 warning"};
    CHECK(printed("2.9 TB/s", "2.9 TB/sec") == Found{});
    CHECK(printed("2.9 TB/s", "2,900 GB/s") == Found{});
    CHECK(printed("2.9 TB/s", "2,9") == Found{});
    CHECK(printed("3 TB/s", "about three") == Found{});
    CHECK(printed("16 TB/s", "4x4 of 1") == Found{});
    CHECK(printed("4 TB/s", "a lot") == Found{});
    CHECK(printed("2.9 TB/s", "2.9 TiB/s") == differs);
    CHECK(printed("9.2 TB/s", "2.9") == differs);
    CHECK(printed("2.9 TB/s", "2 and 9") == differs);
  }

  TEST_CASE("a source is stale when it is older than the limit, not at it") {
    const auto aged = [](std::string_view today) {
      catalog::LintAges ages;
      ages.today = *base::day_number(today);
      ages.most = 90;
      return lint({{"sources.yaml", kSources}, {"x.yaml", chip("x", "  {}\n")}}, ages);
    };
    CHECK(aged("2027-02-28") == Found{});
    CHECK(aged("2027-03-01") == Found{"stale-source@sources.yaml:4 warning"});
    // A clock behind the day on which the catalogue itself was reviewed is wrong.
    CHECK(aged("2026-11-29") == Found{});
  }

  TEST_CASE("findings stand in the order of files, then lines") {
    CHECK(lint({{"b.yaml", chip("b", figure("memory_capacity", "1 G"))},
                {"sources.yaml", kSources},
                {"a.yaml", chip("c", figure("memory_capacity", "1 GB"))}}) ==
          Found{"unit@b.yaml:9 error", "file-name@a.yaml:2 note"});
  }

  TEST_CASE("nothing is found twice where ids repeat, and duplicates are named once") {
    const std::string text = chip("x", figure("memory_capacity", "1 GB"));
    CHECK(lint({{"sources.yaml", kSources}, {"x.yaml", text}, {"y/x.yaml", text}}) ==
          Found{"duplicate-entry@y/x.yaml:2 error"});
    CHECK(lint({{"sources.yaml", kSources}, {"more.yaml", kSources}, {"x.yaml", text}}) ==
          Found{"duplicate-source@more.yaml:3 error"});
  }
}
