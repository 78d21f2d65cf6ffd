#pragma once
// The segments of cached tokens; several packed texts may grow in one cache.

#include <span>
#include <vector>

#include "attention/validate/segments.h"
#include "core/format_error.h"
#include "phasor/cache.h"
#include "phasor/encoding.h"

namespace phasor {

class CachedSegments {
 public:
  /// Sets `all` to the segment ids of `before` cached and `count` new tokens; empty without
  /// segments. Either all steps have segment ids or none.
  Status join(const std::vector<int>& added, int before, int count, const Encoding& encoding,
              const AttentionOptions& options, std::vector<int>& all) const {
    if (added.empty() && stored_.empty()) return {};
    const char* const name = "segment_ids";
    if (added.empty())
      return invalid("{}: earlier steps provided them, so every step must", argument(name));
    PHASOR_TRY(check_segment_ids(name, added, count, 0));
    if (stored_.empty() && before > 0)
      return invalid("{}: earlier steps did not provide them", argument(name));
    if (options.sink_tokens > 0 && options.sink_positions == SinkPositions::cache)
      return invalid("{}: {} of this cache are numbered in it, as one text", argument(name),
                     argument("sink_tokens"));
    all = stored_;
    all.insert(all.end(), added.begin(), added.end());
    if (encoding.token_tensors.empty()) return {};
    return check_contiguous(name, all, encoding.id);
  }
  void store(std::vector<int> all) { stored_ = std::move(all); }
  void truncate(int length) {
    if (!stored_.empty()) stored_.erase(stored_.begin() + length, stored_.end());
  }

 private:
  std::vector<int> stored_;
};

/// The positions of the cached tokens and `added` new ones, which are counted per segment if there
/// are segments.
inline std::vector<double> positions_with(const std::vector<double>& before, int added,
                                          std::span<const int> segments) {
  if (!segments.empty()) return segment_positions({}, segments).keys;
  std::vector<double> all;
  all.reserve(before.size() + static_cast<std::size_t>(added));
  all = before;
  for (int t = 0; t < added; ++t) all.push_back(static_cast<double>(all.size()));
  return all;
}

}  // namespace phasor
