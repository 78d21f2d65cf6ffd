// The backward pass of attention. With P the weights, O the output and dO what the loss asks of it
// (Dao et al. 2022, algorithm 4):
//   dV = P^T dO,   dP = dO V^T,   dS = P * (dP - rowsum(dO * O)),   dQ = scale dS K,   dK = scale
//   dS^T Q,
// and what the encoding adds to dS and dP. A head goes forward once for its row sums, unless the
// forward pass has answered them; then scores are computed again tile by tile.

#include "attention/pass/double_scores.h"
#include "attention/pass/far_queries.h"
#include "attention/pass/key_blocks.h"
#include "attention/pass/parameter_gradients.h"
#include "attention/pass/working_bytes.h"
#include "core/finite.h"
#include "core/format_error.h"
#include "kernels/gemm.h"
#include "kernels/rows.h"
#include "waves/rotate_tokens.h"

namespace phasor {

namespace {

using kernels::Transpose;

// What has no weight asks for nothing, even where the encoding's own vectors are so large that 0
// would meet infinity.
void forget_unweighted(const ConstMatrixRef& weights, const MatrixRef& d_scores) {
  for (int r = 0; r < weights.rows; ++r) {
    for (int c = 0; c < weights.columns; ++c) {
      if (weights.row(r)[c] == 0) d_scores.row(r)[c] = 0;
    }
  }
}

// A sink has no value, so that dP of it is 0: dS = -P rowsum(dO * O). d_output, output (queries,
// value width)
float sink_gradient(const HeadPass& pass, const ConstMatrixRef& d_output,
                    const ConstMatrixRef& output) {
  double sum = 0;
  for (int r = 0; r < output.rows; ++r) {
    const double weight = pass.sink_weight(r);
    if (weight > 0)
      sum -= weight * kernels::double_dot(d_output.row(r), output.row(r), output.columns);
  }
  return static_cast<float>(sum);
}

double bytes_of_gradients(const Encoding& encoding) {
  double bytes = 0;
  for (const Parameter* parameter : encoding.parameters())
    bytes += parameter->grad.empty() ? bytes_of(parameter->value.shape) : 0;
  return bytes;
}

class HeadGradient {
 public:
  HeadGradient(const AttendJob& job, Encoding& encoding, const Tiling& cut, bool in_double)
      : job_(job),
        encoding_(encoding),
        in_double_(in_double),
        tile_(static_cast<std::size_t>(cut.rows) * static_cast<std::size_t>(cut.keys)),
        products_(tile_),
        d_tile_(tile_),
        transposed_(tile_) {}

  struct Head {
    int head;
    ConstMatrixRef q, k, v, output, d_output;
    MatrixRef d_q, d_k, d_v;
    ConstMatrixRef far_q;  // as the sink tokens meet them
    MatrixRef d_far_q;
  };

  /// The tiles of one block of keys. `pass` has been through the head.
  void block(const Head& h, HeadPass& pass, const KeyBlock& keys) {
    const int count = keys.keys.columns;
    // (count, width)
    const kernels::Panels key_rows = keys_.pack(Transpose::no, keys.key_rows);
    // (value width, count)
    const kernels::Panels values = values_.pack(Transpose::yes, rows_of(h.v, keys.first, count));
    pass.each_tile(keys.first, count, [&](int row, int rows, int key, int columns) {
      const int from = key - keys.first;
      tile(h, pass,
           {key, keys.keys.columns_from(from, columns), {}, rows_of(keys.key_rows, from, columns)},
           key_rows.rows_from(from, columns), values.columns_from(from, columns), row, rows);
    });
  }

 private:
  // keys: those of the tile; key_rows (columns, width) and values (value width, columns): the same,
  // packed the other way
  void tile(const Head& h, HeadPass& pass, const KeyBlock& keys, const kernels::Panels& key_rows,
            const kernels::Panels& values, int row, int rows) {
    const int columns = keys.keys.columns;
    const auto part = [&](std::vector<float>& data) {
      return MatrixRef{data.data(), rows, columns, columns};
    };
    const MatrixRef weights = part(tile_), products = part(products_), d_scores = part(d_tile_);
    const ConstMatrixRef d_output = rows_of(h.d_output, row, rows);
    const ContentTile content = pass.content(row, rows, keys.first, keys.key_rows);

    // A place that is free until the weights are transposed.
    const float size = static_cast<float>(job_.softcap());
    const MatrixRef capped = size != 0 ? part(transposed_) : MatrixRef{};
    pass.score(content, keys.keys, row, keys.first,
               {.scores = weights, .products = products, .capped = capped});
    pass.weights(row, keys.first, weights);

    if (in_double_) {
      kernels::fill(d_scores.data, 0, rows * columns);
    } else {
      kernels::active::product(d_output, values, 1, d_scores);  // dP
    }
    if (KeyValueEncoding* values_of = encoding_.as_value_bias()) {
      values_of->values_backward(h.head, content.queries, content.keys, weights, d_output,
                                 d_scores);
      forget_unweighted(weights, d_scores);
    }
    if (in_double_) {
      double_slopes(weights, d_output, values, rows_of(h.output, row, rows), d_scores);
    } else {
      for (int r = 0; r < rows; ++r) {
        const float mean = kernels::dot(d_output.row(r), h.output.row(row + r), d_output.columns);
        kernels::add_constant(d_scores.row(r), -mean, columns);
        kernels::multiply_rows(d_scores.row(r), weights.row(r), columns);
      }
    }
    const auto uncap = [&](bool now) {
      for (int r = 0; now && size != 0 && r < rows; ++r)
        kernels::multiply_softcap_slopes(d_scores.row(r), capped.row(r), columns, size);
    };
    uncap(job_.caps_bias());
    const int far = pass.far_keys(row, rows, keys.first, columns), near = columns - far;
    if (ScoreEncoding* bias = encoding_.as_score_bias()) {
      if (far > 0)
        bias->bias_backward(h.head, job_.far->places().part(row, rows), content.keys.part(0, far),
                            kernels::columns_of(d_scores, 0, far));
      if (near > 0)
        bias->bias_backward(h.head, content.queries, content.keys.part(far, near),
                            kernels::columns_of(d_scores, far, near));
    }
    if (ContentBias* terms = encoding_.as_content_bias()) {
      terms->content_backward(content, products, d_scores, rows_of(h.d_q, row, rows),
                              rows_of(h.d_k, keys.first, columns));
    }
    uncap(!job_.caps_bias());

    const MatrixRef transposed{transposed_.data(), columns, rows, rows};
    kernels::transpose(weights, transposed);
    kernels::active::accumulate(transposed, d_outputs_.pack(Transpose::no, d_output),
                                rows_of(h.d_v, keys.first, columns));
    for (int r = 0; r < rows; ++r) scale(d_scores.row(r), columns);
    const auto back = [&](const ConstMatrixRef& slopes, const ConstMatrixRef& queries,
                          const MatrixRef& d_queries) {
      const MatrixRef turned{transposed_.data(), slopes.columns, rows, rows};
      kernels::accumulate_in_stretches(slopes, key_rows.rows_from(0, slopes.columns),
                                       rows_of(d_queries, row, rows));
      kernels::transpose(slopes, turned);
      kernels::active::accumulate(turned, queries_.pack(Transpose::no, rows_of(queries, row, rows)),
                                  rows_of(h.d_k, keys.first, slopes.columns));
    };
    if (far > 0) {
      const MatrixRef slopes = kernels::columns_of(d_scores, 0, far);
      back(slopes, h.far_q, h.d_far_q);
      for (int r = 0; r < rows; ++r) kernels::fill(slopes.row(r), 0, far);
    }
    back(d_scores, h.q, h.d_q);
  }

  // A scale that is no float32 is still a number: 0 times 1e300 is 0.
  void scale(float* row, int count) const {
    if (!job_.in_double) return kernels::multiply(row, static_cast<float>(job_.scale), count);
    for (int i = 0; i < count; ++i)
      row[i] = static_cast<float>(static_cast<double>(row[i]) * job_.scale);
  }

  const AttendJob& job_;
  Encoding& encoding_;
  bool in_double_;  // d_output . v
  std::vector<float> tile_, products_, d_tile_, transposed_;
  kernels::PackedMatrix keys_, values_, queries_, d_outputs_;
};

}  // namespace

Status attend_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                       const AttendJob& given, Encoding& encoding, const AttentionResult* forward,
                       AttentionGradients& out) {
  AttendJob job = given;
  const int heads = q.shape[0], queries = q.shape[1], kv_heads = k.shape[0], keys = k.shape[1],
            width = k.shape[2], value_width = v.shape[2];
  // The gradients, those of the encoding, and q and k as they are moved.
  const double moved = (job.qk_norm() != nullptr ? 3 : 2) * (bytes_of(q.shape) + bytes_of(k.shape));
  PHASOR_TRY(check_room("q", moved + bytes_of(v.shape) + bytes_of_gradients(encoding) +
                                 2 * FarQueries::bytes(job, q)));
  out = {.d_q = Tensor(q.shape),
         .d_k = Tensor(k.shape),
         .d_v = Tensor(v.shape),
         .parameters = {},
         .options = {}};
  if (job.has_sinks()) out.options.sinks = Tensor({heads});
  if (const QkNorm* norm = job.qk_norm()) {
    out.options.q_weight = Tensor(norm->q_weight.shape);
    out.options.k_weight = Tensor(norm->k_weight.shape);
  }
  for (Parameter* parameter : encoding.parameters()) parameter->gradient();
  FarQueries far;
  PHASOR_TRY(far.start(job, q));
  job.far = &far;
  Tensor d_far_q = far.moves() ? Tensor(q.shape) : Tensor();
  Tensor moved_q = q, moved_k = k;
  PHASOR_TRY(apply_position(job, moved_q, moved_k));
  job.in_double = needs_double(job.scale, moved_q, max_abs(moved_k.data), max_abs(v.data), keys);
  const std::vector<int> head_output = {queries, value_width};
  // then one gradient is there twice
  const bool joins = job.output_layout == OutputLayout::token_major;
  PHASOR_TRY(check_room(
      "q", pass_bytes(job, width, value_width) + gradient_pass_bytes(job, width, value_width) +
               bytes_of(head_output) + rotation_bytes(width) +
               (joins ? std::max({bytes_of(q.shape), bytes_of(k.shape), bytes_of(v.shape)}) : 0)));
  const Tiling cut = tiling(job);
  KeyBlocks blocks(cut.block, width, value_width);
  HeadPass pass(job, cut);
  HeadGradient gradient(job, encoding, cut, needs_double_slopes(d_output, v));
  Tensor output(head_output);
  AttentionResult nothing;
  const auto through = [&](int head) -> Status {
    const int kv_head = head / (heads / kv_heads);
    const ConstMatrixRef key_rows = matrix(std::as_const(moved_k), kv_head),
                         values = matrix(v, kv_head);
    const auto block = [&](int first) {
      return blocks.pack(key_rows, values, first, std::min(cut.block, keys - first));
    };
    if (forward != nullptr) {
      pass.restore(head, matrix(std::as_const(moved_q), head), *forward);
    } else {
      std::fill(output.data.begin(), output.data.end(), 0.0f);
      pass.start(head, matrix(std::as_const(moved_q), head), matrix(output), nothing);
      for (int first = 0; first < keys; first += cut.block) pass.block(block(first));
      PHASOR_TRY(pass.finish());
    }
    const HeadGradient::Head h{
        .head = head,
        .q = matrix(std::as_const(moved_q), head),
        .k = key_rows,
        .v = values,
        .output = forward != nullptr ? head_rows(forward->output, head, heads)
                                     : matrix(std::as_const(output)),
        .d_output = head_rows(d_output, head, heads),
        .d_q = matrix(out.d_q, head),
        .d_k = matrix(out.d_k, kv_head),
        .d_v = matrix(out.d_v, kv_head),
        .far_q = far.moves() ? far.q(head) : matrix(std::as_const(moved_q), head),
        .d_far_q = matrix(far.moves() ? d_far_q : out.d_q, head)};
    for (int first = 0; first < keys; first += cut.block) gradient.block(h, pass, block(first));
    if (forward != nullptr && !pass.is_as_restored())
      return invalid("forward: it is the answer to other arguments");
    if (job.has_sinks())
      out.options.sinks.data[static_cast<std::size_t>(head)] =
          sink_gradient(pass, h.d_output, h.output);
    return {};
  };
  Status status;
  for (int head = 0; head < heads && status.ok(); ++head) status = through(head);
  // Also after an error, so that nothing of this pass is left for the next.
  if (ContentBias* terms = encoding.as_content_bias()) terms->finish_backward();
  PHASOR_TRY(std::move(status));
  // Their copies are not needed any more.
  moved_q = {};
  moved_k = {};
  QueryKeyEncoding* const transform = encoding.as_query_key();
  Tensor &d_q_weight = out.options.q_weight, &d_k_weight = out.options.k_weight;
  position_backward(job, transform, Role::query, job.queries, q, out.d_q, d_q_weight);
  position_backward(job, transform, Role::key, job.keys, k, out.d_k, d_k_weight);
  if (far.moves()) {
    position_backward(job, transform, Role::query, far.places(), q, d_far_q, d_q_weight);
    kernels::add_row(out.d_q.data.data(), d_far_q.data.data(),
                     static_cast<int>(d_far_q.data.size()));
  }
  PHASOR_TRY(check_result("d_output", out.d_q.data, "the gradient of q"));
  PHASOR_TRY(check_result("d_output", out.d_k.data, "the gradient of k"));
  PHASOR_TRY(check_result("d_output", out.d_v.data, "the gradient of v"));
  PHASOR_TRY(check_result("d_output", out.options.sinks.data, "the gradient of sinks"));
  for (const Tensor* weight : {&out.options.q_weight, &out.options.k_weight})
    PHASOR_TRY(check_result("d_output", weight->data, "the gradient of a weight of qk_norm"));
  if (joins) {
    for (Tensor* rows : {&out.d_q, &out.d_k, &out.d_v}) *rows = join_heads(*rows);
  }
  return check_gradients(encoding);
}

}  // namespace phasor
