// Edit distances, and which names are suggested in which order.
#include "base/spelling.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace ullage::base;
using Names = std::vector<std::string>;

TEST_CASE("insertions, deletions, substitutions and swaps cost one each") {
  CHECK(edit_distance("", "", 3) == 0);
  CHECK(edit_distance("trainium", "trainium", 3) == 0);
  CHECK(edit_distance("Trainium", "tRAINIUM", 3) == 0);
  CHECK(edit_distance("trainum", "trainium", 3) == 1);
  CHECK(edit_distance("trainiium", "trainium", 3) == 1);
  CHECK(edit_distance("trainiun", "trainium", 3) == 1);
  CHECK(edit_distance("trianium", "trainium", 3) == 1);
  CHECK(edit_distance("kitten", "sitting", 9) == 3);
  CHECK(edit_distance("", "abc", 9) == 3);
}

TEST_CASE("beyond the limit the distance is the limit plus one") {
  CHECK(edit_distance("abcdef", "uvwxyz", 2) == 3);
  CHECK(edit_distance("abc", "abcdefgh", 2) == 3);
  CHECK(edit_distance("kitten", "sitting", 2) == 3);
  CHECK(edit_distance("ab", "ba", 0) == 1);
  // The early stop must not hide a swap that the next row pays for.
  CHECK(edit_distance("abcd", "badc", 2) == 2);
}

TEST_CASE("a distance is the same in both directions") {
  const std::vector<std::string> words{"", "a", "ab", "ba", "h100", "h200", "a100", "trn2", "rtn2"};
  for (const std::string& a : words) {
    for (const std::string& b : words)
      CHECK(edit_distance(a, b, 9) == edit_distance(b, a, 9));
  }
}

TEST_CASE("nearest names come first, ties in the order given") {
  const std::vector<std::string_view> names{"inferentia2", "trainium1", "trainium2", "h100"};
  CHECK(nearest("trainum2", names) == Names{"trainium2", "trainium1"});
  CHECK(nearest("trainium", names) == Names{"trainium1", "trainium2"});
  CHECK(nearest("trainium", names, 1) == Names{"trainium1"});
  CHECK(nearest("TRAINIUM3", names) == Names{"trainium1", "trainium2"});
  CHECK(nearest("zebra", names).empty());
}

TEST_CASE("a short name finds the longer ones that hold all its parts") {
  const std::vector<std::string_view> names{"a100", "nvidia-h100-pcie", "nvidia-h100-sxm",
                                            "glm-5.3-flash"};
  CHECK(nearest("h100", names) == Names{"nvidia-h100-pcie", "nvidia-h100-sxm", "a100"});
  CHECK(nearest("H100-SXM", names) == Names{"nvidia-h100-sxm"});
  CHECK(nearest("glm 5.3", names) == Names{"glm-5.3-flash"});
  CHECK(nearest("flas", names) == Names{"glm-5.3-flash"});
}

TEST_CASE("nothing is near to an empty, a one-letter or an enormous word") {
  const std::vector<std::string_view> names{"ab", "c", "h100"};
  CHECK(nearest("", names).empty());
  CHECK(nearest("--", names).empty());
  CHECK(nearest("z", names).empty());
  CHECK(nearest(std::string(1'000'000, 'h'), names).empty());
}

TEST_CASE("a name that is offered twice is suggested once") {
  const std::vector<std::string_view> names{"h100", "h100"};
  CHECK(nearest("h10", names) == Names{"h100"});
}

TEST_CASE("suggestions read as a question") {
  CHECK(did_you_mean({}).empty());
  CHECK(did_you_mean({"a"}) == "did you mean a?");
  CHECK(did_you_mean({"a", "b"}) == "did you mean a or b?");
  CHECK(did_you_mean({"a", "b", "c"}) == "did you mean a, b or c?");
}

TEST_CASE("lower case touches ASCII letters only") {
  CHECK(lower("GLM-5.3 \xc3\x84") == "glm-5.3 \xc3\x84");
}
