// Fourier position embedding (FoPE, Hua et al. 2024, arXiv 2412.17739): RoPE whose cosine and sine
// are mixtures of sinusoids,
//   cos'_m(p) = sum over w of C_hwm cos(w p),  sin'_m(p) = sum over w of S_hwm sin(w p),
//   (x_m, y_m) -> (x_m cos' - y_m sin', x_m sin' + y_m cos'),
// with pairs from the two halves of a head (m, m + d/2). Frequencies below 2 pi / floor_length,
// which complete no full rotation in training, are dropped; the first `pairs` pairs mix the
// remaining frequencies. A mixture is not a rotation, so products depend on both positions and not
// only on their difference. The other pairs are unchanged (`rest` = identity), or have both cosine
// and sine 1 (sine_one), as in the authors' code (TsinghuaC3I, FourierEmbedding): a pair becomes (x
// - y, x + y), and its product doubles. That code mixes at most d/4 pairs. C and S are initially a
// stepped identity, with a 1 at every ceil(kept / pairs)-th frequency, plus Xavier noise of gain
// 0.3, as torch computes it for all heads at once; the authors' code does not train C and S. Some
// copies of the code divide C and S by their column sums; to match them, pass the quotients.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "encoding_base/parameter_init.h"
#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "sinusoid/rotate_tokens.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::rope_fourier {
namespace {

enum class UnmixedPairs { identity, sine_one };

class FourierRope final : public QueryKeyEncoding {
 public:
  FourierRope(int dim, UnmixedPairs unmixed_pairs, std::vector<double> frequencies, Tensor sine,
              Tensor cosine)
      : half_dim_(dim / 2),
        unmixed_pairs_(unmixed_pairs),
        frequencies_(std::move(frequencies)),
        sine_{"sin_weight", std::move(sine)},
        cosine_{"cos_weight", std::move(cosine)} {}

  std::vector<Parameter*> parameters() override { return {&sine_, &cosine_}; }

  // Includes one head's accumulated gradients, sines and cosines.
  double working_bytes(const TileSizes& tile) const override {
    return static_cast<double>(frequencies_.size()) *
               (SinusoidRows::kBytesPerFrequency + sizeof(double) * (2.0 * pairs() + 4)) +
           8 * sizeof(double) * static_cast<double>(tile.head_dim);
  }

  void transform(Role, Positions positions, Tensor& x) const override {
    mix_all(RotationDirection::forward, positions, x);
  }

  // dL/dcos'_m = a x_m + b y_m and dL/dsin'_m = b x_m - a y_m, with (a, b) = dL/d(transformed).
  void transform_backward(Role, Positions positions, const Tensor& x, Tensor& d_x) override {
    Tensor& d_sine = sine_.gradient();
    Tensor& d_cosine = cosine_.gradient();
    const std::size_t num_frequencies = frequencies_.size(),
                      num_pairs = static_cast<std::size_t>(pairs());
    SinusoidRows sinusoids(frequencies_);
    std::vector<double> point(2 * num_frequencies);
    for (int head = 0; head < x.shape[0]; ++head) {
      // Accumulates in double, because float32 would lose small addends over long sequences.
      std::vector<double> sums(2 * num_frequencies * num_pairs);
      for (int token = 0; token < x.shape[1]; ++token) {
        sinusoids.write(positions[token], point.data());
        const float* row = matrix(x, head).row(token);
        const float* grad = matrix(std::as_const(d_x), head).row(token);
        for (std::size_t m = 0; m < num_pairs; ++m) {
          const std::size_t partner = m + static_cast<std::size_t>(half_dim_);
          const double a = static_cast<double>(grad[m]), b = static_cast<double>(grad[partner]),
                       x_m = static_cast<double>(row[m]), y_m = static_cast<double>(row[partner]);
          const double d_cosine_m = a * x_m + b * y_m, d_sine_m = b * x_m - a * y_m;
          for (std::size_t w = 0; w < num_frequencies; ++w) {
            sums[w * num_pairs + m] += d_cosine_m * point[w];
            sums[(num_frequencies + w) * num_pairs + m] += d_sine_m * point[num_frequencies + w];
          }
        }
      }
      float *to_cosine = matrix(d_cosine, head).data, *to_sine = matrix(d_sine, head).data;
      for (std::size_t n = 0; n < num_frequencies * num_pairs; ++n) {
        to_cosine[n] += static_cast<float>(sums[n]);
        to_sine[n] += static_cast<float>(sums[num_frequencies * num_pairs + n]);
      }
    }
    mix_all(RotationDirection::transposed, positions, d_x);
  }

 private:
  int pairs() const { return sine_.value.shape[2]; }

  void mix_all(RotationDirection direction, Positions positions, Tensor& x) const {
    const std::size_t num_frequencies = frequencies_.size(),
                      num_pairs = static_cast<std::size_t>(pairs());
    SinusoidRows sinusoids(frequencies_);
    std::vector<double> point(2 * num_frequencies);
    const int sine_end = unmixed_pairs_ == UnmixedPairs::sine_one ? half_dim_ : pairs();
    for (int head = 0; head < x.shape[0]; ++head) {
      const float *cosines = matrix(cosine_.value, head).data,
                  *sines = matrix(sine_.value, head).data;
      rotate_tokens(PairLayout::half_split, direction, half_dim_, x, head, head + 1,
                    [&](int token, float* cosine, float* sine) {
                      sinusoids.write(positions[token], point.data());
                      for (std::size_t m = 0; m < num_pairs; ++m) {
                        double c = 0, s = 0;
                        for (std::size_t w = 0; w < num_frequencies; ++w) {
                          c += static_cast<double>(cosines[w * num_pairs + m]) * point[w];
                          s += static_cast<double>(sines[w * num_pairs + m]) *
                               point[num_frequencies + w];
                        }
                        cosine[m] = static_cast<float>(c);
                        sine[m] = static_cast<float>(s);
                      }
                      std::fill(cosine + num_pairs, cosine + half_dim_, 1.0f);
                      std::fill(sine + num_pairs, sine + sine_end, 1.0f);
                      std::fill(sine + sine_end, sine + half_dim_, 0.0f);
                    });
    }
  }

  int half_dim_;
  UnmixedPairs unmixed_pairs_;
  std::vector<double> frequencies_;  // (kept): those not dropped by floor_length
  Parameter sine_, cosine_;          // (heads, kept, pairs)
};

// Copies the caller's coefficients. The default is a stepped identity plus noise: pair m has
// coefficient 1 for frequency m * frequency_step, if there are that many frequencies.
Status init_weights(const ResolvedParams& values, const char* name, const std::vector<int>& shape,
                    int stream, Tensor& out) {
  const int heads = shape[0], num_frequencies = shape[1], pairs = shape[2];
  const double fan_sum =
      static_cast<double>(num_frequencies) * pairs + static_cast<double>(heads) * pairs;
  PHASOR_TRY(init_normal_param(values, name, "heads x frequencies x pairs", shape,
                               values.real("noise") * std::sqrt(2 / fan_sum), stream, out));
  if (values.tensor(name) != nullptr) return {};
  const int frequency_step = (num_frequencies + pairs - 1) / pairs;
  for (int head = 0; head < heads; ++head) {
    for (int m = 0; m < pairs && m * frequency_step < num_frequencies; ++m)
      matrix(out, head).row(m * frequency_step)[m] += 1;
  }
  return {};
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int dim = dims.dim, floor_length = values.integer("floor_length");
  PHASOR_TRY(check_one_axis("rope_fourier", dims.axes));
  if (dims.kv_heads != 0 && dims.kv_heads != dims.heads) {
    return invalid(
        "encoding: rope_fourier has weights for each head, so {} query heads cannot share {} kv "
        "heads",
        dims.heads, dims.kv_heads);
  }
  if (dim % 2 != 0) return invalid("dim: {} is odd, but rope_fourier needs pairs of channels", dim);
  std::vector<double> frequencies = inverse_frequencies(dim / 2, dim, values.real("base"));
  if (floor_length > 0) {
    const double min_frequency = 2 * std::numbers::pi / floor_length;
    std::erase_if(frequencies, [&](double w) { return w < min_frequency; });
    if (frequencies.empty())
      return invalid("floor_length: {} is too short for a full rotation of any frequency",
                     floor_length);
  }
  const int num_frequencies = static_cast<int>(frequencies.size());
  const int pairs = values.integer("pairs") > 0
                        ? values.integer("pairs")
                        : std::clamp(std::min(num_frequencies, dim / 4), 1, num_frequencies);
  if (pairs > dim / 2)
    return invalid("pairs: {} exceeds the {} pairs of {} channels", pairs, dim / 2, dim);
  const std::vector<int> shape = {dims.heads, num_frequencies, pairs};
  Tensor sine, cosine;
  PHASOR_TRY(init_weights(values, "sin_weight", shape, 0, sine));
  PHASOR_TRY(init_weights(values, "cos_weight", shape, 1, cosine));
  return EncodingResult(std::make_unique<FourierRope>(dim, values.choice<UnmixedPairs>("rest"),
                                                      std::move(frequencies), std::move(sine),
                                                      std::move(cosine)));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::log_real("base", 10000, 1.001, 1e12, "",
                        "Sets the lowest frequency, which is near 1 / base"),
    ParamInfo::integer(
        "floor_length", 0, 0, 2147483647, "tokens",
        "Drops frequencies that complete no rotation within this training length; 0: "
        "keeps all"),
    ParamInfo::integer(
        "pairs", 0, 0, 524288, "pairs",
        "Number of channel pairs that mix frequencies; 0: dim / 4, as in the authors' code"),
    ParamInfo::choice(
        "rest", "identity, sine_one",
        "Other pairs are unchanged, or have cosine and sine 1, which doubles their products "
        "(the authors' code)"),
    ParamInfo::tensor("sin_weight", "heads x frequencies x pairs",
                      "Weight of each frequency in the sine of each pair"),
    ParamInfo::tensor("cos_weight", "heads x frequencies x pairs",
                      "Weight of each frequency in the cosine of each pair"),
    ParamInfo::real("noise", 0.3, 0, 100, "", "Gain of the Xavier noise in the initial weights"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(rope_fourier) = {
    .id = "rope_fourier",
    .injection = FourierRope::kInjection,
    .learned = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::rope_fourier
