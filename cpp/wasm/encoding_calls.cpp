// The calls that compute encodings.

#include "answer.h"
#include "calls.h"
#include "math/sentence.h"

namespace {

using namespace phasor_js;

using PerPosition = phasor::Result<Tensor> (*)(const phasor::EncodingConfig&, phasor::Positions, int);

// Rows for `positions`, or for `length` positions from `offset` on.
val per_position(Request& request, PerPosition compute) {
  const phasor::EncodingConfig config = request.inline_encoding("length, width, offset, positions");
  const int width = request.integer("width");
  OwnedPositions positions;
  if (request.has("positions")) {
    request.refuse_beside("positions", "length, offset");
    positions = request.positions("positions");
  } else {
    const int length = request.integer("length");
    const double offset = request.number_or("offset", 0);
    if (request.status().ok()) {
      auto values = phasor::consecutive_positions(offset, length);
      if (!values.ok()) return failure(values.status());
      positions.values = *std::move(values);
    }
  }
  return answer(request.done().ok() ? compute(config, positions.view(), width) : request.status());
}

val table(Request& request) { return per_position(request, phasor::table); }
val angles(Request& request) { return per_position(request, phasor::angles); }

// Queries and keys by their numbers, or anywhere by their positions.
val bias(Request& request) {
  const phasor::EncodingConfig config = request.inline_encoding("heads, queries, keys, offset, width, queryPositions, keyPositions");
  const int heads = request.integer("heads"), width = request.integer_or("width", 1);
  if (request.has("queryPositions") || request.has("keyPositions")) {
    request.refuse_beside("queryPositions", "queries, keys, offset");
    const OwnedPositions queries = request.positions("queryPositions"), keys = request.positions("keyPositions");
    return answer(request.done().ok() ? phasor::bias(config, heads, queries.view(), keys.view(), width) : request.status());
  }
  const int queries = request.integer("queries"), keys = request.integer("keys");
  const double offset = request.optional_number("offset").value_or(keys - queries);
  return answer(request.done().ok() ? phasor::bias(config, heads, queries, keys, offset, width) : request.status());
}

val rotate(Request& request) {
  Tensor x = request.tensor("x");
  const phasor::EncodingConfig config = request.inline_encoding("x, positions, role");
  const auto role = request.choice<phasor::Role>("role", "query, key");
  OwnedPositions positions;
  if (request.has("positions")) {
    positions = request.positions("positions");
  } else if (x.rank() == 3) {
    for (int t = 0; t < x.shape[1]; ++t) positions.values.push_back(t);
  }
  return answer(request.done().ok() ? phasor::rotate(config, role, positions.view(), std::move(x)) : request.status());
}

val rotation_matrix(Request& request) {
  const phasor::EncodingConfig config = request.inline_encoding("position, width, role");
  const auto role = request.choice<phasor::Role>("role", "query, key");
  const OwnedPositions position = request.position("position");
  const int width = request.integer("width");
  return answer(request.done().ok() ? phasor::rotation_matrix(config, role, position.view(), width) : request.status());
}

Tensor vector(const std::vector<double>& numbers) { return {{static_cast<int>(numbers.size())}, {numbers.begin(), numbers.end()}}; }

val rope_frequencies(Request& request) {
  const phasor::EncodingConfig config = request.encoding();
  const int width = request.integer("width");
  const auto result = request.done().ok() ? phasor::rope_frequencies(config, width) : request.status();
  if (!result.ok()) return failure(result.status());
  return Answer().add("inverse", vector(result->inverse)).add("attentionFactor", result->attention_factor);
}

// A sentence of the library, which calls an argument by another name.
Status renamed(Status status, std::string_view name, const char* here) {
  const std::string_view message = status.message, rest = message.substr(std::min(name.size(), message.size()));
  if (message.starts_with(name) && rest.starts_with(':')) status.message = phasor::sentence("{}{}", {here, rest});
  return status;
}

// The file stands under `config`, because its keys are nobody's business here.
val rope_model(Request& request) {
  phasor::RopeModelOptions options;
  request.object("config");
  const phasor::Params file = request.entries("config.");
  if (request.has("layerType")) options.layer_type = request.word("layerType");
  options.sequence_length = request.number_or("sequenceLength", 0);
  const auto out = request.done().ok() ? phasor::read_rope_model(file, options) : request.status();
  return out.ok() ? answer(*out) : failure(renamed(renamed(out.status(), "layer_type", "layerType"), "sequence_length", "sequenceLength"));
}

val combine(Request& request) {
  const Tensor x = request.tensor("x"), table = request.tensor("table");
  const auto how = request.choice<phasor::Combination>("how", "add, concatenate");
  return answer(request.done().ok() ? phasor::combine(x, table, how) : request.status());
}

val position_ids(Request& request) {
  const std::vector<std::uint8_t> visible = request.flags("visible");
  const auto how = request.choice<phasor::PositionCount>("how", "fairseq, opt, bloom");
  const int padding_idx = request.integer_or("paddingIdx", 1);
  const int past = request.integer_or("past", 0);
  const auto ids = request.done().ok() ? phasor::position_ids(visible, how, padding_idx, past) : request.status();
  return ids.ok() ? take(vector(*ids)) : failure(renamed(ids.status(), "padding_idx", "paddingIdx"));
}

val gaussian(Request& request) {
  const std::uint32_t seed = request.seed("seed");
  const std::vector<int> shape = request.whole_numbers("shape");
  return answer(request.done().ok() ? phasor::gaussian(seed, shape) : request.status());
}

}  // namespace

namespace phasor_js {

std::span<const Call> encoding_calls() {
  static constexpr Call kCalls[] = {
      {"table", table},
      {"angles", angles},
      {"bias", bias},
      {"rotate", rotate},
      {"rotationMatrix", rotation_matrix},
      {"ropeFrequencies", rope_frequencies},
      {"ropeModel", rope_model},
      {"combine", combine},
      {"positionIds", position_ids},
      {"gaussian", gaussian},
  };
  return kCalls;
}

}  // namespace phasor_js
