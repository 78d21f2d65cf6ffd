#pragma once
// The learned parameters of an encoding: the caller's arrays, or initial values.

#include "phasor/encoding.h"

namespace phasor {

constexpr ParamInfo seed_param() {
  return ParamInfo::integer("seed", 0, 0, 2147483647, "", "Seed of random initial values");
}

/// Copies a caller's tensor, or reports that memory does not suffice.
Status copy_param(const char* name, const Tensor& provided_tensor, Tensor& out);
/// Copies a caller's tensor, or rejects a wrong shape with an error such as "table: has shape 8 x
/// 2; expected 32 x 2 (buckets x heads)".
Status copy_param(const char* name, const Tensor& provided_tensor, const std::vector<int>& shape,
                  const char* axes, Tensor& out);

/// Rejects a shape whose random initialization would take seconds, with an error such as "w_r: 4097
/// x 4098 random numbers exceed the limit of 16777216; pass an array".
Status check_random_size(const char* name, const std::vector<int>& shape);

/// The caller's array `name` of this shape, or N(0, std_dev^2) numbers. `axes` describes the
/// shape in errors. Each array of an encoding needs its own `stream` of random numbers.
Status init_normal_param(const ResolvedParams& values, const char* name, const char* axes,
                         const std::vector<int>& shape, double std_dev, int stream, Tensor& out);
/// The caller's array `name`, or uniform random numbers in (low, high).
Status init_uniform_param(const ResolvedParams& values, const char* name, const char* axes,
                          const std::initializer_list<int>& sizes, double low, double high,
                          int stream, Tensor& out);

}  // namespace phasor
