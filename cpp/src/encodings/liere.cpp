// Lie rotational position encodings (LieRE, Ostmeier et al. 2024, arXiv 2406.10322): a position
// with coordinates p_a rotates each block of channels by
//   x -> exp(sum_a p_a A_a) x,  A_a = U_a - U_a^T,
// where the upper triangles U_a are learned for each coordinate, head and block
// (StanfordMIMI/LieRE, rope_vit.py); entries on or below the diagonal are not read. Channels after
// the last whole block are unchanged. Blocks of 2 are RoPE-Mixed with frequencies -U[0, 1]. In
// larger blocks the rotations of two coordinates do not commute in general, so that products depend
// on both positions and not only on their difference. The authors' positions are fractions of the
// image, and initial entries are uniform up to 2 pi; here positions are patches, and initial
// entries are uniform up to `spread`. Exponentials are computed in double. A key is rotated by the
// generators of its query head, so query heads cannot share keys.

#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/parts/grid.h"
#include "encoding_base/registry_entry.h"
#include "math/matrix_exponential.h"

namespace phasor::encoding::liere {
namespace {

class Liere final : public QueryKeyEncoding {
 public:
  Liere(int columns, Tensor generators)
      : columns_(columns), generators_{"generators", std::move(generators)} {}

  std::vector<Parameter*> parameters() override { return {&generators_}; }

  // Includes the matrix exponential with its input and output, and one head's gradient.
  double working_bytes(const TileSizes&) const override {
    return MatrixExponential::bytes(block_size()) +
           sizeof(double) * (5.0 * block_size() * block_size() +
                             static_cast<double>(axes()) * blocks() * block_size() * block_size());
  }

  void transform(Role, Positions positions, Tensor& x) const override {
    rotate_all(false, positions, x);
  }

  void transform_backward(Role, Positions positions, const Tensor& x, Tensor& d_x) override {
    add_gradients(positions, x, d_x);
    rotate_all(true, positions, d_x);
  }

 private:
  int axes() const { return generators_.value.shape[0]; }
  int blocks() const { return generators_.value.shape[2]; }
  int block_size() const { return generators_.value.shape[3]; }

  std::size_t generator_offset(int axis, int head, int block_index) const {
    const auto to_size = [](int n) { return static_cast<std::size_t>(n); };
    return ((to_size(axis) * to_size(generators_.value.shape[1]) + to_size(head)) *
                to_size(blocks()) +
            to_size(block_index)) *
           to_size(block_size()) * to_size(block_size());
  }

  // Returns one coordinate of a token. A position with fewer coordinates than axes() is the
  // row-major index of a patch.
  double coordinate(Positions positions, int token, int axis) const {
    if (positions.axes() == axes()) return positions.at(token, axis);
    const GridPoint point = to_grid_point(positions, token, columns_);
    return axis == 0 ? point.row : point.column;
  }

  // Computes out (block, block) = sum_a p_a A_a. The transpose has the opposite sign, because every
  // A_a is skew-symmetric.
  void compute_generator(Positions positions, int token, int head, int block_index,
                         bool is_transposed, std::vector<double>& out) const {
    const int n = block_size();
    std::fill(out.begin(), out.end(), 0.0);
    for (int axis = 0; axis < axes(); ++axis) {
      const double p = (is_transposed ? -1 : 1) * coordinate(positions, token, axis);
      const float* u = generators_.value.data.data() + generator_offset(axis, head, block_index);
      for (int r = 0; r < n; ++r) {
        for (int c = r + 1; c < n; ++c) {
          const double x = p * static_cast<double>(u[r * n + c]);
          out[static_cast<std::size_t>(r * n + c)] += x;
          out[static_cast<std::size_t>(c * n + r)] -= x;
        }
      }
    }
  }

  void rotate_all(bool is_transposed, Positions positions, Tensor& x) const {
    const int n = block_size();
    MatrixExponential exponential(n);
    std::vector<double> a(static_cast<std::size_t>(n * n)), input(static_cast<std::size_t>(n));
    for (int head = 0; head < x.shape[0]; ++head) {
      for (int token = 0; token < x.shape[1]; ++token) {
        for (int block_index = 0; block_index < blocks(); ++block_index) {
          compute_generator(positions, token, head, block_index, is_transposed, a);
          const double* rotation = exponential.exponential(a.data());
          float* channels = matrix(x, head).row(token) + block_index * n;
          std::copy(channels, channels + n, input.begin());
          for (int r = 0; r < n; ++r) {
            double sum = 0;
            for (int c = 0; c < n; ++c)
              sum += rotation[r * n + c] * input[static_cast<std::size_t>(c)];
            channels[r] = static_cast<float>(sum);
          }
        }
      }
    }
  }

  // With y = e^A x and G = dL/dy x^T, dL/dA is the derivative of exp at A^T in direction G.
  void add_gradients(Positions positions, const Tensor& x, const Tensor& d_y) {
    const int n = block_size();
    const auto matrix_size = static_cast<std::size_t>(n * n);
    MatrixExponential exponential(n);
    std::vector<double> a(matrix_size), g(matrix_size);
    for (int head = 0; head < x.shape[0]; ++head) {
      // Accumulates in double, because float32 would lose small addends over long sequences.
      std::vector<double> sums(static_cast<std::size_t>(axes() * blocks()) * matrix_size);
      for (int token = 0; token < x.shape[1]; ++token) {
        for (int block_index = 0; block_index < blocks(); ++block_index) {
          compute_generator(positions, token, head, block_index, true, a);
          const float *input = matrix(x, head).row(token) + block_index * n,
                      *grad = matrix(d_y, head).row(token) + block_index * n;
          for (int r = 0; r < n; ++r) {
            for (int c = 0; c < n; ++c)
              g[static_cast<std::size_t>(r * n + c)] =
                  static_cast<double>(grad[r]) * static_cast<double>(input[c]);
          }
          const double* d_a = exponential.derivative(a.data(), g.data());
          for (int axis = 0; axis < axes(); ++axis) {
            const double p = coordinate(positions, token, axis);
            double* to =
                sums.data() + static_cast<std::size_t>(axis * blocks() + block_index) * matrix_size;
            for (int r = 0; r < n; ++r) {
              for (int c = r + 1; c < n; ++c)
                to[r * n + c] += p * (d_a[r * n + c] - d_a[c * n + r]);
            }
          }
        }
      }
      for (int axis = 0; axis < axes(); ++axis) {
        float* to = generators_.gradient().data.data() + generator_offset(axis, head, 0);
        const double* sum = sums.data() + static_cast<std::size_t>(axis * blocks()) * matrix_size;
        for (std::size_t i = 0; i < static_cast<std::size_t>(blocks()) * matrix_size; ++i)
          to[i] += static_cast<float>(sum[i]);
      }
    }
  }

  int columns_;
  Parameter generators_;  // (axes, heads, blocks, block, block)
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int axes = values.integer("axes"), block = values.integer("block"),
            blocks = dims.dim / block;
  if (dims.axes != axes && !(dims.axes == 1 && axes == 2)) {
    return invalid(
        "positions: have {} coordinates each; expected {}, or a row-major index if axes is 2",
        dims.axes, axes);
  }
  if (dims.kv_heads != 0 && dims.kv_heads != dims.heads) {
    return invalid(
        "encoding: liere has generators for each head, so {} query heads cannot share {} kv heads",
        dims.heads, dims.kv_heads);
  }
  if (blocks == 0) return invalid("block: {} exceeds dim {}", block, dims.dim);
  Tensor generators;
  PHASOR_TRY(init_uniform_param(values, "generators", "axes x heads x blocks x block x block",
                                {axes, dims.heads, blocks, block, block}, 0, values.real("spread"),
                                0, generators));
  return EncodingResult(std::make_unique<Liere>(values.integer("columns"), std::move(generators)));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("block", 4, 2, 256, "channels", "Channels per block"),
    ParamInfo::integer("axes", 2, 1, 3, "", "Number of coordinates"),
    ParamInfo::tensor("generators", "axes x heads x blocks x block x block",
                      "Learned generators; only upper triangles are used"),
    ParamInfo::real("spread", 0.75, 0, 1000, "",
                    "Initial generators are uniform between 0 and this value"),
    ParamInfo::integer("columns", 8, 1, 1048576, "patches",
                       "Width of the image, if positions are row-major indices"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(liere) = {
    .id = "liere",
    .injection = Liere::kInjection,
    .learned = true,
    .prefix_stable = true,
    .axes = 2,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::liere
