// Sinusoidal absolute positions (Vaswani et al. 2017, arXiv 1706.03762, section 3.5), added to the
// embeddings:
//   pe[p, 2t] = sin(p w_t),  pe[p, 2t+1] = cos(p w_t),  w_t = base^(-2t/d)
// Codebases disagree on
// - the order: `concatenated` has all sines before all cosines (tensor2tensor, fairseq, RoFormer,
//   GPT-NeoX, Transformer-XL);
// - the frequencies: with K = floor(d/2), tensor2tensor has w_t = min (max/min)^(-t/max(K-1,1)),
//   whose slowest is 1/max, a little slower than the paper's; min is a factor, although it is
//   called a timescale. fairseq (M2M100, XGLM) has base^(-t/(K-1)) without the guard, divides by 0
//   at dims 2 and 3, and zeroes the row of `padding_idx`;
// - an odd dim: the paper's formula drops the last cosine (RoFormer: a block of (d+1)/2 sines);
//   tatp22's code does too, but has d+1 in the exponent (`rounded_up`); tensor2tensor and fairseq
//   have K sinusoids and a last column of 0 (`zero_padded`);
// - a factor: x-transformers multiplies by a trained scalar, initially d^-0.5 (`scaled`).

#include <algorithm>
#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/parts/timescale.h"
#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "kernels/vector_ops.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::sinusoidal {
namespace {

enum class FrequencyRule { paper, tensor2tensor, fairseq };
enum class OddWidth { formula, rounded_up, zero_padded };

class Sinusoidal final : public SinusoidalTable {
 public:
  SinusoidLayout layout = SinusoidLayout::interleaved;
  std::vector<double> frequencies;
  double padding_position = -1;  // position with a row of zeros, or -1 if there is none
  Parameter scale{"scale"};      // learned scale, or empty

  std::vector<Parameter*> parameters() override {
    if (scale.empty()) return {};
    return {&scale};
  }

  void table(Positions positions, MatrixRef out) const override {
    const double factor = scale.empty() ? 1.0 : static_cast<double>(scale.value.data[0]);
    write_table(positions, factor, out);
  }

  std::vector<Sinusoid> waves(int dim) const override {
    return list_sinusoids(frequencies, layout, dim);
  }

  void table_backward(Positions positions, ConstMatrixRef d_out) override {
    if (scale.empty()) return;
    // Processes rows in blocks to limit working memory.
    const int block_rows = std::clamp(kBlockNumbers / d_out.columns, 1, d_out.rows);
    Tensor rows({block_rows, d_out.columns});
    double sum = 0;
    for (int first = 0; first < d_out.rows; first += block_rows) {
      const int count = std::min(block_rows, d_out.rows - first);
      write_table(positions.part(first, count), 1, rows_of(matrix(rows), 0, count));
      for (int r = 0; r < count; ++r)
        sum += kernels::dot_in_double(matrix(rows).row(r), d_out.row(first + r), d_out.columns);
    }
    scale.gradient().data[0] += static_cast<float>(sum);
  }

 private:
  static constexpr int kBlockNumbers = 65536;

  void write_table(Positions positions, double factor, MatrixRef out) const {
    const auto is_padding = [&](int p) {
      return padding_position >= 0 && positions[p] == padding_position;
    };
    write_sines(
        frequencies, layout, [&](int p) { return positions[p]; },
        [&](int p) { return is_padding(p) ? 0.0 : factor; }, out);
  }
};

Status make_frequencies(const ResolvedParams& values, int dim, std::vector<double>& out) {
  const auto rule = values.choice<FrequencyRule>("frequencies");
  const auto odd_width = values.choice<OddWidth>("odd_width");
  const double base = values.real("base");
  if (rule == FrequencyRule::paper) {
    const int num_sinusoids = odd_width == OddWidth::zero_padded ? dim / 2 : (dim + 1) / 2;
    out = inverse_frequencies(num_sinusoids,
                              odd_width == OddWidth::rounded_up ? 2.0 * num_sinusoids : dim, base);
    return {};
  }
  const int num_sinusoids = dim / 2;
  if (odd_width == OddWidth::rounded_up && dim % 2 != 0) {
    return invalid(
        "odd_width: rounded_up requires the paper's frequencies; tensor2tensor and fairseq set the "
        "last column to 0");
  }
  if (rule == FrequencyRule::fairseq) {
    if (num_sinusoids == 1) {
      return invalid(
          "dim: {} makes fairseq's frequencies divide by 0; expected a dim of at least 4, or the "
          "frequencies of tensor2tensor",
          dim);
    }
    out = timescale_frequencies(num_sinusoids, 1, base);
    return {};
  }
  const double min_timescale = values.real("min_timescale"),
               max_timescale = values.real("max_timescale");
  PHASOR_TRY(check_timescales(min_timescale, max_timescale));
  out = timescale_frequencies(num_sinusoids, min_timescale, max_timescale);
  return {};
}

Status make_scale(const ResolvedParams& values, int dim, Tensor& out) {
  const Tensor* provided_scale = values.tensor("scale");
  if (!values.boolean("scaled"))
    return provided_scale == nullptr ? Status{}
                                     : invalid("scale: has no effect if scaled is false");
  out = Tensor({1}, {static_cast<float>(1.0 / std::sqrt(static_cast<double>(dim)))});
  if (provided_scale == nullptr) return {};
  if (provided_scale->data.size() != 1)
    return invalid("scale: has shape {}; expected a single number", provided_scale->shape);
  out.data = provided_scale->data;
  return {};
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("sinusoidal", dims.axes));
  auto sinusoidal = std::make_unique<Sinusoidal>();
  PHASOR_TRY(make_frequencies(values, dims.dim, sinusoidal->frequencies));
  PHASOR_TRY(make_scale(values, dims.dim, sinusoidal->scale.value));
  sinusoidal->layout = values.choice<SinusoidLayout>("layout");
  sinusoidal->padding_position = values.real("padding_idx");
  return EncodingResult(std::move(sinusoidal));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::log_real("base", 10000, 1.001, 1e9, "",
                        "Sets the lowest frequency, which is near 1 / base")
        .only_with("frequencies", "paper, fairseq"),
    ParamInfo::choice("layout", "interleaved, concatenated",
                      "Sine and cosine alternate (paper, DistilBERT), or all sines come first "
                      "(Marian, Whisper, M2M100)"),
    ParamInfo::choice("frequencies", "paper, tensor2tensor, fairseq",
                      "Divisor in the exponent of the frequencies: dim (Marian), or the number of "
                      "sinusoids minus 1 (tensor2tensor: Whisper; fairseq: M2M100)"),
    ParamInfo::choice("odd_width", "formula, rounded_up, zero_padded",
                      "If dim is odd: divides the exponents of the frequencies by dim, by dim + 1 "
                      "(tatp22), or sets the last column to 0 (tensor2tensor, fairseq)"),
    ParamInfo::log_real("min_timescale", 1, 1e-6, 1e9, "", "Sets the highest frequency")
        .only_with("frequencies", "tensor2tensor"),
    ParamInfo::log_real("max_timescale", 10000, 1e-6, 1e9, "tokens", "Sets the lowest frequency")
        .only_with("frequencies", "tensor2tensor"),
    ParamInfo::integer("padding_idx", -1, -1, 2147483647, "",
                       "Position whose row is all zeros (fairseq); -1: none"),
    ParamInfo::boolean(
        "scaled", false,
        "Multiplies the table by a trained scale, initially 1/sqrt(dim) (x-transformers)"),
    ParamInfo::tensor("scale", "1", "Trained factor").only_with("scaled", "true"),
};

}  // namespace

PHASOR_ENCODING(sinusoidal) = {
    .id = "sinusoidal",
    .injection = Sinusoidal::kInjection,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::sinusoidal
