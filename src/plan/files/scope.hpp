// Variables as deployment files use them: in shells, in Kubernetes, in Compose, from `--set`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/files/workload.hpp"

namespace ullage::plan {

using Variables = std::map<std::string, Word, std::less<>>;

// Names to values. What the user sets on the command line wins over everything.
class Scope {
 public:
  explicit Scope(const Variables& overrides) : overrides_(&overrides) {}

  void set(const std::string& name, Word value);
  void set_list(const std::string& name, std::vector<Word> items);
  // From here on the variable has a value that nobody can tell.
  void lose(const std::string& name);
  // The value, or nullptr where nobody gives one; a lost one is a word with itself missing.
  const Word* find(std::string_view name) const;
  // The items of an array, or nullptr.
  const std::vector<Word>* find_list(std::string_view name) const;
  // After two branches of which one ran: what they disagree about is lost.
  static Scope merged(const Scope& one, const Scope& other);

 private:
  const Variables* overrides_;
  Variables values_;
  std::map<std::string, std::vector<Word>, std::less<>> lists_;
};

// `$(NAME)` of a Kubernetes container: known names are replaced, `$$` is a dollar.
Word expand_kubernetes(const Word& word, const Scope& scope);

// `$NAME`, `${NAME}`, `${NAME:-default}` and its kin, `$((1 + 2))`; what a command would print and
// what nobody gives is missing. Quotes are text here.
Word expand_shell(const Word& word, const Scope& scope);

// A field of a file whose variables some other program would fill: expand_shell, and `{{ … }}`,
// `{% … %}` and `<placeholder>` are missing.
Word expand_field(const Word& word, const Scope& scope);

// The value of an arithmetic expression over whole numbers (`+ - * / %`, parentheses, names), or
// nothing.
std::optional<exact::Rational> evaluate(std::string_view expression, const Scope& scope);

}  // namespace ullage::plan
