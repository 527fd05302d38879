// Resolves --kv-dtype: a format of one width, the packed record of sparse latent attention, or the
// model's 16-bit type where nobody says anything.
#include <algorithm>

#include "memory/cache.hpp"
#include "model/storage_plan.hpp"

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

// Entries that stand for several tokens, with rotary elements apart: the record of DeepSeek-V4.
bool compresses(const model::Model& model) {
  const auto& caches = model.inventory->caches;
  return std::any_of(caches.begin(), caches.end(), [](const model::CacheGroup& group) {
    return group.kind == model::CacheKind::latent && group.compress && group.per_token.size() == 2;
  });
}

// The 16-bit type of the model's weights, or bf16 where they have none.
std::string sixteen_bit_type(const model::Model& model, catalog::Catalogue& catalogue) {
  const auto native = catalogue.formats().find(model.native_format);
  return native.ok() && (*native)->name == "fp16" ? "fp16" : "bf16";
}

// What the checkpoint says of its cache, if the engine follows that.
base::Result<std::optional<std::string>> stated_format(const model::Model& model,
                                                       const CacheRules& rules,
                                                       std::vector<base::Note>& notes) {
  std::optional<std::string> format;
  if (!model.stored_as) return format;
  ULLAGE_TRY(const model::StoredAs stored, model.stored_as());
  if (stored.plan == nullptr || stored.plan->cache_format.empty()) return format;
  const std::string& stated = stored.plan->cache_format;
  if (!rules.honours_stated_cache) {
    notes.push_back({"kv-dtype-of-checkpoint-ignored", Severity::note,
                     "the checkpoint states a " + stated + " cache (" + stored.plan->where +
                         "), which this version follows only where --kv-dtype asks for it"});
    return format;
  }
  notes.push_back({"kv-dtype-of-checkpoint", Severity::note,
                   "the KV cache is " + stated + ", as the checkpoint states (" +
                       stored.plan->where + "); --kv-dtype DTYPE sets another"});
  format = stated;
  return format;
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
                                       const CacheRules& rules, catalog::Catalogue& catalogue) {
  std::vector<base::Note> notes;
  std::optional<std::string> stated = wanted;
  if (!wanted || *wanted == "auto") {
    ULLAGE_TRY(stated, stated_format(model, rules, notes));
  }
  const bool chosen = stated.has_value();
  const std::string name = chosen ? *stated : sixteen_bit_type(model, catalogue);
  auto found = catalogue.formats().find(name);
  if (!found) {
    Diagnostic fault = std::move(found).error();
    fault.message = "--kv-dtype " + base::printable(name) + ": unknown cache format";
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
    return CacheFormat{
        .name = format.name, .bits = bits, .head_bits = {}, .notes = std::move(notes)};
  }
  CacheFormat result{
      .name = format.name,
      .bits = published_bits(graph, catalogue, format, "bits per cached element", width),
      .head_bits = {},
      .notes = std::move(notes)};
  if (format.head_bits) {
    result.head_bits = published_bits(graph, catalogue, format,
                                      "bits of the scale of a head in a token", *format.head_bits);
  }
  const bool eight_bit_float = format.name == "fp8" || format.name == "fp8-ds-mla";
  const bool sparse =
      keeps(model, model::CacheKind::latent) && keeps(model, model::CacheKind::index);
  if (eight_bit_float && sparse) {
    const bool compressed = compresses(model);
    result.packed = compressed ? "fp8-group448" : "fp8-group128";
    result.notes.push_back(
        {"packed-latent", Severity::note,
         std::string("an 8-bit cache of sparse latent attention is the engines' packed record: "
                     "8-bit codes of the latent with ") +
             (compressed ? "8 bytes of scales for 448" : "a 4-byte scale for 128") +
             ", the rotary key in 16 bits"});
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
