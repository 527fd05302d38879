// SHA-256 against the published examples of FIPS 180-4.
#include "base/sha256.hpp"

#include <doctest/doctest.h>

#include <string>

using ullage::base::sha256;

TEST_CASE("the digests of the standard's examples") {
  CHECK(sha256("") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256(std::string(1'000'000, 'a')) ==
        "sha256:cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("NUL bytes count") {
  CHECK(sha256(std::string(1, '\0')) != sha256(""));
}
