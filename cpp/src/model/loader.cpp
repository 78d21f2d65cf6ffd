#include <utility>

#include "core/format_error.h"
#include "model/checkpoint/binding.h"

namespace phasor {

namespace {

using model::Binding;
using model::CheckpointReader;
using model::Weights;

class Loader final : public ModelLoader {
 public:
  explicit Loader(std::unique_ptr<CheckpointReader> reader) : reader_(std::move(reader)) {}

  std::optional<ByteRange> next_range() const override {
    if (!is_bound_) return reader_->next_range();
    if (current_binding_index_ == bindings_.size()) return std::nullopt;
    return bindings_[current_binding_index_].next_range();
  }

  Status add_bytes(std::span<const std::uint8_t> bytes) override {
    PHASOR_TRY(status_);
    status_ = consume_bytes(bytes);
    return status_;
  }

  std::optional<ModelInfo> info() const override {
    if (!is_bound_) return std::nullopt;
    return info_;
  }

  const GgufHeader* gguf_header() const override {
    const auto& header = reader_->checkpoint().gguf;
    return is_bound_ && header ? &*header : nullptr;
  }

  Result<std::unique_ptr<Model>> finish() override {
    PHASOR_TRY(status_);
    if (next_range()) return invalid("weights: not all bytes have been provided");
    if (!weights_) return invalid("weights: finish has already been called");
    share_relative_bias();
    return model::create_model(std::move(weights_));
  }

 private:
  Status consume_bytes(std::span<const std::uint8_t> bytes) {
    const std::optional<ByteRange> range = next_range();
    if (!range) return invalid("bytes: all bytes have already been provided");
    if (bytes.size() != range->size) {
      return invalid("bytes: {} were provided; expected {}", detail(bytes.size()),
                     static_cast<double>(range->size));
    }
    if (is_bound_) {
      // Allocates all matrices before converting any, so that a model that does not fit in memory
      // is rejected before its weights are read.
      if (!std::exchange(is_allocated_, true))
        for (const Binding& binding : bindings_) PHASOR_TRY(binding.allocate());
      PHASOR_TRY(bindings_[current_binding_index_].convert(bytes));
      skip_done_bindings();
      return {};
    }
    PHASOR_TRY(reader_->add_bytes(bytes));
    if (reader_->next_range()) return {};
    PHASOR_TRY(model::bind_weights(reader_->checkpoint(), *weights_, bindings_));
    info_ = weights_->info;
    is_bound_ = true;
    skip_done_bindings();
    return {};
  }

  void skip_done_bindings() {
    while (current_binding_index_ < bindings_.size() && bindings_[current_binding_index_].is_done())
      ++current_binding_index_;
  }

  void share_relative_bias() {
    if (weights_->architecture->relative_bias == nullptr) return;
    const Params& first_params = weights_->layers.front().attention.encoding.params;
    for (std::size_t n = 1; n < weights_->layers.size(); ++n)
      weights_->layers[n].attention.encoding.params["table"] = first_params.at("table");
  }

  std::unique_ptr<CheckpointReader> reader_;
  std::unique_ptr<Weights> weights_ = std::make_unique<Weights>();
  ModelInfo info_{};
  std::vector<Binding> bindings_{};
  std::size_t current_binding_index_ = 0;
  bool is_bound_ = false, is_allocated_ = false;
  Status status_{};
};

}  // namespace

Result<std::unique_ptr<ModelLoader>> ModelLoader::create(const Params& config,
                                                         std::vector<CheckpointFile> files) {
  if (files.empty()) return invalid("files: is empty; expected the weight files of a model");
  for (const CheckpointFile& file : files) {
    if (file.size >= kLengthBytes) continue;
    return invalid(
        "{}: {} bytes are too few for a safetensors file, which begins with an 8-byte length",
        Subject{file.name}, detail(static_cast<double>(file.size)));
  }
  return std::unique_ptr<ModelLoader>(
      std::make_unique<Loader>(model::create_safetensors_reader(config, std::move(files))));
}

Result<std::unique_ptr<ModelLoader>> ModelLoader::create_gguf(CheckpointFile file) {
  if (file.size < 4) {
    return invalid("{}: {} bytes are too few for a GGUF file, which begins with the letters GGUF",
                   Subject{file.name}, detail(static_cast<double>(file.size)));
  }
  return std::unique_ptr<ModelLoader>(
      std::make_unique<Loader>(model::create_gguf_reader(std::move(file))));
}

}  // namespace phasor
