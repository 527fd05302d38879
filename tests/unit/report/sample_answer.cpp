#include "sample_answer.hpp"

namespace ullage::report::sample {

using provenance::Claim;
using provenance::FigureId;
using provenance::Graph;
using provenance::Source;
using provenance::Tier;

exact::Rational number(std::string_view text) {
  return exact::Rational::parse_fraction(text).value();
}

Claim claim(std::string_view value, units::Unit unit, std::string printed, std::string source,
            std::string locator) {
  Claim result;
  result.quantity = {number(value), unit};
  result.printed = std::move(printed);
  result.source = std::move(source);
  result.locator = std::move(locator);
  result.checked = "2026-11-30";
  return result;
}

const Source* source(std::string_view id) {
  static const std::map<std::string, Source, std::less<>> kSources{
      {"chip-page",
       {"chip-page", "Example Chip Architecture", "Example Devices",
        "https://example.org/chips/example_chip", "commit 0a1b2c3d", "2026-11-30", Tier::primary,
        ""}},
      {"guide-page",
       {"guide-page", "Example Kernel Guide", "Example Devices", "https://example.org/guide", "",
        "2026-11-29", Tier::quoted, "an old page"}},
      {"model-card",
       {"model-card", "Example-320B model card", "Example Models",
        "https://example.org/models/320b", "revision 7", "2026-11-30", Tier::primary, ""}}};
  const auto found = kSources.find(id);
  return found == kSources.end() ? nullptr : &found->second;
}

provenance::Answer answer() {
  constexpr units::Unit kCount{};
  constexpr units::Unit kBytes{.dimension = units::kBytes};
  constexpr units::Unit kCapacity{.dimension = units::kBytes,
                                  .kind = units::Kind::nominal,
                                  .direction = units::Direction::none,
                                  .scope = units::Scope::chip};
  constexpr units::Unit kBandwidth{.dimension = units::kByteRate,
                                   .kind = units::Kind::memory,
                                   .direction = units::Direction::none,
                                   .scope = units::Scope::none};
  provenance::Answer result;
  result.command = "fit";
  Graph& graph = result.graph;
  const FigureId parameters = graph.published(
      "parameters", {claim("320000000000", kCount, "320B", "model-card", "first table")});
  const FigureId bits = graph.given("bits", {number("8"), kCount}, {"--bits 8", ""});
  const FigureId floor = graph.derived("weight floor", kBytes, "parameters × bits ÷ 8", "",
                                       {parameters, bits}, number("320000000000"));
  const FigureId lump = graph.assumed("working memory", {number("32000000000"), kBytes},
                                      "a default; --working-memory sets it");
  const FigureId need = graph.derived("required memory", kBytes, "weight floor + working memory",
                                      "", {floor, lump}, number("352000000000"));
  const FigureId capacity = graph.published(
      "memory capacity", {claim("103079215104", kCapacity, "96 GiB", "chip-page", "L30")});
  const FigureId reserve =
      graph.assumed("reserve", {number("3/20"), kCount}, "15% by default; --reserve sets it");
  const FigureId budget =
      graph.derived("device budget", kBytes, "memory capacity × (1 − reserve)", "",
                    {capacity, reserve}, number("103079215104") * number("17/20"));
  Claim pinned = claim("2900000000000", kBandwidth, "2.9 TB/sec", "chip-page", "L31");
  pinned.pinned = "the chip's own page; the guide rounds";
  Claim other = claim("3000000000000", kBandwidth, "3TB/s", "guide-page", "L16");
  other.relation = provenance::Relation::other_page;
  other.tier = Tier::quoted;
  const FigureId bandwidth = graph.published("memory bandwidth", {pinned, other});
  const FigureId third =
      graph.derived("a third", kCount, "1 ÷ 3", "Euclid, book VII", {}, number("1/3"));
  const FigureId power = graph.unknown("power", {.dimension = units::kWatts},
                                       provenance::Absence::unpublished, "printed nowhere");
  provenance::Row& row = result.rows.emplace_back();
  row.model = "example-320b";
  row.device = "example-chip";
  row.verdict = "lower-bound";
  row.results = {{"weights_floor", floor},  {"required_memory", need},
                 {"device_budget", budget}, {"memory_bandwidth", bandwidth},
                 {"a_third", third},        {"tdp", power}};
  row.notes = {{"arithmetic-lower-bound", base::Severity::note, "an arithmetic minimum"},
               {"conflict", base::Severity::warning, kHostile}};
  return result;
}

}  // namespace ullage::report::sample
