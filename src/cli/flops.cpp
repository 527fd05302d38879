// ullage flops: operations of a token, and times or utilisation on devices.
#include "plan/flops.hpp"

#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/render.hpp"
#include "cli/values.hpp"
#include "units/quantity.hpp"

namespace ullage::cli {
namespace {

using base::Diagnostic;
using exact::Rational;
using plan::GivenNumber;

Diagnostic wrong(const std::string& flag, const std::string& text, const char* why,
                 const char* hint) {
  return {.code = base::Code::usage,
          .message = flag + " " + base::printable(text) + ": " + why,
          .span = {},
          .hint = hint,
          .notes = {}};
}

// A share above zero and at most the whole.
base::Result<std::optional<GivenNumber>> share_flag(const std::string& flag,
                                                    const std::optional<std::string>& text) {
  if (!text) return std::optional<GivenNumber>();
  auto share = units::parse_percent(*text);
  if (!share) return wrong(flag, *text, share.error().message.c_str(), "40%");
  if (share->sign() <= 0) return wrong(flag, *text, "must be above 0", "40%");
  return std::optional(GivenNumber{*share, flag + " " + base::printable(*text)});
}

// Tokens of a training: a count, or with a suffix as literals have it, `15T`.
base::Result<std::optional<GivenNumber>> tokens_flag(const std::optional<std::string>& text) {
  if (!text) return std::optional<GivenNumber>();
  ULLAGE_TRY(const auto literal, import::parse_literal(*text));
  if (literal && !literal->active) {
    return std::optional(GivenNumber{literal->total, "--tokens " + base::printable(*text)});
  }
  return count_flag("--tokens", text);
}

class FlopsCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "flops",
            .summary = "FLOPs of a token, training times and utilisation",
            .examples = std::string(kFlopsExamples),
            .positionals = {{"MODEL", std::string(kModelHelp), &model_}},
            .flags = flags()};
  }

  base::Result<Outcome> run(const Context& context) override {
    ULLAGE_TRY(const provenance::Answer answer, this->answer(context));
    const provenance::Row& row = answer.rows.front();
    report::SourceList sources(answer.graph, sources_of(context.catalogue));
    report::Page page;
    const std::string title = row.device.empty() ? row.model : row.model + " on " + row.device;
    page.sections.push_back({report::Text(title, report::Role::heading),
                             {figures_table(answer, row.results, sources)}});
    add_notes(context, row.notes, page);
    if (!sources.empty()) page.sections.push_back(sources.legend());
    return Outcome{render(context, answer, std::move(page)), {}, status_of(answer)};
  }

  base::Result<provenance::Answer> answer(const Context& context) override {
    ULLAGE_TRY(const plan::FlopsRequest request, this->request());
    return plan::flops(request, context.catalogue, context.files);
  }

 private:
  std::vector<Flag> flags() {
    return {
        {"--sequence", "N", "tokens of a sequence (default 4096, shown as assumed)", &sequence_},
        {"--causal", "yes|no", "whether the masked half of the scores is left out (default no)",
         &causal_},
        {"--rules", "NAME",
         "ideal, megatron-lm, megatron-bridge, maxtext, nanotron, torchtitan, six-n, korthikanti "
         "or "
         "sc21 (default ideal)",
         &rules_},
        {"--recompute", "WHAT",
         "none, selective, op-selective or full: what hardware FLOPs add (default none)",
         &recompute_},
        {"--global-batch", "N", "sequences of one step", &batch_},
        {"--lora-rank", "N", "adapters of this rank; all else is frozen", &lora_rank_},
        {"--lora-targets", "LIST", "which matrices: q_proj,v_proj … or all-linear", &lora_targets_},
        {"--on", "DEVICE", "a chip, instance or system: gives times at its dense peak", &on_},
        {"--devices", "N", "how many of it there are (default 1)", &devices_},
        {"--precision", "NAME", "whose dense peak counts: bf16, fp8 … (default bf16)", &precision_},
        {"--mfu", "PCT", "share of the peak that is achieved (default: all, a bound)", &mfu_},
        {"--measured", "TOKENS/s", "rate of all devices together: gives its utilisation",
         &measured_},
        {"--tokens", "N", "tokens of the whole training, 15T", &tokens_},
        {"--sparse", "", "the with-sparsity peak, for structurally sparse models only", &sparse_},
        {"--assume", "FAMILY", "count a configuration as another family", &assume_}};
  }

  base::Result<plan::FlopsRequest> request() const {
    plan::FlopsRequest request;
    request.model = model_;
    request.assume = assume_;
    request.rules = rules_.value_or("ideal");
    request.on = on_;
    request.precision = precision_;
    request.sparse = sparse_;
    ULLAGE_TRY(request.sequence, count_flag("--sequence", sequence_));
    ULLAGE_TRY(request.batch, count_flag("--global-batch", batch_));
    ULLAGE_TRY(request.lora_rank, count_flag("--lora-rank", lora_rank_));
    ULLAGE_TRY(request.devices, count_flag("--devices", devices_));
    ULLAGE_TRY(request.measured, token_rate_flag("--measured", measured_));
    ULLAGE_TRY(request.mfu, share_flag("--mfu", mfu_));
    ULLAGE_TRY(request.tokens, tokens_flag(tokens_));
    if (causal_ && *causal_ != "yes" && *causal_ != "no") {
      return wrong("--causal", *causal_, "is no choice", "yes, no");
    }
    if (causal_) request.causal = *causal_ == "yes";
    const std::string again = recompute_.value_or("none");
    if (again == "selective") {
      request.recompute = compute::Repeat::selective;
    } else if (again == "op-selective") {
      request.recompute = compute::Repeat::op_selective;
    } else if (again == "full") {
      request.recompute = compute::Repeat::full;
    } else if (again != "none") {
      return wrong("--recompute", again, "is no choice", "none, selective, op-selective, full");
    }
    for (std::size_t start = 0; lora_targets_ && start <= lora_targets_->size();) {
      const std::size_t end = std::min(lora_targets_->find(',', start), lora_targets_->size());
      request.lora_targets.push_back(lora_targets_->substr(start, end - start));
      start = end + 1;
    }
    return request;
  }

  std::string model_;
  bool sparse_ = false;
  std::optional<std::string> sequence_, causal_, rules_, recompute_, batch_, lora_rank_,
      lora_targets_, on_, devices_, precision_, mfu_, measured_, tokens_, assume_;
};

}  // namespace

std::unique_ptr<Command> make_flops() {
  return std::make_unique<FlopsCommand>();
}

}  // namespace ullage::cli
