// Dates to day numbers and back.
#include "base/date.hpp"

#include <doctest/doctest.h>

using namespace ullage;

TEST_SUITE("base/date") {
  TEST_CASE("known days") {
    CHECK(base::day_number("1970-01-01") == 0);
    CHECK(base::day_number("2000-03-01") == 11017);
    CHECK(base::day_number("2026-12-01") == 20788);
    CHECK(*base::day_number("2028-03-01") - *base::day_number("2028-02-28") == 2);
    CHECK(*base::day_number("2027-03-01") - *base::day_number("2027-02-28") == 1);
  }

  TEST_CASE("what is no day is none") {
    for (const char* text : {"", "2026-02-30", "2027-02-29", "2100-02-29", "2026-13-01",
                             "2026-00-10", "2026-01-00", "2026-1-1", "26-01-01", "2026/01/01",
                             "2026-01-0x", "0000-01-01", "2026-01-011", "-026-01-01"}) {
      CHECK_MESSAGE(!base::day_number(text).has_value(), text);
    }
  }

  TEST_CASE("every day of four centuries comes back") {
    for (std::int64_t day = -200000; day <= 200000; day += 37) {
      CHECK(base::day_number(base::date_of(day)) == day);
    }
    CHECK(base::date_of(*base::day_number("2000-02-29")) == "2000-02-29");
    CHECK(base::date_of(*base::day_number("0001-01-01")) == "0001-01-01");
  }
}
