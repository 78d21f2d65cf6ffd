#include <algorithm>

#include "core/format_error.h"
#include "model/run/head_measures.h"
#include "model/run/model_cache.h"

namespace phasor::model {

namespace {

class TransformerModel final : public Model {
 public:
  explicit TransformerModel(std::unique_ptr<const Weights> weights) : w_(std::move(weights)) {}

  const ModelInfo& info() const override { return w_->info; }

  Result<ModelOutput> run(std::span<const int> ids, const RunConfig& config) const override {
    return Result<ModelOutput>::from([&](ModelOutput& out) -> Status {
      PHASOR_TRY(check_head(config.top_k));
      PHASOR_TRY(check_range("logits_to_keep", config.logits_to_keep, 0, kMaxExtent));
      Tensor x;
      if (config.output_head_measures)
        PHASOR_TRY(begin_measures(*w_, ids, config, out.head_measures.emplace()));
      PHASOR_TRY(run_layers(ids, config,
                            {.output_all_layers = config.output_attentions,
                             .output_measures = config.output_head_measures},
                            out, x));
      PHASOR_TRY(add_predictions(*w_, ids, x, config, out));
      commit(ids, config);
      out.last_hidden_state = std::move(x);
      return {};
    });
  }

  Result<Tensor> attention_weights(std::span<const int> ids, int layer, std::optional<int> head,
                                   const RunConfig& config) const override {
    return Result<Tensor>::from([&](Tensor& weights) -> Status {
      PHASOR_TRY(check_range("layer", layer, 0, w_->info.layers - 1));
      if (head) PHASOR_TRY(check_range("head", *head, 0, w_->info.heads - 1));
      RunConfig last_layer_config = config;
      last_layer_config.output_hidden_states = false;
      ModelOutput out;
      Tensor x;
      PHASOR_TRY(run_layers(ids, last_layer_config, {.layer = layer, .head = head}, out, x));
      weights = std::move(out.attentions.front());
      commit(ids, last_layer_config);
      return {};
    });
  }

  Result<QueryKeyStates> query_key_states(std::span<const int> ids, int layer,
                                          const RunConfig& config) const override {
    return Result<QueryKeyStates>::from([&](QueryKeyStates& states) -> Status {
      PHASOR_TRY(check_range("layer", layer, 0, w_->info.layers - 1));
      if (config.cache != nullptr)
        return invalid(
            "cache: cannot be combined with the queries and keys of one layer, because later "
            "layers would not cache the tokens");
      RunConfig last_layer_config = config;
      last_layer_config.output_hidden_states = false;
      ModelOutput out;
      Tensor x;
      return run_layers(ids, last_layer_config, {.layer = layer, .states = &states}, out, x);
    });
  }

  Result<std::unique_ptr<ModelCache>> create_cache(int max_length,
                                                   std::span<const PositionChange> changes,
                                                   int threads) const override {
    PHASOR_TRY(check_extent("max_length", max_length));
    PHASOR_TRY(check_range("threads", threads, 1, 256));
    if (!w_->info.causal) return invalid("max_length: only causal models can have a cache");
    if (w_->max_positions > 0)
      PHASOR_TRY(check_range("max_length", max_length, 1, w_->max_positions));
    if (w_->cacheable_length > 0 && max_length > w_->cacheable_length) {
      return invalid(
          "max_length: {} is outside {}, the original context length; beyond it, the frequencies "
          "of cached keys would change",
          max_length, Range{1, static_cast<double>(w_->cacheable_length)});
    }
    PHASOR_TRY_ASSIGN(std::unique_ptr<ModelCache> cache,
                      TransformerCache::create(*w_, max_length, changes, threads));
    return cache;
  }

  Result<std::vector<int>> generate(std::span<const int> ids,
                                    const GenerateConfig& config) const override {
    return Result<std::vector<int>>::from([&](std::vector<int>& out) -> Status {
      PHASOR_TRY(check_range("max_new_tokens", config.max_new_tokens, 0, kMaxExtent));
      PHASOR_TRY(check_head(1));
      PHASOR_TRY(check_ids(ids));
      if (config.max_new_tokens == 0) return {};
      std::unique_ptr<ModelCache> cache;
      PHASOR_TRY(create_cache(static_cast<int>(ids.size()) + config.max_new_tokens, config.changes,
                              config.threads)
                     .move_to(cache));
      const RunConfig step_config{.cache = cache.get(), .threads = config.threads};
      std::vector<int> next_ids(ids.begin(), ids.end());
      while (static_cast<int>(out.size()) < config.max_new_tokens) {
        ModelOutput unused_output;
        Tensor x;
        PHASOR_TRY(run_layers(next_ids, step_config, {}, unused_output, x));
        commit(next_ids, step_config);
        const ConstMatrixRef last_state = rows_of(ConstMatrixRef(matrix(x)), x.shape[0] - 1, 1);
        const Tensor logits = compute_logits(*w_, last_state, config.threads);
        const auto largest_logit = std::max_element(logits.data.begin(), logits.data.end());
        next_ids = {static_cast<int>(largest_logit - logits.data.begin())};
        out.push_back(next_ids.front());
        if (config.eos_token_id == next_ids.front()) break;
      }
      return {};
    });
  }

 private:
  Status check_head(int top_k) const {
    PHASOR_TRY(check_range("top_k", top_k, 0, w_->info.vocab_size));
    if (top_k == 0 || w_->info.has_head) return {};
    return invalid("top_k: predictions need logits, but the checkpoint has no output head");
  }

  Status check_ids(std::span<const int> ids) const {
    if (ids.empty()) return invalid("input_ids: is empty; expected at least one token id");
    for (std::size_t t = 0; t < ids.size(); ++t) {
      if (ids[t] >= 0 && ids[t] < w_->info.vocab_size) continue;
      return check_range(format_error("input_ids[{}]", static_cast<double>(t)).c_str(), ids[t], 0,
                         w_->info.vocab_size - 1);
    }
    return {};
  }

  Status check_text(std::span<const int> ids, const RunConfig& config) const {
    PHASOR_TRY(check_ids(ids));
    PHASOR_TRY(check_range("threads", config.threads, 1, 256));
    const std::size_t count = ids.size();
    if (!config.attention_mask.empty() && config.attention_mask.size() != count) {
      return invalid("attention_mask: has {} entries; expected {}, one per token",
                     config.attention_mask.size(), count);
    }
    if (!config.token_type_ids.empty() && config.token_type_ids.size() != count) {
      return invalid("token_type_ids: has {} entries; expected {}, one per token",
                     config.token_type_ids.size(), count);
    }
    if (!config.token_type_ids.empty() && w_->token_types.empty())
      return invalid("token_type_ids: the model has no token type embeddings");
    for (const int type : config.token_type_ids)
      PHASOR_TRY(check_range("token_type_ids", type, 0, w_->token_types.out_features() - 1));
    const auto* cache = static_cast<const TransformerCache*>(config.cache);
    if (cache != nullptr && !config.changes.empty())
      return invalid(
          "changes: cannot be combined with a cache; pass changes to create_cache instead");
    if (cache != nullptr && &cache->weights() != w_.get())
      return invalid("cache: belongs to another model");
    const double length = static_cast<double>(count) + (cache != nullptr ? cache->length() : 0);
    if (cache != nullptr && length > cache->max_length()) {
      return invalid("input_ids: {} tokens exceed the cache length, {}", length,
                     cache->max_length());
    }
    if (w_->max_positions > 0 && length > w_->max_positions) {
      return invalid("input_ids: {} tokens exceed the model's number of positions, {}", length,
                     w_->max_positions);
    }
    // Memory for the hidden states and the activations of one layer.
    const double floats_per_token = 3.0 * w_->intermediate_size + 8.0 * w_->info.hidden_size +
                                    4.0 * w_->info.heads * w_->info.head_dim;
    const int tokens = static_cast<int>(count);
    return check_memory("input_ids",
                        4.0 * (cache != nullptr ? cache->count_computed_tokens(tokens) : tokens) *
                            floats_per_token);
  }

  Status run_layers(std::span<const int> ids, const RunConfig& config,
                    const RequestedHeads& requested_heads, ModelOutput& out, Tensor& x) const {
    PHASOR_TRY(check_text(ids, config));
    if (config.cache != nullptr)
      return static_cast<TransformerCache*>(config.cache)
          ->run(ids, config, requested_heads, out, x);
    PHASOR_TRY_ASSIGN(const ChangePlan plan,
                      plan_changes(*w_, config.changes, {.tokens = static_cast<int>(ids.size())},
                                   config.threads));
    return forward(*w_, ids, config, plan, requested_heads, nullptr, out, x);
  }

  /// Adds the tokens of a run to its cache. This is the last step of a run, so a failed run adds
  /// none.
  static void commit(std::span<const int> ids, const RunConfig& config) {
    if (config.cache != nullptr) static_cast<TransformerCache*>(config.cache)->commit(ids, config);
  }

  std::unique_ptr<const Weights> w_;
};

}  // namespace

std::unique_ptr<Model> create_model(std::unique_ptr<const Weights> weights) {
  return std::make_unique<TransformerModel>(std::move(weights));
}

}  // namespace phasor::model
