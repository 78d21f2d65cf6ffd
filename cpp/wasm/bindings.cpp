// The calls that compute encodings: a few wide functions, each of one plain object, that answer {shape, data},
// {named values} or {error}.

#include <emscripten/bind.h>

#include "answer.h"
#include "request.h"

namespace {

using namespace phasor_js;

val text(std::string_view literal) { return val(std::string(literal)); }
val words(const phasor::Words& list) { return list.empty() ? val::array() : text(list.text()).call<val>("split", text(", ")); }

val encodings() {
  val list = val::array();
  for (const phasor::EncodingType* type : phasor::encodings()) {
    val params = val::array();
    for (const phasor::ParamSpec& spec : type->params) {
      val param = val::object();
      param.set("name", text(spec.name));
      param.set("kind", std::string(phasor::to_string(spec.kind)));
      if (spec.kind == phasor::ParamKind::choice)
        param.set("default", words(spec.choices)[static_cast<int>(spec.fallback)]);
      else if (spec.kind == phasor::ParamKind::tensor)
        param.set("default", val::null());
      else if (spec.kind == phasor::ParamKind::boolean)
        param.set("default", spec.fallback != 0);
      else
        param.set("default", spec.fallback);
      param.set("min", spec.min);
      param.set("max", spec.max);
      param.set("choices", words(spec.choices));
      param.set("unit", text(spec.unit));
      param.set("logarithmic", spec.logarithmic);
      param.set("summary", text(spec.summary));
      param.set("shape", text(spec.shape));
      val applies = val::null();
      if (!spec.applies.choice.empty()) {
        applies = val::object();
        applies.set("choice", text(spec.applies.choice));
        applies.set("words", words(spec.applies.words));
      }
      param.set("applies", applies);
      params.call<void>("push", param);
    }
    val info = val::object();
    info.set("id", text(type->id));
    info.set("injection", std::string(phasor::to_string(type->injection)));
    info.set("learned", type->learned);
    info.set("relative", type->relative);
    info.set("prefixStable", type->prefix_stable);
    info.set("symmetric", type->symmetric);
    info.set("axes", type->axes);
    info.set("params", params);
    list.call<void>("push", info);
  }
  return list;
}

using PerPosition = Status (*)(const phasor::EncodingConfig&, phasor::Positions, int, Tensor&);

// Rows for `positions`, or for `length` positions from `offset` on.
val per_position(val object, PerPosition compute) {
  Request request(object);
  const phasor::EncodingConfig config = request.inline_encoding({"length", "width", "offset", "positions"});
  const int width = request.integer("width");
  OwnedPositions positions;
  if (request.has("positions")) {
    positions = request.positions("positions");
  } else {
    const int length = request.integer("length");
    const double offset = request.optional_number("offset").value_or(0);
    if (request.status().ok()) {
      const Status status = phasor::consecutive_positions(offset, length, positions.values);
      if (!status.ok()) return failure(status);
    }
  }
  Tensor out;
  return answer(request.status().ok() ? compute(config, positions.view(), width, out) : request.status(), out);
}

val table(val object) { return per_position(std::move(object), phasor::table); }
val angles(val object) { return per_position(std::move(object), phasor::angles); }

// Queries and keys by their numbers, or anywhere by their positions.
val bias(val object) {
  Request request(object);
  const phasor::EncodingConfig config =
      request.inline_encoding({"heads", "queries", "keys", "offset", "width", "queryPositions", "keyPositions"});
  const int heads = request.integer("heads"), width = request.has("width") ? request.integer("width") : 1;
  Tensor out;
  if (request.has("queryPositions") || request.has("keyPositions")) {
    request.refuse_beside("queryPositions", {"queries", "keys", "offset"});
    const OwnedPositions queries = request.positions("queryPositions"), keys = request.positions("keyPositions");
    return answer(request.status().ok() ? phasor::bias(config, heads, queries.view(), keys.view(), out, width) : request.status(), out);
  }
  const int queries = request.integer("queries"), keys = request.integer("keys");
  const double offset = request.optional_number("offset").value_or(keys - queries);
  return answer(request.status().ok() ? phasor::bias(config, heads, queries, keys, offset, out, width) : request.status(), out);
}

val rotate(val x, val object) {
  val named = val::object();
  named.set("x", x);
  Request tensors(named);
  Request request(object);
  Tensor out = tensors.tensor("x");
  const phasor::EncodingConfig config = request.inline_encoding({"positions", "role"});
  const phasor::Role role = static_cast<phasor::Role>(request.choice("role", {"query", "key"}));
  OwnedPositions positions;
  if (request.has("positions")) {
    positions = request.positions("positions");
  } else if (out.rank() == 3) {
    for (int t = 0; t < out.shape[1]; ++t) positions.values.push_back(t);
  }
  if (!tensors.status().ok()) return failure(tensors.status());
  if (!request.status().ok()) return failure(request.status());
  return answer(phasor::rotate(config, role, positions.view(), out), out);
}

val rotation_matrix(val object) {
  Request request(object);
  const phasor::EncodingConfig config = request.inline_encoding({"position", "width", "role"});
  const phasor::Role role = static_cast<phasor::Role>(request.choice("role", {"query", "key"}));
  const OwnedPositions position = request.position("position");
  const int width = request.integer("width");
  Tensor out;
  return answer(request.status().ok() ? phasor::rotation_matrix(config, role, position.view(), width, out) : request.status(), out);
}

val rope_frequencies(val object) {
  Request request(object);
  const phasor::EncodingConfig config = request.encoding("encoding");
  const int width = request.integer("width");
  phasor::Frequencies result;
  const Status status = request.status().ok() ? phasor::rope_frequencies(config, width, result) : request.status();
  const int pairs = static_cast<int>(result.inverse.size());
  return Answer(status)
      .add("inverse", Tensor({pairs}, {result.inverse.begin(), result.inverse.end()}))
      .add("attentionFactor", result.attention_factor);
}

// A sentence of the library, which calls an argument by another name.
Status renamed(Status status, const std::string& name, const std::string& here) {
  if (status.message.rfind(name + ":", 0) == 0) status.message.replace(0, name.size(), here);
  return status;
}

val rope_model(val config, val object) {
  Request file(config), request(object);
  phasor::RopeModelOptions options;
  if (request.has("layerType")) options.layer_type = request.word("layerType");
  options.sequence_length = request.optional_number("sequenceLength").value_or(0);
  phasor::EncodingConfig out;
  const Status status = request.status().ok() ? phasor::read_rope_model(file.entries(), options, out) : request.status();
  return answer(renamed(status, "layer_type", "layerType"), out);
}

val combine(val object) {
  Request request(object);
  const Tensor x = request.tensor("x"), table = request.tensor("table");
  const auto how = static_cast<phasor::Combination>(request.choice("how", {"add", "concatenate"}));
  Tensor out;
  return answer(request.status().ok() ? phasor::combine(x, table, how, out) : request.status(), out);
}

val position_ids(val object) {
  Request request(object);
  const std::vector<std::uint8_t> visible = request.flags("visible");
  const auto how = static_cast<phasor::PositionCount>(request.choice("how", {"fairseq", "opt", "bloom"}));
  const int padding_idx = request.has("paddingIdx") ? request.integer("paddingIdx") : 1;
  const int past = request.has("past") ? request.integer("past") : 0;
  std::vector<double> ids;
  const Status status = request.status().ok() ? phasor::position_ids(visible, how, padding_idx, past, ids) : request.status();
  return answer(renamed(status, "padding_idx", "paddingIdx"), Tensor({static_cast<int>(ids.size())}, {ids.begin(), ids.end()}));
}

val gaussian(val object) {
  Request request(object);
  const std::uint32_t seed = request.seed("seed");
  const std::vector<int> shape = request.shape("shape");
  Tensor out;
  return answer(request.status().ok() ? phasor::gaussian(seed, shape, out) : request.status(), out);
}

std::string version() { return PHASOR_VERSION; }

}  // namespace

EMSCRIPTEN_BINDINGS(phasor) {
  emscripten::function("version", &version);
  emscripten::function("encodings", &encodings);
  emscripten::function("table", &table);
  emscripten::function("angles", &angles);
  emscripten::function("bias", &bias);
  emscripten::function("rotate", &rotate);
  emscripten::function("rotationMatrix", &rotation_matrix);
  emscripten::function("ropeFrequencies", &rope_frequencies);
  emscripten::function("ropeModel", &rope_model);
  emscripten::function("combine", &combine);
  emscripten::function("positionIds", &position_ids);
  emscripten::function("gaussian", &gaussian);
}
