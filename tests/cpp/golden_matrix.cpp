#include "golden_matrix.h"

#include <cmath>

namespace golden {

Matrix matrix_of(const Array& array) {
  if (array.shape.size() != 2) return {};
  Matrix m(array.shape[0], array.shape[1]);
  for (int r = 0; r < m.rows(); ++r) {
    for (int c = 0; c < m.columns(); ++c)
      m.at(r, c) = array.data[static_cast<std::size_t>(r) * static_cast<std::size_t>(m.columns()) +
                              static_cast<std::size_t>(c)];
  }
  return m;
}

phasor::Tensor tensor_of(const Matrix& m) {
  return {{m.rows(), m.columns()}, {m.data().begin(), m.data().end()}};
}

Matrix transpose(const Matrix& m) {
  Matrix out(m.columns(), m.rows());
  for (int r = 0; r < m.rows(); ++r) {
    for (int c = 0; c < m.columns(); ++c) out.at(c, r) = m.at(r, c);
  }
  return out;
}

Matrix slice_rows(const Matrix& m, int first, int count) {
  Matrix out(count, m.columns());
  for (int r = 0; r < count; ++r) {
    for (int c = 0; c < m.columns(); ++c) out.at(r, c) = m.at(first + r, c);
  }
  return out;
}

Matrix concatenate_rows(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows() + b.rows(), b.columns());
  for (int r = 0; r < out.rows(); ++r) {
    for (int c = 0; c < out.columns() && (r >= a.rows() || c < a.columns()); ++c)
      out.at(r, c) = r < a.rows() ? a.at(r, c) : b.at(r - a.rows(), c);
  }
  return out;
}

Matrix product(const Matrix& x, const Matrix& w) {
  if (x.columns() != w.columns()) return {};
  Matrix out(x.rows(), w.rows());
  for (int r = 0; r < out.rows(); ++r) {
    for (int c = 0; c < out.columns(); ++c) {
      for (int i = 0; i < x.columns(); ++i) out.at(r, c) += x.at(r, i) * w.at(c, i);
    }
  }
  return out;
}

Matrix linear(const Matrix& x, const Matrix& w, const std::vector<double>& offset) {
  Matrix out = product(x, w);
  if (static_cast<int>(offset.size()) != out.columns()) return {};
  for (int r = 0; r < out.rows(); ++r) {
    for (int c = 0; c < out.columns(); ++c) out.at(r, c) += offset[static_cast<std::size_t>(c)];
  }
  return out;
}

void normalise_rows(Matrix& m, double eps) {
  for (int r = 0; r < m.rows(); ++r) {
    double mean = 0, variance = 0;
    for (int c = 0; c < m.columns(); ++c) mean += m.at(r, c) / m.columns();
    for (int c = 0; c < m.columns(); ++c)
      variance += (m.at(r, c) - mean) * (m.at(r, c) - mean) / m.columns();
    for (int c = 0; c < m.columns(); ++c)
      m.at(r, c) = (m.at(r, c) - mean) / std::sqrt(variance + eps);
  }
}

phasor::Tensor split_heads(const Matrix& m, int heads) {
  if (heads < 1 || m.columns() % heads != 0) return {};
  const int head_dim = m.columns() / heads;
  phasor::Tensor out({heads, m.rows(), head_dim});
  for (int h = 0; h < heads; ++h) {
    for (int r = 0; r < m.rows(); ++r) {
      for (int c = 0; c < head_dim; ++c)
        phasor::matrix(out, h).row(r)[c] = static_cast<float>(m.at(r, h * head_dim + c));
    }
  }
  return out;
}

Matrix join_heads(const phasor::Tensor& t) {
  const int heads = t.shape[0], head_dim = t.shape[2];
  Matrix out(t.shape[1], heads * head_dim);
  for (int h = 0; h < heads; ++h) {
    for (int r = 0; r < out.rows(); ++r) {
      for (int c = 0; c < head_dim; ++c)
        out.at(r, h * head_dim + c) = static_cast<double>(phasor::matrix(t, h).row(r)[c]);
    }
  }
  return out;
}

}  // namespace golden
