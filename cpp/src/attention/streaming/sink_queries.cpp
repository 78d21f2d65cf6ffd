#include "attention/streaming/sink_queries.h"

#include "core/format_error.h"

namespace phasor {

double SinkQueries::bytes(const AttentionParams& params, const Tensor& q) {
  if (!params.uses_cache_positions()) return 0;
  return (sizeof(double) + 1) * static_cast<double>(params.queries.count()) +
         (params.encoding->as_query_key() != nullptr ? array_bytes(q.shape) : 0);
}

Status SinkQueries::prepare(const AttentionParams& params, const Tensor& q) {
  if (!params.uses_cache_positions() || params.encoding->injection() == Injection::none) return {};
  PHASOR_TRY(check_memory("q", bytes(params, q)));
  const double last_position = static_cast<double>(params.options->sink_tokens) + params.window - 1;
  bool needs_sink_queries = false;
  for (int i = 0; i < params.queries.count(); ++i) {
    uses_sink_position_.push_back(params.queries[i] > last_position ? 1 : 0);
    needs_sink_queries = needs_sink_queries || params.queries[i] > last_position;
  }
  if (!needs_sink_queries) return {};
  positions_.assign(uses_sink_position_.size(), last_position);
  while (sink_key_count_ < params.keys.count() &&
         params.keys[sink_key_count_] < params.options->sink_tokens)
    ++sink_key_count_;
  if (params.encoding->as_query_key() == nullptr) return {};
  q_ = q;
  return apply_position(params, Role::query, positions_, q_);
}

}  // namespace phasor
