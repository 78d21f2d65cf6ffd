// The calls of attention: forward, the backward pass, and decoding with a cache.

#include <algorithm>
#include <vector>

#include "calls.h"
#include "core/format_error.h"

namespace {

using namespace phasor_js;

// [begin, end] of the rows or columns of pooled weights
void read_axis(Request& request, const char* name, phasor::PoolingAxis& axis) {
  if (!request.has(name)) return;
  const std::vector<int> range = request.whole_numbers(name);
  if (range.size() != 2 || range[1] < 1) return request.refuse("{}: [begin, end] is needed", name);
  axis.begin = range[0];
  axis.end = range[1];
}

phasor::PoolingConfig pooling_config(Request& request) {
  phasor::PoolingConfig pooling;
  if (!request.has("pooling")) return pooling;
  request.object("pooling");
  pooling.size = request.integer_or("pooling.size", pooling.size);
  if (request.has("pooling.cellSize")) {
    request.refuse_beside("pooling.cellSize", "pooling.size");
    const std::vector<int> cell = request.whole_numbers("pooling.cellSize");
    if (cell.size() == 2 && cell[0] > 0 && cell[1] > 0) {
      pooling.rows.cell_size = cell[0];
      pooling.columns.cell_size = cell[1];
    } else {
      request.refuse("pooling.cellSize: [rows, columns] of at least 1 is needed");
    }
  }
  read_axis(request, "pooling.rows", pooling.rows);
  read_axis(request, "pooling.columns", pooling.columns);
  return pooling;
}

// Rejects a {shape, data} of `numbers` that is not of the tokens of x (.. heads, tokens, head_dim):
// [tokens], of a batch also [batch, tokens], and then perhaps an axis of coordinates, the number of
// which is answered.
int read_axes(Request& request, const char* name, const Tensor& x, std::size_t numbers,
              bool may_have_axes) {
  const std::vector<int> shape = request.whole_numbers(name, ".shape");
  if (x.rank() < 3) return 1;  // which the library rejects
  std::vector<int> tokens = {x.shape[x.shape.size() - 2]};
  if (x.rank() == 4 && shape.size() > 1) tokens = phasor::prepend_dim(x.shape[0], tokens);
  std::vector<int> whole = tokens;
  if (may_have_axes && shape.size() == tokens.size() + 1)
    whole.push_back(std::max(1, shape.back()));
  // [queries, axes] of all items would be the same shape.
  if (may_have_axes && x.rank() == 4 && shape == tokens && shape.size() == 2 &&
      shape[0] == shape[1] && shape[1] > 1 && shape[1] <= 3) {
    request.refuse(
        "{}.shape: {} is [batch, tokens] as well as [tokens, axes]; say [batch, tokens, 1] or "
        "[batch, tokens, axes]",
        name, shape);
  } else if (shape != whole) {
    const char* const axes = may_have_axes ? ", with or without axes" : "";
    request.refuse("{}.shape: {} is not the {} of its tokens{}", name, shape, tokens, axes);
  } else if (numbers != phasor::numel(shape)) {
    request.refuse("{}.data: {} numbers is not as long as its shape says", name,
                   phasor::aside(numbers));
  }
  return whole.size() > tokens.size() ? whole.back() : 1;
}

// Positions of the tokens of x (.. heads, tokens, head_dim): a list, or a tensor.
phasor::TokenPositions token_positions(Request& request, const char* name, const Tensor& x) {
  phasor::TokenPositions positions;
  if (!request.has(name)) return positions;
  const bool is_tensor = request.has(name, ".shape");
  positions.values = request.numbers(name, is_tensor ? ".data" : "");
  if (positions.empty()) request.refuse("{}: it has 0 entries", name);
  if (is_tensor) positions.axes = read_axes(request, name, x, positions.values.size(), true);
  return positions;
}

std::vector<std::uint8_t> key_mask(Request& request, const Tensor& k) {
  if (!request.has("keyMask")) return {};
  const bool is_tensor = request.has("keyMask", ".shape");
  std::vector<std::uint8_t> mask = request.flags(is_tensor ? "keyMask.data" : "keyMask");
  if (mask.empty()) request.refuse("keyMask: it has 0 entries");
  if (is_tensor) read_axes(request, "keyMask", k, mask.size(), false);
  return mask;
}

phasor::OutputLayout output_layout(Request& request) {
  return request.choice<phasor::OutputLayout>("outputLayout", "head_major, token_major");
}

// A call that says no scale has that of the encoding that is already made.
std::optional<double> scale_of(Request& request, const phasor::Encoding* prepared) {
  if (request.has("scale") || !prepared) return request.optional_number("scale");
  return prepared->dims->scale;
}

// `prepared` is the encoding if it is already made, or nullptr.
phasor::AttentionConfig attention_config(Request& request, const Tensor& q, const Tensor& k,
                                         const phasor::Encoding* prepared) {
  phasor::AttentionConfig config;
  if (!prepared) config.encoding = request.encoding_or_none();
  config.mask = request.choice<phasor::Mask>("mask", "none, causal");
  if (request.has("window")) config.window = request.integer("window");
  config.key_mask = key_mask(request, k);
  config.query_positions = token_positions(request, "queryPositions", q);
  config.key_positions = token_positions(request, "keyPositions", k);
  config.position_offset = request.optional_number("positionOffset");
  config.scale = scale_of(request, prepared);
  config.options = attention_options(request);
  config.token_tensors = request.token_tensors();
  return config;
}

Status attention(Request& request, Answer& answer) {
  Tensor q = request.take_tensor("q"), k = request.take_tensor("k");
  const Tensor& v = request.tensor("v");
  const auto prepared = request.prepared_encoding();
  phasor::AttentionConfig config = attention_config(request, q, k, prepared.get());
  config.output_layout = output_layout(request);
  config.outputs = request.outputs();
  config.pooling = pooling_config(request);
  return run(
      request,
      [&] {
        if (!prepared) return phasor::attention(std::move(q), std::move(k), v, config);
        return phasor::attention(std::move(q), std::move(k), v, *prepared, config);
      },
      [&](const auto& found) { add(answer, found, config.outputs); });
}

Status attention_backward(Request& request, Answer& answer) {
  const Tensor &q = request.tensor("q"), &k = request.tensor("k"), &v = request.tensor("v"),
               &d_output = request.tensor("dOutput");
  const auto prepared = request.prepared_encoding();
  phasor::AttentionConfig config = attention_config(request, q, k, prepared.get());
  config.output_layout = output_layout(request);
  return run(
      request,
      [&] {
        if (!prepared) return phasor::attention_backward(q, k, v, d_output, config);
        auto found = phasor::attention_backward(q, k, v, d_output, *prepared, config);
        for (phasor::Parameter* parameter : prepared->parameters()) {
          if (found.ok()) found->parameters[parameter->name] = std::move(parameter->gradient());
          parameter->zero_grad();
        }
        return found;
      },
      [&](const auto& found) {
        answer.add("dq", found.d_q)
            .add("dk", found.d_k)
            .add("dv", found.d_v)
            .add("parameters", found.parameters)
            .add("tokenTensors", found.token_tensors);
        add(answer, found.options);
      });
}

Status explain_bias(Request& request, Answer& answer) {
  const Tensor &q = request.tensor("q"), &k = request.tensor("k");
  const phasor::AttentionConfig config = attention_config(request, q, k, nullptr);
  const int head = request.integer_or("head", 0), query = request.integer("query"),
            key = request.integer("key");
  return run(
      request, [&] { return phasor::explain_bias(q, k, config, head, query, key); },
      [&](const phasor::BiasExplanation& found) {
        Tensor values({static_cast<int>(found.steps.size())});
        answer.open_list("names");
        for (std::size_t s = 0; s < found.steps.size(); ++s) {
          answer.add(kItem, found.steps[s].name);
          values.data[s] = static_cast<float>(found.steps[s].value);
        }
        answer.close()
            .add("values", values)
            .add("bias", found.bias)
            .add("maxAbsDiff", found.max_abs_diff);
      });
}

Status explain_softmax(Request& request, Answer& answer) {
  const Tensor &q = request.tensor("q"), &k = request.tensor("k");
  const phasor::AttentionConfig config = attention_config(request, q, k, nullptr);
  const int head = request.integer_or("head", 0), query = request.integer("query");
  return run(
      request, [&] { return phasor::explain_softmax(q, k, config, head, query); },
      [&](const phasor::SoftmaxExplanation& found) {
        answer.add("product", found.product)
            .add("scaled", found.scaled)
            .add("bias", found.bias)
            .add("score", found.score);
        answer.add("exponential", found.exponential)
            .add("weight", found.weight)
            .add("scale", found.scale);
        answer.add("rowMax", found.row_max)
            .add("rowSum", found.row_sum)
            .add("sinkWeight", found.sink_weight)
            .add("maxAbsDiff", found.max_abs_diff);
      });
}

Status create_cache(Request& request, Answer&) {
  const auto prepared = request.prepared_encoding();
  phasor::CacheConfig config;
  config.heads = request.integer("heads");
  config.kv_heads = request.integer_or("kvHeads", config.heads);
  config.head_dim = request.integer("headDim");
  config.v_head_dim = request.integer_or("vHeadDim", config.head_dim);
  config.max_length = request.integer("maxLength");
  if (!prepared) config.encoding = request.encoding_or_none();
  if (request.has("window")) config.window = request.integer("window");
  config.scale = scale_of(request, prepared.get());
  config.output_layout = output_layout(request);
  config.options = attention_options(request);
  const double number = request.new_handle();
  return run(
      request, [&] { return phasor::KeyValueCache::create(config, prepared); },
      [&](auto& made) { handles().add({.number = number, .cache = std::move(made)}); });
}

Status fork_cache(Request& request, Answer&) {
  const Handle* open = request.handle("cache", Field::Kind::cache);
  const double number = request.new_handle();
  return run(
      request, [&] { return open->cache->fork(); },
      [&](auto& copy) { handles().add({.number = number, .cache = std::move(copy)}); });
}

Status truncate_cache(Request& request, Answer& answer) {
  const Handle* open = request.handle("cache", Field::Kind::cache);
  const int length = request.integer("length");
  PHASOR_TRY(request.done());
  PHASOR_TRY(open->cache->truncate(length));
  answer.add("length", length);
  return {};
}

Status decode(Request& request, Answer& answer) {
  Tensor q = request.take_tensor("q"), k = request.take_tensor("k");
  const Tensor& v = request.tensor("v");
  const Handle* open = request.handle("cache", Field::Kind::cache);
  const phasor::DecodeConfig config{.key_mask = key_mask(request, k),
                                    .token_tensors = request.token_tensors(),
                                    .outputs = request.outputs()};
  const int before = open ? open->cache->length() : 0;
  PHASOR_TRY(run(
      request, [&] { return open->cache->decode(std::move(q), std::move(k), v, config); },
      [&](const auto& found) {
        add(answer, found, config.outputs)
            .add("length", open->cache->length())
            .add("bytes", open->cache->bytes());
      }));
  // A call that is rejected has appended nothing.
  return Answer::is_refused() ? open->cache->truncate(before) : Status();
}

}  // namespace

namespace phasor_js {

Answer& add(Answer& answer, const phasor::AttentionResult& result,
            const phasor::RequestedOutputs& outputs) {
  if (!result.output.empty()) answer.add("output", result.output);
  if (outputs.weights) answer.add("weights", result.weights);
  if (outputs.scores) answer.add("scores", result.scores);
  if (outputs.bias) answer.add("bias", result.bias);
  if (outputs.sink_weights) answer.add("sinkWeights", result.sink_weights);
  if (outputs.pooled_weights)
    answer.open("pooledWeights")
        .add("mean", result.pooled_mean)
        .add("max", result.pooled_max)
        .close();
  return answer;
}

std::span<const Call> attention_calls() {
  static constexpr Call kCalls[] = {
      {"attention", attention},      {"attentionBackward", attention_backward},
      {"explainBias", explain_bias}, {"explainSoftmax", explain_softmax},
      {"createCache", create_cache}, {"decode", decode},
      {"truncate", truncate_cache},  {"fork", fork_cache},
  };
  return kCalls;
}

}  // namespace phasor_js
