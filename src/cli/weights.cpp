// ullage weights: the component tree, the floor and the payload.
#include "plan/weights.hpp"

#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/render.hpp"
#include "cli/values.hpp"

namespace ullage::cli {
namespace {

class WeightsCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {
        .name = "weights",
        .summary = "parameters by component, weight floor and payload",
        .examples = std::string(kWeightsExamples),
        .positionals = {{"MODEL", std::string(kModelHelp), &model_}},
        .flags = {{"--weights", "DTYPE",
                   "weight format: bf16, fp8, fp8-block, int4, mxfp4 … (default: the model's own)",
                   &weights_},
                  {"--bits", "N", "plain bits per parameter instead of a format", &bits_},
                  {"--tp", "N", "tensor-parallel degree: gives the weights of one device", &tp_},
                  {"--pp", "N", "pipeline-parallel degree", &pp_},
                  {"--ep", "N", "expert-parallel degree: experts whole, spread over N ranks", &ep_},
                  {"--layer-split", "N,N,...", "layers of each stage instead of an even --pp",
                   &layer_split_},
                  {"--engine", "NAME[@VERSION]",
                   "whose loading rules: ideal, vllm, sglang, trtllm, llamacpp, neuronx", &engine_},
                  {"--assume", "FAMILY", "count a configuration as another family", &assume_}}};
  }

  base::Result<Outcome> run(const Context& context) override {
    ULLAGE_TRY(const provenance::Answer answer, this->answer(context));
    const provenance::Row& row = answer.rows.front();
    report::SourceList sources(answer.graph, sources_of(context.catalogue));
    report::Page page;
    page.sections.push_back({report::Text(row.model, report::Role::heading),
                             {figures_table(answer, row.results, sources)}});
    add_notes(context, row.notes, page);
    if (!sources.empty()) page.sections.push_back(sources.legend());
    return Outcome{render(context, answer, std::move(page)), {}, status_of(answer)};
  }

  base::Result<provenance::Answer> answer(const Context& context) override {
    plan::WeightsRequest request;
    request.model = model_;
    request.assume = assume_;
    request.engine = engine_;
    ULLAGE_TRY(request.weights, weight_flags(weights_, bits_));
    ULLAGE_TRY(request.layout.tensor, count_flag("--tp", tp_));
    ULLAGE_TRY(request.layout.pipeline, count_flag("--pp", pp_));
    ULLAGE_TRY(request.layout.expert, count_flag("--ep", ep_));
    ULLAGE_TRY(request.layout.layer_split, count_list_flag("--layer-split", layer_split_));
    return plan::weights(request, context.catalogue, context.files);
  }

 private:
  std::string model_;
  std::optional<std::string> weights_;
  std::optional<std::string> bits_;
  std::optional<std::string> tp_;
  std::optional<std::string> pp_;
  std::optional<std::string> ep_;
  std::optional<std::string> layer_split_;
  std::optional<std::string> engine_;
  std::optional<std::string> assume_;
};

}  // namespace

std::unique_ptr<Command> make_weights() {
  return std::make_unique<WeightsCommand>();
}

}  // namespace ullage::cli
