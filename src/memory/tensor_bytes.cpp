// Codes, and what stands beside them.
#include "memory/tensor_bytes.hpp"

namespace ullage::memory {
namespace {

using catalog::Packing;
using catalog::StorageFormat;
using exact::Rational;

// A matrix: outputs and inputs.
struct Matrix {
  Rational rows;
  Rational columns;
};

// Whether nothing stands beside the codes.
bool plain(const StorageFormat& format) {
  return format.stored_bits && *format.stored_bits == *format.bits;
}

// Whether the table says what stands beside the codes.
bool described(const StorageFormat& format) {
  return format.grouped || format.row_groups || format.block_rows > 0 ||
         !format.row_bits.is_zero() || !format.tensor_bits.is_zero();
}

// Bits of `count` values of `bits` in words that the last of them may not fill.
Rational packed(const Rational& count, const Rational& bits, std::int64_t word) {
  return (count * bits / Rational(word)).ceil() * Rational(word);
}

Rational code_bits(const StorageFormat& format, const Matrix& matrix) {
  if (format.packing == Packing::inputs) {
    return matrix.rows * packed(matrix.columns, *format.bits, format.word_bits);
  }
  if (format.packing == Packing::outputs) {
    return matrix.columns * packed(matrix.rows, *format.bits, format.word_bits);
  }
  return matrix.rows * matrix.columns * *format.bits;
}

// Groups of one row; those of a block or of a flat tensor are counted for the whole of it.
Rational groups_of_row(const StorageFormat& format, const Matrix& matrix) {
  if (format.row_groups || !format.grouped) return 1;
  return (matrix.columns / Rational(static_cast<std::int64_t>(format.group))).ceil();
}

Rational groups(const StorageFormat& format, const Matrix& matrix) {
  if (format.block_rows > 0) {
    return (matrix.rows / Rational(format.block_rows)).ceil() *
           (matrix.columns / Rational(format.block_columns)).ceil();
  }
  if (format.flat && !format.row_groups) {
    return (matrix.rows * matrix.columns / Rational(static_cast<std::int64_t>(format.group)))
        .ceil();
  }
  return matrix.rows * groups_of_row(format, matrix);
}

Rational zero_point_bits(const StorageFormat& format, const Matrix& matrix) {
  if (format.zero_point_bits.is_zero()) return 0;
  if (format.packing == Packing::none) return groups(format, matrix) * format.zero_point_bits;
  // Packed along the outputs, whichever axis the codes take.
  return groups_of_row(format, matrix) *
         packed(matrix.rows, format.zero_point_bits, format.word_bits);
}

std::size_t digits(const Rational& number) {
  return number.to_string().size();
}

// Bytes of the text that stands with each tensor.
Rational record_bytes(const StorageFormat& format, const Matrix& matrix,
                      std::string_view kept_dtype) {
  std::string text = format.record;
  const auto count = [&](std::string_view word, std::size_t length) {
    const auto at = text.find(word);
    if (at != std::string::npos) text.replace(at, word.size(), std::string(length, '0'));
  };
  count("ROWS", digits(matrix.rows));
  count("COLUMNS", digits(matrix.columns));
  count("DTYPE", kept_dtype.size());
  return Rational(static_cast<std::int64_t>(text.size()));
}

}  // namespace

std::optional<Rational> tensor_bytes(const StorageFormat& format,
                                     const std::vector<Rational>& shape,
                                     std::string_view kept_dtype) {
  if (!format.bits) return std::nullopt;
  if (plain(format)) {
    Rational elements = 1;
    for (const Rational& axis : shape)
      elements *= axis;
    return (elements * *format.bits / Rational(8)).ceil();
  }
  if (shape.size() != 2 || !described(format)) return std::nullopt;
  const Matrix matrix{shape[0], shape[1]};
  if (format.fills_rows &&
      !(matrix.columns / Rational(static_cast<std::int64_t>(format.group))).is_whole()) {
    return std::nullopt;
  }
  const auto bytes = [](const Rational& bits) { return (bits / Rational(8)).ceil(); };
  const Rational count = groups(format, matrix);
  Rational total = bytes(code_bits(format, matrix)) + bytes(count * format.scale_bits) +
                   bytes(zero_point_bits(format, matrix)) + bytes(matrix.rows * format.row_bits) +
                   bytes(matrix.columns * format.column_bits) + bytes(format.tensor_bits);
  if (format.outer_group > 0) {
    total += bytes((count / Rational(format.outer_group)).ceil() * format.outer_bits);
  }
  return total + record_bytes(format, matrix, kept_dtype);
}

}  // namespace ullage::memory
