// Builds the card, reads it back and counts it again.
#include "plan/card.hpp"

#include <algorithm>

#include "base/sha256.hpp"
#include "base/spelling.hpp"
#include "document/yaml_writer.hpp"
#include "memory/weights.hpp"
#include "plan/card_figures.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using document::Value;
using model::Model;
using provenance::FigureId;
using provenance::Graph;

constexpr std::uint64_t kLargestIndex = 256u << 20;
constexpr std::size_t kShownDigits = 12;
constexpr const char* kCopy =
    "a copy of the file was read; the digest tells whether it is the publisher's";

std::string name_in(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// What a model is called after: its folder, or its file without the ending.
std::string stem_of(std::string path) {
  while (path.size() > 1 && path.back() == '/')
    path.pop_back();
  std::string last = name_in(path);
  const bool is_file =
      last.ends_with(".json") || last.ends_with(".safetensors") || last.ends_with(".gguf");
  if (!is_file) return last;
  const bool own_name = last.ends_with(".gguf");
  if (own_name) return last.substr(0, last.size() - 5);
  const auto slash = path.rfind('/');
  return slash == std::string::npos || slash == 0 ? std::string() : name_in(path.substr(0, slash));
}

std::string id_of(const std::string& text) {
  std::string id;
  for (const char letter : base::lower(text)) {
    const bool allowed = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
                         letter == '.' || letter == '_' || letter == '-';
    if (allowed) {
      id += letter;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (!id.empty() && (id.back() == '-' || id.back() == '.'))
    id.pop_back();
  return id.empty() || id == "-" ? "imported-model" : id;
}

// A file, or several, as a source that the card states itself.
struct Cited {
  std::string id;  // empty where there is no such file
  Value source;
};

class CardBuilder {
 public:
  CardBuilder(const CardRequest& request, catalog::Catalogue& catalogue,
              const base::FileSystem& files)
      : request_(request), catalogue_(catalogue), files_(files) {}

  base::Result<Card> build();

 private:
  std::string stem_of_model() const;
  std::string card_id() const { return request_.id.value_or(id_of(stem_of_model())); }
  Cited cite(const std::string& kind, const std::string& title, const std::string& digest,
             const std::string& note) const;
  base::Result<void> cite_files();
  base::Result<Cited> cite_headers() const;
  base::Result<void> read_gguf_file();
  void add_identity();
  void add_figures();
  void add_figure(const std::string& name, FigureId id, const std::string& derivation,
                  const std::string& unit, const Cited& source, const std::string& locator);
  void add_unknown(Value& list, const std::string& name, const std::string& why);
  void add_checkpoint_bytes();
  void add_attributes();
  void add_architecture();
  base::Result<bool> counts_alike(const std::string& text);

  const CardRequest& request_;
  catalog::Catalogue& catalogue_;
  const base::FileSystem& files_;
  Graph graph_;
  Model model_;
  std::optional<memory::Weights> weights_;
  std::optional<import::GgufFile> gguf_;
  Cited config_;
  Cited headers_;
  Cited index_;
  Value card_ = object_value();
  Value figures_ = object_value();
};

std::string CardBuilder::stem_of_model() const {
  return stem_of(request_.model == "-" ? std::string() : request_.model);
}

Cited CardBuilder::cite(const std::string& kind, const std::string& title,
                        const std::string& digest, const std::string& note) const {
  constexpr std::size_t kPrefix = 7;  // of `sha256:`
  Cited cited;
  // With the card's own id: models that share a configuration are still two cards.
  cited.id = card_id() + "-" + kind + "-" + digest.substr(kPrefix, kShownDigits);
  cited.source = object_value();
  put_text(cited.source, "title", title);
  put_text(cited.source, "publisher", request_.vendor.value_or("not known"));
  put_text(cited.source, "url", request_.url.value_or("unknown"));
  put_text(cited.source, "revision", digest);
  put_text(cited.source, "checked", request_.today);
  put_text(cited.source, "tier", request_.url ? "quoted" : "secondary");
  put_text(cited.source, "note", note);
  return cited;
}

// One source for all headers: the digest is over the lines that name each file's.
base::Result<Cited> CardBuilder::cite_headers() const {
  std::string lines;
  std::string one;
  for (const model::ReadFile& file : model_.headers) {
    ULLAGE_TRY(const std::string bytes, files_.read_part(file.path, 0, file.bytes));
    one = base::sha256(bytes);
    lines += one.substr(one.find(':') + 1) + "  " + name_in(file.path) + "\n";
  }
  const std::string first = name_in(model_.headers.front().path);
  if (model_.headers.size() == 1) {
    return cite("header", "header of " + first, one,
                "the digest is that of the first " + std::to_string(model_.headers.front().bytes) +
                    " bytes; the tensors behind them were not read");
  }
  return cite("headers",
              "headers of " + std::to_string(model_.headers.size()) + " files, " + first + " first",
              base::sha256(lines),
              "the digest is over one line a file in their order, `DIGEST  NAME` as sha256sum "
              "prints it, each DIGEST over the bytes before the file's tensors");
}

base::Result<void> CardBuilder::cite_files() {
  if (model_.config) {
    config_ = cite("config",
                   name_in(model_.config_file == "-" ? "config.json" : model_.config_file) +
                       " of " + base::printable(model_.name),
                   model_.config_digest, kCopy);
  }
  if (!model_.headers.empty()) {
    ULLAGE_TRY(headers_, cite_headers());
  }
  if (model_.index) {
    ULLAGE_TRY(const std::string text, files_.read(model_.index->path, kLargestIndex));
    index_ = cite("index", name_in(model_.index->path), base::sha256(text), kCopy);
  }
  return {};
}

base::Result<void> CardBuilder::read_gguf_file() {
  if (model_.headers.empty() || !model_.headers.front().path.ends_with(".gguf")) return {};
  std::vector<std::string> paths;
  for (const model::ReadFile& file : model_.headers)
    paths.push_back(file.path);
  ULLAGE_TRY(gguf_, import::read_gguf(files_, paths, catalogue_.formats()));
  return {};
}

std::string text_of(const std::optional<import::GgufFile>& file, std::string_view key) {
  if (!file) return {};
  const auto found = file->metadata.find(key);
  return found == file->metadata.end() ? std::string() : found->second.text;
}

void CardBuilder::add_identity() {
  const std::string stem = stem_of_model();
  const std::string named = text_of(gguf_, "general.name");
  put_text(card_, "schema", "ullage/model/1");
  put_text(card_, "id", card_id());
  put_text(card_, "name",
           request_.name.value_or(!named.empty() ? named
                                  : stem.empty() ? "imported model"
                                                 : stem));
  const std::string owner = text_of(gguf_, "general.organization");
  put_text(card_, "vendor", request_.vendor.value_or(owner.empty() ? "not known" : owner));
  put_text(card_, "version", request_.today);
  Value status = object_value();
  put_text(status, "value", "documented");
  put_text(status, "source", config_.id.empty() ? headers_.id : config_.id);
  put_text(status, "locator", config_.id.empty() ? "the header" : "the whole file");
  put(card_, "status", std::move(status));
  const std::string family = gguf_ ? text_of(gguf_, "general.architecture") : model_.model_type;
  Value families;
  families.type = document::Type::array;
  if (!family.empty()) families.items.push_back(text_value(family));
  put(card_, "families", std::move(families));
}

void CardBuilder::add_unknown(Value& list, const std::string& name, const std::string& why) {
  Value unknown = object_value();
  put_text(unknown, "unknown", why);
  put_text(unknown, "status", "unpublished");
  put(list, name, std::move(unknown));
}

void CardBuilder::add_figure(const std::string& name, FigureId id, const std::string& derivation,
                             const std::string& unit, const Cited& source,
                             const std::string& locator) {
  if (!graph_.known(id)) {
    add_unknown(figures_, name, graph_[id].unknown);
    return;
  }
  Value figure = object_value();
  const std::string digits = graph_.value(id).to_string();
  put(figure, "value", unit.empty() ? number_value(digits) : text_value(digits + " " + unit));
  put_text(figure, "derivation", derivation);
  put_text(figure, "source", source.id);
  put_text(figure, "locator", locator);
  put(figures_, name, std::move(figure));
}

void CardBuilder::add_checkpoint_bytes() {
  if (!model_.headers.empty()) {
    add_figure("checkpoint_bytes", *model_.stated_checkpoint_bytes,
               "sum over the tensors that the headers list", "B", headers_, "every entry");
    return;
  }
  if (model_.index && model_.stated_checkpoint_bytes) {
    Value figure = object_value();
    const std::string digits = graph_.value(*model_.stated_checkpoint_bytes).to_string();
    put_text(figure, "value", digits + " B");
    put_text(figure, "printed", digits);
    put_text(figure, "source", index_.id);
    put_text(figure, "locator", "metadata.total_size");
    put(figures_, "checkpoint_bytes", std::move(figure));
    return;
  }
  add_unknown(figures_, "checkpoint_bytes",
              "no checkpoint and no index that states its bytes lay beside the configuration");
}

void CardBuilder::add_figures() {
  const bool shape = model_.config != nullptr;
  const Cited& counted = shape ? config_ : headers_;
  // A file in a publisher's own schema has no model_type and is known by its keys or its class.
  const bool typed = !model_.model_type.empty();
  const std::string family = typed ? model_.model_type : std::string("its keys say");
  const std::string how = shape ? "counted from the shape as " + family + ": "
                                : "counted from the shapes in the headers: ";
  const std::string locator = !shape  ? "every shape"
                              : typed ? "model_type and the sizes"
                                      : "the sizes";
  const memory::Weights& weights = *weights_;
  add_figure("parameters", weights.parameters.id(), how + "each weight once", "", counted, locator);
  if (weights.parameters_stored) {
    add_figure("parameters_stored", weights.parameters_stored->id(),
               how + "each weight as often as the checkpoint stores it", "", counted, locator);
  }
  if (weights.active_parameters) {
    add_figure("active_parameters", weights.active_parameters->id(), how + "what one token passes",
               "", counted, locator);
  }
  add_checkpoint_bytes();
  const std::vector<Stated> stated = shape   ? shape_of_config(model_.config->config.root)
                                     : gguf_ ? shape_of_gguf(*gguf_)
                                             : std::vector<Stated>();
  const auto context = std::find_if(stated.begin(), stated.end(), [](const Stated& number) {
    return number.figure == "context_length";
  });
  if (context == stated.end()) {
    add_unknown(figures_, "context_length", "the files do not state the length of a sequence");
  }
  for (const Stated& number : stated) {
    Value figure = object_value();
    const bool plain = number.value == number.printed;
    put(figure, "value", plain ? number_value(number.value) : text_value(number.value));
    put_text(figure, "printed", number.printed);
    put_text(figure, "source", shape ? config_.id : headers_.id);
    put_text(figure, "locator", number.locator);
    put(figures_, number.figure, std::move(figure));
  }
  put(card_, "figures", std::move(figures_));
}

void CardBuilder::add_attributes() {
  Value attributes = object_value();
  const auto known = [&](const std::string& name, const std::string& value,
                         const std::string& printed, const Cited& source,
                         const std::string& locator) {
    Value fact = object_value();
    put_text(fact, "value", value);
    put_text(fact, "printed", printed);
    put_text(fact, "source", source.id);
    put_text(fact, "locator", locator);
    put(attributes, name, std::move(fact));
  };
  const auto format = model_.native_format.empty()
                          ? nullptr
                          : catalogue_.formats().find(model_.native_format).value();
  if (format != nullptr) {
    const bool shape = model_.config != nullptr;
    const auto comma = model_.native_format_where.rfind(", ");
    known("weights_format", format->name, model_.native_format, shape ? config_ : headers_,
          shape && comma != std::string::npos ? model_.native_format_where.substr(comma + 2)
                                              : "every dtype");
  } else {
    add_unknown(attributes, "weights_format", model_.native_format_unknown);
  }
  const std::string licence = text_of(gguf_, "general.license");
  if (licence.empty()) {
    add_unknown(attributes, "licence", "the files that were read do not state it");
  } else {
    known("licence", base::lower(licence), licence, headers_, "general.license");
  }
  if (model_.config && !model_.model_type.empty()) {
    known("model_type", model_.model_type, model_.model_type, config_, "model_type");
  }
  put(card_, "attributes", std::move(attributes));
}

void CardBuilder::add_architecture() {
  if (model_.config) {
    Value architecture = object_value();
    put_text(architecture, "source", config_.id);
    const std::string& type = model_.model_type;
    put_text(architecture, "locator",
             type.empty() ? "the keys that the shape needs" : "the keys that " + type + " needs");
    put(architecture, "config", model_.config->config.root);
    put(card_, "architecture", std::move(architecture));
  }
  Value sources = object_value();
  for (Cited* cited : {&config_, &headers_, &index_}) {
    if (!cited->id.empty()) put(sources, cited->id, std::move(cited->source));
  }
  put(card_, "sources", std::move(sources));
}

// Whether the card, read back, counts like what it was made from. Error internal where it is no
// card at all.
base::Result<bool> CardBuilder::counts_alike(const std::string& text) {
  base::MemoryFileSystem memory;
  const std::string path = "card.yaml";
  memory.files[path] = text;
  Graph graph;
  import::OpenContext context{catalogue_, memory, graph, std::nullopt};
  const auto fault = [](const Diagnostic& why) {
    return Diagnostic{.code = Code::internal,
                      .message = "the card that was written cannot be read: " + why.message,
                      .span = why.span,
                      .hint = "please report it with the files",
                      .notes = {}};
  };
  const auto opened = import::open_model(context, path);
  if (!opened) return fault(opened.error());
  const auto again = memory::weigh(graph, *opened, {}, catalogue_);
  if (!again) return fault(again.error());
  const FigureId before = weights_->parameters.id();
  const FigureId after = again->parameters.id();
  if (graph_.known(before) != graph.known(after)) return false;
  return !graph_.known(before) || graph_.value(before) == graph.value(after);
}

base::Result<Card> CardBuilder::build() {
  import::OpenContext context{catalogue_, files_, graph_, request_.assume};
  ULLAGE_TRY(model_, import::open_model(context, request_.model));
  if (!model_.config && model_.headers.empty()) {
    return Diagnostic{
        .code = Code::usage,
        .message = base::printable(request_.model) + " is no configuration and no checkpoint",
        .span = {},
        .hint =
            "import reads a config.json, a folder, a .safetensors or a .gguf; "
            "`ullage show` prints a card",
        .notes = {}};
  }
  ULLAGE_TRY(weights_, memory::weigh(graph_, model_, {}, catalogue_));
  ULLAGE_CHECK(read_gguf_file());
  ULLAGE_CHECK(cite_files());
  add_identity();
  add_figures();
  add_attributes();
  add_architecture();
  Card card{std::move(card_), model_.notes};
  card.notes.insert(card.notes.end(), weights_->notes.begin(), weights_->notes.end());
  ULLAGE_TRY(bool alike, counts_alike(document::write_yaml(card.card)));
  if (alike) return card;
  // The checkpoint decided otherwise than the family's rule would from the shape alone.
  std::erase_if(card.card.members,
                [](const document::Member& member) { return member.key == "architecture"; });
  card.notes.push_back({"architecture-left-out", base::Severity::note,
                        "the shape alone would count what the checkpoint does not store: the card "
                        "is known by its totals"});
  ULLAGE_TRY(alike, counts_alike(document::write_yaml(card.card)));
  base::require(alike, "a card of totals that states other totals");
  return card;
}

}  // namespace

base::Result<Card> card_of(const CardRequest& request, catalog::Catalogue& catalogue,
                           const base::FileSystem& files) {
  return CardBuilder(request, catalogue, files).build();
}

}  // namespace ullage::plan
