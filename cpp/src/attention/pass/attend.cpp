#include "attention/pass/attend.h"

#include "attention/pass/decay.h"
#include "attention/pass/double_scores.h"
#include "attention/pass/head_products.h"
#include "attention/pass/key_blocks.h"
#include "attention/pass/working_bytes.h"
#include "core/finite.h"
#include "core/format_error.h"
#include "waves/rotate_tokens.h"

namespace phasor {

Status allocate(const AttendJob& job, const std::vector<int>& output,
                const std::vector<int>& square, AttentionResult& out) {
  out = {};
  const auto make = [](bool wanted, const char* name, const char* what,
                       const std::vector<int>& shape, Tensor& tensor) {
    if (!wanted) return Status{};
    PHASOR_TRY(check_size(name, what, shape));
    tensor = Tensor(shape);
    return Status{};
  };
  Status status = make(true, "v", "an output", output, out.output);
  if (status.ok()) status = make(job.want.weights, "want", "weights", square, out.weights);
  if (status.ok()) status = make(job.want.scores, "want", "scores", square, out.scores);
  if (status.ok()) status = make(job.want.bias, "want", "a bias", square, out.bias);
  const std::vector<int> map = MapPass::shape(job, output[0]);
  if (status.ok()) status = make(job.want.map, "want", "a map", map, out.map_mean);
  if (status.ok()) status = make(job.want.map, "want", "a map", map, out.map_max);
  if (status.ok()) {
    out.output.shape = returned_shape(std::move(out.output.shape), job.output_layout);
  } else {
    out = {};
  }
  return status;
}

void reserve_softmax(const AttendJob& job, int heads, AttentionResult& out) {
  if (!job.want.softmax) return;
  const std::size_t rows =
      static_cast<std::size_t>(heads) * static_cast<std::size_t>(job.queries.count());
  out.row_max.reserve(rows);
  out.row_sum.reserve(rows);
}

Status apply_position(const AttendJob& job, Tensor& q, Tensor& k) {
  if (const TokenTransform* transform = job.encoding->as_token_transform()) {
    PHASOR_TRY(check_room("q", rotation_bytes(q.shape[2])));
    transform->transform(Role::query, *job.tokens, job.first_token, q);
    transform->transform(Role::key, *job.tokens, job.keys.count() - k.shape[1], k);
  }
  const QueryKeyEncoding* transform = job.encoding->as_query_key();
  if (transform == nullptr || job.encoding->as_products() != nullptr) return {};
  PHASOR_TRY(check_room("q", rotation_bytes(q.shape[2])));
  transform->transform(Role::query, job.queries, q);
  transform->transform(Role::key, job.keys.part(job.keys.count() - k.shape[1], k.shape[1]), k);
  PHASOR_TRY(check_result("q", q.data, "transformed by {}, it", job.encoding->id));
  return check_result("k", k.data, "transformed by {}, it", job.encoding->id);
}

Status sum_gates(AttendJob& job, std::optional<Decay>& decay) {
  const Tensor* gates = log_gates_of(job);
  if (gates == nullptr) return {};
  PHASOR_TRY(check_room("log_gates", Decay::bytes(*gates)));
  job.decay = &decay.emplace(*gates, job.encoding->gate_factor(job.scale));
  return {};
}

Status check_added(const AttendJob& job, const AttentionResult& result) {
  PHASOR_TRY(
      check_result("encoding", result.bias.data, "what {} adds to the scores", job.encoding->id));
  return check_result("encoding", result.output.data, "what {} adds to the values",
                      job.encoding->id);
}

Status attend(Tensor& q, Tensor& k, const Tensor& v, const AttendJob& given, AttentionResult& out) {
  AttendJob job = given;
  const int heads = q.shape[0], queries = q.shape[1], kv_heads = k.shape[0], keys = k.shape[1];
  PHASOR_TRY(
      allocate(job, {heads, queries, v.shape[2]}, {job.want.head ? 1 : heads, queries, keys}, out));
  PHASOR_TRY(apply_position(job, q, k));
  job.in_double = needs_double(job.scale, q, max_abs(k.data), max_abs(v.data), keys);
  PHASOR_TRY(check_room("q", pass_bytes(job, k.shape[2], v.shape[2]) + softmax_bytes(job, heads)));
  reserve_softmax(job, heads, out);
  std::optional<Decay> decay;
  PHASOR_TRY(sum_gates(job, decay));
  const Tiling cut = tiling(job);
  KeyBlocks blocks(cut.block, k.shape[2], v.shape[2]);
  HeadPass pass(job, cut);
  HeadProducts products(job, k.shape[2], false);
  PHASOR_TRY(products.check_room(queries, keys));
  for (int head = 0; head < heads; ++head) {
    if (!job.output && !job.shows(head)) continue;
    // neighbouring query heads share keys and values
    const int kv_head = head / (heads / kv_heads);
    pass.use(products.of_head(kv_head, k));
    pass.start(head, matrix(std::as_const(q), head), head_rows(out.output, head, heads), out);
    for (int first = 0; first < keys; first += cut.block) {
      pass.block(blocks.pack(matrix(std::as_const(k), kv_head), matrix(v, kv_head), first,
                             std::min(cut.block, keys - first)));
    }
    PHASOR_TRY(pass.finish());
  }
  if (!job.output) {
    out.output.shape.clear();
    out.output.data.clear();
  }
  return check_added(job, out);
}

}  // namespace phasor
