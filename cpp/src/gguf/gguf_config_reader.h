#pragma once
// Reads the metadata of one GGUF architecture and builds its config.json.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/gguf.h"

namespace phasor {

class GgufConfigReader {
 public:
  /// Keys of the architecture "llama" have the prefix "llama."
  GgufConfigReader(const GgufHeader& header, const OrderedMap<Tensor>& config_tensors,
                   std::string_view architecture);

  Params config{};

  // Keys must be string literals. Reading a key marks it as known.
  std::optional<double> number(const char* key);
  double number(const char* key, double default_value);
  double require(const char* key);
  /// A required integer from 1 to kMaxExtent.
  int count(const char* key);
  std::optional<bool> boolean(const char* key);
  std::string_view string(const char* key);
  const GgufArray* list(const char* key);
  /// Marks a key as known, although it has no effect here.
  void skip(const char* key) { known_keys_.push_back(key); }
  /// Rejects a key that is present with a different value.
  void expect(const char* key, double value);

  /// The tensor with this full name, or nullptr.
  const GgufTensor* tensor(std::string_view name) const;
  bool has_tensor(std::string_view name) const { return tensor(name) != nullptr; }
  /// head_dim is attention.key_length, or embedding_length / heads.
  int heads(), kv_heads(), head_dim();

  /// Sets `base_key` of config.json from rope.freq_base; default 10000, as in llama.cpp.
  void read_base(const char* base_key = "rope_theta");
  /// Sets rope_scaling.* from rope.scaling.* and the factor tensors.
  void read_scaling();
  /// Sets head_dim from attention.key_length, if present. attention.value_length must be equal.
  void read_head_dim(const char* key = "head_dim");
  /// Rejects partial rotation.
  void expect_full_rotation();

  void fail(Status status);
  const Status& status() const { return status_; }
  /// Rejects the first unread key of the architecture.
  void reject_unread_keys();
  std::string full_key(std::string_view key) const { return prefix_ + std::string(key); }

 private:
  const GgufValue* find(const char* key);
  /// Frequency factors, one per pair of channels.
  const Tensor* read_factors(const char* name, bool is_required);

  const GgufHeader& header_;
  const OrderedMap<Tensor>& config_tensors_;
  std::string prefix_;
  std::vector<std::string_view> known_keys_{};
  Status status_{};
};

}  // namespace phasor
