// The words for files that cannot be read.
#include "base/file_faults.hpp"

namespace ullage::base {

Diagnostic unreadable(const std::string& path, std::string message, std::string hint) {
  return {.code = Code::file_unreadable,
          .message = std::move(message),
          .span = {.file = path},
          .hint = std::move(hint)};
}

Diagnostic missing_file(const std::string& path) {
  return unreadable(path, "there is no such file",
                    "check the path; a relative one starts at the working folder");
}

Diagnostic missing_folder(const std::string& path) {
  return unreadable(path, "there is no such folder",
                    "check the path; a relative one starts at the working folder");
}

Diagnostic folder_as_file(const std::string& path) {
  return unreadable(path, "this is a folder, not a file", "name a file inside it");
}

Diagnostic file_as_folder(const std::string& path) {
  return unreadable(path, "this is not a folder", "name the folder that holds the files");
}

Diagnostic too_large(const std::string& path, std::uint64_t limit) {
  return unreadable(path, "this is larger than the limit of " + std::to_string(limit) + " bytes",
                    "check that it is the intended file");
}

}  // namespace ullage::base
