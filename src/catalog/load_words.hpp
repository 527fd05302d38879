// Facts in words and statements: what entries, partitions and software share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/fields.hpp"
#include "catalog/load.hpp"

namespace ullage::catalog {

// `further` are keys that the fact may have beside its own.
TextFact load_text_fact(Fields fields, std::string name, const SourceLookup& source,
                        std::span<const std::string_view> further = {});

// The mapping `attributes:` of `fields`, and its list `statements:`; empty where there is none.
std::vector<TextFact> load_attributes(Fields& fields, const SourceLookup& source);
std::vector<Statement> load_statements(Fields& fields, const SourceLookup& source);

}  // namespace ullage::catalog
