// Every source of the catalogue as a table.
#pragma once

#include "catalog/catalogue.hpp"
#include "cli/listing.hpp"

namespace ullage::cli {

// Sorted by id.
Listed list_sources(catalog::Catalogue& catalogue);

}  // namespace ullage::cli
