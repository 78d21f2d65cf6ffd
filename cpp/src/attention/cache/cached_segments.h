#pragma once
// Segment ids of cached tokens. A cache may hold several packed sequences.

#include <span>
#include <vector>

#include "attention/validate/segments.h"
#include "core/format_error.h"
#include "phasor/cache.h"
#include "phasor/encoding.h"

namespace phasor {

class CachedSegments {
 public:
  /// Sets `all_ids` to the segment ids of the cached and new tokens, or leaves it empty if there
  /// are no segments. Segment ids must be given in every step or in none.
  Status join(const std::vector<int>& new_ids, int cached_tokens, int new_tokens,
              const Encoding& encoding, const AttentionOptions& options,
              std::vector<int>& all_ids) const {
    if (new_ids.empty() && ids_.empty()) return {};
    const char* const name = "segment_ids";
    if (new_ids.empty())
      return invalid("{}: is missing; expected a value, as in earlier steps", argument(name));
    PHASOR_TRY(check_segment_ids(name, new_ids, new_tokens, 0));
    if (ids_.empty() && cached_tokens > 0)
      return invalid("{}: is set; expected none, as in earlier steps", argument(name));
    if (options.sink_tokens > 0 && options.sink_positions == SinkPositions::cache)
      return invalid(
          "{}: cannot be combined with {} at cache positions, which assume a single sequence",
          argument(name), argument("sink_tokens"));
    all_ids = ids_;
    all_ids.insert(all_ids.end(), new_ids.begin(), new_ids.end());
    if (encoding.token_tensors.empty()) return {};
    return check_contiguous(name, all_ids, encoding.id);
  }
  void store(std::vector<int> all_ids) { ids_ = std::move(all_ids); }
  void truncate(int length) {
    if (!ids_.empty()) ids_.erase(ids_.begin() + length, ids_.end());
  }

 private:
  std::vector<int> ids_;
};

/// The positions of the cached tokens, followed by those of the new tokens. With segments,
/// positions start at 0 in each segment.
inline std::vector<double> join_positions(const std::vector<double>& cached_positions,
                                          int new_tokens, std::span<const int> segments) {
  if (!segments.empty()) return segment_positions({}, segments).keys;
  std::vector<double> positions;
  positions.reserve(cached_positions.size() + static_cast<std::size_t>(new_tokens));
  positions = cached_positions;
  for (int t = 0; t < new_tokens; ++t) positions.push_back(static_cast<double>(positions.size()));
  return positions;
}

}  // namespace phasor
