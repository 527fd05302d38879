// Resolves --kv-dtype: a format of one width, the packed record of sparse latent attention, or the
// model's 16-bit type where nobody says anything.
#include <algorithm>

#include "memory/cache.hpp"

namespace ullage::memory {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using provenance::Figure;
using provenance::Graph;
using units::Bits;

Figure<Bits> published_bits(Graph& graph, catalog::Catalogue& catalogue,
                            const catalog::StorageFormat& format, std::string name,
                            const exact::Rational& value) {
  provenance::Claim claim;
  claim.quantity.value = value;
  claim.written = value.to_string();
  claim.printed = format.name;
  claim.last_place = 1;
  claim.source = format.source;
  claim.locator = format.locator;
  if (const provenance::Source* source = catalogue.source(format.source)) {
    claim.tier = source->tier;
    claim.checked = source->checked;
  }
  const auto id = graph.published(std::move(name), {std::move(claim)}, format.note);
  return *graph.narrow<Bits>(id);
}

bool keeps(const model::Model& model, model::CacheKind kind) {
  const auto& caches = model.inventory->caches;
  return std::any_of(caches.begin(), caches.end(),
                     [&](const model::CacheGroup& group) { return group.kind == kind; });
}

// The 16-bit type of the model's weights, or bf16 where they have none.
std::string sixteen_bit_type(const model::Model& model, catalog::Catalogue& catalogue) {
  const auto native = catalogue.formats().find(model.native_format);
  return native.ok() && (*native)->name == "fp16" ? "fp16" : "bf16";
}

}  // namespace

Figure<Bits> stored_width(Graph& graph, const catalog::StorageFormat& format, std::string name,
                          catalog::Catalogue& catalogue) {
  base::require(format.bits.has_value(), "a format without a width: ", format.name);
  return published_bits(graph, catalogue, format, std::move(name),
                        format.stored_bits.value_or(*format.bits));
}

base::Result<CacheFormat> cache_format(Graph& graph, const model::Model& model,
                                       const std::optional<std::string>& wanted,
                                       catalog::Catalogue& catalogue) {
  const bool chosen = wanted && *wanted != "auto";
  const std::string name = chosen ? *wanted : sixteen_bit_type(model, catalogue);
  auto found = catalogue.formats().find(name);
  if (!found) {
    Diagnostic fault = std::move(found).error();
    fault.message = "--kv-dtype: " + fault.message;
    fault.code = Code::usage;
    return fault;
  }
  const catalog::StorageFormat& format = **found;
  if (!format.bits) {
    return Diagnostic{.code = Code::usage,
                      .message = "--kv-dtype " + base::printable(name) + ": " + format.mix,
                      .span = {},
                      .hint = "a cache takes one width: bf16, fp8, int8, nvfp4, q8_0, q4_0 …",
                      .notes = {}};
  }
  const exact::Rational width = format.stored_bits.value_or(*format.bits);
  if (!chosen) {
    const auto bits = graph.assumed<Bits>("bits per cached element", width,
                                          "16 bits (" + format.name +
                                              "), since neither --kv-dtype nor the model "
                                              "says more");
    return CacheFormat{.name = format.name, .bits = bits, .head_bits = {}};
  }
  CacheFormat result{
      .name = format.name,
      .bits = published_bits(graph, catalogue, format, "bits per cached element", width),
      .head_bits = {}};
  if (format.head_bits) {
    result.head_bits = published_bits(graph, catalogue, format,
                                      "bits of the scale of a head in a token", *format.head_bits);
  }
  const bool eight_bit_float = format.name == "fp8" || format.name == "fp8-ds-mla";
  result.packed = eight_bit_float && keeps(model, model::CacheKind::latent) &&
                  keeps(model, model::CacheKind::index);
  if (result.packed) {
    result.notes.push_back(
        {"packed-latent", Severity::note,
         "an 8-bit cache of sparse latent attention is the engines' packed record: 8-bit codes of "
         "the latent with a 4-byte scale for 128, the rotary key in 16 bits"});
  } else if (format.name == "fp8-ds-mla") {
    return Diagnostic{.code = Code::unknown_figure,
                      .message = "fp8_ds_mla is the record of sparse latent attention, which " +
                                 base::printable(model.name) + " does not have",
                      .span = {},
                      .hint = "--kv-dtype fp8",
                      .notes = {}};
  }
  return result;
}

}  // namespace ullage::memory
