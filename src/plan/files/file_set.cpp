// Reads and splits.
#include "plan/files/file_set.hpp"

#include <algorithm>
#include <set>

#include "document/read.hpp"

namespace ullage::plan {
namespace {

constexpr std::uint64_t kLargestFile = 64u << 20;
constexpr std::size_t kMostFiles = 20000;
constexpr int kDeepestFolder = 32;
constexpr document::Limits kLimits{.depth = 64, .nodes = 1'000'000, .bytes = kLargestFile};

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_of_path(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// `values.yaml-template` is named like `values.yaml`.
FileFormat format_of_name(std::string_view path) {
  std::string_view name = name_of_path(path);
  for (const std::string_view end : {"-template", ".template", ".tmpl", ".tpl", ".j2"}) {
    if (name.ends_with(end)) name.remove_suffix(end.size());
  }
  if (name.ends_with(".yaml") || name.ends_with(".yml")) return FileFormat::yaml;
  if (name.ends_with(".json")) return FileFormat::json;
  if (name.ends_with(".toml")) return FileFormat::toml;
  if (name.ends_with(".sh") || name.ends_with(".bash") || name.ends_with(".sbatch") ||
      name.ends_with(".slurm")) {
    return FileFormat::shell;
  }
  if (name == ".env" || name.ends_with(".env")) return FileFormat::variables;
  return FileFormat::other;
}

bool is_collected(std::string_view name) {
  if (name.ends_with("-template")) return true;
  const FileFormat format = format_of_name(name);
  return format != FileFormat::other && format != FileFormat::variables;
}

// What a text without a telling name is: `#!`, a bracket, `[table]` or a launch command decide.
FileFormat format_of_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return FileFormat::yaml;
  const std::string_view rest = text.substr(first);
  if (rest.starts_with("#!")) return FileFormat::shell;
  if (rest.starts_with('{')) return FileFormat::json;
  std::string_view line;
  for (std::size_t at = first; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    line = text.substr(at, end - at);
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start != std::string_view::npos && line[start] != '#') {
      line.remove_prefix(start);
      break;
    }
    at = end + 1;
  }
  if (line.starts_with('[') && line.find(']') != std::string_view::npos) return FileFormat::toml;
  for (const std::string_view start :
       {"export ", "python", "vllm ", "torchrun ", "accelerate ", "deepspeed ", "trtllm-serve",
        "llama-server", "optimum-cli ", "docker run", "set -", "sglang ", "exec "}) {
    if (line.starts_with(start)) return FileFormat::shell;
  }
  const std::size_t equals = line.find('=');
  const std::size_t colon = line.find(':');
  const bool is_assignment =
      equals != std::string_view::npos && equals > 0 && equals < colon && line.find(' ') > equals;
  return is_assignment ? FileFormat::shell : FileFormat::yaml;
}

bool looks_rendered_elsewhere(std::string_view text) {
  const bool is_text = std::none_of(text.begin(), text.end(), [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20 && letter != '\n' && letter != '\r' &&
           letter != '\t';
  });
  if (!is_text) return false;
  return text.find("{{") != std::string_view::npos || text.find("{%") != std::string_view::npos;
}

void add_documents(FileSet& set, const PlanFile& file) {
  const auto add = [&](base::Result<document::Document> read) {
    if (read) {
      set.documents.push_back({&file, std::move(*read)});
    } else {
      const bool is_template =
          read.error().code == base::Code::syntax && looks_rendered_elsewhere(file.text);
      set.unreadable.push_back({&file, std::move(read).error(), is_template});
    }
  };
  switch (file.format) {
    case FileFormat::json:
      add(document::read_json(file.text, file.path, kLimits));
      return;
    case FileFormat::toml:
      add(document::read_toml(file.text, file.path, kLimits));
      return;
    case FileFormat::yaml:
      for (auto& read : document::read_yaml_documents(file.text, file.path, kLimits))
        add(std::move(read));
      return;
    case FileFormat::shell: {
      document::Document script;
      script.file = file.path;
      set.documents.push_back({&file, std::move(script)});
      return;
    }
    case FileFormat::variables:
    case FileFormat::other:
      return;
  }
}

class Collector {
 public:
  Collector(const base::FileSystem& files, FileSet& set) : files_(files), set_(set) {}

  base::Result<void> add(const std::string& path) {
    if (path == "-") {
      ULLAGE_TRY(std::string text, files_.read_standard_input(kLargestFile));
      add_file(set_, path, std::move(text));
      return {};
    }
    if (files_.kind_of(path) == base::PathKind::folder) {
      ULLAGE_CHECK(beside(path));
      return folder(path, 0);
    }
    return file(path);
  }

 private:
  base::Result<void> file(const std::string& path) {
    if (!seen_.insert(path).second) return {};
    if (seen_.size() > kMostFiles) {
      return base::Diagnostic{.code = base::Code::usage,
                              .message = "more than " + std::to_string(kMostFiles) + " files",
                              .span = {path, 0, 0},
                              .hint = "name the folders that hold plans",
                              .notes = {}};
    }
    ULLAGE_TRY(std::string text, files_.read(path, kLargestFile));
    ULLAGE_CHECK(beside(std::string(folder_of(path))));
    add_file(set_, path, std::move(text));
    return {};
  }

  base::Result<void> folder(const std::string& path, int depth) {
    if (depth > kDeepestFolder) return {};
    ULLAGE_TRY(const std::vector<std::string> names, files_.list(path));
    for (const std::string& name : names) {
      const std::string inner = base::join(path, name);
      const base::PathKind kind = files_.kind_of(inner);
      // Hidden folders hold what programs keep for themselves.
      if (kind == base::PathKind::folder && !name.starts_with('.') && name != "node_modules") {
        ULLAGE_CHECK(beside(inner));
        ULLAGE_CHECK(folder(inner, depth + 1));
      } else if (kind == base::PathKind::file && is_collected(name)) {
        ULLAGE_CHECK(file(inner));
      }
    }
    return {};
  }

  // The variables of `.env` in a folder.
  base::Result<void> beside(const std::string& folder) {
    const std::string path = folder.empty() ? ".env" : base::join(folder, ".env");
    if (files_.kind_of(path) != base::PathKind::file || !seen_.insert(path).second) return {};
    ULLAGE_TRY(std::string text, files_.read(path, 1u << 20));
    add_file(set_, path, std::move(text), false);
    return {};
  }

  const base::FileSystem& files_;
  FileSet& set_;
  std::set<std::string> seen_;
};

}  // namespace

base::Result<FileSet> read_files(const base::FileSystem& files,
                                 const std::vector<std::string>& paths) {
  FileSet set;
  Collector collector(files, set);
  for (const std::string& path : paths)
    ULLAGE_CHECK(collector.add(path));
  return set;
}

void add_file(FileSet& set, std::string path, std::string text, bool asked) {
  // Code hosts know a file by its path from the root of the repository.
  while (path.starts_with("./"))
    path.erase(0, 2);
  PlanFile file{std::move(path), std::move(text), FileFormat::other, asked};
  file.format = format_of_name(file.path);
  if (file.format == FileFormat::other) file.format = format_of_text(file.text);
  set.files.push_back(std::move(file));
  add_documents(set, set.files.back());
}

Variables variables_beside(const FileSet& set, std::string_view path) {
  Variables found;
  for (const PlanFile& file : set.files) {
    if (file.format != FileFormat::variables || folder_of(file.path) != folder_of(path)) continue;
    std::uint32_t line = 0;
    for (std::size_t at = 0; at < file.text.size();) {
      const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
      std::string_view text = std::string_view(file.text).substr(at, end - at);
      at = end + 1;
      ++line;
      if (text.starts_with("export ")) text.remove_prefix(7);
      const std::size_t equals = text.find('=');
      if (text.starts_with('#') || equals == std::string_view::npos) continue;
      std::string value(text.substr(equals + 1));
      while (!value.empty() && (value.back() == ' ' || value.back() == '\r'))
        value.pop_back();
      const bool is_quoted = value.size() > 1 && value.front() == value.back() &&
                             (value.front() == '"' || value.front() == '\'');
      if (is_quoted) value = value.substr(1, value.size() - 2);
      found.insert_or_assign(std::string(text.substr(0, equals)),
                             Word{value, {file.path, line, 1}});
    }
  }
  return found;
}

}  // namespace ullage::plan
