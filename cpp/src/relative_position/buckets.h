#pragma once
// Buckets of relative positions. Near the query, each distance has its own bucket; farther away,
// buckets become wider and wider.

#include <algorithm>
#include <cmath>
#include <vector>

#include "phasor/status.h"

namespace phasor {

/// The buckets of T5, for key - query (Raffel et al. 2019, arXiv 1910.10683; Mesh TensorFlow
/// _relative_position_bucket). With nb buckets per side and e = nb / 2, each distance below e has
/// its own bucket. A larger distance m has bucket min(nb - 1, e + floor(ln(m / e) / ln(max_distance
/// / e) (nb - e))).
class T5Buckets {
 public:
  static Status create(int num_buckets, int max_distance, bool bidirectional, T5Buckets& out);
  int operator()(double relative_position) const;

 private:
  bool bidirectional_ = true;
  int buckets_per_side_ = 1, exact_buckets_ = 1;
  std::vector<int> edges_;  // smallest distances of the second and later logarithmic buckets
};

/// The buckets of DeBERTa, for r = query - key (arXiv 2111.09543), with mid = bucket_size / 2. If
/// |r| <= mid, the bucket is r. Otherwise, it is sign(r) (mid + ceil(ln(|r| / mid) /
/// ln((max_position - 1) / mid) (mid - 1))).
class DebertaBuckets {
 public:
  /// Buckets are clamped to [-max_bucket, max_bucket].
  static Status create(int bucket_size, int max_position, int max_bucket, DebertaBuckets& out);
  int operator()(double relative_position) const;

 private:
  int middle_ = 1, max_bucket_ = 1;
  std::vector<int> edges_;  // smallest distances of buckets middle + 2, middle + 3 ...
};

/// The row for a distance in the tables of Shaw et al.: clip(distance, -clip, clip) + clip.
inline int shaw_row(double distance, int clip) {
  return static_cast<int>(std::lround(
             std::clamp(distance, static_cast<double>(-clip), static_cast<double>(clip)))) +
         clip;
}

}  // namespace phasor
