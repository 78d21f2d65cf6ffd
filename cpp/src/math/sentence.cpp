#include "math/sentence.h"

#include <cmath>
#include <cstdio>

#include "math/finite.h"

namespace phasor {

std::string to_words(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char text[32];
  // Whole numbers in full (2147483648, not 2.14748e+09), others to six digits.
  const bool whole = value == std::floor(value) && std::fabs(value) < 1e15;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%g", value);
  return text;
}

std::string to_words(const std::vector<int>& shape) {
  std::string words;
  for (const int extent : shape) words += (words.empty() ? "" : " x ") + std::to_string(extent);
  return words.empty() ? "a single number" : words;
}

Status check_range(const std::string& name, double value, double min, double max) {
  if (value >= min && value <= max) return {};
  return Status::invalid(name + ": " + to_words(value) + " is outside " + to_words(min) + " to " + to_words(max));
}

Status check_finite(const std::string& name, const std::vector<float>& data) {
  const std::size_t i = first_not_finite(data);
  if (i == data.size()) return {};
  return Status::invalid(name + "[" + std::to_string(i) + "]: " + to_words(static_cast<double>(data[i])) + " is not a finite number");
}

Status check_size(const std::string& name, const std::vector<int>& shape) {
  double bytes = sizeof(float);
  for (const int extent : shape) bytes *= extent;
  if (bytes <= kMaxResultBytes) return {};
  return Status::exhausted(name + ": " + to_words(shape) + " numbers need " + to_words(std::ceil(bytes / 1048576.0)) + " MiB; at most " +
                           to_words(kMaxResultBytes / 1048576.0) + " MiB can be returned");
}

}  // namespace phasor
