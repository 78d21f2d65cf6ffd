#include "encoding_base/custom_dot_product/path_products.h"

#include <algorithm>

#include "kernels/vector_ops.h"

namespace phasor {

namespace {

using kernels::gemm;
using kernels::Transpose;

std::size_t size_of(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

class PathProducts final : public DotProductState {
 public:
  PathProducts(const PathConfig& config, int kv_head, int head_dim, bool requires_grad)
      : config_(config), kv_head_(kv_head), learns_(requires_grad) {
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
  double bytes() const override { return path_bytes(0, keys_.tokens(), keys_.head_dim, learns_); }

  void set_queries(ConstMatrixRef q, Positions, int first_token) override {
    q_ = q;
    first_token_ = first_token;
    row_ = -1;
    if (learns_) {
      d_q_.assign(size_of(q.rows, keys_.head_dim), 0.0f);
      if (grads_.empty()) grads_.start(keys_);
    }
  }

  void scores(int row, int first_key, double scale, bool, MatrixRef out) override {
    prepare(row, out.rows, PathKeys::chunk(first_key));
    for (int r = 0; r < out.rows; ++r) kernels::fill(out.row(r), 0, out.columns);
    for (const Group& group : groups_) {
      const auto rows = [&](int from, int count) {
        return MatrixRef{out.row(group.first - row) + (from - first_key), group.rows, count,
                         out.stride};
      };
      each_chunk(first_key, out.columns, group.chunk, [&](int c, int from, int count) {
        if (c == group.chunk) return within(group, from, count, scale, rows(from, count));
        const kernels::Panels ends = kernels::panels(keys_.ends[static_cast<std::size_t>(c)].data(),
                                                     keys_.head_dim, kPathChunk);
        kernels::active::product(query(group, c), ends.columns_from(from % kPathChunk, count),
                                 static_cast<float>(scale), rows(from, count));
      });
    }
  }

  void scores_backward(int row, int first_key, ConstMatrixRef d_products) override {
    if (row != d_row_) {
      flush();
      d_row_ = row;
      d_rows_ = d_products.rows;
      d_scores_.assign(size_of(d_rows_, keys_.tokens()), 0.0f);
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
  // The queries of a tile in one chunk: index of the first, count, and accumulated products.
  struct Group {
    int first, rows, chunk;
    // (rows, chunk): q_i . w_s of the tokens s <= i of their chunk
    std::vector<float> met{};
    // the queries transported to the chunks chunk - 1, chunk - 2 ..., (rows, head_dim) each
    std::vector<std::vector<float>> moved{};
  };

  int token(int row) const { return first_token_ + row; }
  float* d_score(int r) { return d_scores_.data() + size_of(r, keys_.tokens()); }
  float* d_query(int row) { return d_q_.data() + size_of(row, keys_.head_dim); }

  MatrixRef query(Group& group, int c) {
    std::vector<float>& moved = group.moved[static_cast<std::size_t>(group.chunk - 1 - c)];
    return {moved.data(), group.rows, keys_.head_dim, keys_.head_dim};
  }
  MatrixRef query(const Group& group, int c) { return query(const_cast<Group&>(group), c); }

  // Calls f(chunk, first key, keys) for the parts of the visible keys in each chunk.
  template <class F>
  static void each_chunk(int first, int count, int last_chunk, F&& f) {
    for (int key = first; key < first + count;) {
      const int c = PathKeys::chunk(key), end = std::min((c + 1) * kPathChunk, first + count);
      if (c > last_chunk) return;
      f(c, key, end - key);
      key = end;
    }
  }

  // The queries of a tile transported to every chunk from their own down to `lowest`.
  void prepare(int row, int rows, int lowest) {
    if (row != row_ || rows != rows_) {
      row_ = row;
      rows_ = rows;
      groups_.clear();
      for (int first = row; first < row + rows;) {
        const int c = PathKeys::chunk(token(first)),
                  end = std::min(row + rows, (c + 1) * kPathChunk - first_token_);
        groups_.push_back({first, end - first, c});
        meet(groups_.back());
        first = end;
      }
    }
    for (Group& group : groups_) {
      while (static_cast<int>(group.moved.size()) < group.chunk - lowest) move_on(group);
    }
  }

  void meet(Group& group) {
    group.met.assign(size_of(group.rows, kPathChunk), 0.0f);
    const int start = group.chunk * kPathChunk;
    for (int r = 0; r < group.rows; ++r) {
      for (int s = start; s <= token(group.first + r); ++s)
        group.met[size_of(r, kPathChunk) + static_cast<std::size_t>(s - start)] =
            static_cast<float>(kernels::double_dot(q_.row(group.first + r),
                                                   keys_.rows(keys_.w, s, 1).data, keys_.head_dim));
    }
  }

  void move_on(Group& group) {
    const int head_dim = keys_.head_dim;
    std::vector<float> next(size_of(group.rows, head_dim));
    const MatrixRef moved{next.data(), group.rows, head_dim, head_dim};
    if (group.moved.empty()) {
      const int start = group.chunk * kPathChunk;
      std::vector<double> row(static_cast<std::size_t>(head_dim));
      for (int r = 0; r < group.rows; ++r) {
        const float* q = q_.row(group.first + r);
        std::copy_n(q, head_dim, row.begin());
        for (int s = start; s <= token(group.first + r); ++s)
          kernels::add_scaled(row.data(), -met(group, r, s - start), keys_.rows(keys_.y, s, 1).data,
                              head_dim);
        for (int c = 0; c < head_dim; ++c)
          moved.row(r)[c] = static_cast<float>(row[static_cast<std::size_t>(c)]);
      }
    } else {
      const int before = group.chunk - static_cast<int>(group.moved.size());
      gemm(Transpose::no, Transpose::no, 1, query(group, before), keys_.across_of(before), 0,
           moved);
    }
    group.moved.push_back(std::move(next));
  }

  static double met(const Group& group, int r, int s) {
    return static_cast<double>(group.met[size_of(r, kPathChunk) + static_cast<std::size_t>(s)]);
  }

  // Scores of queries and keys of one chunk.
  void within(const Group& group, int from, int count, double scale, const MatrixRef& out) {
    const int start = group.chunk * kPathChunk;
    for (int r = 0; r < group.rows; ++r) {
      const int i = token(group.first + r);
      for (int j = from; j < std::min(from + count, i + 1); ++j) {
        double sum = kernels::double_dot(q_.row(group.first + r), keys_.rows(keys_.k, j, 1).data,
                                         keys_.head_dim);
        for (int s = j + 1; s <= i; ++s)
          sum -= met(group, r, s - start) * static_cast<double>(keys_.z_of(s)[j - start]);
        out.row(r)[j - from] = static_cast<float>(scale * sum);
      }
    }
  }

  // Runs the backward pass of the rows whose score gradients have been collected.
  void flush() {
    if (d_row_ < 0) return;
    prepare(d_row_, d_rows_, PathKeys::chunk(d_first_));
    for (Group& group : groups_) come_back(group, PathKeys::chunk(d_first_));
    d_row_ = -1;
  }

  void come_back(Group& group, int lowest) {
    const int head_dim = keys_.head_dim, start = group.chunk * kPathChunk;
    std::vector<float> grad(size_of(group.rows, head_dim), 0.0f), next(grad);
    const MatrixRef d_moved{grad.data(), group.rows, head_dim, head_dim},
        d_next{next.data(), group.rows, head_dim, head_dim};
    std::vector<float> end_rows(size_of(kPathChunk, head_dim));
    for (int c = lowest; c < group.chunk; ++c) {
      const ConstMatrixRef d{d_score(group.first - d_row_) + c * kPathChunk, group.rows, kPathChunk,
                             keys_.tokens()};
      const MatrixRef at_end = keys_.rows(grads_.ends, c * kPathChunk, kPathChunk),
                      d_across{grads_.across.data() + size_of(c, head_dim * head_dim), head_dim,
                               head_dim, head_dim};
      const MatrixRef here = query(group, c);
      // the gradient from earlier chunks passes through this one
      std::swap_ranges(grad.begin(), grad.end(), next.begin());
      if (c > lowest) {
        gemm(Transpose::no, Transpose::yes, 1, d_next, keys_.across_of(c), 0, d_moved);
        gemm(Transpose::yes, Transpose::no, 1, here, d_next, 1, d_across);
      } else {
        std::fill(grad.begin(), grad.end(), 0.0f);
      }
      const kernels::Panels ends =
          kernels::panels(keys_.ends[static_cast<std::size_t>(c)].data(), head_dim, kPathChunk);
      for (int j = 0; j < kPathChunk; ++j) {
        for (int n = 0; n < head_dim; ++n)
          end_rows[size_of(j, head_dim) + static_cast<std::size_t>(n)] = ends.at(n, j);
      }
      gemm(Transpose::no, Transpose::no, 1, d, keys_.rows(end_rows, 0, kPathChunk), 1, d_moved);
      gemm(Transpose::yes, Transpose::no, 1, d, here, 1, at_end);
    }
    for (int r = 0; r < group.rows; ++r) {
      const int i = token(group.first + r);
      const float *q = q_.row(group.first + r), *d = d_score(group.first - d_row_ + r),
                  *d_start = d_moved.row(r);
      float* d_q = d_query(group.first + r);
      kernels::add_row(d_q, d_start, head_dim);
      for (int j = start; j <= i; ++j) {
        kernels::add_scaled(d_q, d[j], keys_.rows(keys_.k, j, 1).data, head_dim);
        kernels::add_scaled(slope_of(grads_.k, j), static_cast<double>(d[j]), q, head_dim);
      }
      for (int s = start; s <= i; ++s) {
        double d_met = -kernels::double_dot(d_start, keys_.rows(keys_.y, s, 1).data, head_dim);
        double* d_z = grads_.z.data() + size_of(s, kPathChunk);
        for (int j = start; j < s; ++j) {
          d_met -= static_cast<double>(d[j]) * static_cast<double>(keys_.z_of(s)[j - start]);
          d_z[j - start] -= static_cast<double>(d[j]) * met(group, r, s - start);
        }
        kernels::add_scaled(slope_of(grads_.y, s), -met(group, r, s - start), d_start, head_dim);
        kernels::add_scaled(d_q, static_cast<float>(d_met), keys_.rows(keys_.w, s, 1).data,
                            head_dim);
        kernels::add_scaled(slope_of(grads_.w, s), d_met, q, head_dim);
      }
    }
  }

  double* slope_of(std::vector<double>& all, int token) const {
    return all.data() + size_of(token, keys_.head_dim);
  }

  const PathConfig& config_;
  int kv_head_;
  bool learns_;
  PathKeys keys_;
  PathGradients grads_;
  ConstMatrixRef q_;
  int first_token_ = 0, row_ = -1, rows_ = 0;
  std::vector<Group> groups_;
  // The rows whose score gradients are collected: (rows, keys), from key d_first_ on.
  int d_row_ = -1, d_rows_ = 0, d_first_ = 0;
  std::vector<float> d_q_, d_scores_;
};

}  // namespace

std::unique_ptr<DotProductState> path_products(const PathConfig& config, int kv_head, int head_dim,
                                               bool requires_grad) {
  return std::make_unique<PathProducts>(config, kv_head, head_dim, requires_grad);
}

}  // namespace phasor
