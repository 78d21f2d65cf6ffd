#include "model/transformer_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/format_error.h"
#include "nn/activations.h"
#include "phasor/cache.h"
#include "phasor/encoding_ops.h"
#include "phasor/tensor_view.h"

namespace phasor::model {

namespace {

// Rows whose logits are formed at a time: 16 of a vocabulary of 262,144 are 16 MiB.
constexpr int kLogitRows = 16;

class Cache final : public ModelCache {
 public:
  int length() const override { return length_; }

  const Weights* weights = nullptr;
  int max_length = 0;
  std::vector<std::unique_ptr<KeyValueCache>> layers{};
  int length_ = 0;
};

// What a run returns of attention.
struct WantedWeights {
  bool all = false;
  std::optional<int> layer{}, head{};
};

void add(const Tensor& x, Tensor& to) {
  for (std::size_t i = 0; i < x.data.size(); ++i) to.data[i] += x.data[i];
}

void apply(Activation activation, Tensor& x, Tensor& y) {
  const int n = static_cast<int>(x.data.size());
  switch (activation) {
    case Activation::gelu: return nn::gelu(x.data.data(), y.data.data(), n);
    case Activation::gelu_tanh: return nn::gelu_tanh(x.data.data(), y.data.data(), n);
    case Activation::relu: return nn::relu(x.data.data(), y.data.data(), n);
    case Activation::silu: return nn::silu(x.data.data(), y.data.data(), n);
  }
}

class TransformerModel final : public Model {
 public:
  explicit TransformerModel(std::unique_ptr<const Weights> weights) : w_(std::move(weights)) {}

  const ModelInfo& info() const override { return w_->info; }

  Result<ModelOutput> run(std::span<const int> ids, const RunConfig& config) const override {
    return Result<ModelOutput>::from([&](ModelOutput& out) -> Status {
      PHASOR_TRY(check_head(config.top_k));
      Tensor x;
      PHASOR_TRY(layers(ids, config, {.all = config.output_attentions}, out, x));
      PHASOR_TRY(head(ids, x, config, out));
      out.last_hidden_state = std::move(x);
      return {};
    });
  }

  Result<Tensor> attention_weights(std::span<const int> ids, int layer, std::optional<int> head,
                                   const RunConfig& config) const override {
    return Result<Tensor>::from([&](Tensor& weights) -> Status {
      PHASOR_TRY(check_range("layer", layer, 0, w_->info.layers - 1));
      if (head) PHASOR_TRY(check_range("head", *head, 0, w_->info.heads - 1));
      RunConfig only = config;
      only.output_hidden_states = false;
      ModelOutput out;
      Tensor x;
      PHASOR_TRY(layers(ids, only, {.layer = layer, .head = head}, out, x));
      weights = std::move(out.attentions.front());
      return {};
    });
  }

  Result<std::unique_ptr<ModelCache>> create_cache(int max_length) const override {
    PHASOR_TRY(check_extent("max_length", max_length));
    if (!w_->info.causal)
      return invalid("max_length: a model whose tokens see later ones has no cache");
    if (w_->max_positions > 0)
      PHASOR_TRY(check_range("max_length", max_length, 1, w_->max_positions));
    auto cache = std::make_unique<Cache>();
    cache->weights = w_.get();
    cache->max_length = max_length;
    for (const Block& block : w_->blocks) {
      const AttentionConfig& a = block.attention;
      PHASOR_TRY_ASSIGN(cache->layers.emplace_back(),
                        KeyValueCache::create({.heads = w_->info.heads,
                                               .kv_heads = w_->info.kv_heads,
                                               .head_dim = w_->info.head_dim,
                                               .max_length = max_length,
                                               .encoding = a.encoding,
                                               .window = a.window,
                                               .scale = a.scale,
                                               .output_layout = a.output_layout,
                                               .options = a.options}));
    }
    return std::unique_ptr<ModelCache>(std::move(cache));
  }

  Result<std::vector<int>> generate(std::span<const int> ids,
                                    const GenerateConfig& config) const override {
    return Result<std::vector<int>>::from([&](std::vector<int>& out) -> Status {
      PHASOR_TRY(check_range("max_new_tokens", config.max_new_tokens, 0, kMaxExtent));
      PHASOR_TRY(check_head(1));
      PHASOR_TRY(check_ids(ids));
      if (config.max_new_tokens == 0) return {};
      PHASOR_TRY_ASSIGN(const std::unique_ptr<ModelCache> cache,
                        create_cache(static_cast<int>(ids.size()) + config.max_new_tokens));
      const RunConfig step{.cache = cache.get()};
      std::vector<int> next(ids.begin(), ids.end());
      while (static_cast<int>(out.size()) < config.max_new_tokens) {
        ModelOutput unused;
        Tensor x;
        PHASOR_TRY(layers(next, step, {}, unused, x));
        const ConstMatrixRef last = rows_of(ConstMatrixRef(matrix(x)), x.shape[0] - 1, 1);
        const Tensor row = logits(last);
        const auto best = std::max_element(row.data.begin(), row.data.end());
        next = {static_cast<int>(best - row.data.begin())};
        out.push_back(next.front());
        if (config.eos_token_id == next.front()) break;
      }
      return {};
    });
  }

 private:
  Status check_head(int top_k) const {
    PHASOR_TRY(check_range("top_k", top_k, 0, w_->info.vocab_size));
    if (top_k == 0 || w_->info.has_head) return {};
    return invalid("top_k: the checkpoint has no head, whose logits predictions need");
  }

  Status check_ids(std::span<const int> ids) const {
    if (ids.empty()) return invalid("input_ids: there are none; at least one is needed");
    for (std::size_t t = 0; t < ids.size(); ++t) {
      if (ids[t] >= 0 && ids[t] < w_->info.vocab_size) continue;
      return check_range(format_error("input_ids[{}]", static_cast<double>(t)).c_str(), ids[t], 0,
                         w_->info.vocab_size - 1);
    }
    return {};
  }

  Status check_text(std::span<const int> ids, const RunConfig& config) const {
    PHASOR_TRY(check_ids(ids));
    const std::size_t count = ids.size();
    if (!config.attention_mask.empty() && config.attention_mask.size() != count) {
      return invalid("attention_mask: it has {} numbers for {} tokens",
                     config.attention_mask.size(), count);
    }
    if (!config.token_type_ids.empty() && config.token_type_ids.size() != count) {
      return invalid("token_type_ids: there are {} for {} tokens", config.token_type_ids.size(),
                     count);
    }
    if (!config.token_type_ids.empty() && w_->token_types.empty())
      return invalid("token_type_ids: the model has no embeddings of them");
    for (const int type : config.token_type_ids)
      PHASOR_TRY(check_range("token_type_ids", type, 0, w_->token_types.out_features() - 1));
    const auto* cache = static_cast<const Cache*>(config.cache);
    if (cache != nullptr && cache->weights != w_.get())
      return invalid("cache: it is that of another model");
    const double length = static_cast<double>(count) + (cache != nullptr ? cache->length_ : 0);
    if (cache != nullptr && length > cache->max_length) {
      return invalid("input_ids: {} tokens do not fit the cache of {}", length, cache->max_length);
    }
    if (w_->max_positions > 0 && length > w_->max_positions) {
      return invalid("input_ids: {} tokens are more than the {} positions of the model", length,
                     w_->max_positions);
    }
    // Hidden states, the widest layer and its activations.
    const double widest = 3.0 * w_->intermediate_size + 8.0 * w_->info.hidden_size +
                          4.0 * w_->info.heads * w_->info.head_dim;
    return check_memory("input_ids", 4 * static_cast<double>(count) * widest);
  }

  Tensor linear(const Linear& layer, const ConstMatrixRef& x) const {
    Tensor y({x.rows, layer.weight.out_features()});
    layer.weight.product(x, matrix(y));
    add_bias(layer.bias, y);
    return y;
  }
  Tensor linear(const Linear& layer, const Tensor& x) const { return linear(layer, matrix(x)); }

  static void add_bias(const std::vector<float>& bias, Tensor& y) {
    if (bias.empty()) return;
    for (std::size_t i = 0; i < y.data.size(); ++i) y.data[i] += bias[i % bias.size()];
  }

  /// x itself where there is no norm.
  Tensor normalised(const NormWeights& norm, const Tensor& x) const {
    if (norm.empty()) return x;
    Tensor y(x.shape);
    std::vector<float> saved(2 * static_cast<std::size_t>(x.shape[0]));
    if (w_->architecture->norm == nn::NormKind::rms_norm) {
      nn::rms_norm(matrix(x), norm.weight.data(), w_->norm_eps, matrix(y), saved.data());
    } else {
      nn::layer_norm(matrix(x), norm.weight.data(), norm.bias.data(), w_->norm_eps, matrix(y),
                     saved.data());
    }
    return y;
  }

  Status embed(std::span<const int> ids, const RunConfig& config, int past, Tensor& x) const {
    const int count = static_cast<int>(ids.size());
    x = Tensor({count, w_->embedding_size});
    for (int t = 0; t < count; ++t)
      w_->embedding.copy_row(ids[static_cast<std::size_t>(t)], matrix(x).row(t));
    if (w_->architecture->scales_embedding) {
      const auto factor = static_cast<float>(std::sqrt(static_cast<double>(w_->info.hidden_size)));
      for (float& value : x.data) value *= factor;
    }
    if (!w_->project_in.weight.empty()) x = linear(w_->project_in, x);
    if (!w_->token_types.empty()) {
      std::vector<float> row(static_cast<std::size_t>(w_->info.hidden_size));
      for (int t = 0; t < count; ++t) {
        const std::vector<int>& types = config.token_type_ids;
        w_->token_types.copy_row(types.empty() ? 0 : types[static_cast<std::size_t>(t)],
                                 row.data());
        for (std::size_t c = 0; c < row.size(); ++c) matrix(x).row(t)[c] += row[c];
      }
    }
    if (w_->positions) {
      std::vector<double> positions(ids.size());
      std::iota(positions.begin(), positions.end(), static_cast<double>(past));
      PHASOR_TRY_ASSIGN(const Tensor table,
                        position_table(*w_->positions, positions, w_->info.hidden_size));
      add(table, x);
    }
    x = normalised(w_->embedding_norm, x);
    return {};
  }

  Status attend(const Block& block, const Tensor& x, const RunConfig& config, KeyValueCache* cache,
                const RequestedOutputs& wanted, Tensor& y, Tensor& weights) const {
    const ModelInfo& info = w_->info;
    Tensor joint, queries, keys, values;
    TensorView q, k, v;
    if (!block.qkv.weight.empty()) {
      joint = linear(block.qkv, x);
      PHASOR_TRY_ASSIGN(QkvViews views,
                        split_qkv(view(joint), {.heads = info.heads,
                                                .kv_heads = info.kv_heads,
                                                .layout = w_->architecture->qkv_layout}));
      q = std::move(views.q);
      k = std::move(views.k);
      v = std::move(views.v);
    } else {
      queries = linear(block.q, x);
      keys = linear(block.k, x);
      values = linear(block.v, x);
      PHASOR_TRY_ASSIGN(q, split_heads(view(queries), info.heads));
      PHASOR_TRY_ASSIGN(k, split_heads(view(keys), info.kv_heads));
      PHASOR_TRY_ASSIGN(v, split_heads(view(values), info.kv_heads));
    }
    AttentionResult result;
    if (cache != nullptr) {
      PHASOR_TRY_ASSIGN(Tensor q_rows, contiguous(q));
      PHASOR_TRY_ASSIGN(Tensor k_rows, contiguous(k));
      PHASOR_TRY_ASSIGN(const Tensor v_rows, contiguous(v));
      DecodeConfig step;
      step.key_mask = config.attention_mask;
      step.outputs = wanted;
      PHASOR_TRY(cache->decode(std::move(q_rows), std::move(k_rows), v_rows, step).move_to(result));
    } else {
      AttentionConfig call = block.attention;
      call.key_mask = config.attention_mask;
      call.outputs = wanted;
      PHASOR_TRY(attention(q, k, v, call).move_to(result));
    }
    weights = std::move(result.weights);
    y = linear(block.o, result.output);
    return {};
  }

  Tensor feed_forward(const Block& block, const Tensor& x) const {
    Tensor up;
    if (!block.gate_up.weight.empty()) {
      Tensor both = linear(block.gate_up, x);
      const int rows = x.shape[0], inner = w_->intermediate_size;
      Tensor gate({rows, inner});
      up = Tensor({rows, inner});
      for (int r = 0; r < rows; ++r) {
        const float* row = matrix(both).row(r);
        std::copy_n(row, inner, matrix(gate).row(r));
        std::copy_n(row + inner, inner, matrix(up).row(r));
      }
      multiply_by_gate(gate, up);
    } else {
      up = linear(block.up, x);
      if (w_->gated) {
        Tensor gate = linear(block.gate, x);
        multiply_by_gate(gate, up);
      } else {
        Tensor active(up.shape);
        apply(w_->activation, up, active);
        up = std::move(active);
      }
    }
    return linear(block.down, up);
  }

  void multiply_by_gate(Tensor& gate, Tensor& up) const {
    Tensor active(gate.shape);
    apply(w_->activation, gate, active);
    for (std::size_t i = 0; i < up.data.size(); ++i) up.data[i] *= active.data[i];
  }

  /// x (tokens, hidden_size) after all layers and the last norm. An error leaves a cache as it was.
  Status layers(std::span<const int> ids, const RunConfig& config, const WantedWeights& wanted,
                ModelOutput& out, Tensor& x) const {
    PHASOR_TRY(check_text(ids, config));
    auto* cache = static_cast<Cache*>(config.cache);
    const Status status = layers_of_checked(ids, config, wanted, cache, out, x);
    if (cache == nullptr) return status;
    if (status.ok()) {
      cache->length_ += static_cast<int>(ids.size());
      return {};
    }
    for (const std::unique_ptr<KeyValueCache>& layer : cache->layers)
      PHASOR_TRY(layer->truncate(cache->length_));
    return status;
  }

  Status layers_of_checked(std::span<const int> ids, const RunConfig& config,
                           const WantedWeights& wanted, Cache* cache, ModelOutput& out,
                           Tensor& x) const {
    PHASOR_TRY(embed(ids, config, cache != nullptr ? cache->length_ : 0, x));
    for (std::size_t n = 0; n < w_->blocks.size(); ++n) {
      const Block& block = w_->blocks[n];
      if (config.output_hidden_states) out.hidden_states.push_back(x);
      RequestedOutputs outputs;
      outputs.weights = wanted.all || wanted.layer == static_cast<int>(n);
      outputs.head = wanted.head;
      const Tensor normed = normalised(block.attention_in, x);
      Tensor y, weights;
      PHASOR_TRY(attend(block, normed, config, cache != nullptr ? cache->layers[n].get() : nullptr,
                        outputs, y, weights));
      if (outputs.weights) out.attentions.push_back(std::move(weights));
      if (wanted.layer == static_cast<int>(n)) return {};
      y = normalised(block.attention_out, y);
      if (w_->parallel) {
        add(feed_forward(block, block.mlp_in.empty() ? normed : normalised(block.mlp_in, x)), y);
        add(y, x);
        continue;
      }
      add(y, x);
      x = normalised(block.attention_sum, x);
      y = feed_forward(block, normalised(block.mlp_in, x));
      add(normalised(block.mlp_out, y), x);
      x = normalised(block.mlp_sum, x);
    }
    x = normalised(w_->last_norm, x);
    if (!w_->project_out.weight.empty()) x = linear(w_->project_out, x);
    if (config.output_hidden_states) out.hidden_states.push_back(x);
    return check_result("input_ids", x.data, "the hidden state of a token");
  }

  Tensor logits(const ConstMatrixRef& x) const {
    const kernels::StoredMatrix& weight = w_->head.weight.empty() ? w_->embedding : w_->head.weight;
    Tensor out({x.rows, w_->info.vocab_size});
    if (w_->head_dense.weight.empty()) {
      weight.product(x, matrix(out));
    } else {
      Tensor dense = linear(w_->head_dense, x), active(dense.shape);
      apply(w_->activation, dense, active);
      weight.product(matrix(std::as_const(active = normalised(w_->head_norm, active))),
                     matrix(out));
    }
    add_bias(w_->head.bias, out);
    if (w_->logit_cap > 0) {
      for (float& value : out.data) {
        value = static_cast<float>(w_->logit_cap *
                                   std::tanh(static_cast<double>(value) / w_->logit_cap));
      }
    }
    return out;
  }

  Status head(std::span<const int> ids, const Tensor& x, const RunConfig& config,
              ModelOutput& out) const {
    if (!w_->info.has_head) return {};
    const int count = x.shape[0], vocab = w_->info.vocab_size;
    if (config.output_logits) {
      PHASOR_TRY(check_size("output_logits", "logits", {count, vocab}));
      out.logits = Tensor({count, vocab});
    }
    const bool predicts = w_->info.causal;
    double sum = 0;
    for (int first = 0; first < count; first += kLogitRows) {
      const int rows = std::min(kLogitRows, count - first);
      const Tensor part = logits(rows_of(ConstMatrixRef(matrix(x)), first, rows));
      PHASOR_TRY(check_result("input_ids", part.data, "a logit"));
      if (config.output_logits)
        std::copy(part.data.begin(), part.data.end(), matrix(out.logits).row(first));
      for (int r = 0; r < rows; ++r) {
        const std::span<const float> row(matrix(part).row(r), static_cast<std::size_t>(vocab));
        const double log_sum = log_sum_exp(row);
        const auto next = static_cast<std::size_t>(first + r + 1);
        if (predicts && next < ids.size()) {
          out.log_probabilities.push_back(
              static_cast<double>(row[static_cast<std::size_t>(ids[next])]) - log_sum);
          sum += out.log_probabilities.back();
        }
        if (config.top_k > 0) out.predictions.push_back(largest(row, config.top_k, log_sum));
      }
    }
    if (predicts && count > 1) out.loss = -sum / (count - 1);
    return {};
  }

  static double log_sum_exp(std::span<const float> row) {
    const double most = static_cast<double>(*std::max_element(row.begin(), row.end()));
    double sum = 0;
    for (const float value : row) sum += std::exp(static_cast<double>(value) - most);
    return most + std::log(sum);
  }

  static std::vector<TokenPrediction> largest(std::span<const float> row, int top_k,
                                              double log_sum) {
    std::vector<int> ids(row.size());
    std::iota(ids.begin(), ids.end(), 0);
    std::partial_sort(ids.begin(), ids.begin() + top_k, ids.end(), [&](int a, int b) {
      const float x = row[static_cast<std::size_t>(a)], y = row[static_cast<std::size_t>(b)];
      return x != y ? x > y : a < b;
    });
    std::vector<TokenPrediction> out;
    for (int n = 0; n < top_k; ++n) {
      const int id = ids[static_cast<std::size_t>(n)];
      out.push_back({id, static_cast<float>(static_cast<double>(row[static_cast<std::size_t>(id)]) -
                                            log_sum)});
    }
    return out;
  }

  std::unique_ptr<const Weights> w_;
};

}  // namespace

std::unique_ptr<Model> create_model(std::unique_ptr<const Weights> weights) {
  return std::make_unique<TransformerModel>(std::move(weights));
}

}  // namespace phasor::model
