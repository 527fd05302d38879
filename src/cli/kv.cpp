// ullage kv: flags to a request, the answer to a page.
#include "plan/kv.hpp"

#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/memory_bar.hpp"
#include "cli/render.hpp"
#include "cli/serving_flags.hpp"
#include "cli/values.hpp"

namespace ullage::cli {
namespace {

class KvCommand final : public Command {
 public:
  CommandSpec spec() override {
    CommandSpec spec{.name = "kv",
                     .summary = "KV cache and recurrent state; limits on context and concurrency",
                     .examples = std::string(kKvExamples),
                     .positionals = {{"MODEL", std::string(kModelHelp), &model_}},
                     .flags = serving_.flags()};
    spec.flags.push_back({"--kv-memory", "SIZE",
                          "memory for the cache of one device: asks how much it holds",
                          &kv_memory_});
    spec.flags.push_back({"--capacity", "SIZE",
                          "memory of one device, of which --utilization, the weights and each "
                          "--overhead leave the rest to the cache",
                          &capacity_});
    spec.flags.push_back({"--weights", "DTYPE",
                          "weight format that --capacity has to hold (default: the model's)",
                          &weights_});
    spec.flags.push_back({"--bits", "N", "plain bits per parameter instead", &bits_});
    spec.flags.push_back(
        {"--assume", "FAMILY", "count a configuration as another family", &assume_});
    return spec;
  }

  base::Result<Outcome> run(const Context& context) override {
    ULLAGE_TRY(const provenance::Answer answer, this->answer(context));
    report::SourceList sources(answer.graph, sources_of(context.catalogue));
    const provenance::Row& row = answer.rows.front();
    report::Page page;
    std::vector<report::Block> blocks = memory_bar(answer, row);
    blocks.push_back(figures_table(answer, row.results, sources));
    page.sections.push_back({report::Text(row.model, report::Role::heading), std::move(blocks)});
    add_notes(context, row.notes, page);
    if (!sources.empty()) page.sections.push_back(sources.legend());
    Outcome outcome;
    outcome.output = render(context, answer, std::move(page));
    return outcome;
  }

  base::Result<provenance::Answer> answer(const Context& context) override {
    plan::KvRequest request;
    request.model = model_;
    request.assume = assume_;
    ULLAGE_TRY(request.weights, weight_flags(weights_, bits_));
    ULLAGE_TRY(request.serve, serving_.choice());
    ULLAGE_TRY(request.kv_memory, size_flag("--kv-memory", kv_memory_));
    ULLAGE_TRY(request.capacity, size_flag("--capacity", capacity_));
    ULLAGE_TRY(request.utilization, utilization_flag(serving_.utilization));
    return plan::kv(request, context.catalogue, context.files);
  }

 private:
  std::string model_;
  ServingArguments serving_;
  std::optional<std::string> kv_memory_;
  std::optional<std::string> capacity_;
  std::optional<std::string> weights_;
  std::optional<std::string> bits_;
  std::optional<std::string> assume_;
};

}  // namespace

std::unique_ptr<Command> make_kv() {
  return std::make_unique<KvCommand>();
}

}  // namespace ullage::cli
