// The words for files that cannot be read, the same for the disk and for its double in memory.
#pragma once

#include <cstdint>
#include <string>

#include "base/diagnostic.hpp"

namespace ullage::base {

Diagnostic unreadable(const std::string& path, std::string message, std::string hint);
Diagnostic missing_file(const std::string& path);
Diagnostic missing_folder(const std::string& path);
Diagnostic folder_as_file(const std::string& path);
Diagnostic file_as_folder(const std::string& path);
Diagnostic too_large(const std::string& path, std::uint64_t limit);

}  // namespace ullage::base
