#include "attention/pass/far_queries.h"

#include <algorithm>

namespace phasor {

double FarQueries::bytes(const AttendJob& job, const Tensor& q) {
  if (!job.numbers_cache()) return 0;
  return (sizeof(double) + 1) * static_cast<double>(job.queries.count()) +
         (job.encoding->as_query_key() != nullptr ? bytes_of(q.shape) : 0);
}

Status FarQueries::start(const AttendJob& job, const Tensor& q) {
  if (!job.numbers_cache()) return {};
  const double last = static_cast<double>(job.options->sink_tokens) + job.window - 1;
  bool any = false;
  for (int i = 0; i < job.queries.count(); ++i) {
    places_.push_back(std::min(job.queries[i], last));
    is_far_.push_back(job.queries[i] > last ? 1 : 0);
    any = any || job.queries[i] > last;
  }
  if (!any || job.encoding->injection() == Injection::none) return {};
  while (keys_ < job.keys.count() && job.keys[keys_] < job.options->sink_tokens) ++keys_;
  if (job.encoding->as_query_key() == nullptr) return {};
  q_ = q;
  return apply_position(job, Role::query, places_, q_);
}

int FarQueries::keys(int row, int rows, int first_key, int count) const {
  const int far = std::clamp(keys_ - first_key, 0, count);
  if (far == 0) return 0;
  const auto from = is_far_.begin() + row;
  return std::find(from, from + rows, 1) == from + rows ? 0 : far;
}

}  // namespace phasor
