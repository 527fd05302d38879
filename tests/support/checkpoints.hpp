// Checkpoints made in a test, so that every byte of them is known: safetensors and GGUF with zeros
// for tensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ullage::test {

inline std::string little_endian(std::uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i)
    text += static_cast<char>((value >> (8 * i)) & 0xFF);
  return text;
}

// A tensor of a checkpoint: name, dtype, shape with the slowest axis first.
struct Tensor {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
};

inline std::uint64_t elements_of(const Tensor& tensor) {
  std::uint64_t product = 1;
  for (const std::uint64_t axis : tensor.shape)
    product *= axis;
  return product;
}

// Bits of a dtype, told by the digits of its name: BF16 has 16, F8_E4M3 8, BOOL 8.
inline std::uint64_t bits_of(std::string_view dtype) {
  if (dtype == "BOOL") return 8;
  std::uint64_t bits = 0;
  for (const char letter : dtype.substr(0, dtype.find('_'))) {
    if (letter >= '0' && letter <= '9') bits = bits * 10 + static_cast<std::uint64_t>(letter - '0');
  }
  return bits;
}

inline std::uint64_t bytes_of(const std::vector<Tensor>& tensors) {
  std::uint64_t sum = 0;
  for (const Tensor& tensor : tensors)
    sum += elements_of(tensor) * bits_of(tensor.dtype) / 8;
  return sum;
}

// The JSON of a header; tensors lie in the order given.
inline std::string safetensors_json(const std::vector<Tensor>& tensors) {
  std::string json = "{\"__metadata__\":{\"format\":\"pt\"}";
  std::uint64_t offset = 0;
  for (const Tensor& tensor : tensors) {
    std::string shape;
    for (const std::uint64_t axis : tensor.shape)
      shape += (shape.empty() ? "" : ",") + std::to_string(axis);
    const std::uint64_t end = offset + elements_of(tensor) * bits_of(tensor.dtype) / 8;
    json += ",\"" + tensor.name + "\":{\"dtype\":\"" + tensor.dtype + "\",\"shape\":[" + shape +
            "],\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(end) + "]}";
    offset = end;
  }
  return json + "}";
}

inline std::string safetensors_header(const std::string& json) {
  return little_endian(json.size(), 8) + json;
}

inline std::string safetensors(const std::vector<Tensor>& tensors) {
  return safetensors_header(safetensors_json(tensors)) + std::string(bytes_of(tensors), '\0');
}

// A GGUF file, version 3, written key by key and tensor by tensor.
class Gguf {
 public:
  Gguf& text(const std::string& key, const std::string& value) {
    return pair(key, 8, string(value));
  }
  Gguf& number(const std::string& key, std::uint64_t value) {
    return pair(key, 4, little_endian(value, 4));
  }
  Gguf& numbers(const std::string& key, const std::vector<std::uint64_t>& values) {
    std::string bytes = little_endian(4, 4) + little_endian(values.size(), 8);
    for (const std::uint64_t value : values)
      bytes += little_endian(value, 4);
    return pair(key, 9, bytes);
  }
  Gguf& truths(const std::string& key, const std::vector<bool>& values) {
    std::string bytes = little_endian(7, 4) + little_endian(values.size(), 8);
    for (const bool value : values)
      bytes += little_endian(value ? 1 : 0, 1);
    return pair(key, 9, bytes);
  }
  Gguf& texts(const std::string& key, const std::vector<std::string>& values) {
    std::string bytes = little_endian(8, 4) + little_endian(values.size(), 8);
    for (const std::string& value : values)
      bytes += string(value);
    return pair(key, 9, bytes);
  }
  // A value of any type, its bytes as they stand.
  Gguf& pair(const std::string& key, std::uint32_t type, const std::string& bytes) {
    pairs_ += string(key) + little_endian(type, 4) + bytes;
    ++pair_count_;
    return *this;
  }
  // A tensor of `bytes` bytes at the next aligned offset; the slowest axis first.
  Gguf& tensor(const std::string& name, std::uint32_t type, const std::vector<std::uint64_t>& shape,
               std::uint64_t bytes) {
    return tensor_at(name, type, shape, data_, bytes);
  }
  Gguf& tensor_at(const std::string& name, std::uint32_t type,
                  const std::vector<std::uint64_t>& shape, std::uint64_t offset,
                  std::uint64_t bytes) {
    tensors_ += string(name) + little_endian(shape.size(), 4);
    for (auto axis = shape.rbegin(); axis != shape.rend(); ++axis)
      tensors_ += little_endian(*axis, 8);
    tensors_ += little_endian(type, 4) + little_endian(offset, 8);
    ++tensor_count_;
    last_ = offset + bytes;
    data_ = (last_ + 31) / 32 * 32;
    return *this;
  }
  // Of an F32 tensor.
  Gguf& floats(const std::string& name, const std::vector<std::uint64_t>& shape) {
    std::uint64_t bytes = 4;
    for (const std::uint64_t axis : shape)
      bytes *= axis;
    return tensor(name, 0, shape, bytes);
  }

  std::string header(std::uint32_t version = 3) const {
    return "GGUF" + little_endian(version, 4) + little_endian(tensor_count_, 8) +
           little_endian(pair_count_, 8) + pairs_ + tensors_;
  }
  std::string bytes() const {
    std::string file = header();
    file.resize((file.size() + 31) / 32 * 32);
    return file + std::string(last_, '\0');
  }

  static std::string string(const std::string& value) {
    return little_endian(value.size(), 8) + value;
  }

 private:
  std::string pairs_;
  std::string tensors_;
  std::uint64_t pair_count_ = 0;
  std::uint64_t tensor_count_ = 0;
  std::uint64_t data_ = 0;  // where the next tensor goes
  std::uint64_t last_ = 0;  // where the last one ends
};

}  // namespace ullage::test
