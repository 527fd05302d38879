// The catalogue that a user sees.
#pragma once

#include "cli/command.hpp"

namespace ullage::cli {

// Adds the folders of ULLAGE_CATALOGUE and --catalogue, in this order. Errors: those of overlays.
base::Result<void> add_overlays(const CommonArguments& common, const base::FileSystem& files,
                                catalog::Catalogue& catalogue);

}  // namespace ullage::cli
