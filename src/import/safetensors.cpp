// Reads the header token by token and checks every offset.
#include "import/safetensors.hpp"

#include <algorithm>
#include <array>

#include "base/byte_reader.hpp"
#include "document/json_cursor.hpp"

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;
using document::JsonCursor;
using document::JsonToken;

constexpr std::uint64_t kLength = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // MAX_HEADER_SIZE of the library
constexpr std::size_t kMostAxes = 32;

// Values of the library's enumeration Dtype; each is a spelling of a storage format.
constexpr std::array<std::string_view, 22> kTypes{
    "BOOL", "F4",  "F6_E2M3", "F6_E3M2", "U8",          "I8",          "F8_E5M2", "F8_E4M3",
    "I16",  "U16", "F16",     "BF16",    "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F8_E8M0", "I32",
    "U32",  "F32", "C64",     "F64",     "I64",         "U64"};

// Where a tensor's bytes lie behind the header.
struct Extent {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t offset;  // of its entry in the file
};

class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::uint64_t data, const std::string& path,
               const catalog::StorageFormats& formats, StoredTensors& tensors)
      : cursor_(text, path), data_(data), path_(path), formats_(formats), tensors_(tensors) {}

  base::Result<void> read();

 private:
  Diagnostic fault(Code code, std::string message, std::string hint = {}) const {
    return {.code = code,
            .message = "byte " + std::to_string(offset_) + ": " + std::move(message),
            .span = {path_, 0, 0},
            .hint = std::move(hint),
            .notes = {}};
  }
  Diagnostic wanted(std::string_view what) const {
    return fault(Code::wrong_type, base::printable(name_) + ": " + std::string(what),
                 "an entry is {\"dtype\": \"BF16\", \"shape\": [4096, 4096], \"data_offsets\": "
                 "[0, 33554432]}");
  }
  base::Result<JsonToken> next();
  base::Result<void> read_metadata();
  base::Result<void> read_tensor();
  base::Result<void> read_type();
  base::Result<void> read_shape();
  base::Result<void> read_offsets();
  base::Result<std::uint64_t> whole_number();
  base::Result<void> check_extents();

  JsonCursor cursor_;
  std::uint64_t data_;  // bytes behind the header
  const std::string& path_;
  const catalog::StorageFormats& formats_;
  StoredTensors& tensors_;
  std::array<const catalog::StorageFormat*, kTypes.size()> by_type_{};
  std::vector<Extent> extents_;

  std::uint64_t offset_ = kLength;  // of the entry that is being read
  std::string name_;
  const catalog::StorageFormat* format_ = nullptr;
  std::vector<std::uint64_t> shape_;
  bool has_shape_ = false;
  std::optional<Extent> extent_;
};

// A fault of the JSON stands at a line and column of the header, which a binary file has not: the
// byte is said instead.
base::Result<JsonToken> HeaderReader::next() {
  auto token = cursor_.next();
  if (token) return token;
  Diagnostic fault = std::move(token).error();
  fault.message = "the header is no JSON: line " + std::to_string(fault.span.line) + ", column " +
                  std::to_string(fault.span.column) + " behind byte 8: " + fault.message;
  fault.span = {path_, 0, 0};
  return fault;
}

base::Result<std::uint64_t> HeaderReader::whole_number() {
  const std::string_view digits = cursor_.text();
  std::uint64_t value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return wanted("shape and offsets are whole numbers");
    if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
        __builtin_add_overflow(value, static_cast<std::uint64_t>(digit - '0'), &value)) {
      return fault(Code::out_of_range, base::printable(name_) + ": " + std::string(digits) +
                                           " is more than 64 bits count");
    }
  }
  return value;
}

base::Result<void> HeaderReader::read_type() {
  ULLAGE_TRY(const JsonToken token, next());
  if (token != JsonToken::string) return wanted("dtype must be a text");
  const auto* const type = std::find(kTypes.begin(), kTypes.end(), cursor_.text());
  if (type == kTypes.end()) {
    return fault(Code::unknown_name,
                 base::printable(name_) + ": unknown dtype " + base::printable(cursor_.text()),
                 "what the safetensors library names: BF16, F16, F32, F8_E4M3, I8, U8 …");
  }
  auto& format = by_type_[static_cast<std::size_t>(type - kTypes.begin())];
  if (format == nullptr) {
    ULLAGE_TRY(format, formats_.find(*type));
  }
  format_ = format;
  return {};
}

base::Result<void> HeaderReader::read_shape() {
  ULLAGE_TRY(JsonToken token, next());
  if (token != JsonToken::array) return wanted("shape must be a list");
  shape_.clear();
  for (;;) {
    ULLAGE_TRY(token, next());
    if (token == JsonToken::array_end) break;
    if (token != JsonToken::number) return wanted("shape and offsets are whole numbers");
    if (shape_.size() == kMostAxes) return wanted("a shape has at most 32 axes");
    ULLAGE_TRY(const std::uint64_t axis, whole_number());
    shape_.push_back(axis);
  }
  has_shape_ = true;
  return {};
}

base::Result<void> HeaderReader::read_offsets() {
  ULLAGE_TRY(JsonToken token, next());
  std::array<std::uint64_t, 2> both{};
  bool good = token == JsonToken::array;
  for (std::size_t i = 0; good && i < both.size(); ++i) {
    ULLAGE_TRY(token, next());
    good = token == JsonToken::number;
    if (!good) break;
    ULLAGE_TRY(both[i], whole_number());
  }
  if (good) {
    ULLAGE_TRY(token, next());
    good = token == JsonToken::array_end;
  }
  if (!good) return wanted("data_offsets must be two numbers");
  if (both[0] > both[1] || both[1] > data_) {
    return fault(Code::out_of_range,
                 base::printable(name_) + ": its bytes " + std::to_string(both[0]) + " to " +
                     std::to_string(both[1]) + " are not among the " + std::to_string(data_) +
                     " behind the header",
                 "the file is cut short or damaged; fetch it again");
  }
  extent_ = Extent{both[0], both[1], offset_};
  return {};
}

base::Result<void> HeaderReader::read_tensor() {
  ULLAGE_TRY(JsonToken token, next());
  if (token != JsonToken::object) return wanted("the entry must be an object");
  format_ = nullptr;
  has_shape_ = false;
  extent_.reset();
  for (;;) {
    ULLAGE_TRY(token, next());
    if (token == JsonToken::object_end) break;
    const std::string_view key = cursor_.text();
    const bool again = (key == "dtype" && format_ != nullptr) || (key == "shape" && has_shape_) ||
                       (key == "data_offsets" && extent_);
    if (again) {
      return fault(Code::duplicate_key,
                   base::printable(name_) + ": " + std::string(key) + " is given twice");
    }
    if (key == "dtype") {
      ULLAGE_CHECK(read_type());
    } else if (key == "shape") {
      ULLAGE_CHECK(read_shape());
    } else if (key == "data_offsets") {
      ULLAGE_CHECK(read_offsets());
    } else {
      ULLAGE_TRY(token, next());
      ULLAGE_CHECK(cursor_.skip(token));
    }
  }
  if (format_ == nullptr || !has_shape_ || !extent_) {
    return fault(Code::missing_key,
                 base::printable(name_) + ": dtype, shape or data_offsets is missing");
  }
  auto bytes = stored_bytes(name_, *format_, shape_);
  if (!bytes) return fault(bytes.error().code, bytes.error().message, bytes.error().hint);
  if (*bytes != extent_->end - extent_->begin) {
    return fault(Code::out_of_range,
                 base::printable(name_) + ": dtype and shape need " + std::to_string(*bytes) +
                     " B, data_offsets give " + std::to_string(extent_->end - extent_->begin),
                 "the file is damaged or was made by a faulty program");
  }
  extents_.push_back(*extent_);
  return tensors_.add({name_, format_, shape_, *bytes, offset_}, path_);
}

base::Result<void> HeaderReader::read_metadata() {
  ULLAGE_TRY(const JsonToken token, next());
  if (token != JsonToken::object) {
    return fault(Code::wrong_type, "__metadata__ must be an object of texts");
  }
  return cursor_.skip(token);
}

// The tensors fill what is behind the header, each byte once.
base::Result<void> HeaderReader::check_extents() {
  std::sort(extents_.begin(), extents_.end(), [](const Extent& a, const Extent& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t reached = 0;
  for (const Extent& extent : extents_) {
    offset_ = extent.offset;
    if (extent.begin < reached) {
      return fault(Code::out_of_range,
                   "the tensor listed here begins at " + std::to_string(extent.begin) +
                       ", inside another one that ends at " + std::to_string(reached),
                   "the file is damaged or was made to mislead");
    }
    if (extent.begin > reached) break;
    reached = extent.end;
  }
  if (reached == data_) return {};
  offset_ = kLength;
  return fault(Code::out_of_range,
               "no tensor holds byte " + std::to_string(reached) + " of the " +
                   std::to_string(data_) + " behind the header",
               "the file is damaged or was made by a faulty program");
}

base::Result<void> HeaderReader::read() {
  ULLAGE_TRY(JsonToken token, next());
  if (token != JsonToken::object) return fault(Code::wrong_type, "the header is no JSON object");
  for (;;) {
    ULLAGE_TRY(token, next());
    if (token == JsonToken::object_end) break;
    name_ = cursor_.text();
    offset_ = kLength + cursor_.offset();
    if (name_ == "__metadata__") {
      ULLAGE_CHECK(read_metadata());
    } else {
      ULLAGE_CHECK(read_tensor());
    }
  }
  ULLAGE_CHECK(next());  // nothing but white space behind it
  return check_extents();
}

// The length of the header, checked.
base::Result<std::uint64_t> header_length(std::string_view bytes, std::uint64_t file_size,
                                          const std::string& path) {
  base::ByteReader reader(bytes, path);
  ULLAGE_TRY(const std::uint64_t length, reader.u64());
  const bool beyond = length > file_size - kLength;
  if (beyond || length > kLongestHeader || length < 2) {
    const std::string limit =
        length < 2 ? "no JSON is that short"
        : beyond   ? "the file has " + std::to_string(file_size) + " bytes"
                   : "the safetensors library reads at most " + std::to_string(kLongestHeader);
    return Diagnostic{.code = Code::syntax,
                      .message = "byte 0: the header has " + std::to_string(length) +
                                 " bytes by its first eight, but " + limit,
                      .span = {path, 0, 0},
                      .hint = "the file is no .safetensors, cut short or damaged",
                      .notes = {}};
  }
  return length;
}

}  // namespace

base::Result<std::uint64_t> read_safetensors_header(std::string_view bytes, std::uint64_t file_size,
                                                    const std::string& path,
                                                    const catalog::StorageFormats& formats,
                                                    StoredTensors& tensors) {
  ULLAGE_TRY(const std::uint64_t length, header_length(bytes, file_size, path));
  base::ByteReader reader(bytes, path);
  ULLAGE_CHECK(reader.u64());
  ULLAGE_TRY(const std::string_view text, reader.take(length));
  HeaderReader header(text, file_size - kLength - length, path, formats, tensors);
  ULLAGE_CHECK(header.read());
  return kLength + length;
}

base::Result<std::uint64_t> read_safetensors(const base::FileSystem& files, const std::string& path,
                                             const catalog::StorageFormats& formats,
                                             StoredTensors& tensors) {
  ULLAGE_TRY(const std::uint64_t size, files.size_of(path));
  ULLAGE_TRY(const std::string start, files.read_part(path, 0, kLength));
  ULLAGE_TRY(const std::uint64_t length, header_length(start, size, path));
  ULLAGE_TRY(const std::string bytes, files.read_part(path, 0, kLength + length));
  return read_safetensors_header(bytes, size, path, formats, tensors);
}

}  // namespace ullage::import
