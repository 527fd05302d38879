// The members with which every JSON result begins.
#pragma once

#include <string_view>

#include "catalog/catalogue.hpp"
#include "report/json_writer.hpp"

namespace ullage::cli {

// Opens the result and writes `schema`, `tool` and `command`; the caller goes on with members.
void begin_result(report::JsonWriter& json, const catalog::Catalogue& catalogue,
                  std::string_view command);

}  // namespace ullage::cli
