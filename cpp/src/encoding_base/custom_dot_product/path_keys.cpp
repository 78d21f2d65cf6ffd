// PathKeys, whose arrays grow with each token, and PathGradients.

#include <algorithm>
#include <cmath>

#include "encoding_base/custom_dot_product/path_products.h"
#include "kernels/vector_ops.h"

namespace phasor {

namespace {

std::size_t to_size(int index) { return static_cast<std::size_t>(index); }

double dot(const double* a, const float* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * static_cast<double>(b[i]);
  return sum;
}

void add(double* to, double factor, const float* from, int n) {
  kernels::add_scaled(to, factor, from, n);
}

}  // namespace

void PathKeys::append(const PathConfig& config, const float* key, const float* new_w,
                      double new_beta) {
  const int token = tokens(), first = chunk_start(token), n = token - first;
  double norm = 1;
  if (config.normalise_w)
    norm = std::sqrt(kernels::dot_in_double(new_w, new_w, head_dim) + config.eps);
  k.insert(k.end(), key, key + head_dim);
  for (int c = 0; c < head_dim; ++c)
    w.push_back(norm > 0 ? static_cast<float>(static_cast<double>(new_w[c]) / norm) : 0.0f);
  beta.push_back(new_beta);
  w_norms.push_back(norm);
  z.resize(z.size() + kPathChunk, 0.0f);
  const float* stored_w = rows(w, token, 1).data;
  std::vector<double> row(to_size(head_dim));
  for (int c = 0; c < head_dim; ++c) row[to_size(c)] = static_cast<double>(stored_w[c]);
  double w_dots[kPathChunk], sums[kPathChunk];
  for (int r = 0; r < n; ++r) {
    w_dots[r] = kernels::dot_in_double(stored_w, rows(w, first + r, 1).data, head_dim);
    sums[r] = kernels::dot_in_double(stored_w, rows(k, first + r, 1).data, head_dim);
    add(row.data(), -w_dots[r], rows(y, first + r, 1).data, head_dim);
    // Subtracts (w_s . w_r) z_rj for j < r.
    add(sums, -w_dots[r], z_row(first + r), r);
  }
  for (int c = 0; c < head_dim; ++c) y.push_back(static_cast<float>(new_beta * row[to_size(c)]));
  for (int j = 0; j < n; ++j) z_row(token)[j] = static_cast<float>(new_beta * sums[j]);
  if (n == kPathChunk - 1) finish_chunk();
}

void PathKeys::finish_chunk() {
  using kernels::Transpose;
  const int first = tokens() - kPathChunk;
  std::vector<float> end_keys(k.begin() + static_cast<std::ptrdiff_t>(first) * head_dim, k.end());
  const MatrixRef end = rows(end_keys, 0, kPathChunk), directions = rows(w, first, kPathChunk);
  const ConstMatrixRef weights{z_row(first), kPathChunk, kPathChunk, kPathChunk};
  kernels::gemm(Transpose::yes, Transpose::no, -1, weights, directions, 1, end);
  ends.emplace_back(kernels::packed_size(head_dim, kPathChunk));
  kernels::pack_transposed(end, 0, ends.back().data());
  transports.resize(transports.size() + to_size(head_dim) * to_size(head_dim), 0.0f);
  const MatrixRef p = transport_matrix(chunk(first));
  for (int c = 0; c < head_dim; ++c) p.row(c)[c] = 1;
  kernels::gemm(Transpose::yes, Transpose::no, -1, directions, rows(y, first, kPathChunk), 1, p);
}

void PathKeys::truncate(int kept_tokens) {
  const std::ptrdiff_t tokens = kept_tokens, chunks = kept_tokens / kPathChunk;
  for (std::vector<float>* values : {&k, &w, &y})
    values->erase(values->begin() + tokens * head_dim, values->end());
  z.erase(z.begin() + tokens * kPathChunk, z.end());
  beta.erase(beta.begin() + tokens, beta.end());
  w_norms.erase(w_norms.begin() + tokens, w_norms.end());
  ends.erase(ends.begin() + chunks, ends.end());
  transports.erase(transports.begin() + chunks * head_dim * head_dim, transports.end());
}

void PathGradients::start(const PathKeys& keys) {
  ends.assign(keys.k.size(), 0.0f);
  transports.assign(keys.transports.size(), 0.0f);
  for (std::vector<double>* values : {&k, &w, &y}) values->assign(keys.k.size(), 0.0);
  z.assign(keys.z.size(), 0.0);
}

void PathGradients::finish(const PathConfig& config, PathKeys& keys, MatrixRef d_k, MatrixRef d_w,
                           float* d_beta) {
  const int head_dim = keys.head_dim, tokens = keys.tokens();
  const auto row = [&](std::vector<double>& values, int token) {
    return values.data() + static_cast<std::ptrdiff_t>(token) * head_dim;
  };
  const auto z_row = [&](int token) {
    return z.data() + static_cast<std::ptrdiff_t>(token) * kPathChunk;
  };
  for (int first = 0; first < tokens; first += kPathChunk) {
    const int count = std::min(kPathChunk, tokens - first);
    const auto chunk_row = [&](std::vector<float>& values, int s) {
      return keys.rows(values, first + s, 1).data;
    };
    if (count == kPathChunk) {
      const float* d_transport =
          transports.data() + static_cast<std::ptrdiff_t>(first / kPathChunk) * head_dim * head_dim;
      for (int s = 0; s < count; ++s) {
        for (int r = 0; r < head_dim; ++r) {
          const float* grad = d_transport + static_cast<std::ptrdiff_t>(r) * head_dim;
          row(w, first + s)[r] -= kernels::dot_in_double(grad, chunk_row(keys.y, s), head_dim);
          add(row(y, first + s), -static_cast<double>(chunk_row(keys.w, s)[r]), grad, head_dim);
        }
      }
      for (int j = 0; j < count; ++j) {
        const float* d_end = chunk_row(ends, j);
        add(row(k, first + j), 1, d_end, head_dim);
        for (int s = j + 1; s < count; ++s) {
          z_row(first + s)[j] -= kernels::dot_in_double(chunk_row(keys.w, s), d_end, head_dim);
          add(row(w, first + s), -static_cast<double>(keys.z_row(first + s)[j]), d_end, head_dim);
        }
      }
    }
    for (int s = count; s-- > 0;) {
      const int token = first + s;
      const double beta = keys.beta[to_size(token)];
      const float* w_s = chunk_row(keys.w, s);
      const double *d_y = row(y, token), *d_z = z_row(token);
      double d_beta_s = dot(d_y, w_s, head_dim), d_w_dots[kPathChunk] = {};
      for (int c = 0; c < head_dim; ++c) row(w, token)[c] += beta * d_y[c];
      for (int j = 0; j < s; ++j) {
        d_beta_s += d_z[j] * kernels::dot_in_double(w_s, chunk_row(keys.k, j), head_dim);
        add(row(w, token), beta * d_z[j], chunk_row(keys.k, j), head_dim);
        add(row(k, first + j), beta * d_z[j], w_s, head_dim);
      }
      for (int r = 0; r < s; ++r) {
        const double w_dot = kernels::dot_in_double(w_s, chunk_row(keys.w, r), head_dim);
        double grad_sum = dot(d_y, chunk_row(keys.y, r), head_dim);
        for (int j = 0; j < r; ++j) {
          grad_sum += d_z[j] * static_cast<double>(keys.z_row(first + r)[j]);
          z_row(first + r)[j] -= beta * w_dot * d_z[j];
        }
        for (int c = 0; c < head_dim; ++c) row(y, first + r)[c] -= beta * w_dot * d_y[c];
        d_beta_s -= w_dot * grad_sum;
        d_w_dots[r] = -beta * grad_sum;
      }
      for (int r = 0; r < s; ++r) {
        add(row(w, token), d_w_dots[r], chunk_row(keys.w, r), head_dim);
        add(row(w, first + r), d_w_dots[r], w_s, head_dim);
      }
      d_beta[token] += static_cast<float>(d_beta_s);
    }
    for (int s = 0; s < count; ++s) {
      const int token = first + s;
      const double norm = keys.w_norms[to_size(token)],
                   projection =
                       config.normalise_w ? dot(row(w, token), chunk_row(keys.w, s), head_dim) : 0;
      for (int c = 0; c < head_dim; ++c) {
        const double grad =
            row(w, token)[c] - projection * static_cast<double>(chunk_row(keys.w, s)[c]);
        if (norm > 0) d_w.row(token)[c] += static_cast<float>(grad / norm);
        d_k.row(token)[c] += static_cast<float>(row(k, token)[c]);
      }
    }
  }
}

double path_bytes(int queries, int keys, int head_dim, bool requires_grad) {
  constexpr double kTileRows = 32;
  const double chunks = 1 + keys / kPathChunk, row = 4.0 * head_dim + kPathChunk,
               square = static_cast<double>(head_dim) * head_dim;
  const double forward_bytes =
      sizeof(float) *
          (keys * row + chunks * square + kTileRows * head_dim * chunks + kTileRows * kPathChunk) +
      2.0 * sizeof(double) * static_cast<double>(keys);
  const double backward_bytes =
      sizeof(float) * (static_cast<double>(keys) * head_dim + chunks * square +
                       static_cast<double>(queries) * head_dim + kTileRows * keys) +
      sizeof(double) * static_cast<double>(keys) * row;
  // Counted twice, because the capacity of a vector may be twice its size.
  return 2 * forward_bytes + (requires_grad ? backward_bytes : 0);
}

}  // namespace phasor
