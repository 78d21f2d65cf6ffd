#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/format_error.h"
#include "model/binding.h"
#include "model/transformer_model.h"

namespace phasor {

namespace {

using model::Binding;
using model::OpenedFile;
using model::Weights;

constexpr std::uint64_t kPiece = 8388608;  // bytes, whole numbers of every format

class Loader final : public ModelLoader {
 public:
  Loader(Params config, std::vector<CheckpointFile> files) : config_(std::move(config)) {
    for (CheckpointFile& file : files) files_.push_back({std::move(file), {}, 0});
  }

  std::optional<ByteRange> wants() const override {
    if (headers_ < files_.size()) {
      const OpenedFile& file = files_[headers_];
      const int number = static_cast<int>(headers_);
      if (file.data_begin == 0) return ByteRange{number, 0, kLengthBytes};
      const std::uint64_t done = kLengthBytes + header_.size();
      return ByteRange{number, done, std::min(kPiece, file.data_begin - done)};
    }
    if (current_ == bindings_.size()) return std::nullopt;
    const Binding& binding = bindings_[current_];
    return ByteRange{binding.file, binding.begin + binding.done,
                     std::min(kPiece, binding.size - binding.done)};
  }

  Status give(std::span<const std::uint8_t> bytes) override {
    PHASOR_TRY(failed_);
    failed_ = take(bytes);
    return failed_;
  }

  std::optional<ModelInfo> info() const override {
    if (!is_bound_) return std::nullopt;
    return weights_->info;
  }

  Result<std::unique_ptr<Model>> finish() override {
    PHASOR_TRY(failed_);
    if (wants()) return invalid("weights: not all of them were given");
    if (!weights_) return invalid("weights: the model was finished before");
    share_relative_bias();
    return model::create_model(std::move(weights_));
  }

 private:
  Status take(std::span<const std::uint8_t> bytes) {
    const std::optional<ByteRange> range = wants();
    if (!range) return invalid("bytes: none are wanted any more");
    if (bytes.size() != range->size) {
      return invalid("bytes: {} were given; {} are wanted", aside(bytes.size()),
                     static_cast<double>(range->size));
    }
    if (headers_ == files_.size()) {
      Binding& binding = bindings_[current_];
      PHASOR_TRY(binding.give(bytes));
      skip_done();
      return {};
    }
    OpenedFile& file = files_[headers_];
    PHASOR_TRY(renamed(take_header(file, bytes), "weights", file.file.name));
    if (headers_ < files_.size()) return {};
    PHASOR_TRY(model::bind_weights(config_, files_, *weights_, bindings_));
    is_bound_ = true;
    skip_done();
    return {};
  }

  Status take_header(OpenedFile& file, std::span<const std::uint8_t> bytes) {
    if (file.data_begin == 0) {
      std::uint64_t length = 0;
      std::memcpy(&length, bytes.data(), sizeof length);
      PHASOR_TRY(check_header_length(length, file.file.size));
      // In memory an entry takes at most this many times its bytes in the header.
      PHASOR_TRY(check_memory("weights", 20 * static_cast<double>(length)));
      file.data_begin = kLengthBytes + length;
      header_.clear();
      if (length > 0) return {};
    }
    header_.append(reinterpret_cast<const char*>(bytes.data()),
                   file.data_begin > kLengthBytes ? bytes.size() : 0);
    if (header_.size() < file.data_begin - kLengthBytes) return {};
    PHASOR_TRY(read_header(header_, file.header));
    PHASOR_TRY(check_offsets(file.header, file.file.size - file.data_begin));
    header_ = {};
    ++headers_;
    return {};
  }

  void skip_done() {
    while (current_ < bindings_.size() && bindings_[current_].done == bindings_[current_].size)
      ++current_;
  }

  void share_relative_bias() {
    if (weights_->architecture->relative_bias == nullptr) return;
    const Params& first = weights_->blocks.front().attention.encoding.params;
    for (std::size_t n = 1; n < weights_->blocks.size(); ++n)
      weights_->blocks[n].attention.encoding.params["table"] = first.at("table");
  }

  Params config_;
  std::vector<OpenedFile> files_;
  std::size_t headers_ = 0;  // files whose header was read
  std::string header_{};     // what is read of the next one
  std::unique_ptr<Weights> weights_ = std::make_unique<Weights>();
  std::vector<Binding> bindings_{};
  std::size_t current_ = 0;
  bool is_bound_ = false;
  Status failed_{};
};

}  // namespace

Result<std::unique_ptr<ModelLoader>> ModelLoader::create(const Params& config,
                                                         std::vector<CheckpointFile> files) {
  if (files.empty()) return invalid("files: there are none; the weights of a model are needed");
  for (const CheckpointFile& file : files) {
    if (file.size >= kLengthBytes) continue;
    return invalid(
        "{}: {} bytes are no safetensors file, which begins with the length of its header",
        Subject{file.name}, aside(static_cast<double>(file.size)));
  }
  return std::unique_ptr<ModelLoader>(std::make_unique<Loader>(config, std::move(files)));
}

}  // namespace phasor
