#include "phasor/cache.h"

#include <cmath>

#include "attention/cache/attend_cached.h"
#include "attention/cache/cached_segments.h"
#include "attention/cache/cached_tokens.h"
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
    if (const auto* transform = encoding_->as_query_key())
      key_dim = transform->transformed_dim(config_.head_dim);
    stores_.reserve(static_cast<std::size_t>(config_.kv_heads));
    for (int h = 0; h < config_.kv_heads; ++h) {
      stores_.emplace_back(key_dim, config_.v_head_dim, encoding_->as_content_bias() != nullptr,
                           needs_full_rows(*encoding_));
    }
  }

  int length() const override { return static_cast<int>(positions_.size()); }

  double bytes() const override {
    double sum = kBytesOfToken * length() + products_.bytes() + tokens_.bytes();
    for (const HeadCache& store : stores_) sum += store.bytes() + sizeof(HeadCache);
    return sum;
  }

  Result<AttentionResult> decode(Tensor q, Tensor k, const Tensor& v,
                                 const DecodeConfig& config) override {
    return Result<AttentionResult>::from(
        [&](AttentionResult& out) { return append(q, k, v, config, out); });
  }

  Status truncate(int length) override {
    PHASOR_TRY(check_range("length", length, 0, this->length()));
    for (HeadCache& store : stores_) store.truncate(length);
    products_.truncate(length);
    erase_tail(positions_, length);
    largest_keys_.truncate(length);
    largest_values_.truncate(length);
    if (!key_mask_.empty()) erase_tail(key_mask_, length);
    segments_.truncate(length);
    tokens_.truncate(length);
    return {};
  }

  Result<std::unique_ptr<KeyValueCache>> fork() const override {
    return Result<std::unique_ptr<KeyValueCache>>::from([&](std::unique_ptr<KeyValueCache>& out) {
      PHASOR_TRY(check_bytes("cache", "its copy needs", bytes()));
      out = std::make_unique<Cache>(*this);
      return Status{};
    });
  }

 private:
  // position, largest magnitudes, segment and mask
  static constexpr double kBytesOfToken = 3 * sizeof(double) + sizeof(int) + 1;

  Status append(Tensor& q, Tensor& k, const Tensor& v, const DecodeConfig& config,
                AttentionResult& out) {
    PHASOR_TRY(check_data("v", v));
    PHASOR_TRY(check_attention_shapes(q, k, view(v), false));
    PHASOR_TRY(expect("q", "heads", q.shape[0], config_.heads));
    PHASOR_TRY(expect("k", "heads", k.shape[0], config_.kv_heads));
    PHASOR_TRY(expect("q", "channels", q.shape[2], config_.head_dim));
    PHASOR_TRY(expect("v", "channels", v.shape[2], config_.v_head_dim));
    const int before = length(), added = k.shape[1];
    PHASOR_TRY(expect("q", "tokens", q.shape[1], added));
    if (added > config_.max_length - before) {
      return invalid("k: {} more tokens make {}, but {} is {}", aside(added),
                     static_cast<double>(before) + added, argument("max_length"),
                     config_.max_length);
    }
    if (!config.key_mask.empty() && config.key_mask.size() != static_cast<std::size_t>(added)) {
      return invalid("{}: it has {} entries, but k has {} new tokens", argument("key_mask"),
                     config.key_mask.size(), added);
    }
    PHASOR_TRY(check_token_tensors(*encoding_, config.token_tensors,
                                   {.heads = config_.heads,
                                    .kv_heads = config_.kv_heads,
                                    .tokens = added,
                                    .head_dim = config_.head_dim}));
    if (config.outputs.pooled_weights)
      return invalid("outputs: {} are a result of attention, not of decode",
                     argument("pooled_weights"));
    PHASOR_TRY(check_outputs(config.outputs, config_.options));
    PHASOR_TRY(check_range("head", config.outputs.head.value_or(0), 0, config_.heads - 1));
    PHASOR_TRY(check_memory("k", 2 * kBytesOfToken * (static_cast<double>(before) + added)));
    const std::vector<int> square = {config.outputs.head ? 1 : config_.heads, added,
                                     before + added};
    std::vector<int> segments;
    PHASOR_TRY(
        segments_.with(config.segment_ids, before, added, *encoding_, config_.options, segments));
    std::vector<double> all = positions_with(positions_, added, segments);
    const Positions keys(all), queries = keys.part(before, added);
    PHASOR_TRY(encoding_->check_positions(queries));
    PHASOR_TRY(encoding_->check_distances(queries, keys));
    std::vector<std::uint8_t> mask;
    if (!key_mask_.empty() || !config.key_mask.empty()) {
      mask = std::vector<std::uint8_t>(all.size(), 1);
      std::copy(key_mask_.begin(), key_mask_.end(), mask.begin());
      std::copy(config.key_mask.begin(), config.key_mask.end(), mask.end() - added);
    }

    TokenTensors tokens;
    PHASOR_TRY(tokens_.with(config.token_tensors, before, tokens));
    AttentionParams job{.encoding = encoding_.get(),
                        .queries = queries,
                        .keys = keys,
                        .mask = Mask::causal,
                        .window = config_.window.value_or(0),
                        .key_mask = mask.empty() ? nullptr : &mask,
                        .query_segments = std::span(segments).last(
                            segments.empty() ? 0 : static_cast<std::size_t>(added)),
                        .key_segments = segments,
                        .scale = scale_,
                        .outputs = config.outputs,
                        .output_layout = config_.output_layout,
                        .tokens = &tokens,
                        .first_token = before,
                        .options = &config_.options,
                        .kernels = &kernels_of(config_.options)};
    apply_encoding_window(*encoding_, job);
    std::optional<Decay> decay;
    PHASOR_TRY(sum_gates(job, decay));
    SinkQueries far;
    PHASOR_TRY(far.start(job, q));
    job.far = &far;
    PHASOR_TRY(apply_position(job, q, k));
    const std::vector<double> new_keys = largest_keys_.of(k), new_values = largest_values_.of(v);
    job.use_float64 = needs_float64(job.scale, q, static_cast<float>(new_keys.back()),
                                    static_cast<float>(new_values.back()), keys.count());
    job.group = heads_together(job, config_.heads, config_.kv_heads);
    PHASOR_TRY(check_step(job, added, numel(square)));
    PHASOR_TRY(allocate(job, {config_.heads, added, config_.v_head_dim}, square, out));
    allocate_softmax(job, config_.heads, out);
    for (int h = 0; h < config_.kv_heads; ++h) {
      stores_[static_cast<std::size_t>(h)].append(matrix(std::as_const(k), h), matrix(v, h));
    }
    products_.append(k, queries, tokens);
    if (Status status = attend_cached(q, job, stores_, products_, out); !status.ok()) {
      for (HeadCache& store : stores_) store.truncate(before);
      products_.truncate(before);
      return status;
    }
    positions_ = std::move(all);
    key_mask_ = std::move(mask);
    segments_.keep(std::move(segments));
    tokens_.keep(std::move(tokens));
    largest_keys_.keep(new_keys);
    largest_values_.keep(new_values);
    return {};
  }

  static Status expect(const char* name, const char* what, int got, int expected) {
    if (got == expected) return {};
    return invalid("{}: it has {} {}; this cache needs {}", name, got, what, expected);
  }

  // A failed allocation would end the program. requested: numbers of each array
  Status check_step(const AttentionParams& job, int added, std::size_t requested) const {
    const int arrays = job.outputs.weights + job.outputs.scores + job.outputs.bias,
              keys = job.keys.count();
    double bytes =
        sizeof(float) * (static_cast<double>(config_.heads) * added * config_.v_head_dim +
                         arrays * static_cast<double>(requested));
    for (const HeadCache& store : stores_) bytes += store.growth(added);
    if (const CustomDotProduct* products = encoding_->as_custom_dot_product())
      bytes += 2 * config_.kv_heads * products->product_bytes(added, keys, config_.head_dim, false);
    bytes += stored_pass_bytes(job, config_.heads, stores_);
    return check_bytes("k", format_error("{} more tokens need", added), bytes);
  }

  static Status check_bytes(const char* name, std::string_view what, double bytes) {
    if (can_allocate(bytes)) return {};
    return make_error(StatusCode::resource_exhausted,
                      "{}: {} {} MiB, which are not left in this memory", name, aside(what),
                      std::ceil(bytes / 1048576));
  }

  CacheConfig config_;
  std::shared_ptr<const Encoding> encoding_;
  double scale_;
  std::vector<HeadCache> stores_;  // of each kv head
  CachedDotProducts products_;
  std::vector<double> positions_;
  std::vector<std::uint8_t> key_mask_;  // empty until a key is hidden
  CachedSegments segments_;
  CachedTokenTensors tokens_;
  RunningMaxAbs largest_keys_, largest_values_;
};

// `live` is an existing encoding, or nullptr.
Status make(const CacheConfig& config, std::shared_ptr<const Encoding> live,
            std::unique_ptr<KeyValueCache>& out) {
  CacheConfig complete = config;
  if (complete.v_head_dim == 0) complete.v_head_dim = config.head_dim;
  if (complete.kv_heads == 0) complete.kv_heads = config.heads;
  const EncodingDims geometry{.length = config.max_length,
                              .dim = config.head_dim,
                              .heads = config.heads,
                              .axes = 1,
                              .v_head_dim = complete.v_head_dim,
                              .kv_heads = complete.kv_heads,
                              .scale = config.scale};
  PHASOR_TRY(check_head_sizes(geometry, "head_dim"));
  PHASOR_TRY(check_extent(argument("max_length"), config.max_length));
  PHASOR_TRY(check_range("window", config.window.value_or(1), 1, kMaxPosition));
  PHASOR_TRY(check_options(config.options, config.heads, complete.kv_heads, config.head_dim));
  if (live != nullptr) {
    PHASOR_TRY(check_encoding_dims(*live, config.encoding, geometry));
  } else {
    PHASOR_TRY(check_attention_encoding(config.encoding));
    std::unique_ptr<Encoding> created;
    PHASOR_TRY(renamed(create_encoding(config.encoding, geometry).move_to(created), "dim",
                       to_caller_case(argument("head_dim"))));
    live = std::move(created);
    complete.encoding = {};  // it owns arrays
  }
  PHASOR_TRY(check_sink_tokens(config.options, config.window, Mask::causal, *live, 1));
  PHASOR_TRY(check_order_of_norm(config.options, *live, config.head_dim));
  double scale = 0;
  PHASOR_TRY(resolve_scale(*live, config.scale, config.head_dim, scale));
  PHASOR_TRY(check_memory("kv_heads", sizeof(HeadCache) * static_cast<double>(complete.kv_heads)));
  out = std::make_unique<Cache>(std::move(complete), std::move(live), scale);
  return {};
}

}  // namespace

Result<std::unique_ptr<KeyValueCache>> KeyValueCache::create(const CacheConfig& config) {
  return create(config, nullptr);
}

Result<std::unique_ptr<KeyValueCache>> KeyValueCache::create(
    const CacheConfig& config, std::shared_ptr<const Encoding> encoding) {
  return Result<std::unique_ptr<KeyValueCache>>::from(
      [&](std::unique_ptr<KeyValueCache>& out) { return make(config, std::move(encoding), out); });
}

Result<Tensor> KeyValueCache::decode(Tensor q, Tensor k, const Tensor& v) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY_ASSIGN(AttentionResult result, decode(std::move(q), std::move(k), v, {}));
    out = std::move(result.output);
    return {};
  });
}

}  // namespace phasor
