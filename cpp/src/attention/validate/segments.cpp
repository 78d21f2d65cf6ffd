#include "attention/validate/segments.h"

#include <algorithm>
#include <limits>

#include "core/format_error.h"

namespace phasor {

namespace {

std::vector<double> to_doubles(std::span<const int> ids) { return {ids.begin(), ids.end()}; }

}  // namespace

NumberMap::NumberMap(std::vector<double> keys, double value) : keys_(std::move(keys)) {
  std::sort(keys_.begin(), keys_.end());
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  numbers_.assign(keys_.size(), value);
}

double* NumberMap::find(double key) {
  const auto entry = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (entry == keys_.end() || *entry != key) return nullptr;
  return &numbers_[static_cast<std::size_t>(entry - keys_.begin())];
}

Status check_segment_ids(const char* name, std::span<const int> ids, int tokens, int batch_size) {
  const std::size_t item_size = static_cast<std::size_t>(tokens);
  if (ids.size() != item_size &&
      (batch_size == 0 || ids.size() != item_size * static_cast<std::size_t>(batch_size)))
    return invalid("{}: has {} entries; expected {}, one per token", argument(name), ids.size(),
                   tokens);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0) continue;
    return check_range(format_error("{}[{}]", argument(name), i).c_str(), ids[i], 0,
                       std::numeric_limits<int>::max());
  }
  return {};
}

SegmentPositions segment_positions(std::span<const int> queries, std::span<const int> keys) {
  SegmentPositions out;
  NumberMap next_positions(to_doubles(queries), 0), lengths(to_doubles(keys), 0);
  out.keys.reserve(keys.size());
  for (const int id : keys) out.keys.push_back((*lengths.find(id))++);
  // The last query of a segment is at the position of the segment's last key.
  for (const int id : queries) --*next_positions.find(id);
  out.queries.reserve(queries.size());
  for (const int id : queries) {
    const double* const segment_length = lengths.find(id);
    out.queries.push_back((segment_length != nullptr ? *segment_length : 0) +
                          (*next_positions.find(id))++);
  }
  return out;
}

Status check_contiguous(const char* name, std::span<const int> ids, std::string_view encoding) {
  NumberMap last_index(to_doubles(ids), -1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    double& previous_index = *last_index.find(ids[i]);
    if (previous_index >= 0 && previous_index != static_cast<double>(i) - 1)
      return invalid("{}: {} continues after another segment, but {} requires contiguous segments",
                     Subject{format_error("{}[{}]", argument(name), i)}, ids[i], encoding);
    previous_index = static_cast<double>(i);
  }
  return {};
}

}  // namespace phasor
