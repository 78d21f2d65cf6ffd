#pragma once
// Queries, keys and values of given sizes.

#include "numbers.h"

namespace phasor::test {

struct Inputs {
  Tensor q, k, v;
};

struct Sizes {
  int heads, kv_heads, queries, keys, width, value_width;
};

inline Inputs inputs(const Sizes& s) {
  Inputs in{dyadic(31, {s.heads, s.queries, s.width}), dyadic(32, {s.kv_heads, s.keys, s.width}),
            dyadic(33, {s.kv_heads, s.keys, s.value_width})};
  for (float& x : in.q.data) x *= 0.5f;  // scores of a few units
  return in;
}

}  // namespace phasor::test
