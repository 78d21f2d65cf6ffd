// The backward pass of attention. With P the weights, O the output and dO what the loss asks of it
// (Dao et al. 2022, algorithm 4):
//   dV = P^T dO,   dP = dO V^T,   dS = P * (dP - rowsum(dO * O)),   dQ = scale dS K,   dK = scale
//   dS^T Q,
// and what the encoding adds to dS and dP. A head goes forward once for its row sums, unless the
// forward pass has answered them; then scores are computed again tile by tile.

#include "attention/pass/decay.h"
#include "attention/pass/double_scores.h"
#include "attention/pass/head_products.h"
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

double bytes_of_gradients(const Encoding& encoding) {
  double bytes = 0;
  for (const Parameter* parameter : encoding.parameters())
    bytes += parameter->grad.empty() ? bytes_of(parameter->value.shape) : 0;
  return bytes;
}

class HeadGradient {
 public:
  HeadGradient(const AttendJob& job, Encoding& encoding, const Tiling& cut, bool in_double,
               DecayGradient* decay)
      : job_(job),
        encoding_(encoding),
        decay_(decay),
        in_double_(in_double),
        tile_(static_cast<std::size_t>(cut.rows) * static_cast<std::size_t>(cut.keys)),
        products_(tile_),
        d_tile_(tile_),
        transposed_(tile_) {}

  struct Head {
    int head;
    ConstMatrixRef q, k, v, output, d_output;
    MatrixRef d_q, d_k, d_v;
    KeyProducts* products;  // of an encoding that forms them itself, or nullptr
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
    const ConstMatrixRef q = rows_of(h.q, row, rows), d_output = rows_of(h.d_output, row, rows);
    const ContentTile content = pass.content(row, rows, keys.first, keys.key_rows);

    pass.score(content, keys.keys, row, keys.first, {.scores = weights, .products = products});
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
    if (ScoreEncoding* bias = encoding_.as_score_bias())
      bias->bias_backward(h.head, content.queries, content.keys, d_scores);
    if (decay_ != nullptr) decay_->gather(h.head, job_.first_token + row, keys.first, d_scores);
    if (ContentBias* terms = encoding_.as_content_bias()) {
      terms->content_backward(content, products, d_scores, rows_of(h.d_q, row, rows),
                              rows_of(h.d_k, keys.first, columns));
    }

    const MatrixRef transposed{transposed_.data(), columns, rows, rows};
    kernels::transpose(weights, transposed);
    kernels::active::accumulate(transposed, d_outputs_.pack(Transpose::no, d_output),
                                rows_of(h.d_v, keys.first, columns));
    for (int r = 0; r < rows; ++r) scale(d_scores.row(r), columns);
    if (h.products != nullptr) return h.products->scores_backward(row, keys.first, d_scores);
    kernels::accumulate_in_stretches(d_scores, key_rows, rows_of(h.d_q, row, rows));
    kernels::transpose(d_scores, transposed);
    kernels::active::accumulate(transposed, queries_.pack(Transpose::no, q),
                                rows_of(h.d_k, keys.first, columns));
  }

  // A scale that is no float32 is still a number: 0 times 1e300 is 0.
  void scale(float* row, int count) const {
    if (!job_.in_double) return kernels::multiply(row, static_cast<float>(job_.scale), count);
    for (int i = 0; i < count; ++i)
      row[i] = static_cast<float>(static_cast<double>(row[i]) * job_.scale);
  }

  const AttendJob& job_;
  Encoding& encoding_;
  DecayGradient* decay_;  // or nullptr
  bool in_double_;        // d_output . v
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
  PHASOR_TRY(check_room("q", 2 * bytes_of(q.shape) + 2 * bytes_of(k.shape) + bytes_of(v.shape) +
                                 bytes_of_gradients(encoding)));
  out = {.d_q = Tensor(q.shape),
         .d_k = Tensor(k.shape),
         .d_v = Tensor(v.shape),
         .parameters = {},
         .token_tensors = {}};
  for (Parameter* parameter : encoding.parameters()) parameter->gradient();
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
  std::optional<Decay> decay;
  std::optional<DecayGradient> d_decay;
  PHASOR_TRY(sum_gates(job, decay));
  if (const Tensor* gates = log_gates_of(job)) {
    PHASOR_TRY(check_room("log_gates", 2 * Decay::bytes(*gates)));
    d_decay.emplace(*gates, encoding.gate_factor(job.scale));
  }
  const Tiling cut = tiling(job);
  KeyBlocks blocks(cut.block, width, value_width);
  HeadPass pass(job, cut);
  HeadGradient gradient(job, encoding, cut, needs_double_slopes(d_output, v),
                        d_decay ? &*d_decay : nullptr);
  HeadProducts products(job, width, true);
  PHASOR_TRY(products.check_room(queries, keys));
  if (job.tokens != nullptr) {
    for (const auto& [name, tensor] : *job.tokens) {
      PHASOR_TRY(check_room(name.c_str(), bytes_of(tensor.shape)));
      out.token_tensors.add(name, Tensor(tensor.shape));
    }
  }
  Tensor output(head_output);
  AttentionResult nothing;
  const auto through = [&](int head) -> Status {
    const int kv_head = head / (heads / kv_heads);
    const ConstMatrixRef key_rows = matrix(std::as_const(moved_k), kv_head),
                         values = matrix(v, kv_head);
    const auto block = [&](int first) {
      return blocks.pack(key_rows, values, first, std::min(cut.block, keys - first));
    };
    KeyProducts* const formed = products.of_head(kv_head, moved_k);
    pass.use(formed);
    if (forward != nullptr) {
      pass.restore(head, matrix(std::as_const(moved_q), head), *forward);
    } else {
      std::fill(output.data.begin(), output.data.end(), 0.0f);
      pass.start(head, matrix(std::as_const(moved_q), head), matrix(output), nothing);
      for (int first = 0; first < keys; first += cut.block) pass.block(block(first));
      PHASOR_TRY(pass.finish());
    }
    const HeadGradient::Head h{.head = head,
                               .q = matrix(std::as_const(moved_q), head),
                               .k = key_rows,
                               .v = values,
                               .output = forward != nullptr
                                             ? head_rows(forward->output, head, heads)
                                             : matrix(std::as_const(output)),
                               .d_output = head_rows(d_output, head, heads),
                               .d_q = matrix(out.d_q, head),
                               .d_k = matrix(out.d_k, kv_head),
                               .d_v = matrix(out.d_v, kv_head),
                               .products = formed};
    for (int first = 0; first < keys; first += cut.block) gradient.block(h, pass, block(first));
    if (forward != nullptr && !pass.is_as_restored())
      return invalid("forward: it is the answer to other arguments");
    if (formed != nullptr) {
      formed->finish_queries(h.d_q);
      // the last of the heads that share these keys
      if ((head + 1) % (heads / kv_heads) == 0) formed->finish_keys(h.d_k, out.token_tensors);
    }
    return {};
  };
  Status status;
  for (int head = 0; head < heads && status.ok(); ++head) status = through(head);
  // Also after an error, so that nothing of this pass is left for the next.
  if (ContentBias* terms = encoding.as_content_bias()) terms->finish_backward();
  PHASOR_TRY(std::move(status));
  if (const TokenTransform* transform = encoding.as_token_transform()) {
    transform->transform_backward(Role::query, *job.tokens, job.first_token, q, out.d_q,
                                  out.token_tensors);
    transform->transform_backward(Role::key, *job.tokens, 0, k, out.d_k, out.token_tensors);
  }
  if (QueryKeyEncoding* transform = encoding.as_query_key();
      transform != nullptr && encoding.as_products() == nullptr) {
    transform->transform_backward(Role::query, job.queries, out.d_q);
    transform->transform_backward(Role::key, job.keys, out.d_k);
    transform->frequencies_backward(job.queries, q, out.d_q);
    transform->frequencies_backward(job.keys, k, out.d_k);
  }
  if (d_decay) d_decay->write(out.token_tensors.at("log_gates"));
  for (const auto& [name, tensor] : out.token_tensors)
    PHASOR_TRY(check_result("d_output", tensor.data, "the gradient of {}", name));
  PHASOR_TRY(check_result("d_output", out.d_q.data, "the gradient of q"));
  PHASOR_TRY(check_result("d_output", out.d_k.data, "the gradient of k"));
  PHASOR_TRY(check_result("d_output", out.d_v.data, "the gradient of v"));
  if (joins) {
    for (Tensor* rows : {&out.d_q, &out.d_k, &out.d_v}) *rows = join_heads(*rows);
  }
  return check_gradients(encoding);
}

}  // namespace phasor
