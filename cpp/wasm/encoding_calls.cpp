// The calls that compute encodings.

#include "calls.h"
#include "core/format_error.h"

namespace {

using namespace phasor_js;

using PerPosition = phasor::Result<Tensor> (*)(const phasor::EncodingConfig&, phasor::Positions, int);

// Rows for `positions`, or for `length` positions from `offset` on.
Status per_position(Request& request, Answer& answer, PerPosition compute) {
  const phasor::EncodingConfig config = request.encoding();
  const int width = request.integer("width");
  OwnedPositions positions;
  if (request.has("positions")) {
    request.refuse_beside("positions", "length, offset");
    positions = request.positions("positions");
  } else {
    const int length = request.integer("length");
    const double offset = request.number_or("offset", 0);
    if (request.status().ok()) {
      PHASOR_TRY(phasor::consecutive_positions(offset, length).move_to(positions.values));
    }
  }
  return run(request, answer, [&] { return compute(config, positions.view(), width); });
}

Status table(Request& request, Answer& answer) { return per_position(request, answer, phasor::table); }
Status angles(Request& request, Answer& answer) { return per_position(request, answer, phasor::angles); }

// Queries and keys by their numbers, or anywhere by their positions.
Status bias(Request& request, Answer& answer) {
  const phasor::EncodingConfig config = request.encoding();
  const int heads = request.integer("heads"), width = request.integer_or("width", 1);
  if (request.has("queryPositions") || request.has("keyPositions")) {
    request.refuse_beside("queryPositions", "queries, keys, offset");
    const OwnedPositions queries = request.positions("queryPositions"), keys = request.positions("keyPositions");
    return run(request, answer, [&] { return phasor::bias(config, heads, queries.view(), keys.view(), width); });
  }
  const int queries = request.integer("queries"), keys = request.integer("keys");
  const double offset = request.optional_number("offset").value_or(static_cast<double>(keys) - queries);
  return run(request, answer, [&] { return phasor::bias(config, heads, queries, keys, offset, width); });
}

Status rotate(Request& request, Answer& answer) {
  Tensor x = request.tensor("x");
  const phasor::EncodingConfig config = request.encoding();
  const auto role = request.choice<phasor::Role>("role", "query, key");
  OwnedPositions positions;
  if (request.has("positions")) {
    positions = request.positions("positions");
  } else if (x.rank() == 3) {
    for (int t = 0; t < x.shape[1]; ++t) positions.values.push_back(t);
  }
  return run(request, answer, [&] { return phasor::rotate(config, role, positions.view(), std::move(x)); });
}

Status rotation_matrix(Request& request, Answer& answer) {
  const phasor::EncodingConfig config = request.encoding();
  const auto role = request.choice<phasor::Role>("role", "query, key");
  const OwnedPositions position = request.position("position");
  const int width = request.integer("width");
  return run(request, answer, [&] { return phasor::rotation_matrix(config, role, position.view(), width); });
}

Tensor vector(const std::vector<double>& numbers) { return {{static_cast<int>(numbers.size())}, {numbers.begin(), numbers.end()}}; }

Status rope_frequencies(Request& request, Answer& answer) {
  const phasor::EncodingConfig config = request.encoding();
  const int width = request.integer("width");
  return run(
      request, [&] { return phasor::rope_frequencies(config, width); },
      [&](const phasor::Frequencies& found) {
        answer.add("invFreq", vector(found.inv_freq)).add("attentionFactor", found.attention_factor);
      });
}

void add(Answer& answer, const phasor::Params& params) {
  for (const auto& [key, value] : params) {
    const char* const name = key.c_str();
    if (const auto* tensor = std::get_if<Tensor>(&value)) {
      answer.add(name, *tensor);
    } else if (const auto* word = std::get_if<std::string>(&value)) {
      answer.add(name, *word);
    } else if (const auto* yes = std::get_if<bool>(&value)) {
      answer.add_flag(name, *yes);
    } else if (const auto* number = std::get_if<double>(&value)) {
      answer.add(name, *number);
    }
  }
}

// {id, ...parameters}, as requests take it.
Answer& add(Answer& answer, const phasor::EncodingConfig& config) {
  add(answer.add("id", config.id), config.params);
  return answer;
}

std::string word_or_none(Request& request, const char* name) { return request.has(name) ? request.word(name) : std::string(); }

// The file stands under `config`, because its keys are nobody's business here.
phasor::Params config_file(Request& request) {
  request.object("config");
  return request.entries("config.");
}

Status rope_model(Request& request, Answer& answer) {
  const phasor::Params file = config_file(request);
  const phasor::RopeModelOptions options{.layer_type = word_or_none(request, "layerType"),
                                         .sequence_length = request.number_or("sequenceLength", 0)};
  return run(
      request, [&] { return phasor::read_rope_model(file, options); }, [&](const phasor::EncodingConfig& read) { add(answer, read); });
}

constexpr phasor::Words kPositionIdModes = "fairseq, opt, bloom";

// Its positionIds are as positionIds takes them.
void add(Answer& answer, const phasor::ModelEncoding& read) {
  Answer encoding, because, defaults;
  add(because, read.because);
  add(defaults, read.defaults);
  answer.add("encoding", add(encoding, read.encoding)).add("because", because).add("defaults", defaults);
  if (read.scale) answer.add("scale", *read.scale);
  if (read.offset != 0) answer.add("offset", read.offset);
  if (!read.position_id_mode) return;
  Answer ids;
  ids.add("mode", std::string(kPositionIdModes.list()[static_cast<std::size_t>(*read.position_id_mode)]));
  if (*read.position_id_mode == phasor::PositionIdMode::fairseq) ids.add("paddingIdx", read.padding_idx);
  answer.add("positionIds", ids);
}

Status model_encoding(Request& request, Answer& answer) {
  const phasor::Params file = config_file(request);
  phasor::ModelEncodingOptions options{.stack = word_or_none(request, "stack"), .layer_type = word_or_none(request, "layerType")};
  if (request.has("layerIdx")) options.layer_idx = request.integer("layerIdx");
  options.sequence_length = request.number_or("sequenceLength", 0);
  return run(
      request, [&] { return phasor::model_encoding(file, options); }, [&](const phasor::ModelEncoding& read) { add(answer, read); });
}

Status combine(Request& request, Answer& answer) {
  const Tensor x = request.tensor("x"), table = request.tensor("table");
  const auto mode = request.choice<phasor::CombineMode>("mode", "add, concatenate");
  return run(request, answer, [&] { return phasor::combine(x, table, mode); });
}

Status position_ids(Request& request, Answer& answer) {
  const std::vector<std::uint8_t> attention_mask = request.flags("attentionMask");
  const auto mode = request.choice<phasor::PositionIdMode>("mode", kPositionIdModes);
  const int padding_idx = request.integer_or("paddingIdx", 1);
  const int past = request.integer_or("past", 0);
  return run(
      request, [&] { return phasor::position_ids(attention_mask, mode, padding_idx, past); },
      [&](const std::vector<double>& ids) { answer.be(vector(ids)); });
}

Status gaussian(Request& request, Answer& answer) {
  const std::uint32_t seed = request.seed("seed");
  const std::vector<int> shape = request.whole_numbers("shape");
  return run(request, answer, [&] { return phasor::gaussian(seed, shape); });
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
      {"modelEncoding", model_encoding},
      {"combine", combine},
      {"positionIds", position_ids},
      {"gaussian", gaussian},
  };
  return kCalls;
}

}  // namespace phasor_js
