#pragma once
// The part that attention, layer, cache and gradients share: an encoding already made, positions already known, inputs already
// checked.

#include "phasor/attention.h"

namespace phasor {

struct AttendJob {
  const Encoding* encoding = nullptr;
  Injection injection = Injection::none;
  Positions queries;  ///< position of each query, ascending
  Positions keys;     ///< position of each key, ascending
  Mask mask = Mask::none;
  int window = 0;                                       ///< keys this far away or farther are hidden; 0: no window
  const std::vector<std::uint8_t>* key_mask = nullptr;  ///< (keys) or nullptr
  float scale = 1;
  Want want;
  MapConfig map{};  ///< every axis complete
};

/// q (heads, queries, width) and k (kv_heads, keys, width) are transformed in place where the encoding asks for it.
Status attend(Tensor& q, Tensor& k, const Tensor& v, const AttendJob& job, AttentionResult& out);

/// The way back. q and k as attend was given them; d_output (heads, queries, value width).
Status attend_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output, const AttendJob& job,
                       AttentionGradients& out);

}  // namespace phasor
