// Encodings published from 2024 to 2026, and positions of videos.

#include <algorithm>
#include <cmath>

#include "golden_attention.h"

namespace golden::family::frontier_encodings {
namespace {

using phasor::EncodingConfig;
using phasor::Role;
using phasor::Tensor;

// The config of an attention case with this encoding.
phasor::AttentionConfig config_of(Case& c, int head_dim, EncodingConfig encoding) {
  phasor::AttentionConfig config;
  config.encoding = std::move(encoding);
  golden::read_mask(c, config);
  golden::read_scale(c, head_dim, config.scale);
  if (c.has("q_offset")) config.position_offset = c.number("q_offset");
  return config;
}

// ---- GRAPE-A

void grape_a(Case& c) {
  const auto [q, k, v] = golden::read_inputs(c);
  if (c.failed()) return;
  EncodingConfig encoding{.id = "grape_a",
                          .params = {{"gate", c.word("gate")}, {"omega", c.tensor("omega")}}};
  for (const char* name : {"u", "r"}) {
    if (c.has_input(name)) encoding.params[name] = c.tensor(name);
  }
  if (c.is_text("gate_scale")) {
    c.expect_param("gate_scale", std::string("1/sqrt(d)"));
  } else {
    encoding.params["gate_scale"] = c.number("gate_scale");
  }
  golden::expect_attention(c, q, k, v, config_of(c, q.shape[2], std::move(encoding)), "bias");
}

// ---- PoPE

EncodingConfig make_pope(Case& c, Tensor phase) {
  return {.id = "pope", .params = {{"base", c.number("base")}, {"phase", std::move(phase)}}};
}

Tensor repeated_heads(const Tensor& x, int heads) {
  Tensor out({heads, x.shape[1], x.shape[2]});
  for (int h = 0; h < heads; ++h) {
    const auto source = phasor::matrix(x, h / (heads / x.shape[0]));
    std::copy_n(source.data, source.rows * source.columns, phasor::matrix(out, h).data);
  }
  return out;
}

std::vector<double> ascending_positions(double first, int count) {
  std::vector<double> out;
  for (int t = 0; t < count; ++t) out.push_back(first + t);
  return out;
}

// The reference adds the phase to keys, one per query head; the library adds it to queries with the
// opposite sign.
void expect_rotated(Case& c, const Tensor& q, const Tensor& k) {
  Tensor phase = c.tensor("phase"), rotated;
  const Tensor zero_phase(phase.shape);
  if (!c.ok(phasor::apply_rotary(make_pope(c, zero_phase), Role::query,
                                 ascending_positions(c.number("q_offset"), q.shape[1]), q),
            rotated))
    return;
  c.expect("q_rotated", rotated, golden::kTable);
  constexpr double kTwoPi = 6.283185307179586;
  for (float& x : phase.data)
    x = static_cast<float>(-kTwoPi - std::clamp(static_cast<double>(x), -kTwoPi, 0.0));
  if (c.ok(phasor::apply_rotary(make_pope(c, phase), Role::query,
                                ascending_positions(0, k.shape[1]), repeated_heads(k, q.shape[0])),
           rotated))
    c.expect("k_rotated", rotated, golden::kTable);
}

void pope(Case& c) {
  const auto [q, k, v] = golden::read_inputs(c);
  if (c.failed()) return;
  phasor::AttentionConfig config = config_of(c, q.shape[2], make_pope(c, c.tensor("phase")));
  if (c.failed()) return;
  expect_rotated(c, q, k);
  golden::expect_scores_and_attention(c, q, k, v, config);
}

void grad_pope(Case& c) {
  const auto [q, k, v] = golden::read_inputs(c);
  if (c.failed()) return;
  const phasor::AttentionConfig config = config_of(c, q.shape[2], make_pope(c, c.tensor("phase")));
  if (c.failed()) return;
  phasor::AttentionResult actual;
  phasor::AttentionGradients gradients;
  if (!c.ok(phasor::attention(q, k, v, config), actual)) return;
  if (!c.ok(phasor::attention_backward(q, k, v, c.tensor("dout"), config), gradients)) return;
  c.expect("out", actual.output, golden::kAttention);
  c.expect("dq", gradients.d_q, golden::kGradient);
  c.expect("dk", gradients.d_k, golden::kGradient);
  c.expect("dv", gradients.d_v, golden::kGradient);
  c.expect("dphase", gradients.parameters.at("phase"), golden::kGradient);
}

// ---- FoPE

// Compares cosine and sine of each pair and head, measured by rotating unit vectors of the first
// half.
void expect_waves(Case& c, const EncodingConfig& encoding, const std::vector<double>& positions,
                  int heads, int head_dim) {
  const int half = head_dim / 2, tokens = static_cast<int>(positions.size());
  Tensor cosine({heads, tokens, half}), sine({heads, tokens, half});
  for (int m = 0; m < half; ++m) {
    Tensor x({heads, tokens, head_dim});
    for (int h = 0; h < heads; ++h) {
      for (int t = 0; t < tokens; ++t) phasor::matrix(x, h).row(t)[m] = 1;
    }
    if (!c.ok(phasor::apply_rotary(encoding, Role::key, positions, x), x)) return;
    for (int h = 0; h < heads; ++h) {
      for (int t = 0; t < tokens; ++t) {
        phasor::matrix(cosine, h).row(t)[m] = phasor::matrix(x, h).row(t)[m];
        phasor::matrix(sine, h).row(t)[m] = phasor::matrix(x, h).row(t)[m + half];
      }
    }
  }
  c.expect("cos", cosine, golden::kTable);
  c.expect("sin", sine, golden::kTable);
}

void fourier(Case& c) {
  const Tensor q = c.tensor("q"), k = c.tensor("k");
  c.expect_param("layout", std::string("half_split"));
  if (c.failed() || q.rank() != 3) return c.fail("input q is not [head, token, channel]");
  const int head_dim = q.shape[2], kept = c.integer("kept");
  c.expect_param("heads", q.shape[0]);
  c.expect_param("n", q.shape[1]);
  c.expect_param("d", head_dim);
  EncodingConfig encoding{.id = "rope_fourier",
                          .params = {{"base", c.number("base")},
                                     {"rest", c.word("rest")},
                                     {"pairs", c.number("pairs")},
                                     {"sin_weight", c.tensor("sin_weight")},
                                     {"cos_weight", c.tensor("cos_weight")}}};
  if (!c.is_null("floor_length")) encoding.params["floor_length"] = c.number("floor_length");
  const std::vector<double> positions = c.input("positions").data;
  // The weights cover only the frequencies above the floor, which are the fastest.
  Tensor angles;
  const EncodingConfig rope{.id = "rope", .params = {{"base", c.number("base")}}};
  if (!c.ok(phasor::rotary_angles(rope, std::vector<double>{1}, head_dim), angles)) return;
  angles.data.resize(static_cast<std::size_t>(std::clamp(kept, 0, head_dim / 2)));
  angles.shape = {static_cast<int>(angles.data.size())};
  c.expect_relative("frequencies", angles, 1e-6);
  expect_waves(c, encoding, positions, q.shape[0], head_dim);
  Tensor rotated;
  if (!c.ok(phasor::apply_rotary(encoding, Role::query, positions, q), rotated)) return;
  c.expect("q", rotated, golden::kTable);
  if (!c.ok(phasor::apply_rotary(encoding, Role::key, positions, k), rotated)) return;
  c.expect("k", rotated, golden::kTable);
}

// ---- LieRE

void liere(Case& c) {
  const Tensor x = c.tensor("x");
  const golden::Array coordinates = c.input("coordinates");
  const int axes = c.integer("axes");
  if (c.failed() || x.rank() != 3) return c.fail("input x is not [head, token, channel]");
  c.expect_param("heads", x.shape[0]);
  c.expect_param("n", x.shape[1]);
  c.expect_param("d", x.shape[2]);
  const EncodingConfig encoding{.id = "liere",
                                .params = {{"block", c.number("block")},
                                           {"axes", static_cast<double>(axes)},
                                           {"generators", c.tensor("generators")}}};
  Tensor rotated;
  if (c.ok(
          phasor::apply_rotary(encoding, Role::query, phasor::Positions(coordinates.data, axes), x),
          rotated))
    c.expect("out", rotated, golden::kTable);
}

// ---- VideoRoPE

void video(Case& c) {
  const Tensor x = c.tensor("x");
  const std::vector<double> grid = c.numbers("grid");
  if (c.failed() || grid.size() != 3 || x.rank() != 3)
    return c.fail("param grid is not [frames, rows, columns]");
  c.expect_param("heads", x.shape[0]);
  c.expect_param("n", x.shape[1]);
  c.expect_param("d", x.shape[2]);
  phasor::TokenPositions positions;
  if (!c.ok(phasor::video_positions({.before = c.integer("text_before"),
                                     .frames = static_cast<int>(grid[0]),
                                     .rows = static_cast<int>(grid[1]),
                                     .columns = static_cast<int>(grid[2]),
                                     .after = c.integer("text_after"),
                                     .frame_step = c.number("frame_step")}),
            positions))
    return;
  c.expect("positions", {static_cast<int>(positions.values.size()) / 3, 3}, positions.values, 0);
  const EncodingConfig encoding{.id = "mrope",
                                .params = {{"arrangement", std::string("video")},
                                           {"layout", c.word("layout")},
                                           {"base", c.number("base")},
                                           {"temporal_pairs", c.number("temporal_pairs")}}};
  // The coordinate that rotates each pair, measured by tokens with a single nonzero coordinate.
  const int pairs = x.shape[2] / 2;
  std::vector<double> axis_of(static_cast<std::size_t>(pairs), -1);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> position(3);
    position[static_cast<std::size_t>(axis)] = 1;
    Tensor angles;
    if (!c.ok(phasor::rotary_angles(encoding, phasor::Positions(position, 3), x.shape[2]), angles))
      return;
    for (std::size_t t = 0; t < axis_of.size(); ++t) {
      if (angles.data[t] != 0) axis_of[t] = axis;
    }
  }
  c.expect("axis", {pairs}, axis_of, 0);
  Tensor rotated;
  if (c.ok(phasor::apply_rotary(encoding, Role::query, phasor::Positions(positions.values, 3), x),
           rotated))
    c.expect("out", rotated, golden::kTable);
}

constexpr golden::Method kMethods[] = {
    {"attention_grape_a", grape_a}, {"attention_pope", pope}, {"grad_attention_pope", grad_pope},
    {"rope_fourier", fourier},      {"liere", liere},         {"mrope_video", video},
};

}  // namespace

GOLDEN_FAMILY(frontier_encodings) { return kMethods; }

}  // namespace golden::family::frontier_encodings
