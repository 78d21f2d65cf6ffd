#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/tables.h"
#include "phasor/analysis.h"

namespace phasor {

namespace {

double squared_distance(const float* a, const float* b, int width) {
  double total = 0;
  for (int c = 0; c < width; ++c) {
    const double difference = static_cast<double>(a[c]) - static_cast<double>(b[c]);
    total += difference * difference;
  }
  return total;
}

}  // namespace

Result<TableStatistics> table_statistics(const Tensor& table) {
  return Result<TableStatistics>::from([&](TableStatistics& out) -> Status {
    PHASOR_TRY(check_table(table));
    const int rows = table.shape[0], width = table.shape[1];
    PHASOR_TRY(check_range("rows", rows, 1, 16384));  // every pair is looked at
    PHASOR_TRY(check_room("table", bytes_of({width})));
    const std::vector<float> origin(static_cast<std::size_t>(width));
    out = {};
    out.min_norm = std::numeric_limits<double>::infinity();
    for (const float value : table.data)
      out.max_abs = std::max(out.max_abs, std::fabs(static_cast<double>(value)));
    double closest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < rows; ++i) {
      const double norm = std::sqrt(squared_distance(matrix(table).row(i), origin.data(), width));
      out.mean_norm += norm / rows;
      out.min_norm = std::min(out.min_norm, norm);
      out.max_norm = std::max(out.max_norm, norm);
      for (int j = i + 1; j < rows; ++j) {
        const double distance = squared_distance(matrix(table).row(i), matrix(table).row(j), width);
        if (distance < closest) {
          closest = distance;
          out.closest_first = i;
          out.closest_second = j;
        }
      }
    }
    out.closest_distance = rows > 1 ? std::sqrt(closest) : 0;
    return {};
  });
}

}  // namespace phasor
