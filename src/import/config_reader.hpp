// Reading the keys of a model configuration: each number that a family asks for becomes a figure
// with its file and line, and what nobody asked for is remembered.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/note.hpp"
#include "document/value.hpp"
#include "model/inventory.hpp"
#include "provenance/graph.hpp"

namespace ullage::import {

// Where the figures of a configuration come from: a file of the user's, or a card that cites a
// source.
struct ConfigOrigin {
  std::string source;   // a card's source id; empty for a file of the user's
  std::string locator;  // where in that source the configuration stands
  provenance::Tier tier = provenance::Tier::primary;
  std::string checked;
};

class ConfigReader {
 public:
  ConfigReader(const document::Document& document, provenance::Graph& graph, ConfigOrigin origin);

  // A whole number of at least 1. Errors: missing_key, wrong_type, out_of_range at the value's
  // place.
  base::Result<model::Extent> count(std::string_view key);
  // Likewise, or nothing where the key is absent or null.
  base::Result<std::optional<model::Extent>> optional_count(std::string_view key);
  // A whole number of at least 0, absent or null = nothing.
  base::Result<std::optional<std::int64_t>> optional_number(std::string_view key);
  // A boolean; `fallback` is the class default of the family where the key is absent or null.
  base::Result<bool> flag(std::string_view key, bool fallback);
  // A list of whole numbers; empty where absent or null.
  base::Result<std::vector<std::int64_t>> numbers(std::string_view key);
  // A text, or nothing.
  base::Result<std::optional<std::string>> optional_text(std::string_view key);
  const document::Value* find(std::string_view key);
  // A list of texts; empty where absent or null.
  base::Result<std::vector<std::string>> texts(std::string_view key);

  // The object under `key` (text_config, vision_config), read in the same way: places and faults
  // name the whole path. Errors: missing_key, wrong_type.
  base::Result<ConfigReader> nested(std::string_view key);

  // Lets `key` be found under other spellings too, the first that the object holds: `n_embd` for
  // hidden_size. Places and faults name the spelling that was found.
  void spell(std::string_view key, std::vector<std::string> others);
  // The value of `key` where the object leaves it out: shown as assumed, by default of
  // `class_name`.
  void class_default(std::string_view key, std::int64_t value, std::string class_name);

  // A number that follows from others: `formula` in words.
  model::Extent derived(std::string name, exact::Rational value, std::string formula,
                        std::vector<provenance::FigureId> inputs);
  // A number counted in the value of `key` (entries of a list, letters of a pattern), at its place.
  model::Extent counted(std::string name, std::int64_t number, std::string_view key);
  // a ÷ b where b must divide a. Error out_of_range at `key` naming both.
  base::Result<model::Extent> quotient(std::string name, const model::Extent& a,
                                       const model::Extent& b);
  // A class default of the family: shown as assumed, with the class that says so.
  model::Extent assumed(std::string name, exact::Rational value, std::string why);

  // Something that the answer says beside its figures: a layer that the config announces and the
  // family's checkpoints leave out.
  void note(std::string code, std::string text);
  const std::vector<base::Note>& notes() const { return seen_->notes; }

  base::Diagnostic fault(base::Code code, std::string_view key, std::string message,
                         std::string hint = {}) const;
  // One note naming every key that was not read and whose name says that it could change memory.
  std::optional<base::Note> unread_keys() const;

  // The document with nothing but what was read of it, and the keys of `also` wherever they stand
  // at its root or in an object that was read key by key.
  document::Document part_read(const std::vector<std::string_view>& also) const;

  const document::Document& document() const { return document_; }
  provenance::Graph& graph() { return graph_; }

 private:
  // What a family did with the file, shared by the views of its objects.
  struct Seen {
    std::set<std::string, std::less<>> paths;  // of the keys that were asked for
    std::vector<base::Note> notes;
  };

  ConfigReader(const ConfigReader& parent, std::string_view key, const document::Value& object);
  model::Extent figure(std::string_view key, const document::Value& value, std::int64_t number);
  std::string path_of(std::string_view key) const;
  std::string_view spelling(std::string_view key) const;
  document::Value part_of(const document::Value& object, const std::string& path,
                          const std::vector<std::string_view>& also) const;
  void collect_unread(const document::Value& object, const std::string& path,
                      std::string& keys) const;

  const document::Document& document_;
  provenance::Graph& graph_;
  ConfigOrigin origin_;
  const document::Value* object_;  // whose keys are read: the root, or an object inside it
  std::string path_;               // `text_config.` inside one, empty at the root
  std::shared_ptr<Seen> seen_;
  std::map<std::string, std::vector<std::string>, std::less<>> spellings_;
  std::map<std::string, std::pair<std::int64_t, std::string>, std::less<>> defaults_;
};

}  // namespace ullage::import
