// Rotations by row and column of an image. Tables of pos2d.json are in sinusoidal_grid.cpp.

#include <cmath>

#include "golden_case.h"

namespace golden::family::rope_2d {
namespace {

using phasor::EncodingConfig;
using phasor::Role;

EncodingConfig make_axial_config(const char* convention) {
  return {.id = "rope_2d", .params = {{"convention", std::string(convention)}}};
}

// (row, column) of every patch in row-major order.
std::vector<double> patch_positions(int rows, int columns) {
  std::vector<double> coordinates;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column)
      coordinates.insert(coordinates.end(),
                         {static_cast<double>(row), static_cast<double>(column)});
  }
  return coordinates;
}

phasor::Tensor apply_wave(const phasor::Tensor& angles, double (*wave)(double)) {
  phasor::Tensor out = angles;
  for (float& x : out.data) x = static_cast<float>(wave(static_cast<double>(x)));
  return out;
}

void expect_waves(Case& c, const phasor::Tensor& angles) {
  if (c.has_output("cos")) c.expect("cos", apply_wave(angles, std::cos), golden::kTable);
  if (c.has_output("sin")) c.expect("sin", apply_wave(angles, std::sin), golden::kTable);
}

void rotate_query_and_key(Case& c, const EncodingConfig& config, phasor::Positions positions) {
  for (const char* name : {"q", "k"}) {
    if (!c.has_input(name)) continue;
    phasor::Tensor x = c.tensor(name);
    c.expect_param("dh", x.shape.back());
    c.expect_param("heads", x.shape.front());
    if (!c.ok(phasor::apply_rotary(config, name[0] == 'q' ? Role::query : Role::key, positions, x),
              x))
      return;
    c.expect(std::string(name) + "_rot", x, golden::kTable);
  }
}

void rope_vit(Case& c) {
  EncodingConfig config = make_axial_config("rope_vit");
  if (c.has("theta")) config.params["base"] = c.number("theta");
  const std::vector<double> grid = patch_positions(c.integer("end_y"), c.integer("end_x"));
  phasor::Tensor angles;
  if (!c.ok(phasor::rotary_angles(config, phasor::Positions(grid, 2), c.integer("dh")), angles))
    return;
  expect_waves(c, angles);
  rotate_query_and_key(c, config, phasor::Positions(grid, 2));
}

// The stand-alone file of rope-vit computes angles as (heads, tokens), but reads them as (tokens,
// heads): row (h, n) of q is rotated like head m / N and token m % N, where m = n heads + h. (Its
// trained DeiT models are not affected.) Moves rows to the places of their angles, or back.
phasor::Tensor permute_rows(const phasor::Tensor& x, bool is_inverse) {
  phasor::Tensor out(x.shape);
  const int heads = x.shape[0], tokens = x.shape[1], dim = x.shape[2];
  for (int h = 0; h < heads; ++h) {
    for (int n = 0; n < tokens; ++n) {
      const int m = n * heads + h;
      const float* row =
          phasor::matrix(x, is_inverse ? m / tokens : h).row(is_inverse ? m % tokens : n);
      std::copy_n(
          row, dim,
          phasor::matrix(out, is_inverse ? h : m / tokens).row(is_inverse ? n : m % tokens));
    }
  }
  return out;
}

void run_mixed(Case& c) {
  const EncodingConfig config{.id = "rope_mixed", .params = {{"frequencies", c.tensor("freqs")}}};
  const std::vector<double> grid = patch_positions(c.integer("end_y"), c.integer("end_x"));
  for (const char* name : {"q", "k"}) {
    phasor::Tensor x = c.tensor(name);
    if (x.rank() != 3)
      return c.fail("input " + std::string(name) + " is not [head, token, channel]");
    c.expect_param("dh", x.shape[2]);
    c.expect_param("heads", x.shape[0]);
    x = permute_rows(x, false);
    if (!c.ok(phasor::apply_rotary(config, name[0] == 'q' ? Role::query : Role::key,
                                   phasor::Positions(grid, 2), x),
              x))
      return;
    c.expect(std::string(name) + "_rot", permute_rows(x, true), golden::kTable);
  }
}

// The class token is last and not rotated.
void run_class_token(Case& c) {
  EncodingConfig config = make_axial_config("llama4");
  if (c.has("base")) config.params["base"] = c.number("base");
  c.expect_param("cls", std::string("last token, unrotated"));
  c.expect_param("position_start", 1);
  const int grid = c.integer("grid");
  std::vector<double> coordinates = patch_positions(grid, grid);
  coordinates.insert(coordinates.end(), {-1, -1});
  phasor::Tensor x = c.tensor("x");
  if (x.rank() != 2) return c.fail("input x is not [token, channel]");
  c.expect_param("dh", x.shape[1]);
  x.shape.insert(x.shape.begin(), 1);
  if (!c.ok(phasor::apply_rotary(config, Role::query, phasor::Positions(coordinates, 2), x), x))
    return;
  x.shape.erase(x.shape.begin());
  c.expect("x_rot", x, golden::kTable);
}

// Compares cosines and sines of all channels: those of the pairs, repeated.
void pixtral(Case& c) {
  EncodingConfig config = make_axial_config("pixtral");
  if (c.has("base")) config.params["base"] = c.number("base");
  const int grid = c.integer("grid"), dim = c.integer("dh");
  const std::vector<double> coordinates = patch_positions(grid, grid);
  phasor::Tensor angles;
  if (!c.ok(phasor::rotary_angles(config, phasor::Positions(coordinates, 2), dim), angles)) return;
  phasor::Tensor full_angles({angles.shape[0], dim});
  for (int p = 0; p < angles.shape[0]; ++p) {
    for (int channel = 0; channel < dim; ++channel)
      phasor::matrix(full_angles).row(p)[channel] =
          phasor::matrix(angles).row(p)[channel % (dim / 2)];
  }
  expect_waves(c, full_angles);
}

void pixel(Case& c) {
  const std::vector<double> grid = c.numbers("grid");
  if (grid.size() != 2) return c.fail("param grid is not two numbers");
  const int rows = static_cast<int>(grid[0]), columns = static_cast<int>(grid[1]),
            rotated = 2 * c.integer("dim");
  EncodingConfig config = make_axial_config("pixel");
  config.params["rows"] = grid[0];
  config.params["columns"] = grid[1];
  config.params["max_freq"] = c.number("max_freq");
  config.params["rotary_dim"] = static_cast<double>(rotated);
  const std::vector<double> coordinates = patch_positions(rows, columns);
  phasor::Tensor x = c.tensor("x"), angles;
  const std::vector<int> shape = x.shape;
  x.shape = {1, rows * columns, shape.back()};
  if (!c.ok(phasor::rotary_angles(config, phasor::Positions(coordinates, 2), shape.back()), angles))
    return;
  if (!c.ok(phasor::apply_rotary(config, Role::query, phasor::Positions(coordinates, 2), x), x))
    return;
  x.shape = shape;
  c.expect("x_rot", x, golden::kTable);
  phasor::Tensor channels({rows, columns, rotated});  // the angle of the channel's pair
  for (std::size_t i = 0; i < channels.data.size(); ++i) channels.data[i] = angles.data[i / 2];
  c.expect("freqs", channels, golden::kTable);
}

constexpr golden::Method kMethods[] = {
    {"rope2d_axial_interleaved", rope_vit},
    {"rope2d_mixed_interleaved", run_mixed},
    {"rope2d_axial_interleaved_cls", run_class_token},
    {"rope2d_axial_half", pixtral},
    {"rope2d_axial_interleaved_pixel", pixel},
};

}  // namespace

GOLDEN_FAMILY(rope_2d) { return kMethods; }

}  // namespace golden::family::rope_2d
