#include "model/run/head_measures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/streaming/qk_norm.h"
#include "core/format_error.h"
#include "model/encoding_params.h"
#include "model/run/attend.h"
#include "model/run/weight_measures.h"
#include "phasor/registry.h"

namespace phasor::model {

namespace {

bool any_true(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), true) != flags.end();
}

class HeadEntry {
 public:
  HeadEntry(int layer, int head) : layer_(layer), head_(head) {}
  void set(Tensor& to, double value) const {
    matrix(to).row(layer_)[head_] = static_cast<float>(value);
  }
  float* profile_row(Tensor& to) const { return matrix(to, layer_).row(head_); }

 private:
  int layer_, head_;
};

void set_weight_measures(const WeightMeasures& measures, const HeadEntry& entry,
                         HeadMeasures& out) {
  entry.set(out.entropy, measures.entropy);
  entry.set(out.entropy_normalised, measures.entropy_normalised);
  entry.set(out.distance, measures.distance);
  entry.set(out.first, measures.first_token_weight);
  entry.set(out.self, measures.mean_at_distance(0));
  entry.set(out.previous, measures.mean_at_distance(1));
  if (!out.last.empty()) {
    entry.set(out.last, measures.last_token_weight);
    entry.set(out.next, measures.mean_at_distance(-1));
  }
  float* profile = entry.profile_row(out.profile);
  for (int d = measures.first_distance(); d < measures.tokens; ++d)
    *profile++ = static_cast<float>(measures.mean_at_distance(d));
}

// The norms of the channel pairs of each token, (tokens, pairs).
std::vector<double> pair_norms(const Tensor& x, const EncodingConfig& config, int pair_count,
                               const std::vector<int>& zeroed_channels) {
  std::vector<double> out;
  for (int t = 0; t < x.shape[1]; ++t) {
    for (int p = 0; p < pair_count; ++p) {
      const auto [a, b] = get_pair_channels(config, pair_count, p);
      const bool is_zeroed =
          std::find(zeroed_channels.begin(), zeroed_channels.end(), a) != zeroed_channels.end();
      const float* row = matrix(x).row(t);
      out.push_back(
          is_zeroed ? 0 : std::hypot(static_cast<double>(row[a]), static_cast<double>(row[b])));
    }
  }
  return out;
}

// Computes |q| |k| for each channel pair, summed over all queries and their visible keys. out[p] is
// the share of pair p in the sum over all pairs.
void measure_pair_use(const HeadGroup& group, const Tensor& q, const Tensor& k, int pair_count,
                      bool causal, float* out) {
  const EncodingConfig& config = group.attention.encoding;
  const int n = q.shape[1], window = group.attention.window.value_or(n);
  const std::vector<double> q_norms =
                                pair_norms(q, config, pair_count, group.change.zeroed_channels),
                            k_norms = pair_norms(k, config, pair_count, {});
  const auto flat_index = [&](int t, int p) {
    return static_cast<std::size_t>(t) * static_cast<std::size_t>(pair_count) +
           static_cast<std::size_t>(p);
  };
  std::vector<double> sums;
  double total = 0;
  for (int p = 0; p < pair_count; ++p) {
    std::vector<double> prefix_sums = {0};  // over the keys
    for (int j = 0; j < n; ++j)
      prefix_sums.push_back(prefix_sums.back() + k_norms[flat_index(j, p)]);
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      const int begin = std::max(0, i - window + 1), end = causal ? i + 1 : std::min(n, i + window);
      sum += q_norms[flat_index(i, p)] * (prefix_sums[static_cast<std::size_t>(end)] -
                                          prefix_sums[static_cast<std::size_t>(begin)]);
    }
    sums.push_back(sum);
    total += sum;
  }
  for (int p = 0; p < pair_count; ++p)
    out[p] = total > 0 ? static_cast<float>(sums[static_cast<std::size_t>(p)] / total) : 0;
}

}  // namespace

Status begin_measures(const Weights& w, std::span<const int> ids, const RunConfig& config,
                      HeadMeasures& out) {
  const auto tokens = static_cast<int>(ids.size());
  if (config.cache != nullptr)
    return invalid("output_head_measures: cannot be combined with a cache");
  if (tokens < 2)
    return invalid("output_head_measures: the text has {} tokens; expected at least 2", tokens);
  if (std::find(config.attention_mask.begin(), config.attention_mask.end(), 0) !=
      config.attention_mask.end())
    return invalid("output_head_measures: attention_mask hides tokens; expected a mask of ones");
  const bool causal = w.info.causal;
  const std::vector<int> shape = {w.info.layers, w.info.heads};
  std::vector<int> profile_shape = shape;
  profile_shape.push_back(causal ? tokens : 2 * tokens - 1);
  PHASOR_TRY(check_size("output_head_measures", "a profile", profile_shape));
  // Attention weights and scores of one head, with and without the encoding.
  PHASOR_TRY(check_memory("output_head_measures", 16.0 * tokens * tokens));
  out.profile = Tensor(profile_shape);
  for (Tensor* measure : {&out.entropy, &out.entropy_normalised, &out.distance, &out.first,
                          &out.self, &out.previous, &out.share_of_distance})
    *measure = Tensor(shape);
  if (!causal) out.last = out.next = Tensor(shape);
  if (!w.position_table) out.use_of_position = Tensor(shape);
  out.pairs_used.resize(w.layers.size());
  const Repeats repeats = find_repeats(ids, causal);
  if (any_true(repeats.has_other_occurrence)) out.duplicate = Tensor(shape);
  if (any_true(repeats.has_earlier_occurrence)) out.induction = Tensor(shape);
  out.duplicate_chance =
      compute_uniform_weight(repeats.same_tokens, repeats.has_other_occurrence, causal);
  out.induction_chance =
      compute_uniform_weight(repeats.next_tokens, repeats.has_earlier_occurrence, causal);
  return {};
}

Status measure_heads(const ModelInfo& info, const LayerPlan& plan, const QkvViews& qkv,
                     std::span<const int> ids, int layer, HeadMeasures& out) {
  const bool causal = info.causal;
  const auto tokens = static_cast<int>(ids.size());
  const Repeats repeats = find_repeats(ids, causal);
  const int heads_per_kv_head = info.heads / info.kv_heads;
  for (const HeadGroup& group : plan.groups) {
    std::shared_ptr<Encoding> base = group.base_encoding;
    if (base == nullptr) {
      PHASOR_TRY_ASSIGN(base, create_encoding(group.attention.encoding,
                                              make_head_dims(info, group.attention.scale, tokens)));
      base->dims.reset();
    }
    PHASOR_TRY_ASSIGN(const std::unique_ptr<Encoding> no_encoding, create_encoding({}, {}));
    no_encoding->dims.reset();
    const RotaryEncoding* rotation = base->as_rotation();
    const int pair_count = rotation != nullptr ? rotation->pairs() : 0;
    Tensor& pairs_used = out.pairs_used[static_cast<std::size_t>(layer)];
    if (pair_count > 0 && pairs_used.empty()) pairs_used = Tensor({info.heads, pair_count});
    AttentionConfig attention_config = group.attention;
    attention_config.encoding = {};
    attention_config.output_layout = OutputLayout::head_major;
    attention_config.outputs.weights = attention_config.outputs.scores =
        attention_config.outputs.softmax_stats = true;
    for (int n = 0; n < group.head_count(info); ++n) {
      const int head = group.heads.empty() ? n : group.heads[static_cast<std::size_t>(n)];
      const HeadEntry entry(layer, head);
      PHASOR_TRY_ASSIGN(Tensor q, select_heads(qkv.q, {head}));
      PHASOR_TRY_ASSIGN(Tensor k, select_heads(qkv.k, {head / heads_per_kv_head}));
      const Tensor v({1, tokens, 1});
      EncodingChange change = group.change;
      change.heads = {head};
      const std::shared_ptr<const Encoding> encoding =
          create_changed_encoding(base, std::move(change));
      PHASOR_TRY_ASSIGN(const AttentionResult a, attention(q, k, v, *encoding, attention_config));
      const ConstMatrixRef weights = matrix(a.weights);
      set_weight_measures(measure_weights(weights, causal), entry, out);
      if (!out.duplicate.empty())
        entry.set(out.duplicate,
                  compute_mean_weight(repeats.same_tokens, repeats.has_other_occurrence, weights));
      if (!out.induction.empty())
        entry.set(out.induction, compute_mean_weight(repeats.next_tokens,
                                                     repeats.has_earlier_occurrence, weights));
      entry.set(out.share_of_distance, compute_share_of_distance(matrix(a.scores)));
      if (!out.use_of_position.empty()) {
        AttentionConfig config_without_encoding = attention_config;
        if (!config_without_encoding.scale)
          config_without_encoding.scale = base->scale(info.head_dim);
        PHASOR_TRY_ASSIGN(const AttentionResult b,
                          attention(q, k, v, *no_encoding, config_without_encoding));
        entry.set(out.use_of_position, compute_divergence(a, b, causal));
      }
      if (pair_count == 0) continue;
      if (const std::optional<QkNorm>& norm = attention_config.options.qk_norm) {
        normalise(*norm, norm->q_weight, q);
        normalise(*norm, norm->k_weight, k);
      }
      measure_pair_use(group, q, k, pair_count, causal, matrix(pairs_used).row(head));
    }
  }
  return {};
}

}  // namespace phasor::model
