// The only user of libzstd: Zstandard frames (RFC 8878) one after another.
#include <zstd.h>

#include <array>

#include "batch/bytes.hpp"

namespace ullage::batch {
namespace {

// Frames that ask for a larger window than 128 MiB are refused: memory stays bounded.
constexpr int kLargestWindow = 27;

class Unzstd final : public ByteSource {
 public:
  Unzstd(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), stream_(ZSTD_createDStream()) {
    base::require(stream_ != nullptr, "libzstd does not start");
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kLargestWindow);
  }
  Unzstd(const Unzstd&) = delete;
  Unzstd& operator=(const Unzstd&) = delete;
  ~Unzstd() override { ZSTD_freeDStream(stream_); }

  base::Result<std::size_t> read(char* to, std::size_t most) override {
    ZSTD_outBuffer output{to, most, 0};
    while (output.pos == 0) {
      if (given_.pos == given_.size) {
        ULLAGE_TRY(const std::size_t got, packed_->read(input_.data(), input_.size()));
        if (got == 0) {
          if (wanted_ == 0) break;
          return damaged_stream(name_, "ends in the middle: it was cut short");
        }
        given_ = {input_.data(), got, 0};
      }
      wanted_ = ZSTD_decompressStream(stream_, &output, &given_);
      if (ZSTD_isError(wanted_) != 0U) return damaged_stream(name_, ZSTD_getErrorName(wanted_));
    }
    return output.pos;
  }
  std::uint64_t taken() const override { return packed_->taken(); }
  std::optional<std::uint64_t> size() const override { return packed_->size(); }

 private:
  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  ZSTD_DStream* stream_;
  std::array<char, 1 << 16> input_{};
  ZSTD_inBuffer given_{nullptr, 0, 0};
  std::size_t wanted_ = 0;  // bytes that the frame still expects; 0 between frames
};

}  // namespace

std::unique_ptr<ByteSource> unzstd(std::unique_ptr<ByteSource> packed, std::string name) {
  return std::make_unique<Unzstd>(std::move(packed), std::move(name));
}

}  // namespace ullage::batch
