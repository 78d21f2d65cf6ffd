#pragma once
// Converts the metadata of a GGUF file to the entries of a config.json.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/gguf.h"

namespace phasor {

class GgufConfigReader {
 public:
  /// `architecture` is the prefix of the model's keys, such as "llama" in "llama.block_count".
  GgufConfigReader(const GgufHeader& header, const OrderedMap<Tensor>& config_tensors,
                   std::string_view architecture);

  Params config{};

  // Keys must be string literals. Reading a key marks it as known.
  std::optional<double> number(const char* key);
  double number(const char* key, double default_value);
  double require(const char* key);
  /// Returns a required integer from 1 to kMaxExtent.
  int count(const char* key);
  std::optional<bool> boolean(const char* key);
  std::string_view string(const char* key);
  const GgufArray* list(const char* key);
  /// Marks a key as known without using its value.
  void skip(const char* key) { known_keys_.push_back(key); }
  /// Fails if the key is present with a value other than `value`.
  void expect(const char* key, double value);

  /// Finds a tensor by its full name. Returns nullptr if there is none.
  const GgufTensor* tensor(std::string_view name) const;
  bool has_tensor(std::string_view name) const { return tensor(name) != nullptr; }
  /// head_dim is attention.key_length, or embedding_length / heads.
  int heads(), kv_heads(), head_dim();

  /// Sets `base_key` in config.json to rope.freq_base, or to 10000 if that is missing, as in
  /// llama.cpp.
  void read_base(const char* base_key = "rope_theta");
  /// Sets rope_scaling.* from rope.scaling.* and the factor tensors.
  void read_scaling();
  /// Sets head_dim from attention.key_length, if present. Fails if attention.value_length is
  /// different.
  void read_head_dim(const char* key = "head_dim");
  void expect_full_rotation();

  void fail(Status status);
  const Status& status() const { return status_; }
  /// Fails if a key of the architecture was not read. The error names the first such key.
  void reject_unread_keys();
  std::string full_key(std::string_view key) const { return prefix_ + std::string(key); }

 private:
  const GgufValue* find(const char* key);
  /// Returns frequency factors, one per pair of channels, or nullptr if the tensor is missing.
  const Tensor* read_factors(const char* name, bool is_required);

  const GgufHeader& header_;
  const OrderedMap<Tensor>& config_tensors_;
  std::string prefix_;
  std::vector<std::string_view> known_keys_{};
  Status status_{};
};

}  // namespace phasor
