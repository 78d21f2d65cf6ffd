// Sandwich (Chi, Fan, Rudnicky and Ramadge 2023, arXiv 2212.10356): the inner product of two
// sinusoidal vectors as a bias,
//   b(h, i, j) = (sum_t cos((i - j) w_t) - db/2) / (8 h / H),   w_t = base^(-2t/db),   h = 1 .. H.
// The bias decays like ALiBi and oscillates like the sinusoids. The constant db/2 makes the
// diagonal 0 and changes nothing after the softmax. The sum runs over t = 0 .. db/2 - 1 for an
// inner product of sinusoids (`from_zero`), and over t = 1 .. db/2, with lower frequencies, in
// NVIDIA's NeMo (`from_one`).

#include <algorithm>
#include <cmath>
#include <optional>

#include "encoding_base/registry_entry.h"
#include "relative_position/relative_positions.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::sandwich {
namespace {

enum class FirstIndex { from_zero, from_one };

// Computes sum_t (cos(distance w_t) - 1). Results do not depend on the order of calls.
class CosineSum {
 public:
  explicit CosineSum(std::span<const double> frequencies)
      : rows_(frequencies), point_(2 * frequencies.size()) {}

  double operator()(double distance) {
    rows_.write(distance, point_.data());
    double sum = 0;
    for (std::size_t t = 0; t < point_.size() / 2; ++t) sum += point_[t] - 1;
    return sum;
  }

  static double bytes(std::size_t frequency_count) {
    return (SinusoidRows::kBytesPerFrequency + 2 * sizeof(double)) *
           static_cast<double>(frequency_count);
  }
  double bytes() const { return bytes(point_.size() / 2); }

 private:
  SinusoidRows rows_;
  std::vector<double> point_;
};

class Sandwich final : public Parameterless<ScoreEncoding> {
 public:
  Sandwich(std::span<const double> frequencies, int heads, int length)
      : cosine_sum_(frequencies), heads_(heads) {
    const int num_sums = std::min(length, kMaxStoredSums);
    sums_.reserve(static_cast<std::size_t>(num_sums));
    for (int distance = 0; distance < num_sums; ++distance) sums_.push_back(cosine_sum_(distance));
  }

  static double state_bytes(std::size_t frequency_count, int length) {
    return CosineSum::bytes(frequency_count) +
           sizeof(double) * static_cast<double>(std::min(length, kMaxStoredSums));
  }

  bool symmetric() const override { return true; }
  bool is_toeplitz() const override { return true; }
  double working_bytes(const TileSizes& tile) const override {
    return cosine_sum_.bytes() + sizeof(float) * static_cast<double>(tile.distances);
  }
  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    const double factor = heads_ / (8.0 * (head + 1));
    // Copied, because CosineSum has mutable state and other threads may use this encoding.
    std::optional<CosineSum> local_cosine_sum;
    add_by_distance(queries, keys, tile, [&](double signed_distance) {
      const double distance = std::abs(signed_distance);
      if (distance < static_cast<double>(sums_.size()) && distance == std::floor(distance)) {
        return factor * sums_[static_cast<std::size_t>(distance)];
      }
      if (!local_cosine_sum) local_cosine_sum = cosine_sum_;
      return factor * (*local_cosine_sum)(distance);
    });
  }

 private:
  static constexpr int kMaxStoredSums = 1 << 17;  // 1 MiB of sums

  CosineSum cosine_sum_;
  int heads_;
  // Sums for distances 0, 1, .., before multiplication by the factor of the head.
  std::vector<double> sums_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int dim = values.integer("db");
  if (dim % 2 != 0) return invalid("db: {} is odd; expected two channels per sinusoid", dim);
  const int first_index = values.choice<FirstIndex>("index") == FirstIndex::from_one ? 1 : 0;
  std::vector<double> frequencies =
      inverse_frequencies(dim / 2 + first_index, dim, values.real("base"));
  frequencies.erase(frequencies.begin(), frequencies.begin() + first_index);
  PHASOR_TRY(check_memory("length", Sandwich::state_bytes(frequencies.size(), dims.length)));
  return EncodingResult(std::make_unique<Sandwich>(frequencies, dims.heads, dims.length));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("db", 128, 2, 4096, "channels",
                       "Even width of the sinusoidal vectors whose inner product is the bias"),
    ParamInfo::log_real("base", 10000, 1.001, 1e9, "", "Sets the lowest frequency"),
    ParamInfo::choice("index", "from_zero, from_one",
                      "Index of the first frequency: 0, as in the sinusoidal table, or 1 (NeMo)"),
};

}  // namespace

PHASOR_ENCODING(sandwich) = {
    .id = "sandwich",
    .injection = Sandwich::kInjection,
    .relative = true,
    .symmetric = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::sandwich
