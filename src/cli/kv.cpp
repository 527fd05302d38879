// ullage kv: flags to a request, the answer to a page.
#include "plan/kv.hpp"

#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/kv_flags.hpp"
#include "cli/memory_bar.hpp"
#include "cli/render.hpp"

namespace ullage::cli {
namespace {

class KvCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "kv",
            .summary = "KV cache and recurrent state; limits on context and concurrency",
            .examples = std::string(kKvExamples),
            .positionals = {{"MODEL", std::string(kModelHelp), &arguments_.model}},
            .flags = kv_flags(arguments_)};
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
    ULLAGE_TRY(const plan::KvRequest request, kv_request(arguments_));
    return plan::kv(request, context.catalogue, context.files);
  }

 private:
  KvArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> make_kv() {
  return std::make_unique<KvCommand>();
}

}  // namespace ullage::cli
