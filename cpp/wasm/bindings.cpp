// The only file that knows Emscripten: a few wide calls, plain objects in, {shape, data} or {error} out.
// Types of JavaScript values are checked here, because only here they are seen; ranges are checked in the library.

#include <emscripten/bind.h>

#include <cmath>
#include <limits>

#include "phasor/phasor.h"

namespace {

using emscripten::val;
using phasor::Status;
using phasor::Tensor;

// ---- JavaScript in -------------------------------------------------------------------------------------------------

struct OwnedPositions {
  std::vector<double> values;
  int axes = 1;
  phasor::Positions view() const { return {values, axes}; }
};

// Reads fields of a request object. The first failure is kept and later reads give empty values, so that a call reads all
// its fields and asks once.
class Request {
 public:
  explicit Request(val object) : object_(std::move(object)) {}

  const Status& status() const { return status_; }
  bool has(const char* name) const { return !object_[name].isUndefined() && !object_[name].isNull(); }

  double number(const char* name) {
    const val value = object_[name];
    if (value.isNumber()) return value.as<double>();
    fail(name, value, "a number");
    return 0;
  }
  std::optional<double> optional_number(const char* name) { return has(name) ? std::optional(number(name)) : std::nullopt; }

  // A whole number that fits an int; its range is the library's business.
  int integer(const char* name) {
    const double value = number(name);
    if (!status_.ok()) return 0;
    if (value != std::floor(value) || std::fabs(value) > std::numeric_limits<int>::max()) {
      fail(name, object_[name], "a whole number below 2147483648");
      return 0;
    }
    return static_cast<int>(value);
  }

  // One of the words, as its index; the first when the field is left out.
  int choice(const char* name, std::initializer_list<const char*> words) {
    if (!has(name)) return 0;
    const val value = object_[name];
    std::string allowed;
    int index = 0;
    for (const char* word : words) {
      if (value.isString() && value.as<std::string>() == word) return index;
      allowed += std::string(allowed.empty() ? "" : ", ") + word;
      ++index;
    }
    fail(name, value, ("one of " + allowed).c_str());
    return 0;
  }

  template <class T>
  std::vector<T> numbers(const char* name) {
    const val value = object_[name];
    if (!value.isUndefined() && !value.isNull() && value["length"].isNumber()) return emscripten::convertJSArrayToNumberVector<T>(value);
    fail(name, value, "an array of numbers");
    return {};
  }

  Tensor tensor(const char* name) { return tensor(name, object_[name]); }

  Tensor tensor(const std::string& name, const val& value) {
    if (value.isUndefined() || value.isNull() || value["shape"].isUndefined() || value["data"].isUndefined()) {
      fail(name.c_str(), value, "a tensor {shape, data}");
      return {};
    }
    std::vector<int> shape = extents((name + ".shape").c_str(), value["shape"]);
    if (!status_.ok()) return {};
    std::vector<float> data = emscripten::convertJSArrayToNumberVector<float>(value["data"]);
    double total = 1;
    for (const int extent : shape) total *= extent;
    if (total != static_cast<double>(data.size())) {
      fail((name + ".data").c_str(), val(std::to_string(data.size()) + " numbers"),
           ("as long as its shape says: " + std::to_string(static_cast<long long>(total))).c_str());
      return {};
    }
    return Tensor(std::move(shape), std::move(data));
  }

  std::vector<int> shape(const char* name) { return extents(name, object_[name]); }

  // One position per token as a plain list, or several coordinates per token as a tensor {shape: [tokens, axes], data}.
  OwnedPositions positions(const char* name) {
    const val value = object_[name];
    if (!has(name) || value["shape"].isUndefined()) return {numbers<double>(name), 1};
    const std::vector<int> shape = extents((std::string(name) + ".shape").c_str(), value["shape"]);
    if (status_.ok() && (shape.size() != 2 || shape[1] < 1)) fail((std::string(name) + ".shape").c_str(), value["shape"], "tokens x axes");
    if (!status_.ok()) return {};
    std::vector<double> values = emscripten::convertJSArrayToNumberVector<double>(value["data"]);
    if (values.size() != static_cast<std::size_t>(shape[0]) * static_cast<std::size_t>(shape[1])) {
      fail((std::string(name) + ".data").c_str(), val(std::to_string(values.size()) + " numbers"), "as long as its shape says");
      return {};
    }
    return {std::move(values), shape[1]};
  }

  std::uint32_t seed(const char* name) {
    const double value = has(name) ? number(name) : 0;
    if (value >= 0 && value <= 4294967295.0 && value == std::floor(value)) return static_cast<std::uint32_t>(value);
    fail(name, object_[name], "a whole number from 0 to 4294967295");
    return 0;
  }

  // An encoding given as "rope" or {id: "rope", base: 500000}.
  phasor::EncodingConfig encoding(const char* name) {
    if (!has(name)) return {};
    const val value = object_[name];
    if (value.isString()) return {.id = value.as<std::string>(), .params = {}};
    if (!value["id"].isString()) {
      fail(name, value, "the id of an encoding or {id, ...parameters}");
      return {};
    }
    return {.id = value["id"].as<std::string>(), .params = params(value, {"id"})};
  }

  // An encoding whose parameters stand beside the fields of the request itself.
  phasor::EncodingConfig inline_encoding(std::initializer_list<const char*> fields) {
    if (!object_["encoding"].isString()) {
      fail("encoding", object_["encoding"], "the id of an encoding");
      return {};
    }
    return {.id = object_["encoding"].as<std::string>(), .params = params(object_, fields)};
  }

  phasor::Want want() {
    phasor::Want want;
    if (!has("want")) return want;
    const val list = object_["want"];
    const int length = list["length"].isNumber() ? list["length"].as<int>() : 0;
    for (int i = 0; i < length; ++i) {
      const std::string word = list[i].isString() ? list[i].as<std::string>() : "";
      if (word == "weights")
        want.weights = true;
      else if (word == "scores")
        want.scores = true;
      else if (word == "bias")
        want.bias = true;
      else
        fail("want", list[i], "one of weights, scores, bias");
    }
    return want;
  }

 private:
  std::vector<int> extents(const char* name, const val& value) {
    std::vector<int> shape;
    if (value.isUndefined() || value.isNull() || !value["length"].isNumber()) {
      fail(name, value, "a list of whole numbers");
      return shape;
    }
    for (const double extent : emscripten::convertJSArrayToNumberVector<double>(value)) {
      if (!(extent >= 0 && extent <= std::numeric_limits<int>::max() && extent == std::floor(extent))) {
        fail(name, value, "a list of whole numbers");
        return {};
      }
      shape.push_back(static_cast<int>(extent));
    }
    return shape;
  }

  std::map<std::string, phasor::ParamValue> params(const val& object, std::initializer_list<const char*> fields) {
    std::map<std::string, phasor::ParamValue> out;
    const val keys = val::global("Object").call<val>("keys", object);
    const int length = keys["length"].as<int>();
    for (int i = 0; i < length; ++i) {
      const std::string key = keys[i].as<std::string>();
      bool reserved = key == "encoding";
      for (const char* field : fields) reserved = reserved || key == field;
      const val value = object[key];
      if (reserved || value.isUndefined()) continue;
      if (value.isNumber())
        out[key] = value.as<double>();
      else if (value.isTrue() || value.isFalse())
        out[key] = value.isTrue();
      else if (value.isString())
        out[key] = value.as<std::string>();
      else if (!value.isNull() && !value["shape"].isUndefined())
        out[key] = tensor(key, value);
      else
        fail(key.c_str(), value, "a number, a word, true, false or a tensor {shape, data}");
    }
    return out;
  }

  void fail(const char* name, const val& value, const char* allowed) {
    if (!status_.ok()) return;
    const std::string shown = value.isString() ? "\"" + value.as<std::string>() + "\"" : val::global("String")(value).as<std::string>();
    status_ = Status::invalid(std::string(name) + ": " + shown.substr(0, 60) + " is not " + allowed);
  }

  val object_;
  Status status_;
};

// ---- JavaScript out ------------------------------------------------------------------------------------------------

val failure(const Status& status) {
  val error = val::object();
  error.set("code", std::string(phasor::to_string(status.code)));
  error.set("message", status.message);
  val out = val::object();
  out.set("error", error);
  return out;
}

// The only door for arrays, always a copy: a view on the heap dies silently when memory grows, so none leaves this line.
val take(const Tensor& t) {
  val out = val::object();
  out.set("shape", val::array(t.shape));
  out.set("data", val(emscripten::typed_memory_view(t.data.size(), t.data.data())).call<val>("slice"));
  return out;
}

val answer(const Status& status, const Tensor& t) { return status.ok() ? take(t) : failure(status); }

val answer(const Status& status, const phasor::AttentionResult& result, const phasor::Want& want) {
  if (!status.ok()) return failure(status);
  val out = val::object();
  out.set("output", take(result.output));
  if (want.weights) out.set("weights", take(result.weights));
  if (want.scores) out.set("scores", take(result.scores));
  if (want.bias) out.set("bias", take(result.bias));
  return out;
}

// ---- the calls -----------------------------------------------------------------------------------------------------

val encodings() {
  val list = val::array();
  for (const phasor::EncodingType* type : phasor::encodings()) {
    val params = val::array();
    for (const phasor::ParamSpec& spec : type->params) {
      val param = val::object();
      param.set("name", spec.name);
      param.set("kind", std::string(phasor::to_string(spec.kind)));
      if (spec.kind == phasor::ParamKind::choice)
        param.set("default", spec.choices[static_cast<std::size_t>(spec.fallback)]);
      else if (spec.kind == phasor::ParamKind::tensor)
        param.set("default", val::null());
      else if (spec.kind == phasor::ParamKind::boolean)
        param.set("default", spec.fallback != 0);
      else
        param.set("default", spec.fallback);
      param.set("min", spec.min);
      param.set("max", spec.max);
      param.set("choices", val::array(spec.choices));
      param.set("unit", spec.unit);
      param.set("logarithmic", spec.logarithmic);
      param.set("summary", spec.summary);
      param.set("shape", spec.shape);
      val applies = val::null();
      if (!spec.applies.choice.empty()) {
        applies = val::object();
        applies.set("choice", spec.applies.choice);
        applies.set("words", val::array(spec.applies.words));
      }
      param.set("applies", applies);
      params.call<void>("push", param);
    }
    val info = val::object();
    info.set("id", type->id);
    info.set("injection", std::string(phasor::to_string(type->injection)));
    info.set("learned", type->learned);
    info.set("relative", type->relative);
    info.set("prefixStable", type->prefix_stable);
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

val bias(val object) {
  Request request(object);
  const phasor::EncodingConfig config = request.inline_encoding({"heads", "queries", "keys", "offset"});
  const int heads = request.integer("heads"), queries = request.integer("queries"), keys = request.integer("keys");
  const double offset = request.optional_number("offset").value_or(keys - queries);
  Tensor out;
  return answer(request.status().ok() ? phasor::bias(config, heads, queries, keys, offset, out) : request.status(), out);
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

val attention(val object) {
  Request request(object);
  const Tensor q = request.tensor("q"), k = request.tensor("k"), v = request.tensor("v");
  phasor::AttentionConfig config;
  config.encoding = request.encoding("encoding");
  config.mask = static_cast<phasor::Mask>(request.choice("mask", {"none", "causal"}));
  if (request.has("keyMask")) {
    for (const double keep : request.numbers<double>("keyMask")) config.key_mask.push_back(keep != 0 ? 1 : 0);
    if (config.key_mask.empty()) return failure(Status::invalid("keyMask: it has 0 entries"));
  }
  config.offset = request.optional_number("offset");
  config.scale = request.optional_number("scale");
  config.want = request.want();
  phasor::AttentionResult result;
  return answer(request.status().ok() ? phasor::attention(q, k, v, config, result) : request.status(), result, config.want);
}

val layer(val object) {
  Request request(object);
  const Tensor x = request.tensor("x");
  phasor::LayerConfig config;
  config.heads = request.integer("heads");
  config.encoding = request.encoding("encoding");
  config.mask = static_cast<phasor::Mask>(request.choice("mask", {"none", "causal"}));
  config.offset = request.optional_number("offset").value_or(0);
  config.scale = request.optional_number("scale");
  config.projections = static_cast<phasor::Projections>(request.choice("projections", {"identity", "orthogonal"}));
  config.seed = request.seed("seed");
  config.want = request.want();
  phasor::AttentionResult result;
  return answer(request.status().ok() ? phasor::layer(x, config, result) : request.status(), result, config.want);
}

val similarity(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  const auto measure = static_cast<phasor::Measure>(request.choice("measure", {"cosine", "dot"}));
  Tensor out;
  return answer(request.status().ok() ? phasor::similarity(table, measure, out) : request.status(), out);
}

val permutation_error(val object) {
  Request request(object);
  const Tensor before = request.tensor("before"), after = request.tensor("after");
  const std::vector<int> order = request.numbers<int>("order");
  phasor::PermutationError result;
  const Status status = request.status().ok() ? phasor::permutation_error(before, after, order, result) : request.status();
  if (!status.ok()) return failure(status);
  val out = val::object();
  out.set("largest", result.largest);
  out.set("perToken", take(result.per_token));
  return out;
}

val distance_profile(val object) {
  Request request(object);
  const Tensor matrix = request.tensor("matrix");
  phasor::DistanceProfile result;
  const Status status = request.status().ok() ? phasor::distance_profile(matrix, result) : request.status();
  if (!status.ok()) return failure(status);
  val out = val::object();
  out.set("mean", take(result.mean));
  out.set("lowest", take(result.lowest));
  out.set("highest", take(result.highest));
  out.set("spread", result.spread);
  return out;
}

val table_facts(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  phasor::TableFacts facts;
  const Status status = request.status().ok() ? phasor::table_facts(table, facts) : request.status();
  if (!status.ok()) return failure(status);
  val out = val::object();
  out.set("closest", val::array(std::vector<int>{facts.closest_first, facts.closest_second}));
  out.set("closestDistance", facts.closest_distance);
  out.set("largest", facts.largest);
  out.set("meanNorm", facts.mean_norm);
  out.set("lowestNorm", facts.lowest_norm);
  out.set("highestNorm", facts.highest_norm);
  return out;
}

val spectrum(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  phasor::Spectrum result;
  const Status status = request.status().ok() ? phasor::spectrum(table, result) : request.status();
  if (!status.ok()) return failure(status);
  val out = val::object();
  out.set("power", take(result.power));
  out.set("wavelength", take(result.wavelength));
  return out;
}

val principal_components(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  const int components = request.integer("components");
  phasor::Principal result;
  const Status status = request.status().ok() ? phasor::principal_components(table, components, result) : request.status();
  if (!status.ok()) return failure(status);
  val out = val::object();
  out.set("coordinates", take(result.coordinates));
  out.set("explained", take(result.explained));
  return out;
}

val decodability(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  const double ridge = request.optional_number("ridge").value_or(1e-3);
  phasor::Decodability result;
  const Status status = request.status().ok() ? phasor::decodability(table, ridge, result) : request.status();
  if (!status.ok()) return failure(status);
  val out = val::object();
  out.set("rSquared", result.r_squared);
  out.set("meanError", result.mean_error);
  out.set("predicted", take(result.predicted));
  return out;
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
  emscripten::function("attention", &attention);
  emscripten::function("layer", &layer);
  emscripten::function("similarity", &similarity);
  emscripten::function("permutationError", &permutation_error);
  emscripten::function("distanceProfile", &distance_profile);
  emscripten::function("tableFacts", &table_facts);
  emscripten::function("spectrum", &spectrum);
  emscripten::function("principalComponents", &principal_components);
  emscripten::function("decodability", &decodability);
  emscripten::function("gaussian", &gaussian);
}
