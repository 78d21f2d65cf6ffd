// T5's relative bias (Raffel et al. 2019, arXiv 1910.10683): a trained scalar per head and distance
// bucket,
//   S_ij = q_i . k_j + table[bucket(j - i), h].
// Small distances have a bucket each, larger ones share logarithmic buckets
// (relative_position/buckets.h), and all beyond max_distance share the last. Scores are NOT divided
// by sqrt(d) (scale 1), which T5's initialiser compensates. Decoders use bidirectional = false,
// where all keys on the right are in bucket 0. x-transformers and GPT-NeoX keep 1/sqrt(d) and
// multiply the bias by sqrt(d): set `multiplier` and a scale. The initial table is N(0,
// init_std^2), with init_std 1 in x-transformers and 1/sqrt(d_model) in T5.

#include "encoding_base/parameter_init.h"
#include "encoding_base/registry_entry.h"
#include "phasor/explain.h"
#include "relative_position/buckets.h"
#include "relative_position/relative_positions.h"

namespace phasor::encoding::t5 {
namespace {

class T5 final : public ScoreEncoding, public ExplainableBias {
 public:
  T5(T5Buckets buckets, Tensor table, double multiplier)
      : buckets_(std::move(buckets)), table_{"table", std::move(table)}, multiplier_(multiplier) {
    interfaces_.explainable = this;
  }

  std::optional<double> scale(int) const override { return 1.0; }
  std::vector<Parameter*> parameters() override { return {&table_}; }

  bool is_toeplitz() const override { return true; }
  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    const ConstMatrixRef table = matrix(table_.value);
    add_by_distance(queries, keys, tile, [&](double distance) {
      return multiplier_ * static_cast<double>(table.row(buckets_(distance))[head]);
    });
  }

  void bias_backward(int head, Positions queries, Positions keys, ConstMatrixRef d_tile) override {
    // Accumulates in double, because most distances in a long sequence share the last bucket.
    std::vector<double> sums(static_cast<std::size_t>(table_.value.shape[0]));
    for_each_distance(queries, keys, d_tile, [&](double distance, double sum) {
      sums[static_cast<std::size_t>(buckets_(distance))] += sum;
    });
    const MatrixRef d_table = matrix(table_.gradient());
    for (int bucket = 0; bucket < d_table.rows; ++bucket) {
      d_table.row(bucket)[head] +=
          static_cast<float>(multiplier_ * sums[static_cast<std::size_t>(bucket)]);
    }
  }

  std::vector<Step> steps(const ContentTile& pair) const override {
    const int bucket = buckets_(pair.keys[0] - pair.queries[0]);
    const double entry = static_cast<double>(matrix(table_.value).row(bucket)[pair.head]);
    return {
        {"bucket", static_cast<double>(bucket)}, {"entry", entry}, {"bias", multiplier_ * entry}};
  }

 private:
  T5Buckets buckets_;
  Parameter table_;  // (buckets, heads)
  double multiplier_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  T5Buckets buckets;
  const int num_buckets = values.integer("num_buckets");
  PHASOR_TRY(T5Buckets::create(num_buckets, values.integer("max_distance"),
                               values.boolean("bidirectional"), buckets));
  Tensor table;
  PHASOR_TRY(init_normal_param(values, "table", "num_buckets x heads", {num_buckets, dims.heads},
                               values.real("init_std"), 0, table));
  return EncodingResult(
      std::make_unique<T5>(std::move(buckets), std::move(table), values.real("multiplier")));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("num_buckets", 32, 2, 4096, "buckets",
                       "Total number of buckets on both sides"),
    ParamInfo::integer("max_distance", 128, 2, 1048576, "tokens",
                       "Larger distances share the last bucket"),
    ParamInfo::boolean("bidirectional", true,
                       "Buckets for both sides (T5's encoder), or for the left only (its decoder)"),
    ParamInfo::real(
        "multiplier", 1, -1000, 1000, "",
        "Factor on the bias; sqrt(d) in x-transformers and GPT-NeoX, which also scale the scores"),
    ParamInfo::tensor("table", "num_buckets x heads", "Trained bias of each bucket and head"),
    ParamInfo::real("init_std", 1, 0, 100, "", "Standard deviation of random initial values"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(t5) = {
    .id = "t5",
    .injection = T5::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::t5
