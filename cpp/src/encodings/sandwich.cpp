// Sandwich (Chi, Fan, Rudnicky and Ramadge 2023, arXiv 2212.10356): the inner product of two sinusoidal vectors as a bias,
//   b(h, i, j) = (sum_t cos((i - j) w_t) - db/2) / (8 h / H),   w_t = base^(-2t/db),   h = 1 .. H.
// It has the decay of ALiBi and the waves of the sinusoid. Subtracting db/2 makes the diagonal 0; as a constant of each head it
// changes nothing after the softmax. The index of the sum differs: an inner product of sinusoids gives t = 0 .. db/2 - 1
// (`from_zero`), NVIDIA's NeMo sums t = 1 .. db/2 (`from_one`), which is slower everywhere. Not trained.

#include "encoding/encoding_type.h"
#include "kernels/relative_positions.h"
#include "kernels/sine_rows.h"
#include "math/frequencies.h"

namespace phasor {
namespace {

enum class Index { from_zero, from_one };

class Sandwich final : public Formula<ScoreEncoding> {
 public:
  Sandwich(std::vector<double> frequencies, int heads) : frequencies_(std::move(frequencies)), heads_(heads) {}

  bool symmetric() const override { return true; }
  bool is_toeplitz() const override { return true; }
  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    const double factor = heads_ / (8.0 * (head + 1));
    kernels::SineRows rows(frequencies_);
    std::vector<double> point(2 * frequencies_.size());
    const auto sum_at = [&](double distance) {
      rows.write(distance, point.data());
      double sum = 0;
      for (std::size_t t = 0; t < frequencies_.size(); ++t) sum += point[t] - 1;
      return sum;
    };
    const kernels::RelativePositions distances(queries, keys);
    const std::vector<double>* shared = distances.count() <= kMostShared ? &sums_.values(distances, sum_at) : nullptr;
    std::vector<float> values(static_cast<std::size_t>(distances.count()));
    for (std::size_t n = 0; n < values.size(); ++n) {
      const double sum = shared != nullptr ? (*shared)[n] : sum_at(distances.value(static_cast<int>(n)));
      values[n] = static_cast<float>(sum * factor);
    }
    distances.add(values, tile);
  }

 private:
  static constexpr int kMostShared = 1 << 17;  // 2 MiB; more differences than that are one large tile, and computed for each head

  std::vector<double> frequencies_;
  int heads_;
  mutable kernels::SharedByDistance sums_;  // heads differ by a factor alone; asking changes only what is known already
};

Status create(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) {
  const int width = values.integer("db");
  if (width % 2 != 0) return invalid("db: {} is odd; each wave takes two channels", width);
  const int first = values.choice<Index>("index") == Index::from_one ? 1 : 0;
  std::vector<double> frequencies = inverse_frequencies(width / 2 + first, width, values.real("base"));
  frequencies.erase(frequencies.begin(), frequencies.begin() + first);
  out = std::make_unique<Sandwich>(std::move(frequencies), geometry.heads);
  return {};
}

constexpr ParamSpec kParams[] = {
    ParamSpec::integer("db", 128, 2, 4096, "channels", "Width of the sinusoid whose inner product is the bias; even"),
    ParamSpec::log_real("base", 10000, 1.001, 1e9, "", "How slow the slowest wave is"),
    ParamSpec::choice("index", "from_zero, from_one", "Which frequency the sum starts with: 1 (sinusoids), or the one after it (NeMo)"),
};

}  // namespace

PHASOR_ENCODING(sandwich) = {
    .id = "sandwich",
    .injection = Sandwich::kInjection,
    .relative = true,
    .symmetric = true,
    .prefix_stable = true,
    .packed_params = pack<kParams>,
    .create = create,
};

}  // namespace phasor
