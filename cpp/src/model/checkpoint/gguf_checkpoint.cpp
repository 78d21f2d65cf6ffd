#include <algorithm>
#include <utility>

#include "core/format_error.h"
#include "model/checkpoint/checkpoint_reader.h"

namespace phasor::model {

namespace {

constexpr std::uint64_t kBeginning = 65536;

class GgufCheckpointReader final : public CheckpointReader {
 public:
  explicit GgufCheckpointReader(CheckpointFile file)
      : file_(std::move(file)), needed_(std::min(kBeginning, file_.size)) {}

  std::optional<ByteRange> wants() const override {
    if (!checkpoint_.gguf)
      return ByteRange{0, beginning_.size(), std::min(kMaxRangeBytes, needed_ - beginning_.size())};
    if (config_.empty()) return std::nullopt;
    return ByteRange{0, config_.back()->begin, config_.back()->end - config_.back()->begin};
  }

  Status give(std::span<const std::uint8_t> bytes) override {
    return renamed(checkpoint_.gguf ? take_config_tensor(bytes) : take_header(bytes), "gguf",
                   file_.name);
  }

 private:
  Status take_header(std::span<const std::uint8_t> bytes) {
    beginning_.insert(beginning_.end(), bytes.begin(), bytes.end());
    if (beginning_.size() < needed_) return {};
    PHASOR_TRY_ASSIGN(GgufHeaderPart part, read_gguf_header(beginning_, file_.size));
    if (part.bytes_needed > 0) {
      needed_ = part.bytes_needed;
      return {};
    }
    beginning_ = {};
    const GgufHeader& header = checkpoint_.gguf.emplace(std::move(part.header));
    for (const GgufTensor& tensor : header.tensors) {
      if (!is_gguf_config_tensor(tensor.name)) continue;
      if (tensor.end - tensor.begin > kMaxRangeBytes || tensor.end == tensor.begin) {
        return invalid("{}: {} bytes are not a tensor of frequency factors", tensor.name,
                       aside(tensor.end - tensor.begin));
      }
      config_.push_back(&tensor);
    }
    return config_.empty() ? list_tensors() : Status();
  }

  Status take_config_tensor(std::span<const std::uint8_t> bytes) {
    const GgufTensor& tensor = *config_.back();
    PHASOR_TRY_ASSIGN(std::vector<float> numbers, dequantize(tensor, bytes));
    config_tensors_.add(tensor.name, Tensor(tensor.shape, std::move(numbers)));
    config_.pop_back();
    return config_.empty() ? list_tensors() : Status();
  }

  Status list_tensors() {
    const GgufHeader& header = *checkpoint_.gguf;
    PHASOR_TRY_ASSIGN(GgufModel model, model_from_gguf(header, config_tensors_));
    checkpoint_.config = std::move(model.config);
    for (GgufWeight& weight : model.weights) {
      const GgufTensor& tensor = header.tensors[weight.tensor];
      CheckpointTensor& added = checkpoint_.tensors.emplace_back();
      added.stored = {.name = std::move(weight.name),
                      .dtype = std::string(tensor.dtype),
                      .shape = {tensor.shape.begin(), tensor.shape.end()},
                      .begin = tensor.begin,
                      .end = tensor.end};
      added.gguf = &tensor;
      added.rows = weight.rows;
      added.is_transposed = weight.is_transposed;
      added.includes_one = weight.includes_one;
    }
    return {};
  }

  CheckpointFile file_;
  std::uint64_t needed_;  // number of leading bytes to read next
  // leading bytes of the file, until the header is complete
  std::vector<std::uint8_t> beginning_{};
  std::vector<const GgufTensor*> config_{};  // tensors that belong to the config, not read yet
  OrderedMap<Tensor> config_tensors_{};
};

}  // namespace

std::unique_ptr<CheckpointReader> create_gguf_reader(CheckpointFile file) {
  return std::make_unique<GgufCheckpointReader>(std::move(file));
}

}  // namespace phasor::model
