#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/rope.h"

namespace phasor {

namespace {

double remainder_of(double position, double chunk) {
  return position - chunk * std::floor(position / chunk);
}

}  // namespace

double Remap::first_key(int range, double query) const {
  if (range == ranges() - 1) return -std::numeric_limits<double>::infinity();
  // Range 0 begins with the chunk of the query, range 1 with the previous chunk.
  if (kind == Kind::dual_chunk) return window * (std::floor(query / window) - range);
  // Range 0 has the keys with query - key < window, so it begins just after query - window.
  return std::nextafter(query - window, std::numeric_limits<double>::infinity());
}

double Remap::query_position(int range, double query) const {
  if (kind == Kind::dual_chunk) {
    if (range == 2) return std::min(2 * window - 1, far);
    const double position_in_chunk = remainder_of(query, window);
    return range == 0 ? position_in_chunk : std::min(position_in_chunk + window, far);
  }
  if (range == 0) return query;
  switch (kind) {
    case Kind::self_extend: return std::floor(query / group) + window - std::floor(window / group);
    case Kind::leaky_rerope: return window + (query - window) / group;
    case Kind::lm_infinite: return far;
    default: return window;
  }
}

double Remap::key_position(int range, double key) const {
  if (kind == Kind::dual_chunk) return remainder_of(key, window);
  if (range == 0) return key;
  switch (kind) {
    case Kind::self_extend: return std::floor(key / group);
    case Kind::leaky_rerope: return key / group;
    default: return 0;
  }
}

double Remap::distance(double query, double key) const {
  int range = 0;
  while (key < first_key(range, query)) ++range;
  // This order of operations rounds only once.
  if (range == 1 && kind == Kind::leaky_rerope) return window + (query - key - window) / group;
  return query_position(range, query) - key_position(range, key);
}

double Remap::query_factor(double query) const {
  if (train_length <= 1 || query < 1) return 1;
  return std::max(1.0, std::log(query + 1) / std::log(train_length));
}

}  // namespace phasor
