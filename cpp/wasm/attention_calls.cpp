#include <algorithm>
#include <vector>

#include "attention/validate/call.h"
#include "calls.h"
#include "core/format_error.h"

namespace {

using namespace phasor_js;

Status attention(Request& request, Response& response) {
  Tensor q = request.take_tensor("q"), k = request.take_tensor("k");
  const Tensor& v = request.tensor("v");
  const auto prepared_encoding = request.prepared_encoding();
  phasor::AttentionConfig config = read_attention_config(request, q, k, prepared_encoding.get());
  config.output_layout = read_output_layout(request);
  config.outputs = request.outputs();
  config.pooling = read_pooling_config(request);
  return run(
      request,
      [&] {
        if (!prepared_encoding) return phasor::attention(std::move(q), std::move(k), v, config);
        return phasor::attention(std::move(q), std::move(k), v, *prepared_encoding, config);
      },
      [&](const auto& result) { add(response, result, config.outputs); });
}

Status attention_backward(Request& request, Response& response) {
  const Tensor &q = request.tensor("q"), &k = request.tensor("k"), &v = request.tensor("v"),
               &d_output = request.tensor("dOutput");
  const auto prepared_encoding = request.prepared_encoding();
  phasor::AttentionConfig config = read_attention_config(request, q, k, prepared_encoding.get());
  config.output_layout = read_output_layout(request);
  return run(
      request,
      [&] {
        if (!prepared_encoding) return phasor::attention_backward(q, k, v, d_output, config);
        auto result = phasor::attention_backward(q, k, v, d_output, *prepared_encoding, config);
        for (phasor::Parameter* parameter : prepared_encoding->parameters()) {
          if (result.ok()) result->parameters[parameter->name] = std::move(parameter->gradient());
          parameter->zero_grad();
        }
        return result;
      },
      [&](const auto& result) {
        response.add("dq", result.d_q)
            .add("dk", result.d_k)
            .add("dv", result.d_v)
            .add("parameters", result.parameters)
            .add("tokenTensors", result.token_tensors);
        if (!result.d_attn_bias.empty()) response.add("dAttnBias", result.d_attn_bias);
        add(response, result.options);
      });
}

Status explain_bias(Request& request, Response& response) {
  const Tensor &q = request.tensor("q"), &k = request.tensor("k");
  const phasor::AttentionConfig config = read_attention_config(request, q, k, nullptr);
  const int head = request.integer_or("head", 0), query = request.integer("query"),
            key = request.integer("key");
  return run(
      request, [&] { return phasor::explain_bias(q, k, config, head, query, key); },
      [&](const phasor::BiasExplanation& result) {
        Tensor values({static_cast<int>(result.steps.size())});
        response.open_list("names");
        for (std::size_t s = 0; s < result.steps.size(); ++s) {
          response.add(kItem, result.steps[s].name);
          values.data[s] = static_cast<float>(result.steps[s].value);
        }
        response.close()
            .add("values", values)
            .add("bias", result.bias)
            .add("maxAbsDiff", result.max_abs_diff);
      });
}

Status explain_softmax(Request& request, Response& response) {
  const Tensor &q = request.tensor("q"), &k = request.tensor("k");
  const phasor::AttentionConfig config = read_attention_config(request, q, k, nullptr);
  const int head = request.integer_or("head", 0), query = request.integer("query");
  return run(
      request, [&] { return phasor::explain_softmax(q, k, config, head, query); },
      [&](const phasor::SoftmaxExplanation& result) {
        response.add("product", result.product)
            .add("scaled", result.scaled)
            .add("bias", result.bias)
            .add("score", result.score);
        response.add("exponential", result.exponential)
            .add("weight", result.weight)
            .add("scale", result.scale);
        response.add("rowMax", result.row_max)
            .add("rowSum", result.row_sum)
            .add("sinkWeight", result.sink_weight)
            .add("maxAbsDiff", result.max_abs_diff);
      });
}

Status create_cache(Request& request, Response&) {
  const auto prepared_encoding = request.prepared_encoding();
  phasor::CacheConfig config;
  config.heads = request.integer("heads");
  config.kv_heads = request.integer_or("kvHeads", config.heads);
  config.head_dim = request.integer("headDim");
  config.v_head_dim = request.integer_or("vHeadDim", config.head_dim);
  config.max_length = request.integer("maxLength");
  if (!prepared_encoding) config.encoding = request.encoding_or_none();
  if (request.has("window")) config.window = request.integer("window");
  config.scale = read_scale(request, prepared_encoding.get());
  config.output_layout = read_output_layout(request);
  config.options = read_attention_options(request);
  const double number = request.new_handle();
  PHASOR_TRY(request.finish());
  // The library would replace head sizes of 0 with a default, so they are rejected here.
  PHASOR_TRY(phasor::check_head_sizes({.dim = config.head_dim,
                                       .heads = config.heads,
                                       .v_head_dim = config.v_head_dim,
                                       .kv_heads = config.kv_heads},
                                      "head_dim"));
  return run(
      request, [&] { return phasor::KeyValueCache::create(config, prepared_encoding); },
      [&](auto& new_cache) {
        get_handles().add({.number = number, .cache = std::move(new_cache)});
      });
}

Status fork_cache(Request& request, Response&) {
  const Handle* handle = request.handle("cache", Field::Kind::cache);
  const double number = request.new_handle();
  return run(
      request, [&] { return handle->cache->fork(); },
      [&](auto& copy) { get_handles().add({.number = number, .cache = std::move(copy)}); });
}

Status truncate_cache(Request& request, Response& response) {
  const Handle* handle = request.handle("cache", Field::Kind::cache);
  const int length = request.integer("length");
  PHASOR_TRY(request.finish());
  PHASOR_TRY(handle->cache->truncate(length));
  response.add("length", length);
  return {};
}

Status decode(Request& request, Response& response) {
  Tensor q = request.take_tensor("q"), k = request.take_tensor("k");
  const Tensor& v = request.tensor("v");
  const Handle* handle = request.handle("cache", Field::Kind::cache);
  const phasor::DecodeConfig config{.key_mask = read_key_mask(request, k),
                                    .segment_ids = read_segments(request, "segmentIds", &k),
                                    .token_tensors = request.token_tensors(),
                                    .outputs = request.outputs()};
  const int previous_length = handle ? handle->cache->length() : 0;
  PHASOR_TRY(run(
      request, [&] { return handle->cache->decode(std::move(q), std::move(k), v, config); },
      [&](const auto& result) {
        add(response, result, config.outputs)
            .add("length", handle->cache->length())
            .add("bytes", handle->cache->bytes());
      }));
  // If the response was rejected, removes the tokens that were appended to the cache.
  return Response::is_rejected() ? handle->cache->truncate(previous_length) : Status();
}

}  // namespace

namespace phasor_js {

Response& add(Response& response, const phasor::AttentionResult& result,
              const phasor::RequestedOutputs& outputs) {
  if (!result.output.empty()) response.add("output", result.output);
  if (outputs.weights) response.add("weights", result.weights);
  if (outputs.scores) response.add("scores", result.scores);
  if (outputs.bias) response.add("bias", result.bias);
  if (outputs.sink_weights) response.add("sinkWeights", result.sink_weights);
  if (outputs.pooled_weights)
    response.open_object("pooledWeights")
        .add("mean", result.pooled_mean)
        .add("max", result.pooled_max)
        .close();
  return response;
}

std::span<const Call> list_attention_calls() {
  static constexpr Call kCalls[] = {
      {"attention", attention},      {"attentionBackward", attention_backward},
      {"explainBias", explain_bias}, {"explainSoftmax", explain_softmax},
      {"createCache", create_cache}, {"decode", decode},
      {"truncate", truncate_cache},  {"fork", fork_cache},
  };
  return kCalls;
}

}  // namespace phasor_js
