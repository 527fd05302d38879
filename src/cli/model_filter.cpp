// Reads the filters of model cards and holds cards against them.
#include "cli/model_filter.hpp"

#include "base/spelling.hpp"
#include "import/open.hpp"
#include "plan/fit.hpp"
#include "units/quantity.hpp"

namespace ullage::cli {
namespace {

using exact::Rational;

base::Diagnostic usage(std::string message, std::string hint) {
  return {.code = base::Code::usage,
          .message = "list: " + std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

// `70B`, as MODEL takes it, or a plain number of parameters.
base::Result<Rational> parameters_of(const std::string& flag, const std::string& text) {
  ULLAGE_TRY(const auto literal, import::parse_literal(text));
  if (literal && !literal->active) return literal->total;
  auto plain = Rational::parse(text);
  if (plain && plain->sign() > 0) return std::move(*plain);
  return usage(flag + " " + base::printable(text) + " is no number of parameters",
               "70B, 1.5T or a plain number");
}

base::Result<Rational> count_of(const std::string& flag, const std::string& text) {
  auto count = units::parse_count(text);
  if (count && count->sign() > 0) return std::move(*count);
  return usage(flag + " " + base::printable(text) + " is no number above zero", "8, 128k or 1m");
}

// The pinned value of a figure; nothing where the card does not state it.
std::optional<Rational> stated(const catalog::Entry& card, std::string_view name) {
  const catalog::FigureFact* const fact = card.figure(name);
  if (fact == nullptr || !fact->known()) return std::nullopt;
  return fact->claims.front().quantity.value;
}

bool says(const catalog::Entry& card, std::string_view attribute, const std::string& words) {
  const catalog::TextFact* const fact = card.attribute(attribute);
  return fact != nullptr && base::lower(fact->value).find(words) != std::string::npos;
}

}  // namespace

base::Result<ModelChoice> ModelChoice::read(const ModelFilter& filter,
                                            catalog::Catalogue& catalogue) {
  ModelChoice choice;
  if (filter.attention) choice.attention_ = base::lower(*filter.attention);
  if (filter.licence) choice.licence_ = base::lower(*filter.licence);
  if (filter.experts) {
    const std::string word = base::lower(*filter.experts);
    if (word == "yes" || word == "no") {
      choice.has_experts_ = word == "yes";
    } else {
      auto count = units::parse_count(word);
      if (!count || count->sign() <= 0) {
        return usage("--experts " + base::printable(*filter.experts) + " is no choice",
                     "yes, no, or how many routed experts a layer has");
      }
      choice.experts_ = std::move(*count);
    }
  }
  if (filter.size_at_least) {
    ULLAGE_TRY(choice.least_, parameters_of("--size-at-least", *filter.size_at_least));
  }
  if (filter.size_at_most) {
    ULLAGE_TRY(choice.most_, parameters_of("--size-at-most", *filter.size_at_most));
  }
  if (filter.context_at_least) {
    ULLAGE_TRY(choice.context_, count_of("--context-at-least", *filter.context_at_least));
  }
  if (filter.devices) {
    if (!filter.fits_on) return usage("--devices needs --fits-on", "--fits-on DEVICE names it");
    ULLAGE_TRY(choice.devices_, count_of("--devices", *filter.devices));
  }
  if (filter.fits_on) {
    ULLAGE_CHECK(catalogue.hardware(*filter.fits_on));
    choice.fits_on_ = *filter.fits_on;
    if (!choice.devices_) choice.devices_ = Rational(1);
  }
  return choice;
}

base::Result<bool> ModelChoice::matches(const catalog::Entry& card, catalog::Catalogue& catalogue,
                                        const base::FileSystem& files) const {
  if (attention_ && !says(card, "attention", *attention_)) return false;
  if (licence_ && !says(card, "licence", *licence_)) return false;
  const auto experts = stated(card, "experts");
  if (has_experts_ && *has_experts_ != experts.has_value()) return false;
  if (experts_ && (!experts || *experts != *experts_)) return false;
  const auto size = stated(card, "parameters");
  if (least_ && (!size || *size < *least_)) return false;
  if (most_ && (!size || *most_ < *size)) return false;
  const auto context = stated(card, "context_length");
  if (context_ && (!context || *context < *context_)) return false;
  if (fits_on_.empty()) return true;
  const plan::FitRequest request{
      .model = card.id + "@" + card.version,
      .on = fits_on_,
      .assume = {},
      .weights = {.format = {}, .bits = {}, .by_group = false, .count_stated = false},
      .working_memory = {},
      .reserve = {},
      .capacity = {},
      .devices = plan::GivenNumber{*devices_, "--devices"},
      .price = {},
      .measured = {},
      .serve = {},
      .utilization = {}};
  const auto answer = plan::fit(request, catalogue, files);
  // What cannot be counted is not known to fit.
  if (!answer) return false;
  return answer->rows.front().verdict == "fits";
}

}  // namespace ullage::cli
