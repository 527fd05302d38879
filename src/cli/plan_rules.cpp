// ullage rules: what check looks for, each rule with its formula.
#include "base/spelling.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/listing.hpp"
#include "cli/render.hpp"
#include "plan/rules/rules.hpp"

namespace ullage::cli {
namespace {

std::string_view level_name(base::Severity level) {
  return level == base::Severity::error     ? "error"
         : level == base::Severity::warning ? "warning"
                                            : "note";
}

class RulesCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "rules",
            .summary = "what check looks for: every rule, or one with its formula",
            .examples = std::string(kRulesExamples),
            .positionals = {{"ID", "a rule, such as kv-single-sequence", &id_, false}},
            .flags = {},
            .formats = {Format::text, Format::json}};
  }

  base::Result<Outcome> run(const Context& context) override {
    Listed listed;
    listed.what = "rules";
    if (id_.empty()) {
      listed.columns = {"rule", "level", "finds"};
      for (const plan::PlanRule* rule : plan::plan_rules())
        listed.rows.push_back(
            {std::string(rule->id), std::string(level_name(rule->level)), std::string(rule->help)});
      return render_listed(context, "rules", listed);
    }
    const plan::PlanRule* rule = plan::find_plan_rule(id_);
    if (rule == nullptr) {
      std::vector<std::string_view> names;
      for (const plan::PlanRule* known : plan::plan_rules())
        names.push_back(known->id);
      return base::Diagnostic{.code = base::Code::unknown_name,
                              .message = "unknown rule " + base::printable(id_),
                              .span = {},
                              .hint = base::did_you_mean(base::nearest(id_, names, 3)),
                              .notes = {}};
    }
    listed.columns = {"rule", "says"};
    const auto add = [&](const char* what, std::string_view text) {
      if (!text.empty()) listed.rows.push_back({what, std::string(text)});
    };
    add("id", rule->id);
    add("level", level_name(rule->level));
    add("finds", rule->help);
    add("compares", rule->formula);
    add("after", rule->citation);
    add("remedy", rule->remedy);
    return render_listed(context, "rules", listed);
  }

 private:
  std::string id_;
};

}  // namespace

std::unique_ptr<Command> make_rules() {
  return std::make_unique<RulesCommand>();
}

}  // namespace ullage::cli
