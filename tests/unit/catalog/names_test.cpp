// Natural names: what leaves out vendor, generation or capacity still finds its entry.
#include "catalog/names.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace ullage::catalog;

namespace {

bool found(const std::vector<Name>& names, std::string_view folded, NameRank rank) {
  return std::any_of(names.begin(), names.end(),
                     [&](const Name& name) { return name.folded == folded && name.rank == rank; });
}

}  // namespace

TEST_SUITE("catalog/names") {
  TEST_CASE("folding ignores case, blanks and underscores") {
    CHECK(fold("H100_SXM 80GB") == "h100-sxm-80gb");
    CHECK(fold("meta-llama/Llama-3.1-8B") == "meta-llama/llama-3.1-8b");
  }

  TEST_CASE("a GPU's id yields every natural short form") {
    const auto names = names_of(EntryKind::chip, "nvidia-h100-sxm5-80gb", {});
    CHECK(found(names, "nvidia-h100-sxm5-80gb", NameRank::own));
    for (const char* form : {"h100-sxm5-80gb", "h100-sxm-80gb", "h100-sxm5", "h100-sxm", "h100",
                             "nvidia-h100-sxm", "nvidia-h100-sxm-80gb"}) {
      CHECK_MESSAGE(found(names, form, NameRank::derived), form);
    }
    CHECK_FALSE(found(names, "sxm", NameRank::derived));
  }

  TEST_CASE("an instance is found without its provider") {
    CHECK(found(names_of(EntryKind::instance, "aws-p5.48xlarge", {}), "p5.48xlarge",
                NameRank::derived));
  }

  TEST_CASE("a Hugging Face id is found without its publisher, with its capitals kept") {
    const auto names = names_of(EntryKind::model, "qwen3-8b", {"Qwen/Qwen3-8B-Base"});
    CHECK(found(names, "qwen/qwen3-8b-base", NameRank::own));
    CHECK(found(names, "qwen3-8b-base", NameRank::derived));
    CHECK(names.back().spelled == "Qwen3-8B-Base");
  }

  TEST_CASE("parts of a name") {
    CHECK(parts_within("h100-80gb", "nvidia-h100-pcie-80gb"));
    CHECK_FALSE(parts_within("h10", "nvidia-h100-pcie-80gb"));
  }
}
