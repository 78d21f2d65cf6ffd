// The backward pass of attention. With P the weights, O the output and dO its gradient
// (Dao et al. 2022, algorithm 4):
//   dV = P^T dO,   dP = dO V^T,   dS = P * (dP - rowsum(dO * O)),   dQ = scale dS K,   dK = scale
//   dS^T Q,
// plus the terms of the encoding in dS and dP. A head runs forward once for its row sums, unless
// the forward pass returned them; then scores are recomputed tile by tile.

#include "attention/streaming/attend.h"
#include "attention/streaming/head_gradient.h"
#include "attention/streaming/memory_estimate.h"
#include "attention/streaming/multi_head_pass.h"
#include "attention/streaming/score_ops.h"
#include "attention/streaming/scores_float64.h"
#include "attention/streaming/sink_queries.h"
#include "attention/streaming/tile_inputs.h"
#include "core/finite.h"
#include "core/format_error.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"

namespace phasor {

namespace {

// A sink has no value, so its dP is 0: dS = -P rowsum(dO * O). d_output, output (queries,
// v_head_dim)
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

Status other_arguments() { return invalid("forward: it is the result for other arguments"); }

double bytes_of_gradients(const Encoding& encoding) {
  double bytes = 0;
  for (const Parameter* parameter : encoding.parameters())
    bytes += parameter->grad.empty() ? bytes_of(parameter->value.shape) : 0;
  return bytes;
}

}  // namespace

Status attend_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                       const AttentionParams& params, Encoding& encoding,
                       const AttentionResult* forward, AttentionGradients& out) {
  AttentionParams job = params;
  const int heads = q.shape[0], queries = q.shape[1], kv_heads = k.shape[0], keys = k.shape[1],
            v_head_dim = v.shape[2];
  // The gradients, those of the encoding, and the transformed q and k.
  const double moved = (job.qk_norm() != nullptr ? 3 : 2) * (bytes_of(q.shape) + bytes_of(k.shape));
  PHASOR_TRY(check_memory("q", moved + bytes_of(v.shape) + bytes_of_gradients(encoding) +
                                   2 * SinkQueries::bytes(job, q)));
  for (Parameter* parameter : encoding.parameters()) parameter->gradient();
  SinkQueries far;
  PHASOR_TRY(far.start(job, q));
  job.far = &far;
  Tensor moved_q = q, moved_k = k;
  PHASOR_TRY(apply_position(job, moved_q, moved_k));
  QueryKeyEncoding* const moves = encoding.as_query_key();
  const int head_dim = moved_k.shape[2];
  if (head_dim != k.shape[2])
    PHASOR_TRY(
        check_memory("q", bytes_of(moved_q.shape) + bytes_of(moved_k.shape) + bytes_of(v.shape)));
  out = {.d_q = Tensor(moved_q.shape),
         .d_k = Tensor(moved_k.shape),
         .d_v = Tensor(v.shape),
         .parameters = {},
         .options = {},
         .token_tensors = {}};
  if (job.has_sinks()) out.options.sinks = Tensor({heads});
  if (const QkNorm* norm = job.qk_norm()) {
    if (!norm->q_weight.empty()) out.options.q_weight = Tensor(norm->q_weight.shape);
    if (!norm->k_weight.empty()) out.options.k_weight = Tensor(norm->k_weight.shape);
  }
  Tensor d_far_q = far.moves() ? Tensor(moved_q.shape) : Tensor();
  job.use_float64 = needs_float64(job.scale, moved_q, max_abs(moved_k.data), max_abs(v.data), keys);
  // then one gradient exists twice
  const bool joins = job.output_layout == OutputLayout::token_major;
  PHASOR_TRY(check_memory(
      "q", pass_bytes(job, heads, head_dim, v_head_dim) +
               gradient_pass_bytes(job, heads, head_dim, v_head_dim) +
               (moves != nullptr ? moves->transform_bytes(q) + moves->transform_bytes(k) : 0) +
               (joins ? std::max({bytes_of(q.shape), bytes_of(k.shape), bytes_of(v.shape)}) : 0)));
  std::optional<Decay> decay;
  std::optional<DecayGradient> d_decay;
  PHASOR_TRY(sum_gates(job, decay));
  if (const Tensor* gates = log_gates_of(job)) {
    PHASOR_TRY(check_memory("log_gates", 2 * Decay::bytes(*gates)));
    d_decay.emplace(*gates, encoding.gate_factor(job.scale));
  }
  const Tiling cut = tiling(job);
  const bool by_v = needs_float64_grad(d_output, v);
  if (job.tokens != nullptr) {
    for (const auto& [name, tensor] : *job.tokens) {
      PHASOR_TRY(check_memory(name.c_str(), bytes_of(tensor.shape)));
      out.token_tensors.add(name, Tensor(tensor.shape));
    }
  }
  const auto of_head = [&](int head, const ConstMatrixRef& output, DotProductState* formed) {
    const int kv_head = head / (heads / kv_heads);
    return HeadGradient::Head{
        .head = head,
        .q = matrix(std::as_const(moved_q), head),
        .k = matrix(std::as_const(moved_k), kv_head),
        .v = matrix(v, kv_head),
        .output = forward != nullptr ? head_rows(forward->output, head, heads) : output,
        .d_output = head_rows(d_output, head, heads),
        .d_q = matrix(out.d_q, head),
        .d_k = matrix(out.d_k, kv_head),
        .d_v = matrix(out.d_v, kv_head),
        .products = formed,
        .far_q = far.moves() ? far.q(head) : ConstMatrixRef{},
        .d_far_q = far.moves() ? matrix(d_far_q, head) : MatrixRef{}};
  };
  const auto finish_sink = [&](const HeadPass& pass, const HeadGradient::Head& h) {
    if (job.has_sinks())
      out.options.sinks.data[static_cast<std::size_t>(h.head)] =
          sink_gradient(pass, h.d_output, h.output);
  };
  AttentionResult nothing;
  // one head after the other
  const auto by_heads = [&]() -> Status {
    KeyBlocks blocks(cut.block, head_dim, v_head_dim);
    HeadPass pass(job, cut);
    HeadGradient gradient(job, encoding, cut, by_v, d_decay ? &*d_decay : nullptr);
    HeadProducts products(job, head_dim, true);
    PHASOR_TRY(products.check_memory(queries, keys));
    Tensor output({queries, v_head_dim});
    for (int head = 0; head < heads; ++head) {
      DotProductState* const formed = products.of_head(head / (heads / kv_heads), moved_k);
      const HeadGradient::Head h = of_head(head, matrix(std::as_const(output)), formed);
      const auto block = [&](int first) {
        return blocks.pack(h.k, h.v, first, std::min(cut.block, keys - first));
      };
      pass.use(formed);
      if (forward != nullptr) {
        pass.restore(head, h.q, *forward);
      } else {
        std::fill(output.data.begin(), output.data.end(), 0.0f);
        pass.start(head, h.q, matrix(output), nothing);
        for (int first = 0; first < keys; first += cut.block) pass.block(block(first));
        PHASOR_TRY(pass.finish());
      }
      for (int first = 0; first < keys; first += cut.block) gradient.block(h, pass, block(first));
      if (forward != nullptr && !pass.matches_forward()) return other_arguments();
      if (formed != nullptr) {
        formed->finish_queries(h.d_q);
        // the last of the heads that share these keys
        if ((head + 1) % (heads / kv_heads) == 0) formed->finish_keys(h.d_k, out.token_tensors);
      }
      finish_sink(pass, h);
    }
    return {};
  };
  // all heads together
  const auto together = [&]() -> Status {
    MultiHeadKeyBlocks blocks(kv_heads, cut.block, head_dim, v_head_dim);
    MultiHeadPass all(job, cut, moved_q, kv_heads);
    Tensor output;
    const auto each_block = [&](auto&& f) {
      for (int first = 0; first < keys; first += cut.block)
        f(blocks.pack(moved_k, matrices(view(v)), first, std::min(cut.block, keys - first)));
    };
    if (forward != nullptr) {
      all.restore(*forward);
    } else {
      output = Tensor({heads, queries, v_head_dim});
      all.start(output, nothing);
      each_block([&](const std::vector<KeyBlock>& keys_of) { all.block(keys_of); });
      PHASOR_TRY(all.finish());
    }
    const std::size_t count = static_cast<std::size_t>(heads);
    std::vector<HeadGradient::Head> each(count);
    std::vector<std::unique_ptr<HeadGradient>> gradients(count);
    for (std::size_t h = 0; h < count; ++h) {
      const int head = static_cast<int>(h);
      each[h] =
          of_head(head, forward != nullptr ? ConstMatrixRef{} : matrix(std::as_const(output), head),
                  nullptr);
      gradients[h] = std::make_unique<HeadGradient>(job, encoding, cut, by_v, nullptr);
    }
    Buffer through(static_cast<std::size_t>(heads * cut.rows) * static_cast<std::size_t>(cut.keys));
    each_block([&](const std::vector<KeyBlock>& keys_of) {
      for (std::size_t h = 0; h < each.size(); ++h)
        gradients[h]->open(each[h], keys_of[all.kv_head(static_cast<int>(h))]);
      all.each_tile(keys_of, [&](int row, int rows, int key, int columns) {
        std::vector<MatrixRef> slopes(count);
        for (std::size_t h = 0; h < each.size(); ++h) {
          slopes[h] = gradients[h]->score_grad(
              each[h], all.pass(static_cast<int>(h)), row, rows, key, columns,
              {through.data() + static_cast<std::ptrdiff_t>(h) * rows * columns, rows, columns,
               columns});
        }
        const MatrixRef d_products = all.mix().free();
        kernels::fill(d_products.data, 0, heads * d_products.columns);
        const ConstMatrixRef d_added{through.data(), heads, d_products.columns, d_products.columns};
        all.mix().zero_unused_grad(d_added);
        encoding.as_mixing()->mix_backward(all.mix().tile(), d_added, d_products);
        for (std::size_t h = 0; h < each.size(); ++h) {
          kernels::add_row(slopes[h].data, d_products.row(static_cast<int>(h)), d_products.columns);
          gradients[h]->backprop_tile(each[h], all.pass(static_cast<int>(h)), row, key, slopes[h]);
        }
      });
    });
    if (forward != nullptr && !all.matches_forward()) return other_arguments();
    for (const HeadGradient::Head& h : each) finish_sink(all.pass(h.head), h);
    return {};
  };
  Status status = encoding.as_mixing() != nullptr ? together() : by_heads();
  // Also after an error, so that the next pass starts clean.
  if (ContentBias* terms = encoding.as_content_bias()) terms->finish_backward();
  PHASOR_TRY(std::move(status));
  // Their copies are no longer needed.
  moved_q = {};
  moved_k = {};
  const auto move_back = [&](Role role, Positions positions, const Tensor& x, Tensor& d_x,
                             Tensor& d_weight) {
    position_backward(job, encoding, role, positions, x, d_x, d_weight, out.token_tensors);
  };
  move_back(Role::query, job.queries, q, out.d_q, out.options.q_weight);
  move_back(Role::key, job.keys, k, out.d_k, out.options.k_weight);
  if (far.moves()) {
    move_back(Role::query, far.positions(queries), q, d_far_q, out.options.q_weight);
    kernels::add_row(out.d_q.data.data(), d_far_q.data.data(),
                     static_cast<int>(d_far_q.data.size()));
  }
  if (d_decay) d_decay->write(out.token_tensors.at("log_gates"));
  for (const auto& [name, tensor] : out.token_tensors)
    PHASOR_TRY(check_result("d_output", tensor.data, "the gradient of {}", name));
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

Status check_gradients(Encoding& encoding) {
  for (const Parameter* parameter : encoding.parameters()) {
    PHASOR_TRY(
        check_result("d_output", parameter->grad.data, "the gradient of {}", parameter->name));
  }
  return {};
}

Gradients take_gradients(Encoding& encoding) {
  Gradients out;
  for (Parameter* parameter : encoding.parameters())
    out[parameter->name] = std::move(parameter->gradient());
  return out;
}

}  // namespace phasor
