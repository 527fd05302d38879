// Laws of the unit grammar and of quantities, over every spelling and every pair of kinds.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "generate.hpp"
#include "units/quantity.hpp"

namespace ullage::units {
namespace {

// Decimal text with up to twelve digits on each side of the point.
std::string decimal_text(property::Generator& generator) {
  std::string text = std::to_string(generator.below(1'000'000'000'000));
  if (generator.one_in(2)) text += "." + std::to_string(generator.below(1'000'000'000'000));
  if (generator.one_in(4)) text += "e" + std::to_string(generator.below(12));
  return generator.one_in(8) ? "-" + text : text;
}

TEST_CASE("every spelling reads back from its canonical form") {
  property::Generator generator(29);
  for (const std::string& spelling : known_unit_names()) {
    const std::string number = decimal_text(generator);
    const std::string spaced = number + " " + spelling;
    CAPTURE(spaced);
    const auto written = parse_written(spaced);
    REQUIRE(written.ok());
    CHECK(written->number == exact::Rational::parse(number).value());
    const auto canonical = parse_written(number + " " + written->unit);
    REQUIRE(canonical.ok());
    CHECK(canonical->unit == written->unit);
    CHECK(canonical->value() == written->value());
    CHECK(canonical->dimension == written->dimension);
    const auto joined = parse_written(number + spelling);
    REQUIRE(joined.ok());
    CHECK(joined->value() == written->value());
  }
}

TEST_CASE("a size reads as its bytes") {
  property::Generator generator(31);
  for (const std::string& spelling : known_unit_names()) {
    const std::string text = std::to_string(generator.below(1'000'000)) + spelling;
    CAPTURE(text);
    const auto size = parse_size(text);
    const auto written = parse_written(text);
    const bool bytes = written->dimension == kBytes && written->unit.ends_with('B');
    REQUIRE(size.ok() == bytes);
    if (bytes) CHECK(*size == written->value());
    if (!bytes) CHECK(size.error().code == base::Code::unit);
  }
}

TEST_CASE("any bytes are either read or refused with a code of input faults") {
  property::Generator generator(37);
  const std::string alphabet = "0123456789.,-+eE kKMGTPiBbitFLOPSs/%xph\n\xc3\xa9";
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (std::uint64_t length = generator.below(12); length > 0; --length) {
      text += alphabet[generator.below(alphabet.size())];
    }
    CAPTURE(text);
    const auto written = parse_written(text);
    if (written.ok()) {
      CHECK(parse_written(text)->value() == written->value());
    } else {
      const base::Code code = written.error().code;
      CHECK((code == base::Code::syntax || code == base::Code::unit ||
             code == base::Code::out_of_range));
      CHECK_FALSE(written.error().hint.empty());
    }
    const auto count = parse_count(text);
    if (count.ok()) CHECK((count->is_whole() && count->sign() >= 0));
    const auto share = parse_percent(text);
    if (share.ok()) CHECK((share->sign() >= 0 && *share <= exact::Rational(1)));
  }
}

TEST_CASE("quantities mix exactly where their units are one, in either order") {
  const Dimension dimensions[] = {kBytes, kByteRate, kFlopRate, kOpRate};
  const Kind kinds[] = {Kind::plain, Kind::dense, Kind::sparse, Kind::nominal, Kind::visible};
  const Direction directions[] = {Direction::none, Direction::one_way, Direction::both_ways,
                                  Direction::not_stated};
  const Scope scopes[] = {Scope::none, Scope::chip, Scope::system};
  std::vector<Unit> units;
  for (const Dimension dimension : dimensions) {
    for (const Kind kind : kinds) {
      for (const Direction direction : directions) {
        for (const Scope scope : scopes)
          units.push_back({dimension, kind, direction, scope});
      }
    }
  }
  property::Generator generator(41);
  for (int round = 0; round < 4000; ++round) {
    const Unit left = units[generator.below(units.size())];
    const Unit right = generator.one_in(8) ? left : units[generator.below(units.size())];
    const Quantity a{exact::Rational(generator.below(1000)), left};
    const Quantity b{exact::Rational(1 + generator.below(1000)), right};
    const bool like = left == right;
    REQUIRE(add(a, b).ok() == like);
    REQUIRE(add(b, a).ok() == like);
    REQUIRE(subtract(a, b).ok() == like);
    REQUIRE(subtract(b, a).ok() == like);
    REQUIRE(ratio(a, b).ok() == like);
    if (like) {
      REQUIRE(add(a, b).value() == add(b, a).value());
      REQUIRE(add(subtract(a, b).value(), b).value() == a);
    } else {
      REQUIRE(add(a, b).error().code == add(b, a).error().code);
      REQUIRE(add(a, b).error().message.find(describe(left)) != std::string::npos);
      REQUIRE(add(a, b).error().message.find(describe(right)) != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace ullage::units
