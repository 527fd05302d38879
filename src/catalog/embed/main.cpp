// Build-time program: checks every file of data/ with the catalogue's own loader and writes the C++
// file that embeds them.
//   ullage_embed DATA_FOLDER OUTPUT.cpp
// Faults go to standard error with file:line:column, and the build fails.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "base/file_system.hpp"
#include "base/sha256.hpp"
#include "catalog/device_labels.hpp"
#include "catalog/load.hpp"
#include "catalog/load_parts.hpp"
#include "catalog/names.hpp"
#include "catalog/storage_format.hpp"
#include "document/compact.hpp"
#include "document/read.hpp"

namespace {

using namespace ullage;

struct File {
  std::string path;  // relative to the data folder's parent: data/hardware/…
  std::string text;
  document::Document document;
};

struct Slice {
  std::size_t offset;
  std::size_t length;
};

// Everything that goes into the generated file.
class Blob {
 public:
  Slice add(std::string_view bytes) {
    const auto known = seen_.find(std::string(bytes));
    if (known != seen_.end()) return known->second;
    const Slice slice{bytes_.size(), bytes.size()};
    bytes_ += bytes;
    seen_.emplace(std::string(bytes), slice);
    return slice;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::map<std::string, Slice> seen_;
};

std::string text_of(Slice slice) {
  return "{" + std::to_string(slice.offset) + ", " + std::to_string(slice.length) + "}";
}

[[noreturn]] void stop(const std::vector<base::Diagnostic>& faults) {
  for (const base::Diagnostic& fault : faults) {
    std::fprintf(stderr, "%s\n", base::to_text(fault).c_str());
  }
  std::exit(1);
}

template <class T>
T value_or_stop(base::Result<T> result) {
  if (!result.ok()) stop({result.error()});
  return std::move(result).value();
}

void collect(const base::FileSystem& files, const std::string& folder, const std::string& shown,
             std::vector<File>& found) {
  for (const std::string& name : value_or_stop(files.list(folder))) {
    const std::string path = base::join(folder, name);
    const std::string label = base::join(shown, name);
    if (files.kind_of(path) == base::PathKind::folder) {
      collect(files, path, label, found);
    } else if (name.ends_with(".yaml")) {
      std::string text = value_or_stop(files.read(path, 8u << 20));
      document::Document document = value_or_stop(document::read_yaml(text, label));
      found.push_back({label, std::move(text), std::move(document)});
    }
  }
}

// C++ string literals of 64 bytes a line, octal escapes where needed: the form that compiles
// fastest.
std::string literal(const std::string& bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (std::size_t i = 0; i < bytes.size(); i += 64) {
    text += '"';
    for (const char c : bytes.substr(i, 64)) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '?') {
        text += c;
      } else {
        char escaped[5];
        std::snprintf(escaped, sizeof escaped, "\\%03o", byte);
        text += escaped;
      }
    }
    text += "\"\n";
  }
  return text.empty() ? "\"\"" : text;
}

// A mapping of this one member, which keeps the place of its key.
document::Value alone(const document::Member& member) {
  document::Value mapping;
  mapping.type = document::Type::object;
  mapping.line = member.line;
  mapping.column = member.column;
  mapping.members.push_back(member);
  return mapping;
}

// The members of the mapping `key`, and what is left of the file without them.
document::Value without_members(const document::Value& root, std::string_view key,
                                std::vector<document::Member>& members) {
  document::Value rest = root;
  for (document::Member& member : rest.members) {
    if (member.key != key) continue;
    members = std::move(member.value.members);
    member.value.members.clear();
  }
  return rest;
}

// What is left of an entry without the sections that are embedded apart.
document::Value without_sections(const document::Value& root) {
  document::Value rest = root;
  std::erase_if(rest.members, [](const document::Member& member) {
    return member.key == catalog::kPartitions || member.key == catalog::kSoftware;
  });
  return rest;
}

// A section of a chip on its own; empty where it has none.
std::string section(const document::Value& root, std::string_view key) {
  for (const document::Member& member : root.members) {
    if (member.key == key) return document::encode(alone(member));
  }
  return {};
}

std::string partition_list(const catalog::Entry& chip) {
  std::string lines;
  for (const catalog::Entry& partition : chip.partitions) {
    lines += std::string(catalog::partition_name(partition)) + '\t' + partition.partition_kind +
             '\t' + catalog::memory_text_of(partition) + '\t' + catalog::chips_text_of(partition) +
             '\n';
  }
  return lines;
}

// The table of formats, each apart, with the spellings that mean it.
struct FormatTables {
  std::string formats;
  std::string names;
  std::string rest = "{0, 0}";
};

FormatTables format_tables(const document::Document& document, Blob& blob) {
  const catalog::StorageFormats table = value_or_stop(catalog::StorageFormats::load(document));
  FormatTables tables;
  std::vector<document::Member> members;
  const document::Value rest = without_members(document.root, "formats", members);
  tables.rest = text_of(blob.add(document::encode(rest)));
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < members.size(); ++i) {
    document::Value one;
    one.type = document::Type::object;
    one.members.push_back({"formats", alone(members[i])});
    tables.formats += "{" + text_of(blob.add(members[i].key)) + ", " +
                      text_of(blob.add(document::encode(one))) + "},\n";
    const catalog::StorageFormat& format = *table.all()[i];
    names.emplace(catalog::fold(format.name), i);
    for (const std::string& spelling : format.spellings)
      names.emplace(catalog::fold(spelling), i);
  }
  for (const auto& [name, i] : names)
    tables.names += "{" + text_of(blob.add(name)) + ", " + std::to_string(i) + "},\n";
  return tables;
}

struct Row {
  catalog::Entry entry;
  const File* file;
};

// Every base of a variant is a card and no variant.
void check_variants(const std::vector<Row>& rows, std::vector<base::Diagnostic>& faults) {
  for (const Row& row : rows) {
    const std::string& of = row.entry.variant_of;
    const bool fits = std::any_of(rows.begin(), rows.end(), [&](const Row& other) {
      return other.entry.id == of && other.entry.kind == catalog::EntryKind::model &&
             other.entry.variant_of.empty();
    });
    if (of.empty() || fits) continue;
    faults.push_back({.code = base::Code::reference,
                      .message = "variant_of: " + of + " is no card, or a variant itself",
                      .span = {row.file->path, 1, 1},
                      .hint = {},
                      .notes = {}});
  }
}

std::string generate(const std::vector<File>& files) {
  std::vector<base::Diagnostic> faults;
  std::map<std::string, std::pair<provenance::Source, const File*>, std::less<>> sources;
  Blob blob;
  std::map<std::string, std::string> source_rows;
  FormatTables formats;
  std::string labels = "{0, 0}";
  std::vector<std::string> labelled;
  std::string hashed;
  for (const File& file : files) {
    hashed += file.path + '\0' + file.text + '\0';
    const std::string schema = catalog::schema_of(file.document);
    if (schema == "ullage/formats/1") {
      formats = format_tables(file.document, blob);
    }
    if (schema == "ullage/labels/1") {
      labelled = value_or_stop(catalog::DeviceLabels::load(file.document)).devices();
      labels = text_of(blob.add(document::encode(file.document.root)));
    }
    if (schema != "ullage/sources/1") continue;
    auto list = catalog::load_sources(file.document, faults);
    if (!list) stop(faults);
    const document::Value& members = *file.document.root.find("sources");
    for (std::size_t i = 0; i < list->size(); ++i) {
      const provenance::Source& source = (*list)[i];
      if (!sources.emplace(source.id, std::pair(source, &file)).second) {
        faults.push_back({.code = base::Code::duplicate_key,
                          .message = "source " + source.id + " stands in two files",
                          .span = file.document.span(members.members[i]),
                          .hint = {},
                          .notes = {}});
      }
      source_rows[source.id] = "{" + text_of(blob.add(source.id)) + ", " +
                               text_of(blob.add(file.path)) + ", " +
                               text_of(blob.add(document::encode(alone(members.members[i])))) + "}";
    }
  }
  const catalog::SourceLookup lookup = [&](std::string_view id) -> const provenance::Source* {
    const auto found = sources.find(id);
    return found == sources.end() ? nullptr : &found->second.first;
  };
  std::vector<Row> rows;
  for (const File& file : files) {
    const std::string schema = catalog::schema_of(file.document);
    if (schema == "ullage/sources/1" || schema == "ullage/formats/1" ||
        schema == "ullage/labels/1") {
      continue;
    }
    if (auto entry = catalog::load_entry(file.document, lookup, faults)) {
      rows.push_back({std::move(*entry), &file});
    }
  }
  for (const std::string& id : labelled) {
    const bool known =
        std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.entry.id == id; });
    if (known) continue;
    faults.push_back({.code = base::Code::reference,
                      .message = "a label stands for " + id + ", which has no entry",
                      .span = {"data/hardware/labels.yaml", 0, 0},
                      .hint = {},
                      .notes = {}});
  }
  check_variants(rows, faults);
  if (!faults.empty()) stop(faults);
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.entry.id != b.entry.id ? a.entry.id < b.entry.id : a.entry.version > b.entry.version;
  });

  std::string entries;
  std::string figure_rows;
  std::size_t figures_before = 0;
  std::vector<std::tuple<std::string, int, std::size_t, std::string>> names;
  std::string newest;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const catalog::Entry& entry = rows[i].entry;
    const document::Value& root = rows[i].file->document.root;
    newest = std::max(newest, entry.version);
    if (i > 0 && rows[i - 1].entry.id == entry.id && rows[i - 1].entry.version == entry.version) {
      stop({{.code = base::Code::duplicate_key,
             .message = "two files hold " + entry.id + "@" + entry.version,
             .span = {rows[i].file->path, 1, 1},
             .hint = rows[i - 1].file->path,
             .notes = {}}});
    }
    std::vector<document::Member> figures;
    const document::Value rest = without_members(without_sections(root), "figures", figures);
    for (const document::Member& figure : figures) {
      figure_rows += "{" + text_of(blob.add(figure.key)) + ", " +
                     text_of(blob.add(document::encode(alone(figure)))) + "},\n";
    }
    entries +=
        "{" + text_of(blob.add(entry.id)) + ", " + text_of(blob.add(entry.version)) + ", " +
        text_of(blob.add(entry.name)) + ", " + text_of(blob.add(entry.vendor)) + ", " +
        text_of(blob.add(rows[i].file->path)) + ", " + text_of(blob.add(entry.status.value)) +
        ", " + text_of(blob.add(catalog::memory_text_of(entry))) + ", " +
        text_of(blob.add(entry.chip)) + ", " + text_of(blob.add(catalog::chips_text_of(entry))) +
        ", " + text_of(blob.add(document::encode(rest))) + ", " +
        text_of(blob.add(rows[i].file->text)) + ", " +
        text_of(blob.add(section(root, catalog::kPartitions))) + ", " +
        text_of(blob.add(section(root, catalog::kSoftware))) + ", " +
        text_of(blob.add(partition_list(entry))) + ", " + std::to_string(figures_before) + ", " +
        std::to_string(figures.size()) + ", " + std::to_string(static_cast<int>(entry.kind)) +
        "},\n";
    figures_before += figures.size();
    for (const catalog::Name& name : catalog::names_of(entry.kind, entry.id, entry.aliases)) {
      names.emplace_back(name.folded, static_cast<int>(name.rank), i, name.spelled);
    }
  }
  std::sort(names.begin(), names.end());
  std::string name_rows;
  for (const auto& [folded, rank, entry, spelled] : names) {
    name_rows += "{" + text_of(blob.add(folded)) + ", " + text_of(blob.add(spelled)) + ", " +
                 std::to_string(entry) + ", " + std::to_string(rank) + "},\n";
  }
  std::string source_text;
  for (const auto& [id, row] : source_rows)
    source_text += row + ",\n";

  return "// Generated by ullage_embed from data/; the files there are the source.\n"
         "#include \"catalog/embedded.hpp\"\n\n"
         "namespace ullage::catalog {\nnamespace {\n"
         "constexpr char kBlob[] =\n" +
         literal(blob.bytes()) +
         ";\n"
         "constexpr EmbeddedEntry kEntries[] = {\n" +
         entries +
         "};\n"
         "constexpr EmbeddedFigure kFigures[] = {\n" +
         figure_rows +
         "};\n"
         "constexpr EmbeddedName kNames[] = {\n" +
         name_rows +
         "};\n"
         "constexpr EmbeddedSource kSources[] = {\n" +
         source_text +
         "};\n"
         "constexpr EmbeddedFormat kFormats[] = {\n" +
         formats.formats +
         "};\n"
         "constexpr EmbeddedFormatName kFormatNames[] = {\n" +
         formats.names +
         "};\n"
         "constexpr Embedded kCatalogue{{kBlob, sizeof kBlob - 1}, kEntries, kFigures, kNames, "
         "kSources, kFormats, kFormatNames, " +
         formats.rest + ", " + labels + ",\n\"" + newest + "\", \"" + base::sha256(hashed) +
         "\"};\n"
         "}  // namespace\n\n"
         "const Embedded& embedded_catalogue() { return kCatalogue; }\n\n"
         "}  // namespace ullage::catalog\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: ullage_embed DATA_FOLDER OUTPUT.cpp\n", stderr);
    return 2;
  }
  const base::RealFileSystem files;
  std::vector<File> found;
  collect(files, argv[1], "data", found);
  std::sort(found.begin(), found.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  const std::string text = generate(found);
  std::FILE* output = std::fopen(argv[2], "wb");
  if (output == nullptr) {
    std::perror(argv[2]);
    return 1;
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), output) == text.size();
  return std::fclose(output) == 0 && written ? 0 : 1;
}
