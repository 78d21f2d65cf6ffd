#pragma once
// Attention as the formula is written, in double and without tiles, panels or lanes. Positions enter only through
// what the encoding itself says: queries and keys it has turned, and the bias it gives.

#include <cmath>
#include <limits>
#include <vector>

#include "phasor/attention.h"

namespace phasor::test {

struct Reference {
  std::vector<double> scores, weights, output;
};

struct ReferenceJob {
  const Tensor* bias = nullptr;  ///< (heads, queries, keys) or nullptr
  double scale = 1;
  Mask mask = Mask::none;
  std::vector<std::uint8_t> key_mask{};
  double offset = 0;  ///< position of the first query; keys start at 0
};

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
        const bool hidden = !job.key_mask.empty() && job.key_mask[static_cast<std::size_t>(j)] == 0;
        if (later || hidden) s = -std::numeric_limits<double>::infinity();
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
  }
  return out;
}

}  // namespace phasor::test
