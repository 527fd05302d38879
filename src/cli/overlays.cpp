// Reads the environment once.
#include "cli/overlays.hpp"

#include <cstdlib>

namespace ullage::cli {

base::Result<void> add_overlays(const CommonArguments& common, const base::FileSystem& files,
                                catalog::Catalogue& catalogue) {
  std::vector<std::string> folders;
  const char* const named = std::getenv("ULLAGE_CATALOGUE");
  if (named != nullptr && *named != '\0') folders.emplace_back(named);
  folders.insert(folders.end(), common.catalogues.begin(), common.catalogues.end());
  for (const std::string& folder : folders)
    ULLAGE_CHECK(catalogue.overlay(files, folder));
  return {};
}

}  // namespace ullage::cli
