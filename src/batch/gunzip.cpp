// The only user of zlib: gzip members (RFC 1952) one after another.
#include <zlib.h>

#include <array>

#include "batch/bytes.hpp"

namespace ullage::batch {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, with a gzip header

class Gunzip final : public ByteSource {
 public:
  Gunzip(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)) {
    base::require(inflateInit2(&stream_, kGzipWindow) == Z_OK, "zlib does not start");
  }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip() override { inflateEnd(&stream_); }

  base::Result<std::size_t> read(char* to, std::size_t most) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(most);
    while (stream_.avail_out == most) {
      if (stream_.avail_in == 0) {
        ULLAGE_TRY(const std::size_t got, packed_->read(input_.data(), input_.size()));
        if (got == 0) {
          if (!inside_) break;
          return damaged_stream(name_, "ends in the middle: it was cut short");
        }
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(got);
      }
      inside_ = true;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        inside_ = false;
        inflateReset(&stream_);
      } else if (status != Z_OK) {
        return damaged_stream(name_, stream_.msg != nullptr ? stream_.msg : "is no gzip stream");
      }
    }
    return most - stream_.avail_out;
  }
  std::uint64_t taken() const override { return packed_->taken(); }
  std::optional<std::uint64_t> size() const override { return packed_->size(); }

 private:
  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  z_stream stream_{};
  std::array<char, 1 << 16> input_{};
  bool inside_ = false;  // of a member
};

}  // namespace

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> packed, std::string name) {
  return std::make_unique<Gunzip>(std::move(packed), std::move(name));
}

}  // namespace ullage::batch
