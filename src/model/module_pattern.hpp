// Lists of modules in quantisation sections: names, `*` wildcards and `re:` expressions.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace ullage::model {

// A regular expression over module names, of the kind that such lists hold: characters, classes,
// groups with alternatives, `. * + ?` and anchors. Matching takes bounded time.
class NameExpression {
 public:
  // Error syntax for what is none, and for one of more than 1,000 characters.
  static base::Result<NameExpression> parse(std::string_view text);
  NameExpression(NameExpression&&) noexcept;
  NameExpression& operator=(NameExpression&&) noexcept;
  ~NameExpression();

  // Whether it matches from the first character on; what follows does not count. False where a
  // match would take more than 100,000 steps.
  bool matches(std::string_view name) const;

 private:
  struct Tree;
  explicit NameExpression(std::unique_ptr<Tree> tree);
  std::unique_ptr<Tree> tree_;
};

// A list of modules. A plain entry names a module with everything inside it, by its whole name or
// by the end of it; `*` stands for any characters; `re:` begins an expression. Prefixes that only
// wrap the model (`model.`, `language_model.`, `backbone.`) do not count.
class ModuleList {
 public:
  // Error syntax for an entry that cannot be read.
  static base::Result<ModuleList> parse(const std::vector<std::string>& entries);

  bool empty() const { return plain_.empty() && wildcards_.empty() && expressions_.empty(); }
  // Whether the list names the module; `name` without the model's own prefixes
  // (`layers.3.mlp.gate`).
  bool names(std::string_view name) const;
  // Plain entries that named nothing so far.
  std::vector<std::string> unused() const;

 private:
  std::set<std::string, std::less<>> plain_;
  std::vector<std::string> wildcards_;
  std::vector<NameExpression> expressions_;
  mutable std::set<std::string, std::less<>> used_;
};

}  // namespace ullage::model
