#include "train/position_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/format_error.h"

namespace phasor {

Status PositionSampler::check_table() const {
  const int tokens = std::max(config_.sequence_length, config_.randomized_positions);
  const std::optional<int> last_row = model_.axis_count() == 1 ? model_.last_row() : std::nullopt;
  const double max_position = config_.position_offset + tokens - 1;
  if (!last_row || max_position <= *last_row) return {};
  return invalid(
      "encoding: the last table row of {} is {}, but training uses positions up to {}; "
      "expected more rows",
      Subject{config_.encoding.id}.name, *last_row, max_position);
}

// Returns `numbers` if the encoding has one axis, and the tokens' grid coordinates otherwise.
std::vector<double> PositionSampler::to_coordinates(std::vector<double> numbers) const {
  if (model_.axis_count() == 1) return numbers;
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
  std::iota(out.begin(), out.end(), config_.position_offset);
  return to_coordinates(std::move(out));
}

std::vector<double> PositionSampler::training_positions(Generator& random, int tokens) const {
  const int position_count = config_.randomized_positions;
  if (position_count == 0) return consecutive_coordinates(tokens);
  // Draws distinct positions in ascending order. Each candidate is chosen with probability
  // (positions still to draw) / (candidates left).
  std::vector<double> out;
  for (int p = 0; p < position_count; ++p) {
    const int missing_count = tokens - static_cast<int>(out.size());
    if (random.uniform_integer(position_count - p) < missing_count)
      out.push_back(config_.position_offset + p);
  }
  return to_coordinates(std::move(out));
}

Result<std::vector<double>> PositionSampler::evaluation_positions(const LengthErrorHints& hints,
                                                                  int tokens,
                                                                  OutOfRange out_of_range) const {
  const int position_count = config_.randomized_positions;
  if (position_count > 0) {
    if (tokens > position_count) {
      return invalid("{}: {} tokens exceed randomized_positions, {}", hints.argument,
                     detail(tokens), position_count);
    }
    std::vector<double> out(static_cast<std::size_t>(tokens));
    for (int t = 0; t < tokens; ++t) {
      out[static_cast<std::size_t>(t)] =
          config_.position_offset +
          (tokens == 1 ? 0
                       : std::floor(static_cast<double>(t) * (position_count - 1) / (tokens - 1)));
    }
    return to_coordinates(std::move(out));
  }
  std::vector<double> out = consecutive_coordinates(tokens);
  const std::optional<int> last_row = model_.last_row();
  if (!last_row || out.back() <= *last_row) return out;
  if (out_of_range == OutOfRange::error) {
    return invalid(
        "{}: {} tokens exceed the table of {}, whose last row is {}; {}use a table with "
        "more rows",
        hints.argument, detail(tokens), Subject{config_.encoding.id}.name, *last_row, hints.remedy);
  }
  for (double& p : out) p = std::min(p, static_cast<double>(*last_row));
  return out;
}

}  // namespace phasor
