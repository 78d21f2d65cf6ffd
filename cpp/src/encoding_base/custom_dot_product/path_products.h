#pragma once
// Products along a path of reflections (Yang et al. 2025, arXiv 2505.16381): q_i^T H_i H_{i-1} ...
// H_{j+1} k_j with H_t = I - beta_t w_t w_t^T. Tokens are divided into chunks of 64. Within a
// chunk, with
//   z_sj = beta_s (w_s . k_j - sum over j < r < s of (w_s . w_r) z_rj),
//   y_s  = beta_s (w_s       - sum over r < s of (w_s . w_r) y_r),
// the product is q_i . k_j - sum over j < s <= i of (q_i . w_s) z_sj. A query is transported to the
// start of its chunk as q_i - sum (q_i . w_s) y_s, a key to the end of its chunk as k_j - sum over
// s > j of z_sj w_s, and a query across a whole chunk by P = I - sum of w_s y_s^T. All arrays
// grow token by token, so that a cache never rewrites entries. A token costs about 2 head_dim^2 +
// 150 head_dim operations, and a query head_dim^2 per earlier chunk, in addition to its products.
// For heads of 64 channels this is two to three times the work of plain dot products.

#include <vector>

#include "core/buffer.h"
#include "kernels/gemm.h"
#include "phasor/custom_dot_product.h"

namespace phasor {

struct PathConfig {
  bool normalise_w = true;  ///< divides w by sqrt(|w|^2 + eps)
  double eps = 1e-6;
};

inline constexpr int kPathChunk = 64;

/// The data of one kv head. k, w and y are (tokens, head_dim). Row s of z (tokens, kPathChunk)
/// contains z_sj for the keys j in the chunk of s.
struct PathKeys {
  std::vector<float> k, w, y, z;
  /// w_norms contains sqrt(|w|^2 + eps), by which each w was divided, or 1 if w is not normalised
  std::vector<double> beta, w_norms;
  std::vector<Buffer>
      ends;  ///< packed keys, transported to the ends of their chunks; complete chunks only
  std::vector<float> transports;  ///< P of complete chunks, (chunks, head_dim, head_dim)
  int head_dim = 0;

  int tokens() const { return static_cast<int>(beta.size()); }
  static int chunk(int token) { return token / kPathChunk; }
  static int chunk_start(int token) { return token / kPathChunk * kPathChunk; }
  MatrixRef rows(std::vector<float>& array, int first, int count) const {
    return {array.data() + static_cast<std::ptrdiff_t>(first) * head_dim, count, head_dim,
            head_dim};
  }
  float* z_row(int token) { return z.data() + static_cast<std::ptrdiff_t>(token) * kPathChunk; }
  MatrixRef transport_matrix(int c) {
    return {transports.data() + static_cast<std::ptrdiff_t>(c) * head_dim * head_dim, head_dim,
            head_dim, head_dim};
  }

  void append(const PathConfig& config, const float* key, const float* new_w, double new_beta);
  void truncate(int length);

 private:
  void finish_chunk();
};

/// Gradients of PathKeys, which the backward pass of the queries fills in.
struct PathGradients {
  std::vector<float> ends, transports;  ///< gradients of the unpacked `ends` and of `transports`
  std::vector<double> k, w, y, z;       ///< gradients of k, w, y and z of PathKeys
  void start(const PathKeys& keys);
  bool empty() const { return k.empty(); }
  /// Adds the gradients to d_k, d_w (tokens, head_dim) and d_beta (tokens).
  void finish(const PathConfig& config, PathKeys& keys, MatrixRef d_k, MatrixRef d_w,
              float* d_beta);
};

/// Creates the dot-product state of one kv head. `config` must outlive the state, which reads the
/// token tensors w (kv_heads, tokens, head_dim) and beta (kv_heads, tokens).
std::unique_ptr<DotProductState> create_path_products(const PathConfig& config, int kv_head,
                                                      int head_dim, bool requires_grad);
double path_bytes(int queries, int keys, int head_dim, bool requires_grad);

}  // namespace phasor
