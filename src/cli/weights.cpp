// ullage weights: the component tree, the floor and the payload.
#include "plan/weights.hpp"

#include "cli/commands.hpp"
#include "cli/render.hpp"
#include "cli/values.hpp"

namespace ullage::cli {

base::Result<Outcome> run_weights(const Context& context, const WeightsArguments& arguments) {
  plan::WeightsRequest request;
  request.model = arguments.model;
  request.assume = arguments.assume;
  ULLAGE_TRY(request.weights, weight_flags(arguments.weights, arguments.bits));
  ULLAGE_TRY(const provenance::Answer answer,
             plan::weights(request, context.catalogue, context.files));
  const provenance::Row& row = answer.rows.front();
  report::SourceList sources(answer.graph, sources_of(context.catalogue));
  report::Page page;
  page.sections.push_back({report::Text(row.model, report::Role::heading),
                           {figures_table(answer, row.results, sources)}});
  add_notes(context, row.notes, page);
  if (!sources.empty()) page.sections.push_back(sources.legend());
  return Outcome{render(context, answer, std::move(page)), {}, status_of(answer)};
}

}  // namespace ullage::cli
