// The program's version, set by CMake's project().
#pragma once

namespace ullage::cli {

inline constexpr const char* kVersion = ULLAGE_VERSION;

}  // namespace ullage::cli
