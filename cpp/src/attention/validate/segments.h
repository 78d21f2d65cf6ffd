#pragma once
// Segments are texts packed into one sequence. Each token has the id of its text, and tokens of
// different texts do not see each other.

#include <span>
#include <string_view>
#include <vector>

#include "phasor/status.h"

namespace phasor {

/// A map with a fixed set of keys, which are segment ids or positions.
class NumberMap {
 public:
  NumberMap(std::vector<double> keys, double value);
  double* find(double key);

 private:
  std::vector<double> keys_, numbers_;  // keys are ascending
};

/// Rejects negative ids, and arrays whose length is not `tokens` or batch_size * tokens.
Status check_segment_ids(const char* name, std::span<const int> ids, int tokens, int batch_size);

/// Bytes of working memory per token that the functions in this file need.
inline constexpr double kSegmentBytesPerToken = 5 * sizeof(double);

struct SegmentPositions {
  std::vector<double> queries, keys;
};

/// Positions as if each segment were a separate call: its keys are at 0, 1, 2, ..., and its last
/// query is at the position of its last key.
SegmentPositions segment_positions(std::span<const int> queries, std::span<const int> keys);

/// Rejects segments that are not contiguous. Called for encodings that sum over the tokens between
/// key and query.
Status check_contiguous(const char* name, std::span<const int> ids, std::string_view encoding);

}  // namespace phasor
