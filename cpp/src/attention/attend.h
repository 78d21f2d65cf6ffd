#pragma once
// The part that attention and layer share: an encoding already made, positions already known, inputs already checked.

#include "phasor/attention.h"

namespace phasor {

struct AttendJob {
  const Encoding* encoding = nullptr;
  Injection injection = Injection::none;
  Positions queries;  ///< position of each query
  Positions keys;     ///< position of each key
  Mask mask = Mask::none;
  const std::vector<std::uint8_t>* key_mask = nullptr;  ///< (keys) or nullptr
  float scale = 1;
  Want want;
};

/// q (heads, queries, width) and k (kv_heads, keys, width) are transformed in place where the encoding asks for it.
Status attend(Tensor& q, Tensor& k, const Tensor& v, const AttendJob& job, AttentionResult& out);

}  // namespace phasor
