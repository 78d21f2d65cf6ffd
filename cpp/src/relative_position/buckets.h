#pragma once
// Buckets of differences of positions: exact near the query, increasingly wide farther away.

#include <algorithm>
#include <cmath>
#include <vector>

#include "phasor/status.h"

namespace phasor {

/// T5's buckets of key - query (Raffel et al. 2019, arXiv 1910.10683; Mesh TensorFlow
/// _relative_position_bucket). With nb buckets per side (half of all if bidirectional) and me = nb
/// / 2, each distance below me has its own bucket; the bucket of a larger distance m is me +
/// floor(ln(m / me) / ln(max_distance / me) (nb - me)), at most nb - 1.
class T5Buckets {
 public:
  static Status create(int num_buckets, int max_distance, bool bidirectional, T5Buckets& out);
  int operator()(double relative_position) const;

 private:
  bool bidirectional_ = true;
  int buckets_per_side_ = 1, exact_buckets_ = 1;
  std::vector<int> edges_;  // smallest distance of each logarithmic bucket after the first
};

/// DeBERTa's buckets of query - key (arXiv 2111.09543): the identity up to mid = bucket_size / 2;
/// beyond, the bucket of r is sign(r) (mid + ceil(ln(|r| / mid) / ln((max_position - 1) / mid) (mid
/// - 1))).
class DebertaBuckets {
 public:
  /// Buckets are distinct up to a magnitude of `largest`; larger distances share one.
  static Status create(int bucket_size, int max_position, int largest, DebertaBuckets& out);
  int operator()(double relative_position) const;

 private:
  int middle_ = 1, largest_ = 1;
  std::vector<int> edges_;  // smallest distance of bucket middle + 2, middle + 3 ...
};

/// The row of Shaw's tables for a distance: clip(distance, -clip, clip) + clip.
inline int shaw_row(double distance, int clip) {
  return static_cast<int>(std::lround(
             std::clamp(distance, static_cast<double>(-clip), static_cast<double>(clip)))) +
         clip;
}

}  // namespace phasor
