#include "attention/streaming/sink_queries.h"

#include "core/format_error.h"

namespace phasor {

double SinkQueries::bytes(const AttentionParams& job, const Tensor& q) {
  if (!job.uses_cache_positions()) return 0;
  return (sizeof(double) + 1) * static_cast<double>(job.queries.count()) +
         (job.encoding->as_query_key() != nullptr ? bytes_of(q.shape) : 0);
}

Status SinkQueries::start(const AttentionParams& job, const Tensor& q) {
  if (!job.uses_cache_positions() || job.encoding->injection() == Injection::none) return {};
  PHASOR_TRY(check_memory("q", bytes(job, q)));
  const double last_position = static_cast<double>(job.options->sink_tokens) + job.window - 1;
  bool needs_sink_queries = false;
  for (int i = 0; i < job.queries.count(); ++i) {
    uses_sink_position_.push_back(job.queries[i] > last_position ? 1 : 0);
    needs_sink_queries = needs_sink_queries || job.queries[i] > last_position;
  }
  if (!needs_sink_queries) return {};
  positions_.assign(uses_sink_position_.size(), last_position);
  while (keys_ < job.keys.count() && job.keys[keys_] < job.options->sink_tokens) ++keys_;
  if (job.encoding->as_query_key() == nullptr) return {};
  q_ = q;
  return apply_position(job, Role::query, positions_, q_);
}

}  // namespace phasor
