#pragma once
// The metadata of one architecture of GGUF, and the config.json that is written from it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/gguf.h"

namespace phasor {

class GgufConfigReader {
 public:
  /// "llama": keys are read below "llama."
  GgufConfigReader(const GgufHeader& header, const OrderedMap<Tensor>& config_tensors,
                   std::string_view architecture);

  Params config{};

  // Keys are literals. Reading one marks it as known.
  std::optional<double> number(const char* key);
  double number(const char* key, double otherwise);
  double require(const char* key);
  /// A whole number from 1 on, at most kMaxExtent, of a key that is required.
  int count(const char* key);
  std::optional<bool> boolean(const char* key);
  std::string_view word(const char* key);
  const GgufArray* list(const char* key);
  /// Marks a key that changes nothing here.
  void skip(const char* key) { known_.push_back(key); }
  /// Rejects a key with another value than this one, which the architecture always has.
  void expect(const char* key, double value);

  /// The tensor of the file with this whole name, or nullptr.
  const GgufTensor* tensor(std::string_view name) const;
  bool has_tensor(std::string_view name) const { return tensor(name) != nullptr; }
  /// Heads and the channels of one: attention.key_length, or the embedding divided by heads.
  int heads(), kv_heads(), head_dim();

  /// rope_theta, or `base_key`, 10000 where the file has none, as in llama.cpp.
  void read_base(const char* base_key = "rope_theta");
  /// rope_scaling.* from rope.scaling.* and the tensors of factors.
  void read_scaling();
  /// head_dim, where the file has attention.key_length; values have the same.
  void read_head_dim(const char* key = "head_dim");
  /// Rejects a rotation of a part of the channels.
  void expect_whole_rotation();

  void fail(Status status);
  const Status& status() const { return status_; }
  /// Rejects the first key of the architecture that nobody has read.
  void reject_unread();
  std::string path(std::string_view key) const { return prefix_ + std::string(key); }

 private:
  const GgufValue* find(const char* key);
  /// The factors of half of a head's channels, by the name of their tensor.
  const Tensor* factors(const char* name, bool required);

  const GgufHeader& header_;
  const OrderedMap<Tensor>& config_tensors_;
  std::string prefix_;
  std::vector<std::string_view> known_{};
  Status status_{};
};

}  // namespace phasor
