// ullage list: what the catalogue holds.
#include <array>

#include "base/spelling.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/list_entries.hpp"
#include "cli/sources.hpp"
#include "import/family.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

Listed list_formats(catalog::Catalogue& catalogue) {
  Listed listed;
  listed.what = "formats";
  listed.columns = {"name", "bits", "stored_bits", "spellings", "source"};
  for (const catalog::StorageFormat* format : catalogue.formats().all()) {
    std::string spellings;
    for (const std::string& spelling : format->spellings) {
      spellings += (spellings.empty() ? "" : ", ") + spelling;
    }
    const auto text = [](const std::optional<exact::Rational>& bits) {
      return bits ? report::number_text(*bits, {}) : std::string("mix");
    };
    listed.rows.push_back({format->name, text(format->bits), text(format->stored_bits),
                           std::move(spellings), format->source});
  }
  return listed;
}

Listed list_families() {
  Listed listed;
  listed.what = "families";
  listed.columns = {"model_type", "what", "tensors"};
  for (const import::Family& family : import::families())
    listed.rows.push_back({family.model_type, family.what, family.citation});
  return listed;
}

base::Diagnostic nothing_called(const std::string& asked) {
  constexpr std::array<std::string_view, 6> known{"hardware", "partitions", "models",
                                                  "sources",  "formats",    "families"};
  const auto close = base::nearest(asked, known, 1);
  return {.code = base::Code::usage,
          .message = "list: nothing is called " + base::printable(asked),
          .span = {},
          .hint = close.empty() ? "hardware, partitions, models, sources, formats or families"
                                : base::did_you_mean(close),
          .notes = {}};
}

class ListCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {
        .name = "list",
        .summary = "what the catalogue holds",
        .examples = std::string(kListExamples),
        .positionals = {{"WHAT", "hardware, partitions, models, sources, formats or families",
                         &what_}},
        .flags = {{"--vendor", "NAME", "entries of this vendor or publisher", &filter_.vendor},
                  {"--kind", "KIND", "chip, instance, system or partition", &filter_.kind},
                  {"--of", "CHIP", "partitions of this chip", &filter_.of},
                  {"--memory-at-least", "SIZE", "devices with at least this much memory",
                   &filter_.memory_at_least},
                  {"--precision", "NAME", "devices with a published rate of it: fp8, bf16 …",
                   &filter_.precision},
                  {"--interconnect", "TEXT", "devices whose links say this: nvlink, efa …",
                   &filter_.interconnect},
                  {"--family", "NAME", "entries of this family: llama, hopper …", &filter_.family},
                  {"--attention", "TEXT", "models with this attention: gqa, mla, hybrid, window …",
                   &filter_.model.attention},
                  {"--experts", "CHOICE", "models with experts (yes), without (no), or with N",
                   &filter_.model.experts},
                  {"--size-at-least", "N", "models of at least this many parameters: 7B",
                   &filter_.model.size_at_least},
                  {"--size-at-most", "N", "models of at most this many parameters: 70B",
                   &filter_.model.size_at_most},
                  {"--context-at-least", "N", "models of at least this context length: 128k",
                   &filter_.model.context_at_least},
                  {"--licence", "TEXT", "models under this licence: apache-2.0, mit …",
                   &filter_.model.licence},
                  {"--fits-on", "DEVICE",
                   "models that fit it in their native format, as `ullage fit` says",
                   &filter_.model.fits_on},
                  {"--devices", "N", "how many of that device there are (default 1)",
                   &filter_.model.devices},
                  {"--columns", "LIST",
                   "id, kind, name, vendor, status, version, memory and figures "
                   "(`ullage help figures`), separated by commas",
                   &filter_.columns}}};
  }

  base::Result<Outcome> run(const Context& context) override {
    ULLAGE_TRY(const Listed listed, chosen(context));
    Outcome outcome = render_listed(context, "list", listed);
    if (listed.rows.empty()) outcome.remark = "nothing in the catalogue matches";
    return outcome;
  }

 private:
  base::Result<Listed> chosen(const Context& context) {
    catalog::Catalogue& catalogue = context.catalogue;
    const std::string what = base::lower(what_);
    const bool partitions = filter_.kind && base::lower(*filter_.kind) == "partition";
    if (what == "partitions" || (what == "hardware" && partitions)) {
      if (filter_.kind && !partitions) return only_partitions();
      return list_partitions(catalogue, filter_);
    }
    if (filter_.of) return only_partitions();
    if (what == "hardware" || what == "devices")
      return list_entries(catalogue, context.files, false, filter_);
    if (what == "models") return list_entries(catalogue, context.files, true, filter_);
    if (filter_.model.given()) {
      return base::Diagnostic{.code = base::Code::usage,
                              .message = "list: filters of model cards are for models",
                              .span = {},
                              .hint = "`ullage list models`",
                              .notes = {}};
    }
    for (const auto* flag :
         {&filter_.vendor, &filter_.kind, &filter_.memory_at_least, &filter_.precision,
          &filter_.interconnect, &filter_.family, &filter_.columns}) {
      if (*flag) {
        return base::Diagnostic{.code = base::Code::usage,
                                .message = "list: filters and columns are for hardware and models",
                                .span = {},
                                .hint = "`ullage list hardware` or `ullage list models`",
                                .notes = {}};
      }
    }
    if (what == "sources") return list_sources(catalogue);
    if (what == "formats") return list_formats(catalogue);
    if (what == "families") return list_families();
    return nothing_called(what_);
  }

  static base::Diagnostic only_partitions() {
    return {.code = base::Code::usage,
            .message = "list: --of is for partitions, and they are of no other kind",
            .span = {},
            .hint = "`ullage list partitions --of h100-sxm`",
            .notes = {}};
  }

  std::string what_;
  EntryFilter filter_;
};

}  // namespace

std::unique_ptr<Command> make_list() {
  return std::make_unique<ListCommand>();
}

}  // namespace ullage::cli
