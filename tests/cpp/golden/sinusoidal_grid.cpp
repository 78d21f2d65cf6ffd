// The fixed tables of pos2d.json.

#include "golden_case.h"

namespace golden::family::sinusoidal_grid {
namespace {

// Every point of a grid in row-major order, its coordinates one after the other.
std::vector<double> make_positions(const std::vector<int>& extents) {
  std::vector<double> coordinates;
  const std::size_t total = phasor::numel(extents);
  for (std::size_t point = 0; point < total; ++point) {
    std::size_t remaining_size = total, index = point;
    for (const int extent : extents) {
      remaining_size /= static_cast<std::size_t>(extent);
      coordinates.push_back(static_cast<double>(index / remaining_size));
      index %= remaining_size;
    }
  }
  return coordinates;
}

bool make_table(Case& c, const char* convention, const std::vector<int>& extents,
                phasor::Tensor& table) {
  for (const int extent : extents) {
    if (extent < 1) c.fail("the grid is empty");
  }
  if (c.failed()) return false;
  phasor::EncodingConfig config{.id = "sinusoidal_grid",
                                .params = {{"convention", std::string(convention)}}};
  if (c.has("base")) config.params["base"] = c.number("base");
  return c.ok(
      phasor::position_table(config, {make_positions(extents), static_cast<int>(extents.size())},
                             c.integer("d")),
      table);
}

// The class token has no position: its row, the first, is zero.
void mae(Case& c) {
  const bool is_square = c.has("grid");
  const int height = c.integer(is_square ? "grid" : "h"), dim = c.integer(is_square ? "grid" : "w");
  phasor::Tensor table;
  if (!make_table(c, "mae", {height, dim}, table)) return;
  if (c.has("cls_token") && c.boolean("cls_token")) {
    table.data.insert(table.data.begin(), static_cast<std::size_t>(table.shape[1]), 0.0f);
    ++table.shape[0];
  }
  c.expect("pe", table, golden::kTable);
}

// The result keeps the axes of the grid.
void run_interleaved(Case& c, std::vector<const char*> axes) {
  std::vector<int> extents;
  for (const char* axis : axes) extents.push_back(c.integer(axis));
  phasor::Tensor table;
  if (!make_table(c, "interleaved", extents, table)) return;
  extents.push_back(table.shape[1]);
  table.shape = extents;
  c.expect("pe", table, golden::kTable);
}

void interleaved_2d(Case& c) { run_interleaved(c, {"h", "w"}); }
void interleaved_3d(Case& c) { run_interleaved(c, {"x", "y", "z"}); }

constexpr golden::Method kMethods[] = {
    {"sincos2d_mae", mae},
    {"sincos2d_interleaved", interleaved_2d},
    {"sincos3d_interleaved", interleaved_3d},
};

}  // namespace

GOLDEN_FAMILY(sinusoidal_grid) { return kMethods; }

}  // namespace golden::family::sinusoidal_grid
