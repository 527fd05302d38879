// Cuts what is read at line breaks: as much at once as there is, so that a slow writer is answered
// line by line.
#include "batch/parts.hpp"

#include <algorithm>
#include <cstring>

#include "batch/bytes.hpp"

namespace ullage::batch {
namespace {

using base::Code;
using base::Diagnostic;

constexpr std::size_t kPart = std::size_t{1} << 18U;
constexpr std::size_t kLongestLine = std::size_t{16} << 20U;

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

// One input as lines. `offset` counts its bytes, unpacked.
class Lines {
 public:
  explicit Lines(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {}

  // More whole lines in `text`, or what is left at the end; empty at the end. Text stays valid
  // until the next call.
  base::Result<std::string_view> more() {
    buffer_.erase(0, given_);
    given_ = 0;
    while (true) {
      const std::size_t end = buffer_.rfind('\n') + 1;
      if (end > 0) return give(end);
      if (ended_) return give(buffer_.size());
      if (buffer_.size() > kLongestLine) {
        return Diagnostic{.code = Code::out_of_range,
                          .message = "a line of more than 16 MiB",
                          .span = {},
                          .hint = "one scenario a line",
                          .notes = {}};
      }
      const std::size_t start = buffer_.size();
      buffer_.resize(start + kPart);
      auto got = bytes_->read(buffer_.data() + start, kPart);
      buffer_.resize(start + (got ? *got : 0));
      if (!got) return std::move(got).error();
      ended_ = *got == 0;
    }
  }
  // Gives back the end of the last text.
  void give_back(std::size_t bytes) { given_ -= bytes; }
  const ByteSource& bytes() const { return *bytes_; }

 private:
  std::string_view give(std::size_t end) {
    given_ = end;
    return std::string_view(buffer_).substr(0, end);
  }

  std::unique_ptr<ByteSource> bytes_;
  std::string buffer_;
  std::size_t given_ = 0;
  bool ended_ = false;
};

class FileParts final : public Parts {
 public:
  FileParts(std::vector<std::string> paths, std::uint64_t begin, std::uint64_t end)
      : paths_(std::move(paths)), begin_(begin), end_(end) {}

  base::Result<std::optional<Part>> next() override {
    if (waiting_) {
      Part part = std::move(*waiting_);
      waiting_.reset();
      return std::optional(std::move(part));
    }
    while (true) {
      if (offset_ >= end_ || interruption()) return std::optional<Part>();
      if (!lines_) {
        if (file_ == paths_.size()) return std::optional<Part>();
        ULLAGE_CHECK(open());
      }
      auto text = lines_->more();
      if (!text) return std::optional(faulty(std::move(text).error()));
      if (text->empty()) {
        lines_.reset();
        ++file_;
        continue;
      }
      if (!head_) {
        auto begun = begin_input(*text);
        if (!begun) return std::optional(faulty(std::move(begun).error()));
        continue;
      }
      std::optional<Part> part = take(*text);
      if (part) return part;
    }
  }

  base::Result<std::vector<std::string>> keys() override {
    if (!waiting_) {
      ULLAGE_TRY(waiting_, next());
    }
    if (!first_head_) return std::vector<std::string>();
    if (first_head_->format == InputFormat::csv) return first_head_->header;
    std::vector<std::string> keys;
    for (const Field& field : first_.fields)
      keys.emplace_back(field.key);
    return keys;
  }
  std::string command() const override {
    const Field* const field = first_.find("command");
    return field == nullptr ? std::string() : std::string(field->text);
  }
  InputFormat format() const override {
    return first_head_ ? first_head_->format : InputFormat::json;
  }
  std::optional<std::pair<std::uint64_t, std::uint64_t>> progress() const override {
    if (!lines_ || paths_.size() != 1) return std::nullopt;
    const auto size = lines_->bytes().size();
    if (!size) return std::nullopt;
    return std::pair(lines_->bytes().taken(), *size);
  }
  bool cut() const override { return cut_; }

 private:
  base::Result<void> open() {
    ULLAGE_TRY(auto bytes, open_bytes(paths_[file_]));
    lines_ = std::make_unique<Lines>(std::move(bytes));
    head_.reset();
    line_ = 1;
    return {};
  }

  // Tells the format by the first line that says anything, and takes the header of CSV.
  base::Result<void> begin_input(std::string_view text) {
    std::size_t at = line_ == 1 ? text.size() - without_mark(text).size() : 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      const std::string_view line = without_end(text.substr(at, end - at));
      if (line.find_first_not_of(" \t") != std::string_view::npos) {
        InputHead head{paths_[file_], InputFormat::json, {}};
        if (line[line.find_first_not_of(" \t")] != '{') {
          head.format = InputFormat::csv;
          ULLAGE_TRY(head.header, read_csv_header(line));
          at = end;
          ++line_;
        }
        head_ = std::make_shared<const InputHead>(std::move(head));
        if (!first_head_) first_head_ = head_;
        break;
      }
      at = end;
      ++line_;
    }
    offset_ += at;
    lines_->give_back(text.size() - at);
    return {};
  }

  // The lines of the text that belong to this piece, at most a part of them.
  std::optional<Part> take(std::string_view text) {
    if (text.size() > kPart) {
      std::size_t end = text.rfind('\n', kPart) + 1;
      if (end == 0) end = std::min(text.find('\n'), text.size() - 1) + 1;
      lines_->give_back(text.size() - end);
      text = text.substr(0, end);
    }
    std::size_t from = 0;
    std::uint64_t skipped = 0;
    while (offset_ + from < begin_ && from < text.size()) {
      from = std::min(text.find('\n', from), text.size() - 1) + 1;
      ++skipped;
    }
    std::size_t to = from;
    if (offset_ + text.size() <= end_) {
      to = text.size();
    } else {
      while (offset_ + to < end_ && to < text.size())
        to = std::min(text.find('\n', to), text.size() - 1) + 1;
    }
    const std::uint64_t first_line = line_ + skipped;
    line_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    offset_ += text.size();
    if (from == to) return std::nullopt;
    Part part;
    part.index = index_++;
    part.head = head_;
    part.text = text.substr(from, to - from);
    part.first_line = first_line;
    cut_ = !text.ends_with('\n');
    if (part.index == 0) read_first(part.text);
    return part;
  }

  void read_first(std::string_view text) {
    first_line_ = without_end(text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1));
    const auto read = head_->format == InputFormat::csv
                          ? read_csv_record(first_line_, head_->header, first_)
                          : read_json_record(first_line_, first_);
    if (!read.ok()) first_.clear();
  }

  // The input cannot be read on: the fault stands behind its last line.
  Part faulty(Diagnostic fault) {
    Part part;
    part.index = index_++;
    part.head =
        head_ ? head_
              : std::make_shared<const InputHead>(InputHead{paths_[file_], InputFormat::csv, {}});
    part.first_line = line_;
    part.fault = std::move(fault);
    lines_.reset();
    file_ = paths_.size();
    return part;
  }

  std::vector<std::string> paths_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::size_t file_ = 0;
  std::unique_ptr<Lines> lines_;
  std::shared_ptr<const InputHead> head_;
  std::shared_ptr<const InputHead> first_head_;
  std::uint64_t line_ = 1;
  std::uint64_t offset_ = 0;
  std::uint64_t index_ = 0;
  bool cut_ = false;
  std::optional<Part> waiting_;
  std::string first_line_;
  Record first_;
};

// Bytes of all inputs, unpacked.
base::Result<std::uint64_t> measure(const std::vector<std::string>& paths) {
  std::uint64_t all = 0;
  std::string buffer(kPart, '\0');
  for (const std::string& path : paths) {
    ULLAGE_TRY(const auto bytes, open_bytes(path));
    const bool packed = path.ends_with(".gz") || path.ends_with(".zst");
    if (!packed && bytes->size()) {
      all += *bytes->size();
      continue;
    }
    while (true) {
      ULLAGE_TRY(const std::size_t got, bytes->read(buffer.data(), buffer.size()));
      if (got == 0) break;
      all += got;
    }
  }
  return all;
}

}  // namespace

base::Result<std::unique_ptr<Parts>> parts_of_files(std::vector<std::string> paths,
                                                    const Shard& shard) {
  std::uint64_t begin = 0;
  std::uint64_t end = static_cast<std::uint64_t>(-1);
  if (shard.of > 1) {
    if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
      return Diagnostic{.code = Code::usage,
                        .message = "--shard cannot cut standard input, whose end is not known",
                        .span = {},
                        .hint = "name a file, or cut the stream before: parallel --pipe",
                        .notes = {}};
    }
    ULLAGE_TRY(const std::uint64_t all, measure(paths));
    __extension__ using Unsigned128 = unsigned __int128;
    begin = static_cast<std::uint64_t>(Unsigned128{all} * (shard.number - 1) / shard.of);
    if (shard.number < shard.of) {
      end = static_cast<std::uint64_t>(Unsigned128{all} * shard.number / shard.of);
    }
  }
  return std::unique_ptr<Parts>(std::make_unique<FileParts>(std::move(paths), begin, end));
}

}  // namespace ullage::batch
