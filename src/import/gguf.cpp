// Reads metadata and tensor table through a cursor, so that tokenizers of megabytes and tensors of
// gigabytes are passed over.
#include "import/gguf.hpp"

#include <algorithm>
#include <array>

#include "base/file_cursor.hpp"

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;
using base::FileCursor;

constexpr std::uint32_t kMagic = 0x46554747;   // "GGUF"
constexpr std::uint64_t kLongestKey = 65'535;  // ggml/docs/gguf.md
constexpr std::uint64_t kLongestName = 1'024;  // of a tensor; ggml itself takes 64
constexpr std::uint64_t kLongestKept = 4'096;  // of a text or an array that is kept
constexpr std::uint64_t kMostKeys = 100'000;
constexpr std::uint32_t kMostAxes = 4;  // GGML_MAX_DIMS
constexpr std::uint64_t kDefaultAlignment = 32;
constexpr std::uint64_t kLargestAlignment = 1u << 20;
constexpr std::size_t kDeepest = 4;

// Numbers of enum gguf_type.
enum Type : std::uint32_t { kBool = 7, kString = 8, kArray = 9 };

// The bytes of a plain type; 0 for texts, arrays and what is no type.
std::uint64_t bytes_of(std::uint32_t type) {
  constexpr std::array<std::uint64_t, 13> kBytes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return type < kBytes.size() ? kBytes[type] : 0;
}

bool is_real(std::uint32_t type) {
  return type == 6 || type == 12;
}

struct Entry {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t offset;  // of its entry in the table
};

class GgufReader {
 public:
  GgufReader(FileCursor& cursor, const catalog::StorageFormats& formats, GgufFile& file)
      : cursor_(cursor), formats_(formats), file_(file) {}

  base::Result<void> read();
  // The metadata of this file: the first one's is the model's, that of further parts only says
  // which part it is.
  const std::map<std::string, GgufValue, std::less<>>& metadata() const { return metadata_; }

 private:
  Diagnostic fault(Code code, std::uint64_t at, std::string message, std::string hint = {}) const {
    return {.code = code,
            .message = "byte " + std::to_string(at) + ": " + std::move(message),
            .span = {cursor_.path(), 0, 0},
            .hint = std::move(hint),
            .notes = {}};
  }
  base::Result<void> read_counts();
  base::Result<void> read_pair();
  base::Result<std::string> read_text(std::uint64_t longest, std::string_view what);
  base::Result<void> read_value(std::uint32_t type, GgufValue& value);
  base::Result<std::int64_t> read_number(std::uint32_t type);
  base::Result<void> read_array(GgufValue& value, std::size_t depth);
  base::Result<void> skip_texts(std::uint64_t count);
  base::Result<void> read_tensor();
  base::Result<void> check_entries();

  FileCursor& cursor_;
  const catalog::StorageFormats& formats_;
  GgufFile& file_;
  std::map<std::string, GgufValue, std::less<>> metadata_;
  std::uint64_t tensors_ = 0;
  std::uint64_t pairs_ = 0;
  std::uint64_t alignment_ = kDefaultAlignment;
  std::vector<Entry> entries_;
};

base::Result<void> GgufReader::read_counts() {
  ULLAGE_TRY(const std::uint32_t magic, cursor_.u32());
  if (magic != kMagic) {
    return fault(Code::syntax, 0, "the file does not begin with GGUF",
                 "it is no GGUF file, or not the file itself (a pointer, a web page)");
  }
  ULLAGE_TRY(const std::uint32_t version, cursor_.u32());
  if ((version & 0xFFFFu) == 0) {
    return fault(
        Code::syntax, 4,
        "the version is " + std::to_string(version) + ": a big-endian file, which is not read",
        "convert it to little-endian with gguf-py's convert_endian");
  }
  if (version != 2 && version != 3) {
    return fault(Code::syntax, 4,
                 "GGUF version " + std::to_string(version) + " is not read, 2 and 3 are",
                 "convert the model again with a current llama.cpp");
  }
  ULLAGE_TRY(tensors_, cursor_.u64());
  ULLAGE_TRY(pairs_, cursor_.u64());
  // The least that an entry takes: lengths, a type, a number.
  constexpr std::uint64_t kLeastTensor = 8 + 4 + 4 + 8;
  constexpr std::uint64_t kLeastPair = 8 + 4 + 1;
  if (tensors_ > cursor_.remaining() / kLeastTensor) {
    return fault(Code::syntax, 8,
                 std::to_string(tensors_) + " tensors do not fit in a file of " +
                     std::to_string(cursor_.size()) + " bytes",
                 "the file is cut short or damaged; fetch it again");
  }
  if (pairs_ > cursor_.remaining() / kLeastPair || pairs_ > kMostKeys) {
    return fault(Code::syntax, 16,
                 std::to_string(pairs_) + " keys do not fit in a file of " +
                     std::to_string(cursor_.size()) + " bytes, or are more than " +
                     std::to_string(kMostKeys),
                 "the file is cut short or damaged; fetch it again");
  }
  return {};
}

base::Result<std::string> GgufReader::read_text(std::uint64_t longest, std::string_view what) {
  const std::uint64_t at = cursor_.offset();
  ULLAGE_TRY(const std::uint64_t length, cursor_.u64());
  if (length <= longest && length <= cursor_.remaining()) return cursor_.take(length);
  return fault(Code::syntax, at,
               std::string(what) + " of " + std::to_string(length) + " bytes, but " +
                   (length > longest ? "at most " + std::to_string(longest) + " are read"
                                     : std::to_string(cursor_.remaining()) + " are left"),
               "the file is cut short or damaged; fetch it again");
}

base::Result<std::int64_t> GgufReader::read_number(std::uint32_t type) {
  switch (bytes_of(type)) {
    case 1: {
      ULLAGE_TRY(const std::uint8_t value, cursor_.u8());
      return type == 1 ? std::int64_t{static_cast<std::int8_t>(value)} : std::int64_t{value};
    }
    case 2: {
      ULLAGE_TRY(const std::uint16_t value, cursor_.u16());
      return type == 3 ? std::int64_t{static_cast<std::int16_t>(value)} : std::int64_t{value};
    }
    case 4: {
      ULLAGE_TRY(const std::uint32_t value, cursor_.u32());
      return type == 5 ? std::int64_t{static_cast<std::int32_t>(value)} : std::int64_t{value};
    }
    default: {
      // Beyond 63 bits no key has a meaning; the greatest number is then refused where it is used.
      ULLAGE_TRY(const std::uint64_t value, cursor_.u64());
      const bool beyond = type == 10 && value > std::uint64_t{INT64_MAX};
      return beyond ? INT64_MAX : static_cast<std::int64_t>(value);
    }
  }
}

base::Result<void> GgufReader::skip_texts(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    ULLAGE_TRY(const std::uint64_t length, cursor_.u64());
    ULLAGE_CHECK(cursor_.skip(length));
  }
  return {};
}

base::Result<void> GgufReader::read_array(GgufValue& value, std::size_t depth) {
  const std::uint64_t at = cursor_.offset();
  ULLAGE_TRY(const std::uint32_t type, cursor_.u32());
  ULLAGE_TRY(value.count, cursor_.u64());
  const std::uint64_t each = type == kString || type == kArray ? 8 : bytes_of(type);
  if (each == 0) return fault(Code::syntax, at, "unknown type " + std::to_string(type));
  if (value.count > cursor_.remaining() / each) {
    return fault(Code::syntax, at,
                 "an array of " + std::to_string(value.count) + " entries does not fit in the file",
                 "the file is cut short or damaged; fetch it again");
  }
  if (type == kString) return skip_texts(value.count);
  if (type == kArray) {
    if (depth == kDeepest) return fault(Code::syntax, at, "arrays are nested too deeply");
    for (std::uint64_t i = 0; i < value.count; ++i) {
      GgufValue inner;
      ULLAGE_CHECK(read_array(inner, depth + 1));
    }
    return {};
  }
  if (is_real(type) || value.count > kLongestKept || depth > 0) {
    return cursor_.skip(value.count * each);
  }
  value.kind = GgufValue::Kind::numbers;
  for (std::uint64_t i = 0; i < value.count; ++i) {
    ULLAGE_TRY(const std::int64_t number, read_number(type));
    value.numbers.push_back(number);
  }
  return {};
}

base::Result<void> GgufReader::read_value(std::uint32_t type, GgufValue& value) {
  if (type == kArray) return read_array(value, 0);
  if (type == kString) {
    const std::uint64_t at = cursor_.offset();
    ULLAGE_TRY(const std::uint64_t length, cursor_.u64());
    if (length > cursor_.remaining()) {
      return fault(Code::syntax, at,
                   "a text of " + std::to_string(length) + " bytes, but " +
                       std::to_string(cursor_.remaining()) + " are left",
                   "the file is cut short or damaged; fetch it again");
    }
    if (length > kLongestKept) return cursor_.skip(length);
    value.kind = GgufValue::Kind::text;
    ULLAGE_TRY(value.text, cursor_.take(length));
    return {};
  }
  const std::uint64_t bytes = bytes_of(type);
  if (bytes == 0) {
    return fault(Code::syntax, cursor_.offset() - 4, "unknown type " + std::to_string(type));
  }
  if (is_real(type)) {
    value.kind = GgufValue::Kind::real;
    return cursor_.skip(bytes);
  }
  value.kind = GgufValue::Kind::number;
  ULLAGE_TRY(value.number, read_number(type));
  return {};
}

base::Result<void> GgufReader::read_pair() {
  GgufValue value;
  value.offset = cursor_.offset();
  ULLAGE_TRY(std::string key, read_text(kLongestKey, "a key"));
  ULLAGE_TRY(const std::uint32_t type, cursor_.u32());
  ULLAGE_CHECK(read_value(type, value));
  const std::uint64_t at = value.offset;
  if (!metadata_.emplace(key, std::move(value)).second) {
    return fault(Code::duplicate_key, at, "the key " + base::printable(key) + " is given twice");
  }
  return {};
}

base::Result<void> GgufReader::read_tensor() {
  const std::uint64_t at = cursor_.offset();
  ULLAGE_TRY(const std::string name, read_text(kLongestName, "the name of a tensor"));
  ULLAGE_TRY(const std::uint32_t axes, cursor_.u32());
  if (axes > kMostAxes) {
    return fault(Code::out_of_range, at,
                 base::printable(name) + ": " + std::to_string(axes) + " axes, ggml has at most 4");
  }
  std::vector<std::uint64_t> shape(axes);
  // ggml lists the fastest axis first.
  for (std::uint32_t i = axes; i > 0; --i) {
    ULLAGE_TRY(shape[i - 1], cursor_.u64());
  }
  ULLAGE_TRY(const std::uint32_t type, cursor_.u32());
  ULLAGE_TRY(const std::uint64_t offset, cursor_.u64());
  const catalog::StorageFormat* format = formats_.of_ggml_type(type);
  if (format == nullptr) {
    return fault(Code::unknown_name, at,
                 base::printable(name) + ": unknown tensor type " + std::to_string(type),
                 "it is newer than this table of types, or was removed from GGUF files");
  }
  auto bytes = stored_bytes(name, *format, shape);
  if (!bytes) return fault(bytes.error().code, at, bytes.error().message, bytes.error().hint);
  if (offset % alignment_ != 0) {
    return fault(Code::out_of_range, at,
                 base::printable(name) + ": its offset " + std::to_string(offset) +
                     " is no multiple of the alignment " + std::to_string(alignment_));
  }
  if (offset > cursor_.size() || *bytes > cursor_.size() - offset) {
    return fault(Code::out_of_range, at,
                 base::printable(name) + ": " + std::to_string(*bytes) + " bytes at " +
                     std::to_string(offset) + " do not fit in a file of " +
                     std::to_string(cursor_.size()),
                 "the file is cut short or damaged; fetch it again");
  }
  entries_.push_back({offset, offset + *bytes, at});
  return file_.tensors.add({name, format, shape, *bytes, at}, cursor_.path());
}

// The tensors lie one behind the other, each at the next aligned byte.
base::Result<void> GgufReader::check_entries() {
  const std::uint64_t header = cursor_.offset();
  const auto aligned = [this](std::uint64_t value) {
    return (value + alignment_ - 1) / alignment_ * alignment_;
  };
  const std::uint64_t data = aligned(header);
  file_.header_bytes.push_back(header);
  if (entries_.empty()) return {};
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t reached = 0;
  for (const Entry& entry : entries_) {
    if (entry.begin < reached) {
      return fault(Code::out_of_range, entry.offset,
                   "the tensor listed here begins at " + std::to_string(entry.begin) +
                       ", inside another one that ends at " + std::to_string(reached),
                   "the file is damaged or was made to mislead");
    }
    if (entry.begin > aligned(reached)) {
      return fault(Code::out_of_range, entry.offset,
                   "no tensor holds byte " + std::to_string(aligned(reached)) +
                       " of the data, before the one that is listed here",
                   "the file is damaged or was made by a faulty program");
    }
    file_.padding += entry.begin - reached;
    reached = entry.end;
  }
  if (data > cursor_.size() || reached > cursor_.size() - data) {
    return fault(Code::out_of_range, header,
                 "the tensors end at byte " + std::to_string(data) + " + " +
                     std::to_string(reached) + " of a file of " + std::to_string(cursor_.size()),
                 "the file is cut short or damaged; fetch it again");
  }
  return {};
}

base::Result<void> GgufReader::read() {
  ULLAGE_CHECK(read_counts());
  for (std::uint64_t i = 0; i < pairs_; ++i) {
    ULLAGE_CHECK(read_pair());
  }
  if (const auto found = metadata_.find("general.alignment"); found != metadata_.end()) {
    const std::int64_t value = found->second.number;
    const bool power = value > 0 && (value & (value - 1)) == 0;
    if (found->second.kind != GgufValue::Kind::number || !power ||
        value > static_cast<std::int64_t>(kLargestAlignment)) {
      return fault(
          Code::out_of_range, found->second.offset,
          "general.alignment must be a power of two up to " + std::to_string(kLargestAlignment));
    }
    alignment_ = static_cast<std::uint64_t>(value);
  }
  for (std::uint64_t i = 0; i < tensors_; ++i) {
    ULLAGE_CHECK(read_tensor());
  }
  return check_entries();
}

// Whether the parts are the parts of one file, each once.
base::Result<void> check_part(const std::map<std::string, GgufValue, std::less<>>& metadata,
                              std::size_t part, std::size_t parts, const std::string& path) {
  const auto number = [&](std::string_view key, std::int64_t fallback) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? fallback : found->second.number;
  };
  const std::int64_t count = number("split.count", 1);
  const std::int64_t index = number("split.no", 0);
  // An unsplit file may say 0.
  const bool whole = parts == 1 && count <= 1;
  if (whole ||
      (count == static_cast<std::int64_t>(parts) && index == static_cast<std::int64_t>(part))) {
    return {};
  }
  return Diagnostic{.code = Code::out_of_range,
                    .message = "the file says that it is part " + std::to_string(index + 1) +
                               " of " + std::to_string(count) + ", its name makes it part " +
                               std::to_string(part + 1) + " of " + std::to_string(parts),
                    .span = {path, 0, 0},
                    .hint =
                        "parts are called …-00001-of-00003.gguf by llama.cpp; a renamed or "
                        "doubled part is refused",
                    .notes = {}};
}

}  // namespace

std::string GgufFile::where(const GgufValue& value) const {
  return paths.front() + ", byte " + std::to_string(value.offset);
}

base::Result<GgufFile> read_gguf(const base::FileSystem& files,
                                 const std::vector<std::string>& paths,
                                 const catalog::StorageFormats& formats) {
  GgufFile file;
  file.paths = paths;
  for (std::size_t part = 0; part < paths.size(); ++part) {
    ULLAGE_TRY(const std::uint64_t size, files.size_of(paths[part]));
    FileCursor cursor(files, paths[part], size);
    GgufReader reader(cursor, formats, file);
    ULLAGE_CHECK(reader.read());
    ULLAGE_CHECK(check_part(reader.metadata(), part, paths.size(), paths[part]));
    if (part == 0) file.metadata = reader.metadata();
  }
  const auto total = file.metadata.find("split.tensors.count");
  if (paths.size() > 1 && total != file.metadata.end() &&
      total->second.number != static_cast<std::int64_t>(file.tensors.tensors())) {
    return Diagnostic{.code = Code::out_of_range,
                      .message = "split.tensors.count is " + std::to_string(total->second.number) +
                                 ", the parts list " + std::to_string(file.tensors.tensors()) +
                                 " tensors",
                      .span = {paths.front(), 0, 0},
                      .hint = "the parts are not of one file",
                      .notes = {}};
  }
  return file;
}

}  // namespace ullage::import
