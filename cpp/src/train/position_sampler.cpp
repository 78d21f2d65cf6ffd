#include "train/position_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/format_error.h"

namespace phasor {

Status PositionSampler::check_table() const {
  const int tokens = std::max(spec_.sequence_length, spec_.randomized_positions);
  const std::optional<int> last = model_.axes() == 1 ? model_.last_row() : std::nullopt;
  const double farthest = spec_.position_offset + tokens - 1;
  if (!last || farthest <= *last) return {};
  return invalid(
      "encoding: the last row of the table of {} is {}, but training has tokens at "
      "positions up to {}; expected more rows",
      Subject{spec_.encoding.id}.name, *last, farthest);
}

// Converts positions to coordinates in the grid of an item, if the encoding has several axes.
std::vector<double> PositionSampler::to_coordinates(std::vector<double> numbers) const {
  if (model_.axes() == 1) return numbers;
  std::vector<double> out;
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    const int row = static_cast<int>(t) / task_.grid_columns(),
              column = static_cast<int>(t) % task_.grid_columns();
    out.push_back(row);
    out.push_back(column);
  }
  return out;
}

std::vector<double> PositionSampler::consecutive_coordinates(int tokens) const {
  std::vector<double> out(static_cast<std::size_t>(tokens));
  std::iota(out.begin(), out.end(), spec_.position_offset);
  return to_coordinates(std::move(out));
}

std::vector<double> PositionSampler::training_positions(Generator& random, int tokens) const {
  const int limit = spec_.randomized_positions;
  if (limit == 0) return consecutive_coordinates(tokens);
  // Draws positions in order, each with probability (positions still to draw) / (positions left).
  std::vector<double> out;
  for (int p = 0; p < limit; ++p) {
    const int missing = tokens - static_cast<int>(out.size());
    if (random.below(limit - p) < missing) out.push_back(spec_.position_offset + p);
  }
  return to_coordinates(std::move(out));
}

Result<std::vector<double>> PositionSampler::evaluation_positions(const LengthSource& source,
                                                                  int tokens,
                                                                  OutOfRange out_of_range) const {
  const int limit = spec_.randomized_positions;
  if (limit > 0) {
    if (tokens > limit) {
      return invalid("{}: {} tokens do not fit the {} randomized_positions", source.argument,
                     aside(tokens), limit);
    }
    std::vector<double> out(static_cast<std::size_t>(tokens));
    for (int t = 0; t < tokens; ++t) {
      out[static_cast<std::size_t>(t)] =
          spec_.position_offset +
          (tokens == 1 ? 0 : std::floor(static_cast<double>(t) * (limit - 1) / (tokens - 1)));
    }
    return to_coordinates(std::move(out));
  }
  std::vector<double> out = consecutive_coordinates(tokens);
  const std::optional<int> last = model_.last_row();
  if (!last || out.back() <= *last) return out;
  if (out_of_range == OutOfRange::error) {
    return invalid(
        "{}: {} tokens do not fit the table of {}, whose last row is {}; {}use more rows, "
        "which stay untrained",
        source.argument, aside(tokens), Subject{spec_.encoding.id}.name, *last, source.remedy);
  }
  for (double& p : out) p = std::min(p, static_cast<double>(*last));
  return out;
}

}  // namespace phasor
