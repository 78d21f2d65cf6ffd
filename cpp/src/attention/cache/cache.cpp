#include "phasor/cache.h"

#include <cmath>

#include "attention/cache/attend_cached.h"
#include "attention/cache/cached_segments.h"
#include "attention/cache/cached_tokens.h"
#include "attention/cache/check_step.h"
#include "attention/cache/head_cache.h"
#include "attention/streaming/score_ops.h"
#include "attention/streaming/scores_float64.h"
#include "attention/streaming/sink_queries.h"
#include "attention/validate/attention_options.h"
#include "attention/validate/call.h"
#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

class Cache final : public KeyValueCache {
 public:
  Cache(CacheConfig config, std::shared_ptr<const Encoding> encoding, double scale)
      : config_(std::move(config)),
        encoding_(std::move(encoding)),
        scale_(scale),
        products_(*encoding_, config_.kv_heads, config_.head_dim) {
    int key_dim = config_.head_dim;
    if (const auto* query_key = encoding_->as_query_key())
      key_dim = query_key->transformed_dim(config_.head_dim);
    head_caches_.reserve(static_cast<std::size_t>(config_.kv_heads));
    for (int h = 0; h < config_.kv_heads; ++h) {
      head_caches_.emplace_back(key_dim, config_.v_head_dim,
                                encoding_->as_content_bias() != nullptr,
                                needs_full_rows(*encoding_));
    }
  }

  int length() const override { return static_cast<int>(positions_.size()); }

  double bytes() const override {
    double sum = kBytesPerToken * length() + products_.bytes() + tokens_.bytes();
    for (const HeadCache& head : head_caches_) sum += head.bytes() + sizeof(HeadCache);
    return sum;
  }

  Result<AttentionResult> decode(Tensor q, Tensor k, const Tensor& v,
                                 const DecodeConfig& config) override {
    return Result<AttentionResult>::from(
        [&](AttentionResult& out) { return append(q, k, v, config, out); });
  }

  Status truncate(int length) override {
    PHASOR_TRY(check_range("length", length, 0, this->length()));
    for (HeadCache& head : head_caches_) head.truncate(length);
    products_.truncate(length);
    erase_tail(positions_, length);
    max_abs_keys_.truncate(length);
    max_abs_values_.truncate(length);
    if (!key_mask_.empty()) erase_tail(key_mask_, length);
    segments_.truncate(length);
    tokens_.truncate(length);
    return {};
  }

  Result<std::unique_ptr<KeyValueCache>> fork() const override {
    return Result<std::unique_ptr<KeyValueCache>>::from([&](std::unique_ptr<KeyValueCache>& out) {
      PHASOR_TRY(check_bytes("cache", "a copy needs", bytes()));
      out = std::make_unique<Cache>(*this);
      return Status{};
    });
  }

 private:
  // Bytes per token: position, largest magnitudes of keys and values, segment id, mask value.
  static constexpr double kBytesPerToken = 3 * sizeof(double) + sizeof(int) + 1;

  // The inputs of a step for cached and new tokens, except q, k and v.
  struct StepInputs {
    int cached_tokens = 0, new_tokens = 0;
    std::vector<int> segments{};
    std::vector<double> positions{};
    std::vector<std::uint8_t> key_mask{};
    TokenTensors tokens{};
    std::vector<double> max_abs_keys{}, max_abs_values{};
  };

  Status append(Tensor& q, Tensor& k, const Tensor& v, const DecodeConfig& config,
                AttentionResult& out) {
    StepInputs step{.cached_tokens = length()};
    PHASOR_TRY(check_step(config_, *encoding_, step.cached_tokens, q, k, v, config));
    step.new_tokens = k.shape[1];
    // Doubled: a step copies the cached arrays before it replaces them.
    PHASOR_TRY(check_memory(
        "k", 2 * kBytesPerToken * (static_cast<double>(step.cached_tokens) + step.new_tokens)));
    PHASOR_TRY(join(config, step));
    const Positions keys(step.positions), queries = keys.part(step.cached_tokens, step.new_tokens);
    PHASOR_TRY(encoding_->check_positions(queries));
    PHASOR_TRY(encoding_->check_distances(queries, keys));
    AttentionParams params = make_params(step, queries, keys, config.outputs);
    std::optional<Decay> decay;
    PHASOR_TRY(sum_gates(params, decay));
    SinkQueries sink_queries;
    PHASOR_TRY(sink_queries.prepare(params, q));
    params.sink_queries = &sink_queries;
    PHASOR_TRY(apply_position(params, q, k));
    step.max_abs_keys = max_abs_keys_.compute_maxima(k);
    step.max_abs_values = max_abs_values_.compute_maxima(v);
    params.use_float64 =
        needs_float64(params.scale, q, static_cast<float>(step.max_abs_keys.back()),
                      static_cast<float>(step.max_abs_values.back()), keys.count());
    params.group_size = heads_per_pass(params, config_.heads, config_.kv_heads);
    PHASOR_TRY(allocate_step(params, step, out));
    for (int h = 0; h < config_.kv_heads; ++h) {
      head_caches_[static_cast<std::size_t>(h)].append(matrix(std::as_const(k), h), matrix(v, h));
    }
    products_.append(k, queries, step.tokens);
    if (Status status = attend_cached(q, params, head_caches_, products_, out); !status.ok()) {
      for (HeadCache& head : head_caches_) head.truncate(step.cached_tokens);
      products_.truncate(step.cached_tokens);
      return status;
    }
    store_step(std::move(step));
    return {};
  }

  // Concatenates cached and new inputs into `step`.
  Status join(const DecodeConfig& config, StepInputs& step) const {
    PHASOR_TRY(segments_.join(config.segment_ids, step.cached_tokens, step.new_tokens, *encoding_,
                              config_.options, step.segments));
    step.positions = join_positions(positions_, step.new_tokens, step.segments);
    if (!key_mask_.empty() || !config.key_mask.empty()) {
      step.key_mask.assign(step.positions.size(), 1);
      std::copy(key_mask_.begin(), key_mask_.end(), step.key_mask.begin());
      std::copy(config.key_mask.begin(), config.key_mask.end(),
                step.key_mask.end() - step.new_tokens);
    }
    return tokens_.join(config.token_tensors, step.cached_tokens, step.tokens);
  }

  AttentionParams make_params(const StepInputs& step, const Positions& queries,
                              const Positions& keys, const RequestedOutputs& outputs) const {
    AttentionParams params{
        .encoding = encoding_.get(),
        .queries = queries,
        .keys = keys,
        .mask = Mask::causal,
        .window = config_.window.value_or(0),
        .key_mask = step.key_mask.empty() ? nullptr : &step.key_mask,
        .query_segments =
            std::span(step.segments)
                .last(step.segments.empty() ? 0 : static_cast<std::size_t>(step.new_tokens)),
        .key_segments = step.segments,
        .scale = scale_,
        .outputs = outputs,
        .output_layout = config_.output_layout,
        .tokens = &step.tokens,
        .first_token = step.cached_tokens,
        .options = &config_.options,
        .kernels = &select_kernels(config_.options)};
    apply_encoding_window(*encoding_, params);
    return params;
  }

  Status allocate_step(const AttentionParams& params, const StepInputs& step,
                       AttentionResult& out) const {
    const std::vector<int> scores_shape = {params.outputs.head ? 1 : config_.heads, step.new_tokens,
                                           params.keys.count()};
    PHASOR_TRY(check_step_memory(params, step.new_tokens, numel(scores_shape)));
    PHASOR_TRY(
        allocate(params, {config_.heads, step.new_tokens, config_.v_head_dim}, scores_shape, out));
    allocate_softmax(params, config_.heads, out);
    return {};
  }

  void store_step(StepInputs&& step) {
    positions_ = std::move(step.positions);
    key_mask_ = std::move(step.key_mask);
    segments_.store(std::move(step.segments));
    tokens_.store(std::move(step.tokens));
    max_abs_keys_.store(step.max_abs_keys);
    max_abs_values_.store(step.max_abs_values);
  }

  // Checked in advance, because a failed allocation would end the program and lose the cache.
  Status check_step_memory(const AttentionParams& params, int new_tokens,
                           std::size_t scores_numel) const {
    const int array_count = params.outputs.weights + params.outputs.scores + params.outputs.bias;
    double bytes =
        sizeof(float) * (static_cast<double>(config_.heads) * new_tokens * config_.v_head_dim +
                         array_count * static_cast<double>(scores_numel));
    for (const HeadCache& head : head_caches_) bytes += head.growth_bytes(new_tokens);
    bytes += CachedDotProducts::growth_bytes(*encoding_, config_.kv_heads, new_tokens,
                                             params.keys.count(), config_.head_dim);
    bytes += cache_pass_bytes(params, config_.heads, head_caches_);
    return check_bytes("k", format_error("{} more tokens need", new_tokens), bytes);
  }

  static Status check_bytes(const char* name, std::string_view what, double bytes) {
    if (can_allocate(bytes)) return {};
    return make_error(StatusCode::resource_exhausted, "{}: {} {} MiB, more than is available", name,
                      detail(what), std::ceil(bytes / 1048576));
  }

  CacheConfig config_;
  std::shared_ptr<const Encoding> encoding_;
  double scale_;
  std::vector<HeadCache> head_caches_;  // per kv head
  CachedDotProducts products_;
  std::vector<double> positions_;
  std::vector<std::uint8_t> key_mask_;  // empty if no key is hidden
  CachedSegments segments_;
  CachedTokenTensors tokens_;
  RunningMaxAbs max_abs_keys_, max_abs_values_;
};

Status create_cache(const CacheConfig& config, std::shared_ptr<const Encoding> encoding,
                    std::unique_ptr<KeyValueCache>& out) {
  CacheConfig resolved_config = config;
  if (resolved_config.v_head_dim == 0) resolved_config.v_head_dim = config.head_dim;
  if (resolved_config.kv_heads == 0) resolved_config.kv_heads = config.heads;
  const EncodingDims dims{.length = config.max_length,
                          .dim = config.head_dim,
                          .heads = config.heads,
                          .axes = 1,
                          .v_head_dim = resolved_config.v_head_dim,
                          .kv_heads = resolved_config.kv_heads,
                          .scale = config.scale};
  PHASOR_TRY(check_head_sizes(dims, "head_dim"));
  PHASOR_TRY(check_extent(argument("max_length"), config.max_length));
  PHASOR_TRY(check_range("window", config.window.value_or(1), 1, kMaxPosition));
  PHASOR_TRY(
      check_options(config.options, config.heads, resolved_config.kv_heads, config.head_dim));
  if (encoding != nullptr) {
    PHASOR_TRY(check_encoding_dims(*encoding, config.encoding, dims));
  } else {
    PHASOR_TRY(check_attention_encoding(config.encoding));
    std::unique_ptr<Encoding> new_encoding;
    PHASOR_TRY(rename_argument(create_encoding(config.encoding, dims).move_to(new_encoding), "dim",
                               spell_argument(argument("head_dim"))));
    encoding = std::move(new_encoding);
    resolved_config.encoding = {};  // frees arrays that the encoding has copied
  }
  PHASOR_TRY(check_sink_tokens(config.options, config.window, Mask::causal, *encoding, 1));
  PHASOR_TRY(check_norm_order(config.options, *encoding, config.head_dim));
  double scale = 0;
  PHASOR_TRY(resolve_scale(*encoding, config.scale, config.head_dim, scale));
  PHASOR_TRY(
      check_memory("kv_heads", sizeof(HeadCache) * static_cast<double>(resolved_config.kv_heads)));
  out = std::make_unique<Cache>(std::move(resolved_config), std::move(encoding), scale);
  return {};
}

}  // namespace

Result<std::unique_ptr<KeyValueCache>> KeyValueCache::create(const CacheConfig& config) {
  return create(config, nullptr);
}

Result<std::unique_ptr<KeyValueCache>> KeyValueCache::create(
    const CacheConfig& config, std::shared_ptr<const Encoding> encoding) {
  return Result<std::unique_ptr<KeyValueCache>>::from([&](std::unique_ptr<KeyValueCache>& out) {
    return create_cache(config, std::move(encoding), out);
  });
}

Result<Tensor> KeyValueCache::decode(Tensor q, Tensor k, const Tensor& v) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY_ASSIGN(AttentionResult result, decode(std::move(q), std::move(k), v, {}));
    out = std::move(result.output);
    return {};
  });
}

}  // namespace phasor
