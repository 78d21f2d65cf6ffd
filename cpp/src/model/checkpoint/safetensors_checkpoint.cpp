#include <algorithm>
#include <cstring>
#include <utility>

#include "core/format_error.h"
#include "model/checkpoint/checkpoint_reader.h"

namespace phasor::model {

namespace {

class SafetensorsReader final : public CheckpointReader {
 public:
  SafetensorsReader(Params config, std::vector<CheckpointFile> files) : files_(std::move(files)) {
    checkpoint_.config = std::move(config);
  }

  std::optional<ByteRange> next_range() const override {
    if (current_file_index_ == files_.size()) return std::nullopt;
    const int file_index = static_cast<int>(current_file_index_);
    if (data_begin_ == 0) return ByteRange{file_index, 0, kLengthBytes};
    const std::uint64_t bytes_read = kLengthBytes + header_.size();
    return ByteRange{file_index, bytes_read, std::min(kMaxRangeBytes, data_begin_ - bytes_read)};
  }

  Status add_bytes(std::span<const std::uint8_t> bytes) override {
    const CheckpointFile& file = files_[current_file_index_];
    return rename_argument(append_header(file, bytes), "weights", file.name);
  }

 private:
  Status append_header(const CheckpointFile& file, std::span<const std::uint8_t> bytes) {
    if (data_begin_ == 0) {
      std::uint64_t length = 0;
      std::memcpy(&length, bytes.data(), sizeof length);
      PHASOR_TRY(check_header_length(length, file.size));
      // A parsed header needs at most 20 bytes of memory per byte of JSON.
      PHASOR_TRY(check_memory("weights", 20 * static_cast<double>(length)));
      data_begin_ = kLengthBytes + length;
      if (length > 0) return {};
      bytes = {};
    }
    header_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (header_.size() < data_begin_ - kLengthBytes) return {};
    FileHeader header;
    PHASOR_TRY(read_header(header_, header));
    PHASOR_TRY(check_offsets(header, file.size - data_begin_));
    for (StoredTensor& tensor : header.tensors) {
      tensor.begin += data_begin_;
      tensor.end += data_begin_;
      CheckpointTensor& out = checkpoint_.tensors.emplace_back();
      out.stored = std::move(tensor);
      out.file_index = static_cast<int>(current_file_index_);
    }
    header_ = {};
    data_begin_ = 0;
    ++current_file_index_;
    return {};
  }

  std::vector<CheckpointFile> files_;
  std::size_t current_file_index_ = 0;
  // File offset of the tensor data, which follows the header. 0 until the header length is known
  std::uint64_t data_begin_ = 0;
  std::string header_{};  // the part of the header that has been read
};

}  // namespace

std::unique_ptr<CheckpointReader> create_safetensors_reader(Params config,
                                                            std::vector<CheckpointFile> files) {
  return std::make_unique<SafetensorsReader>(std::move(config), std::move(files));
}

}  // namespace phasor::model
