#include "relative_position/buckets.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/format_error.h"
#include "math/log_scale.h"
#include "phasor/relative_position.h"

namespace phasor {

Status T5Buckets::create(int num_buckets, int max_distance, bool bidirectional, T5Buckets& out) {
  out.bidirectional_ = bidirectional;
  out.buckets_per_side_ = bidirectional ? num_buckets / 2 : num_buckets;
  out.exact_buckets_ = out.buckets_per_side_ / 2;
  if (out.exact_buckets_ < 1) {
    return invalid("num_buckets: {} is too small; expected at least {}", num_buckets,
                   bidirectional ? "4 for a bidirectional bias" : "2");
  }
  if (max_distance <= out.exact_buckets_) {
    return invalid(
        "max_distance: {} does not exceed the number of distances with separate buckets, {}",
        max_distance, out.exact_buckets_);
  }
  const LogScale scale{.low = out.exact_buckets_,
                       .high = max_distance,
                       .steps = out.buckets_per_side_ - out.exact_buckets_};
  out.edges_.clear();
  for (int k = 1; k < scale.steps; ++k) out.edges_.push_back(scale.smallest_integer(k, false));
  return {};
}

int T5Buckets::operator()(double relative_position) const {
  const int first_bucket = bidirectional_ && relative_position > 0 ? buckets_per_side_ : 0;
  const double distance =
      bidirectional_ ? std::fabs(relative_position) : std::max(-relative_position, 0.0);
  if (distance < exact_buckets_) return first_bucket + static_cast<int>(distance);
  return first_bucket + exact_buckets_ +
         static_cast<int>(std::upper_bound(edges_.begin(), edges_.end(), distance) -
                          edges_.begin());
}

namespace {

constexpr double kMaxBucket = std::numeric_limits<int>::max();

Status check_output_memory(std::span<const int> relative_position) {
  return check_memory("relative_position",
                      sizeof(int) * static_cast<double>(relative_position.size()));
}

// Rejects max_position if it leaves no room for a logarithmic scale that starts after `middle` and
// ends at max_position - 1.
Status check_scale(const char* name, int middle, int max_position) {
  if (max_position - 1 > middle) return {};
  return invalid("{}: {} does not exceed the number of distances with separate buckets, {}", name,
                 max_position, middle + 1);
}

}  // namespace

Status DebertaBuckets::create(int bucket_size, int max_position, int max_bucket,
                              DebertaBuckets& out) {
  out.middle_ = bucket_size / 2;
  out.max_bucket_ = max_bucket;
  if (out.middle_ < 1)
    return invalid("position_buckets: {} is too small; expected at least 2", bucket_size);
  PHASOR_TRY(check_scale("max_relative_positions", out.middle_, max_position));
  const LogScale scale{.low = out.middle_, .high = max_position - 1, .steps = out.middle_ - 1};
  out.edges_.clear();
  for (int k = 1; scale.steps > 0 && out.middle_ + k < max_bucket; ++k) {
    const int edge = scale.smallest_integer(k, true);
    if (edge >= std::numeric_limits<int>::max() - 1) break;
    out.edges_.push_back(edge);
  }
  return {};
}

int DebertaBuckets::operator()(double relative_position) const {
  const double distance = std::fabs(relative_position);
  int bucket = static_cast<int>(std::min(distance, static_cast<double>(middle_)));
  if (distance > middle_ && middle_ > 1) {
    bucket =
        middle_ + 1 +
        static_cast<int>(std::upper_bound(edges_.begin(), edges_.end(), distance) - edges_.begin());
  }
  bucket = std::min(bucket, max_bucket_);
  return relative_position < 0 ? -bucket : bucket;
}

Result<std::vector<int>> t5_bucket(std::span<const int> relative_position, int num_buckets,
                                   int max_distance, bool bidirectional) {
  return Result<std::vector<int>>::from([&](std::vector<int>& out) -> Status {
    T5Buckets buckets;
    PHASOR_TRY(check_extent("num_buckets", num_buckets));
    PHASOR_TRY(check_range("max_distance", max_distance, 1, std::numeric_limits<int>::max()));
    PHASOR_TRY(T5Buckets::create(num_buckets, max_distance, bidirectional, buckets));
    PHASOR_TRY(check_output_memory(relative_position));
    out.resize(relative_position.size());
    for (std::size_t n = 0; n < out.size(); ++n) out[n] = buckets(relative_position[n]);
    return {};
  });
}

Result<std::vector<int>> deberta_log_bucket(std::span<const int> relative_position, int bucket_size,
                                            int max_position) {
  return Result<std::vector<int>>::from([&](std::vector<int>& out) -> Status {
    PHASOR_TRY(check_range("bucket_size", bucket_size, 2, kMaxExtent));
    PHASOR_TRY(check_range("max_position", max_position, 1, std::numeric_limits<int>::max()));
    PHASOR_TRY(check_output_memory(relative_position));
    const int middle = bucket_size / 2;
    PHASOR_TRY(check_scale("max_position", middle, max_position));
    // Computes each bucket directly, because a table of bucket edges could be too large.
    const LogScale scale{.low = middle, .high = max_position - 1, .steps = middle - 1};
    out.resize(relative_position.size());
    for (std::size_t n = 0; n < out.size(); ++n) {
      const std::int64_t distance = std::abs(std::int64_t{relative_position[n]});
      std::int64_t bucket = std::min<std::int64_t>(distance, middle);
      if (distance > middle && scale.steps > 0) {
        const double fractional_bucket = middle + scale.value(distance);
        if (fractional_bucket > kMaxBucket)
          return invalid("relative_position[{}]: {} is in bucket {}; expected at most {}", n,
                         relative_position[n], fractional_bucket, kMaxBucket);
        bucket = middle + scale.ceil(distance);
      }
      out[n] = static_cast<int>(relative_position[n] < 0 ? -bucket : bucket);
    }
    return {};
  });
}

Result<int> shaw_index(double distance, int clip) {
  return Result<int>::from([&](int& out) -> Status {
    if (!is_finite(distance)) return invalid("distance: {} is not a finite number", distance);
    PHASOR_TRY(check_range("clip", clip, 0, kMaxExtent));
    out = shaw_row(distance, clip);
    return {};
  });
}

}  // namespace phasor
