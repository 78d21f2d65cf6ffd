#include "model/run/model_cache.h"

namespace phasor::model {

Result<std::unique_ptr<TransformerCache>> TransformerCache::create(
    const Weights& w, int max_length, std::span<const PositionChange> changes, int threads) {
  return Result<std::unique_ptr<TransformerCache>>::from(
      [&](std::unique_ptr<TransformerCache>& out) -> Status {
        out = std::make_unique<TransformerCache>();
        out->weights_ = &w;
        out->max_length_ = max_length;
        out->threads_ = threads;
        out->changes_.assign(changes.begin(), changes.end());
        return out->create_keys(1, out->keys_);
      });
}

Status TransformerCache::create_keys(int tokens, PlannedKeys& out) const {
  const ModelInfo& info = weights_->info;
  PHASOR_TRY(
      plan_changes(*weights_, changes_, {.tokens = tokens, .max_tokens = max_length_}, threads_)
          .move_to(out.plan));
  for (const LayerPlan& layer : out.plan.layers) {
    GroupCaches& caches = out.caches.layers.emplace_back();
    for (const HeadGroup& group : layer.groups) {
      const AttentionConfig& a = group.attention;
      const CacheConfig config{
          .heads = group.head_count(info),
          .kv_heads = group.heads.empty() ? info.kv_heads : static_cast<int>(group.kv_heads.size()),
          .head_dim = info.head_dim,
          .max_length = max_length_,
          .encoding = group.encoding != nullptr ? EncodingConfig() : a.encoding,
          .window = a.window,
          .scale = a.scale,
          .output_layout = a.output_layout,
          .options = a.options};
      PHASOR_TRY((group.encoding != nullptr ? KeyValueCache::create(config, group.encoding)
                                            : KeyValueCache::create(config))
                     .move_to(caches.emplace_back()));
    }
  }
  return {};
}

int TransformerCache::count_computed_tokens(int count) const {
  return length() + count > keys_.plan.max_tokens ? length() + count : count;
}

Status TransformerCache::run(std::span<const int> ids, const RunConfig& config,
                             const RequestedHeads& requested_heads, ModelOutput& out, Tensor& x) {
  const int past_length = length(), tokens = past_length + static_cast<int>(ids.size());
  recomputed_keys_.reset();
  if (tokens > keys_.plan.max_tokens) {
    recomputed_keys_ = std::make_unique<PlannedKeys>();
    PHASOR_TRY(create_keys(tokens, *recomputed_keys_));
    const RunConfig past_config{.attention_mask = attention_mask_, .threads = config.threads};
    ModelOutput unused_output;
    if (past_length > 0)
      PHASOR_TRY(forward(*weights_, ids_, past_config, recomputed_keys_->plan, {},
                         &recomputed_keys_->caches, unused_output, x));
    recomputed_keys_->caches.length = past_length;
  }
  PlannedKeys& keys = recomputed_keys_ ? *recomputed_keys_ : keys_;
  // Removes tokens that a failed run may have appended to the caches of some layers.
  for (const GroupCaches& layer : keys.caches.layers)
    for (const std::unique_ptr<KeyValueCache>& group : layer)
      PHASOR_TRY(group->truncate(past_length));
  return forward(*weights_, ids, config, keys.plan, requested_heads, &keys.caches, out, x);
}

void TransformerCache::commit(std::span<const int> ids, const RunConfig& config) {
  const std::size_t tokens = ids_.size() + ids.size();
  ids_.reserve(tokens);
  if (!attention_mask_.empty() || !config.attention_mask.empty()) {
    const std::vector<std::uint8_t>& new_mask = config.attention_mask;
    attention_mask_.reserve(tokens);
    attention_mask_.resize(ids_.size(), 1);
    attention_mask_.insert(attention_mask_.end(), new_mask.begin(), new_mask.end());
    attention_mask_.resize(tokens, 1);
  }
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  if (recomputed_keys_) keys_ = std::move(*recomputed_keys_);
  recomputed_keys_.reset();
  keys_.caches.length = length();
}

}  // namespace phasor::model
