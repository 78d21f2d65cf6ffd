#include "encoding_base/custom_dot_product/path_products.h"

#include <algorithm>

#include "kernels/vector_ops.h"

namespace phasor {

namespace {

using kernels::gemm;
using kernels::Transpose;

std::size_t product(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

class PathProducts final : public DotProductState {
 public:
  PathProducts(const PathConfig& config, int kv_head, int head_dim, bool requires_grad)
      : config_(config), kv_head_(kv_head), requires_grad_(requires_grad) {
    keys_.head_dim = head_dim;
  }

  void append(ConstMatrixRef k, Positions, const TokenTensors* tokens) override {
    const ConstMatrixRef w = matrix(tokens->at("w"), kv_head_);
    const float* beta = matrix(tokens->at("beta")).row(kv_head_);
    for (int t = 0; t < k.rows; ++t) {
      const int token = keys_.tokens();
      keys_.append(config_, k.row(t), w.row(token), static_cast<double>(beta[token]));
    }
  }
  void truncate(int length) override { keys_.truncate(length); }
  std::unique_ptr<DotProductState> copy() const override {
    return std::make_unique<PathProducts>(*this);
  }
  double bytes() const override {
    return path_bytes(0, keys_.tokens(), keys_.head_dim, requires_grad_);
  }

  void set_queries(ConstMatrixRef q, Positions, int first_token) override {
    q_ = q;
    first_token_ = first_token;
    row_ = -1;
    if (requires_grad_) {
      d_q_.assign(product(q.rows, keys_.head_dim), 0.0f);
      if (grads_.empty()) grads_.start(keys_);
    }
  }

  void scores(int row, int first_key, double scale, bool, MatrixRef out) override {
    prepare(row, out.rows, PathKeys::chunk(first_key));
    for (int r = 0; r < out.rows; ++r) kernels::fill(out.row(r), 0, out.columns);
    for (const QueryGroup& group : groups_) {
      const auto rows = [&](int from, int count) {
        return MatrixRef{out.row(group.first - row) + (from - first_key), group.rows, count,
                         out.stride};
      };
      for_each_chunk(first_key, out.columns, group.chunk, [&](int c, int from, int count) {
        if (c == group.chunk)
          return write_chunk_scores(group, from, count, scale, rows(from, count));
        const kernels::Panels ends = kernels::make_panels(
            keys_.ends[static_cast<std::size_t>(c)].data(), keys_.head_dim, kPathChunk);
        kernels::active::product(query(group, c), ends.slice_columns(from % kPathChunk, count),
                                 static_cast<float>(scale), rows(from, count));
      });
    }
  }

  void scores_backward(int row, int first_key, ConstMatrixRef d_products) override {
    if (row != d_row_) {
      flush();
      d_row_ = row;
      d_rows_ = d_products.rows;
      d_scores_.assign(product(d_rows_, keys_.tokens()), 0.0f);
      d_first_ = first_key;
    }
    for (int r = 0; r < d_rows_; ++r)
      std::copy_n(d_products.row(r), d_products.columns, d_score(r) + first_key);
  }

  void finish_queries(MatrixRef d_q) override {
    flush();
    for (int r = 0; r < d_q.rows; ++r) kernels::add_row(d_q.row(r), d_query(r), keys_.head_dim);
  }

  void finish_keys(MatrixRef d_k, TokenTensors& d_tokens) override {
    grads_.finish(config_, keys_, d_k, matrix(d_tokens.at("w"), kv_head_),
                  matrix(d_tokens.at("beta")).row(kv_head_));
  }

 private:
  // The queries of a tile that are in the same chunk.
  struct QueryGroup {
    int first, rows, chunk;
    // (rows, kPathChunk): q_i . w_s for the tokens s <= i of the chunk
    std::vector<float> dots{};
    // (rows, head_dim) each: the queries transported to chunks chunk - 1, chunk - 2 ..
    std::vector<std::vector<float>> transported{};
  };

  int token(int row) const { return first_token_ + row; }
  float* d_score(int r) { return d_scores_.data() + product(r, keys_.tokens()); }
  float* d_query(int row) { return d_q_.data() + product(row, keys_.head_dim); }

  MatrixRef query(QueryGroup& group, int c) {
    std::vector<float>& transported =
        group.transported[static_cast<std::size_t>(group.chunk - 1 - c)];
    return {transported.data(), group.rows, keys_.head_dim, keys_.head_dim};
  }
  MatrixRef query(const QueryGroup& group, int c) {
    return query(const_cast<QueryGroup&>(group), c);
  }

  template <class F>
  static void for_each_chunk(int first, int count, int last_chunk, F&& f) {
    for (int key = first; key < first + count;) {
      const int c = PathKeys::chunk(key), end = std::min((c + 1) * kPathChunk, first + count);
      if (c > last_chunk) return;
      f(c, key, end - key);
      key = end;
    }
  }

  // Transports the queries of a tile from their own chunk down to chunk `lowest`.
  void prepare(int row, int rows, int lowest) {
    if (row != row_ || rows != rows_) {
      row_ = row;
      rows_ = rows;
      groups_.clear();
      for (int first = row; first < row + rows;) {
        const int c = PathKeys::chunk(token(first)),
                  end = std::min(row + rows, (c + 1) * kPathChunk - first_token_);
        groups_.push_back({first, end - first, c});
        compute_dots(groups_.back());
        first = end;
      }
    }
    for (QueryGroup& group : groups_) {
      while (static_cast<int>(group.transported.size()) < group.chunk - lowest) transport(group);
    }
  }

  void compute_dots(QueryGroup& group) {
    group.dots.assign(product(group.rows, kPathChunk), 0.0f);
    const int start = group.chunk * kPathChunk;
    for (int r = 0; r < group.rows; ++r) {
      for (int s = start; s <= token(group.first + r); ++s)
        group.dots[product(r, kPathChunk) + static_cast<std::size_t>(s - start)] =
            static_cast<float>(kernels::dot_in_double(
                q_.row(group.first + r), keys_.rows(keys_.w, s, 1).data, keys_.head_dim));
    }
  }

  void transport(QueryGroup& group) {
    const int head_dim = keys_.head_dim;
    std::vector<float> next(product(group.rows, head_dim));
    const MatrixRef transported{next.data(), group.rows, head_dim, head_dim};
    if (group.transported.empty()) {
      const int start = group.chunk * kPathChunk;
      std::vector<double> row(static_cast<std::size_t>(head_dim));
      for (int r = 0; r < group.rows; ++r) {
        const float* q = q_.row(group.first + r);
        std::copy_n(q, head_dim, row.begin());
        for (int s = start; s <= token(group.first + r); ++s)
          kernels::add_scaled(row.data(), -dots(group, r, s - start),
                              keys_.rows(keys_.y, s, 1).data, head_dim);
        for (int c = 0; c < head_dim; ++c)
          transported.row(r)[c] = static_cast<float>(row[static_cast<std::size_t>(c)]);
      }
    } else {
      const int next_chunk = group.chunk - static_cast<int>(group.transported.size());
      gemm(Transpose::no, Transpose::no, 1, query(group, next_chunk),
           keys_.transport_matrix(next_chunk), 0, transported);
    }
    group.transported.push_back(std::move(next));
  }

  static double dots(const QueryGroup& group, int r, int s) {
    return static_cast<double>(group.dots[product(r, kPathChunk) + static_cast<std::size_t>(s)]);
  }

  // Writes the scores between the queries of a group and the keys of the same chunk.
  void write_chunk_scores(const QueryGroup& group, int from, int count, double scale,
                          const MatrixRef& out) {
    const int start = group.chunk * kPathChunk;
    for (int r = 0; r < group.rows; ++r) {
      const int i = token(group.first + r);
      for (int j = from; j < std::min(from + count, i + 1); ++j) {
        double sum = kernels::dot_in_double(q_.row(group.first + r), keys_.rows(keys_.k, j, 1).data,
                                            keys_.head_dim);
        for (int s = j + 1; s <= i; ++s)
          sum -= dots(group, r, s - start) * static_cast<double>(keys_.z_row(s)[j - start]);
        out.row(r)[j - from] = static_cast<float>(scale * sum);
      }
    }
  }

  // Runs the backward pass of the rows whose score gradients have been collected.
  void flush() {
    if (d_row_ < 0) return;
    prepare(d_row_, d_rows_, PathKeys::chunk(d_first_));
    for (QueryGroup& group : groups_) run_backward(group, PathKeys::chunk(d_first_));
    d_row_ = -1;
  }

  void run_backward(QueryGroup& group, int lowest) {
    const int head_dim = keys_.head_dim, start = group.chunk * kPathChunk;
    std::vector<float> grad(product(group.rows, head_dim), 0.0f), next(grad);
    const MatrixRef d_transported{grad.data(), group.rows, head_dim, head_dim},
        d_next{next.data(), group.rows, head_dim, head_dim};
    std::vector<float> end_keys(product(kPathChunk, head_dim));
    for (int c = lowest; c < group.chunk; ++c) {
      const ConstMatrixRef d{d_score(group.first - d_row_) + c * kPathChunk, group.rows, kPathChunk,
                             keys_.tokens()};
      const MatrixRef d_ends = keys_.rows(grads_.ends, c * kPathChunk, kPathChunk),
                      d_transport{grads_.transports.data() + product(c, head_dim * head_dim),
                                  head_dim, head_dim, head_dim};
      const MatrixRef query_rows = query(group, c);
      // Propagates the gradient of the earlier chunks through this chunk.
      std::swap_ranges(grad.begin(), grad.end(), next.begin());
      if (c > lowest) {
        gemm(Transpose::no, Transpose::yes, 1, d_next, keys_.transport_matrix(c), 0, d_transported);
        gemm(Transpose::yes, Transpose::no, 1, query_rows, d_next, 1, d_transport);
      } else {
        std::fill(grad.begin(), grad.end(), 0.0f);
      }
      const kernels::Panels ends = kernels::make_panels(
          keys_.ends[static_cast<std::size_t>(c)].data(), head_dim, kPathChunk);
      for (int j = 0; j < kPathChunk; ++j) {
        for (int n = 0; n < head_dim; ++n)
          end_keys[product(j, head_dim) + static_cast<std::size_t>(n)] = ends.at(n, j);
      }
      gemm(Transpose::no, Transpose::no, 1, d, keys_.rows(end_keys, 0, kPathChunk), 1,
           d_transported);
      gemm(Transpose::yes, Transpose::no, 1, d, query_rows, 1, d_ends);
    }
    for (int r = 0; r < group.rows; ++r) {
      const int i = token(group.first + r);
      const float *q = q_.row(group.first + r), *d = d_score(group.first - d_row_ + r),
                  *d_start = d_transported.row(r);
      float* d_q = d_query(group.first + r);
      kernels::add_row(d_q, d_start, head_dim);
      for (int j = start; j <= i; ++j) {
        kernels::add_scaled(d_q, d[j], keys_.rows(keys_.k, j, 1).data, head_dim);
        kernels::add_scaled(gradient_row(grads_.k, j), static_cast<double>(d[j]), q, head_dim);
      }
      for (int s = start; s <= i; ++s) {
        double d_dot = -kernels::dot_in_double(d_start, keys_.rows(keys_.y, s, 1).data, head_dim);
        double* d_z = grads_.z.data() + product(s, kPathChunk);
        for (int j = start; j < s; ++j) {
          d_dot -= static_cast<double>(d[j]) * static_cast<double>(keys_.z_row(s)[j - start]);
          d_z[j - start] -= static_cast<double>(d[j]) * dots(group, r, s - start);
        }
        kernels::add_scaled(gradient_row(grads_.y, s), -dots(group, r, s - start), d_start,
                            head_dim);
        kernels::add_scaled(d_q, static_cast<float>(d_dot), keys_.rows(keys_.w, s, 1).data,
                            head_dim);
        kernels::add_scaled(gradient_row(grads_.w, s), d_dot, q, head_dim);
      }
    }
  }

  double* gradient_row(std::vector<double>& array, int token) const {
    return array.data() + product(token, keys_.head_dim);
  }

  const PathConfig& config_;
  int kv_head_;
  bool requires_grad_;
  PathKeys keys_;
  PathGradients grads_;
  ConstMatrixRef q_;
  int first_token_ = 0, row_ = -1, rows_ = 0;
  std::vector<QueryGroup> groups_;
  // d_scores_ (rows, keys) contains the score gradients collected so far, for d_rows_ rows from
  // d_row_ on and for keys from d_first_ on.
  int d_row_ = -1, d_rows_ = 0, d_first_ = 0;
  std::vector<float> d_q_, d_scores_;
};

}  // namespace

std::unique_ptr<DotProductState> create_path_products(const PathConfig& config, int kv_head,
                                                      int head_dim, bool requires_grad) {
  return std::make_unique<PathProducts>(config, kv_head, head_dim, requires_grad);
}

}  // namespace phasor
