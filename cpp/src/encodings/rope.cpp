// Rotary position embedding (Su et al. 2021, arXiv 2104.09864, equation 15): each pair of channels of queries and keys is
// turned by the angle p w_t, w_t = base^(-2t/d), so that q.k depends on positions only through their difference.
// Which channels form a pair differs between model families: `interleaved` (2t, 2t+1) in RoFormer, GPT-J and Meta's LLaMA
// code, `half_split` (t, t + d/2) in GPT-NeoX and Hugging Face's LLaMA, Mistral, Qwen. Mixing them is silently wrong.

#include <cmath>

#include "encodings/encoding_type.h"
#include "kernels/kernels.h"
#include "math/frequency.h"

namespace phasor {
namespace {

enum class Layout { interleaved, half_split };

class Rope final : public Encoding {
 public:
  Rope(Layout layout, std::vector<double> frequencies) : layout_(layout), frequencies_(std::move(frequencies)) {}

  int pairs() const override { return static_cast<int>(frequencies_.size()); }

  void angles(Positions positions, MatrixRef out) const override {
    for (int p = 0; p < out.rows; ++p) {
      for (int t = 0; t < out.columns; ++t) out.row(p)[t] = static_cast<float>(angle(positions[p], t));
    }
  }

  void transform(Role, Positions positions, Tensor& x) const override {
    const int count = pairs();
    const int heads = x.shape[0], tokens = x.shape[1];
    std::vector<float> cosine(frequencies_.size()), sine(frequencies_.size());
    const auto turn = layout_ == Layout::interleaved ? kernels::active::rotate_interleaved : kernels::active::rotate_half_split;
    for (int token = 0; token < tokens; ++token) {
      for (int t = 0; t < count; ++t) {
        const double a = angle(positions[token], t);
        cosine[static_cast<std::size_t>(t)] = static_cast<float>(std::cos(a));
        sine[static_cast<std::size_t>(t)] = static_cast<float>(std::sin(a));
      }
      for (int head = 0; head < heads; ++head) turn(matrix(x, head).row(token), cosine.data(), sine.data(), count);
    }
  }

 private:
  double angle(double position, int t) const { return position * frequencies_[static_cast<std::size_t>(t)]; }

  Layout layout_;
  std::vector<double> frequencies_;
};

Status create(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) {
  if (geometry.width % 2 != 0) {
    return Status::invalid("width: " + std::to_string(geometry.width) +
                           " is odd, but rope turns pairs of channels and needs an even width per head");
  }
  out =
      std::make_unique<Rope>(values.choice<Layout>("layout"), inverse_frequencies(geometry.width / 2, geometry.width, values.real("base")));
  return {};
}

}  // namespace
}  // namespace phasor

PHASOR_ENCODING(rope) {
  using phasor::ParamSpec;
  static const phasor::EncodingType type{
      .id = "rope",
      .injection = phasor::Injection::query_key,
      .relative = true,
      .prefix_stable = true,
      .params = {ParamSpec::log_real("base", 10000, 1.001, 1e9, "", "How slow the slowest pair turns: its frequency is near 1 / base"),
                 ParamSpec::choice("layout", {"interleaved", "half_split"},
                                   "Which channels form a pair: neighbours, or one from each half")},
      .create = phasor::create,
  };
  return type;
}
