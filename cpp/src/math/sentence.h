#pragma once
// Error messages: one sentence that names the argument, its value and what is allowed.

#include <string>

#include "phasor/status.h"
#include "phasor/tensor.h"

namespace phasor {

/// A number as a person would write it: "7", "0.5", "1e+300", "NaN".
std::string to_words(double value);
/// "8 x 4 x 16"
std::string to_words(const std::vector<int>& shape);

/// Refuses `value` outside [min, max]: "length: 0 is outside 1 to 65536".
Status check_range(const std::string& name, double value, double min, double max);
/// Refuses NaN and infinity: "q[12]: NaN is not a finite number".
Status check_finite(const std::string& name, const std::vector<float>& data);
/// Refuses a result larger than kMaxResultBytes, before it is allocated.
Status check_size(const std::string& name, const std::vector<int>& shape);

/// The largest array the library returns: 1 GiB, which leaves room in a 32-bit memory.
inline constexpr double kMaxResultBytes = 1073741824.0;
/// The largest extent of any axis.
inline constexpr int kMaxExtent = 1048576;

}  // namespace phasor
