#include <algorithm>
#include <utility>

#include "core/format_error.h"
#include "model/checkpoint/checkpoint_reader.h"

namespace phasor::model {

namespace {

constexpr std::uint64_t kFirstReadBytes = 65536;

class GgufCheckpointReader final : public CheckpointReader {
 public:
  explicit GgufCheckpointReader(CheckpointFile file)
      : file_(std::move(file)), bytes_needed_(std::min(kFirstReadBytes, file_.size)) {}

  std::optional<ByteRange> next_range() const override {
    if (!checkpoint_.gguf)
      return ByteRange{0, header_bytes_.size(),
                       std::min(kMaxRangeBytes, bytes_needed_ - header_bytes_.size())};
    if (pending_tensors_.empty()) return std::nullopt;
    return ByteRange{0, pending_tensors_.back()->begin,
                     pending_tensors_.back()->end - pending_tensors_.back()->begin};
  }

  Status add_bytes(std::span<const std::uint8_t> bytes) override {
    return rename_argument(checkpoint_.gguf ? read_config_tensor(bytes) : append_header(bytes),
                           "gguf", file_.name);
  }

 private:
  Status append_header(std::span<const std::uint8_t> bytes) {
    header_bytes_.insert(header_bytes_.end(), bytes.begin(), bytes.end());
    if (header_bytes_.size() < bytes_needed_) return {};
    PHASOR_TRY_ASSIGN(GgufHeaderPart header_part, read_gguf_header(header_bytes_, file_.size));
    if (header_part.bytes_needed > 0) {
      bytes_needed_ = header_part.bytes_needed;
      return {};
    }
    header_bytes_ = {};
    const GgufHeader& header = checkpoint_.gguf.emplace(std::move(header_part.header));
    for (const GgufTensor& tensor : header.tensors) {
      if (!is_gguf_config_tensor(tensor.name)) continue;
      if (tensor.end - tensor.begin > kMaxRangeBytes || tensor.end == tensor.begin) {
        return invalid("{}: {} bytes is not a valid size for frequency factors", tensor.name,
                       detail(tensor.end - tensor.begin));
      }
      pending_tensors_.push_back(&tensor);
    }
    return pending_tensors_.empty() ? list_tensors() : Status();
  }

  Status read_config_tensor(std::span<const std::uint8_t> bytes) {
    const GgufTensor& tensor = *pending_tensors_.back();
    PHASOR_TRY_ASSIGN(std::vector<float> numbers, dequantize(tensor, bytes));
    config_tensors_.add(tensor.name, Tensor(tensor.shape, std::move(numbers)));
    pending_tensors_.pop_back();
    return pending_tensors_.empty() ? list_tensors() : Status();
  }

  Status list_tensors() {
    const GgufHeader& header = *checkpoint_.gguf;
    PHASOR_TRY_ASSIGN(GgufModel model, model_from_gguf(header, config_tensors_));
    checkpoint_.config = std::move(model.config);
    for (GgufWeight& weight : model.weights) {
      const GgufTensor& tensor = header.tensors[weight.tensor];
      CheckpointTensor& out = checkpoint_.tensors.emplace_back();
      out.stored = {.name = std::move(weight.name),
                    .dtype = std::string(tensor.dtype),
                    .shape = {tensor.shape.begin(), tensor.shape.end()},
                    .begin = tensor.begin,
                    .end = tensor.end};
      out.gguf = &tensor;
      out.rows = weight.rows;
      out.is_transposed = weight.is_transposed;
      out.norm_weight_includes_one = weight.includes_one;
    }
    return {};
  }

  CheckpointFile file_;
  std::uint64_t bytes_needed_;
  // The bytes read so far; cleared when the header is complete
  std::vector<std::uint8_t> header_bytes_{};
  std::vector<const GgufTensor*> pending_tensors_{};  // config tensors that have not been read yet
  OrderedMap<Tensor> config_tensors_{};
};

}  // namespace

std::unique_ptr<CheckpointReader> create_gguf_reader(CheckpointFile file) {
  return std::make_unique<GgufCheckpointReader>(std::move(file));
}

}  // namespace phasor::model
