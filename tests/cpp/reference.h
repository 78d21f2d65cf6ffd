#pragma once
// Attention as the formula is written, in double and without tiles, panels or lanes. Positions enter only through the oracle of the
// encoding (oracle.h): nothing of it comes from the library but trained numbers that it drew from a seed.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "oracle.h"
#include "phasor/attention.h"
#include "phasor/registry.h"

namespace phasor::test {

/// What a call of `attention` should answer, each (heads, queries, keys) but for the output (heads, queries, value width).
struct Reference {
  Vector scores, weights, output;
  Vector added;           ///< what the encoding adds to scores
  bool contents = false;  ///< some of it depends on queries and keys
};

inline std::vector<double> whole_positions(double first, int count) {
  std::vector<double> positions;
  for (int i = 0; i < count; ++i) positions.push_back(first + i);
  return positions;
}

/// `config` with every trained number given, as the library draws those that are not.
inline Result<EncodingConfig> given_learned(EncodingConfig config, const Geometry& geometry) {
  PHASOR_TRY_ASSIGN(const std::unique_ptr<Encoding> encoding, create(config, geometry));
  for (const auto& [name, tensor] : encoding->learned()) config.params[name] = *tensor;
  return config;
}

/// The tokens of one head at consecutive positions, moved as the oracle says.
inline std::vector<Vector> turned_rows(const Oracle& oracle, Role role, const Tensor& x, int head, double first) {
  std::vector<Vector> rows;
  for (int t = 0; t < x.shape[1]; ++t) {
    const double place = first + t;
    rows.push_back(oracle.turned(role, head, {&place, 1}, row_of(x, t, head)));
  }
  return rows;
}

/// Every trained number must be given in config.encoding (given_learned). An encoding without an oracle gives NaN.
inline Reference reference_attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionConfig& config) {
  const int heads = q.shape[0], queries = q.shape[1], width = q.shape[2], keys = k.shape[1];
  const auto value_width = static_cast<std::size_t>(v.shape[2]);
  const std::unique_ptr<Oracle> oracle =
      make_oracle(config.encoding, {.length = keys, .width = width, .heads = heads, .value_width = v.shape[2]});
  if (oracle == nullptr) return {.scores = {NAN}, .weights = {NAN}, .output = {NAN}, .added = {NAN}};
  const double scale = config.scale.value_or(oracle->scale(width)), offset = config.offset.value_or(keys - queries);
  const std::vector<double> key_positions = whole_positions(0, keys);
  Reference out;
  for (int h = 0; h < heads; ++h) {
    const int kv_head = h / (heads / k.shape[0]);
    const std::vector<Vector> q_rows = turned_rows(*oracle, Role::query, q, h, offset),
                              k_rows = turned_rows(*oracle, Role::key, k, kv_head, 0);
    for (int query = 0; query < queries; ++query) {
      const double i = offset + query;
      const ScoreRow row{h, i, q_rows[static_cast<std::size_t>(query)], key_positions, k_rows, scale, config.key_mask};
      const Vector contents = oracle->contents(row);
      Vector scores;
      double largest = -std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < k_rows.size(); ++j) {
        const double position = key_positions[j], added = contents[j] + oracle->bias(h, i, position);
        const bool later = config.mask == Mask::causal && position > i;
        const bool far = config.window && std::fabs(position - i) >= *config.window;
        const bool hidden = !config.key_mask.empty() && config.key_mask[j] == 0;
        scores.push_back(later || far || hidden ? -std::numeric_limits<double>::infinity() : scale * dot(row.q, row.k[j]) + added);
        largest = std::max(largest, scores.back());
        out.added.push_back(added);
        out.contents = out.contents || contents[j] != 0;
      }
      out.scores.insert(out.scores.end(), scores.begin(), scores.end());
      double total = 0;
      for (double& s : scores) total += s = std::isinf(s) ? 0.0 : std::exp(s - largest);
      Vector output(value_width);
      for (std::size_t j = 0; j < scores.size(); ++j) {
        const double weight = total > 0 ? scores[j] / total : 0.0;
        out.weights.push_back(weight);
        if (weight == 0) continue;
        const float* value = matrix(v, kv_head).row(static_cast<int>(j));
        const Vector moved = oracle->value(h, i, key_positions[j]);
        for (std::size_t c = 0; c < value_width; ++c)
          output[c] += weight * (static_cast<double>(value[c]) + (moved.empty() ? 0 : moved[c]));
      }
      out.output.insert(out.output.end(), output.begin(), output.end());
    }
  }
  return out;
}

/// The same for trained numbers that need not be given.
inline Result<Reference> formula(const Tensor& q, const Tensor& k, const Tensor& v, AttentionConfig config) {
  PHASOR_TRY_ASSIGN(
      config.encoding,
      given_learned(config.encoding, {.length = k.shape[1], .width = q.shape[2], .heads = q.shape[0], .value_width = v.shape[2]}));
  return reference_attention(q, k, v, config);
}

/// How far float32 may be from it: a score of size s is known to about 1e-7 s, which the softmax hands on.
inline double allowed(const Reference& answer) {
  double largest = 1;
  for (const double s : answer.scores) largest = std::max(largest, std::isinf(s) ? 0.0 : std::fabs(s) / 8);
  return 2e-6 * largest;
}

}  // namespace phasor::test
