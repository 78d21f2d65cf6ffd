#pragma once
// Matrix views as Eigen::Map, row-major like all arrays of the library.

#include <Eigen/Core>

#include "phasor/tensor.h"

namespace phasor {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline auto eigen(MatrixRef m) {
  return Eigen::Map<RowMajor<float>, 0, Eigen::OuterStride<>>(m.data, m.rows, m.columns,
                                                              Eigen::OuterStride<>(m.stride));
}
inline auto eigen(ConstMatrixRef m) {
  return Eigen::Map<const RowMajor<float>, 0, Eigen::OuterStride<>>(m.data, m.rows, m.columns,
                                                                    Eigen::OuterStride<>(m.stride));
}

}  // namespace phasor
