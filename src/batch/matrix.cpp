// Numbers of scenarios to values, in mixed radix.
#include <algorithm>

#include "batch/bytes.hpp"
#include "batch/parts.hpp"

namespace ullage::batch {
namespace {

constexpr std::uint64_t kPart = 8192;
constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;

class MatrixParts final : public Parts {
 public:
  MatrixParts(std::shared_ptr<const Matrix> matrix, std::uint64_t begin, std::uint64_t end)
      : matrix_(std::move(matrix)), begin_(begin), next_(begin), end_(end) {
    head_ = std::make_shared<const InputHead>(InputHead{"matrix", InputFormat::csv, {}});
  }

  base::Result<std::optional<Part>> next() override {
    if (next_ == end_ || interruption()) return std::optional<Part>();
    Part part;
    part.index = index_++;
    part.head = head_;
    part.first_line = next_ + 1;
    part.count = std::min(kPart, end_ - next_);
    next_ += part.count;
    return std::optional(std::move(part));
  }
  base::Result<std::vector<std::string>> keys() override {
    std::vector<std::string> keys;
    for (const Axis& axis : *matrix_)
      keys.push_back(axis.key);
    return keys;
  }
  std::string command() const override {
    for (const Axis& axis : *matrix_) {
      if (axis.key == "command") return axis.values.front();
    }
    return {};
  }
  InputFormat format() const override { return InputFormat::csv; }
  std::optional<std::pair<std::uint64_t, std::uint64_t>> progress() const override {
    return std::pair(next_ - begin_, end_ - begin_);
  }
  bool cut() const override { return false; }

 private:
  std::shared_ptr<const Matrix> matrix_;
  std::shared_ptr<const InputHead> head_;
  std::uint64_t begin_;
  std::uint64_t next_;
  std::uint64_t end_;
  std::uint64_t index_ = 0;
};

}  // namespace

base::Result<std::uint64_t> scenarios_of(const Matrix& matrix) {
  std::uint64_t number = 1;
  for (const Axis& axis : matrix) {
    if (__builtin_mul_overflow(number, axis.values.size(), &number) || number > kMost) {
      return base::Diagnostic{.code = base::Code::out_of_range,
                              .message = "--matrix: the product has more than 2^62 scenarios",
                              .span = {},
                              .hint = {},
                              .notes = {}};
    }
  }
  return number;
}

base::Result<std::unique_ptr<Parts>> parts_of_matrix(std::shared_ptr<const Matrix> matrix,
                                                     const Shard& shard) {
  ULLAGE_TRY(const std::uint64_t all, scenarios_of(*matrix));
  __extension__ using Unsigned128 = unsigned __int128;
  const auto border = [&](std::uint64_t number) {
    return static_cast<std::uint64_t>(Unsigned128{all} * number / shard.of);
  };
  return std::unique_ptr<Parts>(std::make_unique<MatrixParts>(
      std::move(matrix), border(shard.number - 1), border(shard.number)));
}

void read_matrix_record(const Matrix& matrix, std::uint64_t index, Record& record) {
  if (record.fields.size() != matrix.size()) {
    record.clear();
    record.fields.resize(matrix.size());
  }
  for (std::size_t i = matrix.size(); i-- > 0;) {
    const Axis& axis = matrix[i];
    const std::string& value = axis.values[index % axis.values.size()];
    index /= axis.values.size();
    Field& field = record.fields[i];
    if (field.text.data() == value.data() && field.text.size() == value.size()) continue;
    field.key = axis.key;
    field.text = value;
    field.raw = value;
    field.type = value.empty() ? FieldType::nothing : FieldType::text;
  }
}

}  // namespace ullage::batch
