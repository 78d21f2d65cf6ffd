#pragma once
// Attention as the formula is written, in double and without tiles, panels or lanes. Positions enter only through
// what the encoding itself says: queries and keys it has turned, the bias it gives, and what its hooks for scores and values
// make of all queries of a head at once.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "phasor/attention.h"
#include "phasor/registry.h"

namespace phasor::test {

struct Reference {
  std::vector<double> scores, weights, output;
};

struct ReferenceJob {
  const Tensor* bias = nullptr;  ///< (heads, queries, keys) or nullptr
  double scale = 1;
  Mask mask = Mask::none;
  int window = 0;  ///< 0: none
  std::vector<std::uint8_t> key_mask{};
  double offset = 0;                 ///< position of the first query; keys start at 0
  const Encoding* values = nullptr;  ///< whose add_values follows, or nullptr
};

inline std::vector<double> whole_positions(double first, int count) {
  std::vector<double> positions;
  for (int i = 0; i < count; ++i) positions.push_back(first + i);
  return positions;
}

/// What add_content makes of scale * q k^T, without tiles. (heads, queries, keys)
inline Tensor content_terms(const Encoding& encoding, const Tensor& q, const Tensor& k, const ReferenceJob& job) {
  const int heads = q.shape[0], queries = q.shape[1], width = q.shape[2], keys = k.shape[1];
  const std::vector<double> query_positions = whole_positions(job.offset, queries), key_positions = whole_positions(0, keys);
  Tensor out({heads, queries, keys});
  for (int h = 0; h < heads; ++h) {
    const ConstMatrixRef qh = matrix(q, h), kh = matrix(k, h / (heads / k.shape[0]));
    Tensor scores({queries, keys});
    for (int i = 0; i < queries; ++i) {
      for (int j = 0; j < keys; ++j) {
        double s = 0;
        for (int c = 0; c < width; ++c) s += static_cast<double>(qh.row(i)[c]) * static_cast<double>(kh.row(j)[c]);
        matrix(scores).row(i)[j] = static_cast<float>(job.scale * s);
      }
    }
    const Tensor before = scores;
    encoding.add_content({.head = h,
                          .queries = query_positions,
                          .keys = key_positions,
                          .q = qh,
                          .k = kh,
                          .scale = static_cast<float>(job.scale),
                          .key_mask = job.key_mask.empty() ? nullptr : &job.key_mask},
                         matrix(scores));
    for (std::size_t x = 0; x < scores.data.size(); ++x) matrix(out, h).data[x] = scores.data[x] - before.data[x];
  }
  return out;
}

inline Reference reference_attention(const Tensor& q, const Tensor& k, const Tensor& v, const ReferenceJob& job) {
  const int heads = q.shape[0], queries = q.shape[1], width = q.shape[2], keys = k.shape[1], value_width = v.shape[2];
  const int group = heads / k.shape[0];
  Reference out;
  for (int h = 0; h < heads; ++h) {
    const ConstMatrixRef qh = matrix(q, h), kh = matrix(k, h / group), vh = matrix(v, h / group);
    for (int i = 0; i < queries; ++i) {
      std::vector<double> row(static_cast<std::size_t>(keys));
      double top = -std::numeric_limits<double>::infinity();
      for (int j = 0; j < keys; ++j) {
        double& s = row[static_cast<std::size_t>(j)];
        for (int c = 0; c < width; ++c) s += static_cast<double>(qh.row(i)[c]) * static_cast<double>(kh.row(j)[c]);
        s *= job.scale;
        if (job.bias != nullptr) s += static_cast<double>(matrix(*job.bias, h).row(i)[j]);
        const bool later = job.mask == Mask::causal && j > job.offset + i;
        const bool far = job.window > 0 && std::fabs(j - (job.offset + i)) >= job.window;
        const bool hidden = !job.key_mask.empty() && job.key_mask[static_cast<std::size_t>(j)] == 0;
        if (later || far || hidden) s = -std::numeric_limits<double>::infinity();
        top = std::max(top, s);
      }
      out.scores.insert(out.scores.end(), row.begin(), row.end());
      double total = 0;
      for (double& s : row) total += s = std::isinf(s) ? 0.0 : std::exp(s - top);
      for (double& s : row) s = total > 0 ? s / total : 0.0;
      out.weights.insert(out.weights.end(), row.begin(), row.end());
      for (int c = 0; c < value_width; ++c) {
        double sum = 0;
        for (int j = 0; j < keys; ++j) sum += row[static_cast<std::size_t>(j)] * static_cast<double>(vh.row(j)[c]);
        out.output.push_back(sum);
      }
    }
    if (job.values != nullptr) {
      const std::size_t first_weight = out.weights.size() - static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys);
      const std::size_t first_output = out.output.size() - static_cast<std::size_t>(queries) * static_cast<std::size_t>(value_width);
      Tensor weights({queries, keys}), added({queries, value_width});
      for (std::size_t x = 0; x < weights.data.size(); ++x) weights.data[x] = static_cast<float>(out.weights[first_weight + x]);
      job.values->add_values(h, whole_positions(job.offset, queries), whole_positions(0, keys), matrix(std::as_const(weights)),
                             matrix(added));
      for (std::size_t x = 0; x < added.data.size(); ++x) out.output[first_output + x] += static_cast<double>(added.data[x]);
    }
  }
  return out;
}

/// What a call of `attention` should answer.
struct Formula {
  Tensor added;             ///< (heads, queries, keys), what the encoding adds to scores; empty where it enters elsewhere
  bool exact_bias = false;  ///< nothing of it depends on the scores
  Reference answer;
};

inline Status formula(Tensor q, Tensor k, const Tensor& v, const AttentionConfig& config, Formula& out) {
  const int heads = q.shape[0], queries = q.shape[1], keys = k.shape[1], width = q.shape[2];
  const double offset = config.offset.value_or(keys - queries);
  std::unique_ptr<Encoding> encoding;
  PHASOR_TRY(create(config.encoding, {.length = keys, .width = width, .heads = heads, .value_width = v.shape[2]}).move_to(encoding));
  ReferenceJob job{.bias = nullptr,
                   .scale = config.scale.value_or(encoding->scale(width).value_or(1.0 / std::sqrt(width))),
                   .mask = config.mask,
                   .window = config.window.value_or(0),
                   .key_mask = config.key_mask,
                   .offset = offset,
                   .values = nullptr};
  const Injection injection = find(config.encoding.id)->injection;
  if (injection == Injection::query_key) {
    PHASOR_TRY(rotate(config.encoding, Role::query, whole_positions(offset, queries), q).move_to(q));
    PHASOR_TRY(rotate(config.encoding, Role::key, whole_positions(0, keys), k).move_to(k));
  } else if (injection != Injection::none) {
    out.added = content_terms(*encoding, q, k, job);
    if (injection == Injection::score) {
      Tensor alone;
      PHASOR_TRY(bias(config.encoding, heads, queries, keys, offset, width).move_to(alone));
      out.exact_bias = std::all_of(out.added.data.begin(), out.added.data.end(), [](float x) { return x == 0; });
      for (std::size_t x = 0; x < alone.data.size(); ++x) out.added.data[x] += alone.data[x];
    }
    job.bias = &out.added;
    if (injection == Injection::key_value) job.values = encoding.get();
  }
  out.answer = reference_attention(q, k, v, job);
  return {};
}

/// How far float32 may be from it: a score of size s is known to about 1e-7 s, which the softmax hands on.
inline double allowed(const Reference& answer) {
  double top = 1;
  for (const double s : answer.scores) top = std::max(top, std::isinf(s) ? 0.0 : std::fabs(s) / 8);
  return 2e-6 * top;
}

}  // namespace phasor::test
