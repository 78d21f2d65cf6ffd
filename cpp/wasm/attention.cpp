// The calls of attention: forward, the way back, and decoding with a cache.

#include <emscripten/bind.h>

#include <map>

#include "answer.h"
#include "request.h"

namespace {

using namespace phasor_js;

// rows: [from, to] of {map: {rows, columns, size, cell}}
void read_axis(Request& request, const char* name, int cell, phasor::MapAxis& axis) {
  axis.cell = cell;
  if (!request.has(name)) return;
  const std::vector<int> range = request.shape(name);
  if (range.size() != 2 || range[1] < 1) return request.refuse(std::string(name) + ": [from, to] is needed");
  axis.first = range[0];
  axis.last = range[1];
}

phasor::MapConfig map_config(Request& request) {
  phasor::MapConfig map;
  if (!request.has("map")) return map;
  Request inner(request.field("map"));
  if (inner.has("size")) map.size = inner.integer("size");
  std::vector<int> cell = {0, 0};
  if (inner.has("cell")) {
    cell = inner.shape("cell");
    inner.refuse_beside("cell", {"size"});
    if (cell.size() != 2 || cell[0] < 1 || cell[1] < 1) inner.refuse("cell: [rows, columns] of at least 1 is needed");
  }
  if (inner.status().ok()) {
    read_axis(inner, "rows", cell[0], map.rows);
    read_axis(inner, "columns", cell[1], map.columns);
  }
  if (!inner.status().ok()) request.refuse("map." + inner.status().message);
  return map;
}

phasor::AttentionConfig attention_config(Request& request) {
  phasor::AttentionConfig config;
  config.encoding = request.encoding("encoding");
  config.mask = static_cast<phasor::Mask>(request.choice("mask", {"none", "causal"}));
  if (request.has("window")) config.window = request.integer("window");
  if (request.has("keyMask")) {
    config.key_mask = request.flags("keyMask");
    if (config.key_mask.empty()) request.refuse("keyMask: it has 0 entries");
  }
  config.offset = request.optional_number("offset");
  config.scale = request.optional_number("scale");
  config.want = request.want();
  config.map = map_config(request);
  return config;
}

phasor::LayerConfig layer_config(Request& request) {
  phasor::LayerConfig config;
  config.heads = request.integer("heads");
  config.encoding = request.encoding("encoding");
  config.mask = static_cast<phasor::Mask>(request.choice("mask", {"none", "causal"}));
  if (request.has("window")) config.window = request.integer("window");
  config.offset = request.optional_number("offset").value_or(0);
  config.scale = request.optional_number("scale");
  config.projections = static_cast<phasor::Projections>(request.choice("projections", {"identity", "orthogonal"}));
  config.seed = request.seed("seed");
  config.want = request.want();
  if (config.want.map) request.refuse("want: map is an answer of attention, not of layer");
  return config;
}

val attention(val object) {
  Request request(object);
  Tensor q = request.tensor("q"), k = request.tensor("k");
  const Tensor v = request.tensor("v");
  const phasor::AttentionConfig config = attention_config(request);
  phasor::AttentionResult result;
  return answer(request.status().ok() ? phasor::attention(std::move(q), std::move(k), v, config, result) : request.status(), result,
                config.want);
}

val attention_gradient(val object) {
  Request request(object);
  const Tensor q = request.tensor("q"), k = request.tensor("k"), v = request.tensor("v"), d_output = request.tensor("dOutput");
  const phasor::AttentionConfig config = attention_config(request);
  phasor::AttentionGradients result;
  const Status status = request.status().ok() ? phasor::attention_gradient(q, k, v, d_output, config, result) : request.status();
  return Answer(status).add("dq", result.d_q).add("dk", result.d_k).add("dv", result.d_v).add("parameters", take(result.parameters));
}

val layer(val object) {
  Request request(object);
  const Tensor x = request.tensor("x");
  const phasor::LayerConfig config = layer_config(request);
  phasor::AttentionResult result;
  return answer(request.status().ok() ? phasor::layer(x, config, result) : request.status(), result, config.want);
}

val layer_gradient(val object) {
  Request request(object);
  const Tensor x = request.tensor("x"), d_output = request.tensor("dOutput");
  const phasor::LayerConfig config = layer_config(request);
  phasor::LayerGradients result;
  const Status status = request.status().ok() ? phasor::layer_gradient(x, d_output, config, result) : request.status();
  return Answer(status).add("dx", result.d_x).add("parameters", take(result.parameters));
}

// Caches stay here and go by numbers, because only plain values cross to JavaScript and to workers.
std::map<int, std::unique_ptr<phasor::KeyValueCache>>& caches() {
  static std::map<int, std::unique_ptr<phasor::KeyValueCache>> open;
  return open;
}

phasor::KeyValueCache* find_cache(Request& request) {
  const int number = request.integer("cache");
  const auto found = caches().find(number);
  if (found != caches().end()) return found->second.get();
  request.refuse("cache: " + std::to_string(number) + " is not open");
  return nullptr;
}

val open_cache(val object) {
  // Not from 1 on in every instance: a number of one that is gone must not be another's cache here.
  static int last = static_cast<int>(val::global("Math").call<double>("random") * 1e9);
  Request request(object);
  phasor::CacheConfig config;
  config.heads = request.integer("heads");
  config.kv_heads = request.has("kvHeads") ? request.integer("kvHeads") : config.heads;
  config.width = request.integer("width");
  config.value_width = request.has("valueWidth") ? request.integer("valueWidth") : config.width;
  config.max_length = request.integer("maxLength");
  config.encoding = request.encoding("encoding");
  if (request.has("window")) config.window = request.integer("window");
  config.scale = request.optional_number("scale");
  std::unique_ptr<phasor::KeyValueCache> made;
  const Status status = request.status().ok() ? phasor::KeyValueCache::create(config, made) : request.status();
  if (!status.ok()) return failure(status);
  caches()[++last] = std::move(made);
  return Answer(status).add("cache", last);
}

val decode(val object) {
  Request request(object);
  Tensor q = request.tensor("q"), k = request.tensor("k"), output;
  const Tensor v = request.tensor("v");
  phasor::KeyValueCache* cache = find_cache(request);
  const Status status = request.status().ok() ? cache->decode(std::move(q), std::move(k), v, output) : request.status();
  if (!status.ok()) return failure(status);
  if (!status.ok()) return failure(status);
  return Answer(status).add("output", output).add("length", cache->length());
}

val close_cache(val object) {
  Request request(object);
  const bool known = find_cache(request) != nullptr;
  if (known) caches().erase(request.integer("cache"));
  return Answer(request.status()).add("closed", val(known));
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  emscripten::function("attention", &attention);
  emscripten::function("attentionGradient", &attention_gradient);
  emscripten::function("layer", &layer);
  emscripten::function("layerGradient", &layer_gradient);
  emscripten::function("openCache", &open_cache);
  emscripten::function("decode", &decode);
  emscripten::function("closeCache", &close_cache);
}
