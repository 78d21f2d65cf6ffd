#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/rope.h"

namespace phasor {

namespace {

double modulo(double position, double chunk) {
  return position - chunk * std::floor(position / chunk);
}

}  // namespace

double Remap::first_key(int range_index, double query) const {
  if (range_index == ranges() - 1) return -std::numeric_limits<double>::infinity();
  // Range 0 begins with the query's chunk, and range 1 with the chunk before it.
  if (kind == Kind::dual_chunk) return window * (std::floor(query / window) - range_index);
  // Range 0 contains the keys with query - key < window, so it begins just above query - window.
  return std::nextafter(query - window, std::numeric_limits<double>::infinity());
}

double Remap::query_position(int range_index, double query) const {
  if (kind == Kind::dual_chunk) {
    if (range_index == 2) return std::min(2 * window - 1, far);
    const double position_in_chunk = modulo(query, window);
    return range_index == 0 ? position_in_chunk : std::min(position_in_chunk + window, far);
  }
  if (range_index == 0) return query;
  switch (kind) {
    case Kind::self_extend: return std::floor(query / group) + window - std::floor(window / group);
    case Kind::leaky_rerope: return window + (query - window) / group;
    case Kind::lm_infinite: return far;
    default: return window;
  }
}

double Remap::key_position(int range_index, double key) const {
  if (kind == Kind::dual_chunk) return modulo(key, window);
  if (range_index == 0) return key;
  switch (kind) {
    case Kind::self_extend: return std::floor(key / group);
    case Kind::leaky_rerope: return key / group;
    default: return 0;
  }
}

double Remap::distance(double query, double key) const {
  int range_index = 0;
  while (key < first_key(range_index, query)) ++range_index;
  // Rounds less than the difference of the two positions.
  if (range_index == 1 && kind == Kind::leaky_rerope)
    return window + (query - key - window) / group;
  return query_position(range_index, query) - key_position(range_index, key);
}

double Remap::query_factor(double query) const {
  if (train_length <= 1 || query < 1) return 1;
  return std::max(1.0, std::log(query + 1) / std::log(train_length));
}

}  // namespace phasor
