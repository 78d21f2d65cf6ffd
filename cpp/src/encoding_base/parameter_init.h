#pragma once
// Initializes an encoding's learned parameters from the caller's arrays or with random numbers.

#include "phasor/encoding.h"

namespace phasor {

constexpr ParamInfo seed_param() {
  return ParamInfo::integer("seed", 0, 0, 2147483647, "", "Seed of random initial values");
}

/// Copies a tensor passed by the caller. Fails if there is not enough memory.
Status copy_param(const char* name, const Tensor& provided_tensor, Tensor& out);
/// Copies a tensor passed by the caller. Rejects a wrong shape with an error such as "table: has
/// shape 8 x 2; expected 32 x 2 (buckets x heads)".
Status copy_param(const char* name, const Tensor& provided_tensor, const std::vector<int>& shape,
                  const char* axes, Tensor& out);

/// Rejects a shape that would take seconds to fill with random numbers, with an error such as "w_r:
/// 4097 x 4098 random numbers exceed the limit of 16777216; pass an array".
Status check_random_size(const char* name, const std::vector<int>& shape);

/// Copies the caller's array `name`. If there is none, fills `out` with random numbers from N(0,
/// std_dev^2). `axes` describes the shape in error messages. Each array of an encoding needs its
/// own `stream` of random numbers.
Status init_normal_param(const ResolvedParams& values, const char* name, const char* axes,
                         const std::vector<int>& shape, double std_dev, int stream, Tensor& out);
/// Like init_normal_param, with uniform random numbers in (low, high).
Status init_uniform_param(const ResolvedParams& values, const char* name, const char* axes,
                          const std::initializer_list<int>& sizes, double low, double high,
                          int stream, Tensor& out);

}  // namespace phasor
