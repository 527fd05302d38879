// The files of one check: what is given together is looked up in together.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.hpp"
#include "document/value.hpp"
#include "plan/files/locate.hpp"
#include "plan/files/scope.hpp"

namespace ullage::plan {

enum class FileFormat : std::uint8_t { yaml, json, toml, shell, variables, other };

struct PlanFile {
  std::string path;  // as it was named
  std::string text;
  FileFormat format = FileFormat::other;
  bool asked = true;  // whether it was named or found; false for what is only looked up in

  SourceText source() const { return {path, text}; }
};

// One document of a file; a shell script is a document without a tree.
struct PlanDocument {
  const PlanFile* file = nullptr;
  document::Document document;
};

// A document that cannot be read.
struct Unreadable {
  const PlanFile* file = nullptr;
  base::Diagnostic fault;
  bool is_template = false;  // a template that another program has to render first
};

struct FileSet {
  std::deque<PlanFile> files;  // addresses hold
  std::deque<PlanDocument> documents;
  std::vector<Unreadable> unreadable;
};

// Reads files, folders (recursively: .yaml .yml .json .toml .sh and *-template) and `-` in the
// order given, folders in name order; a file named twice is read once. `.env` files beside them are
// read for their variables. Errors: a path that does not exist or cannot be read.
base::Result<FileSet> read_files(const base::FileSystem& files,
                                 const std::vector<std::string>& paths);

// Adds the documents of one text. The file's format is that of its name, for `-` that of what
// stands in it.
void add_file(FileSet& set, std::string path, std::string text, bool asked = true);

// The variables of `.env` files in the folder of that file.
Variables variables_beside(const FileSet& set, std::string_view path);

}  // namespace ullage::plan
