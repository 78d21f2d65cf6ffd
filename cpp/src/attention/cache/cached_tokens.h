#pragma once
// Per-token cache data besides keys and values: token tensors, the states of custom dot products,
// and running maxima of magnitudes.

#include <algorithm>
#include <memory>
#include <vector>

#include "core/finite.h"
#include "core/format_error.h"
#include "encoding_base/token_tensors/token_checks.h"
#include "phasor/encoding.h"

namespace phasor {

class CachedTokenTensors {
 public:
  /// Sets `all_tensors` to the cached tensors followed by the new ones. An optional tensor must be
  /// present in all steps or in none.
  Status join(const TokenTensors& new_tensors, int cached_tokens, TokenTensors& all_tensors) const {
    for (const auto& [name, cached_tensor] : tensors_) {
      if (!cached_tensor.empty() && !new_tensors.contains(name))
        return invalid("{}: is missing; expected a value, as in earlier steps", name);
    }
    for (const auto& [name, new_values] : new_tensors) {
      const Tensor* cached_tensor = tensors_.find(name);
      if ((cached_tensor == nullptr || cached_tensor->empty()) && cached_tokens > 0)
        return invalid("{}: is set; expected none, as in earlier steps", name);
      const double bytes = cached_tensor == nullptr ? 0 : array_bytes(cached_tensor->shape);
      PHASOR_TRY(check_memory(name.c_str(), 2 * (bytes + array_bytes(new_values.shape))));
      Tensor& tensor = all_tensors[name];
      if (cached_tensor != nullptr) tensor = *cached_tensor;
      append_tokens(new_values, tensor);
    }
    return {};
  }
  void store(TokenTensors all_tensors) { tensors_ = std::move(all_tensors); }

  void truncate(int length) {
    for (auto& [name, tensor] : tensors_) {
      if (!tensor.empty()) truncate_tokens(length, tensor);
    }
  }
  double bytes() const {
    double sum = 0;
    for (const auto& [name, tensor] : tensors_) sum += array_bytes(tensor.shape);
    return sum;
  }

 private:
  TokenTensors tensors_;
};

/// The DotProductState of each kv head; empty for encodings with the standard dot product.
class CachedDotProducts {
 public:
  CachedDotProducts(const Encoding& encoding, int kv_heads, int head_dim) {
    const CustomDotProduct* products = encoding.as_custom_dot_product();
    for (int h = 0; products != nullptr && h < kv_heads; ++h)
      head_states_.push_back(products->products(h, head_dim, false));
  }
  CachedDotProducts(const CachedDotProducts& other) {
    for (const auto& state : other.head_states_) head_states_.push_back(state->copy());
  }

  DotProductState* head_state(int kv_head) const {
    return head_states_.empty() ? nullptr : head_states_[static_cast<std::size_t>(kv_head)].get();
  }
  void append(const Tensor& k, Positions positions, const TokenTensors& tokens) {
    for (std::size_t h = 0; h < head_states_.size(); ++h)
      head_states_[h]->append(matrix(k, static_cast<int>(h)), positions, &tokens);
  }
  void truncate(int length) {
    for (const auto& state : head_states_) state->truncate(length);
  }
  /// Upper bound on the bytes that appending this many tokens allocates.
  static double growth_bytes(const Encoding& encoding, int kv_heads, int new_tokens, int keys,
                             int head_dim) {
    const CustomDotProduct* products = encoding.as_custom_dot_product();
    return products == nullptr
               ? 0
               : 2 * kv_heads * products->product_bytes(new_tokens, keys, head_dim, false);
  }
  double bytes() const {
    double sum = 0;
    for (const auto& state : head_states_) sum += state->bytes();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<DotProductState>> head_states_;
};

/// The running maximum of magnitudes, stored for every token so that truncation can restore an
/// earlier one.
class RunningMaxAbs {
 public:
  /// Returns the running maximum after each new token. `rows` is (kv_heads, new, channels).
  std::vector<double> compute_maxima(const Tensor& rows) const {
    std::vector<double> new_maxima;
    double maximum = maxima_.empty() ? 0 : maxima_.back();
    for (int t = 0; t < rows.shape[1]; ++t) {
      for (int h = 0; h < rows.shape[0]; ++h) {
        maximum = std::max<double>(
            maximum, max_abs({matrix(rows, h).row(t), static_cast<std::size_t>(rows.shape[2])}));
      }
      new_maxima.push_back(maximum);
    }
    return new_maxima;
  }
  void store(const std::vector<double>& new_maxima) {
    maxima_.insert(maxima_.end(), new_maxima.begin(), new_maxima.end());
  }
  void truncate(int length) { maxima_.erase(maxima_.begin() + length, maxima_.end()); }

 private:
  std::vector<double> maxima_;
};

}  // namespace phasor
