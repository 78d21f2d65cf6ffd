// The calls that read config.json files of published models.

#include "calls.h"

namespace {

using namespace phasor_js;

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

// {id, ...parameters}, as in requests.
void add(Answer& answer, const phasor::EncodingConfig& config) {
  add(answer.add("id", config.id), config.params);
}

std::string word_or_none(Request& request, const char* name) {
  return request.has(name) ? request.word(name) : std::string();
}

// The file is under `config`, because its keys are not fields of the request.
phasor::Params config_file(Request& request) {
  request.object("config");
  return request.entries("config.");
}

Status rope_from_config(Request& request, Answer& answer) {
  const phasor::Params file = config_file(request);
  phasor::ConfigOptions options{.layer_type = word_or_none(request, "layerType"),
                                .sequence_length = request.number_or("sequenceLength", 0)};
  if (request.has("layerIdx")) options.layer_idx = request.integer("layerIdx");
  return run(
      request, [&] { return phasor::rope_from_config(file, options); },
      [&](const phasor::EncodingConfig& read) { add(answer, read); });
}

// Its positionIds have the form of the call positionIds.
void add(Answer& answer, const phasor::ConfigEncoding& read) {
  add(answer.open("encoding"), read.encoding);
  add(answer.close().open("sourceKeys"), read.source_keys);
  add(answer.close().open("defaults"), read.defaults);
  answer.close();
  if (!read.assumed.empty()) {
    add(answer.open("assumed"), read.assumed);
    answer.close();
  }
  if (read.added) {
    add(answer.open("added"), *read.added);
    answer.close();
  }
  if (read.rotates_values) answer.add_flag("rotatesValues", true);
  if (read.scale) answer.add("scale", *read.scale);
  if (read.position_offset != 0) answer.add("positionOffset", read.position_offset);
  if (!read.position_id_mode) return;
  answer.open("positionIds")
      .add("mode", kPositionIdModes.list()[static_cast<std::size_t>(*read.position_id_mode)]);
  if (*read.position_id_mode == phasor::PositionIdMode::fairseq)
    answer.add("paddingIdx", read.padding_idx);
  answer.close();
}

Status encoding_from_config(Request& request, Answer& answer) {
  const phasor::Params file = config_file(request);
  phasor::ConfigOptions options{.stack = word_or_none(request, "stack"),
                                .layer_type = word_or_none(request, "layerType")};
  if (request.has("layerIdx")) options.layer_idx = request.integer("layerIdx");
  options.sequence_length = request.number_or("sequenceLength", 0);
  return run(
      request, [&] { return phasor::encoding_from_config(file, options); },
      [&](const phasor::ConfigEncoding& read) { add(answer, read); });
}

void add(Answer& answer, const phasor::ConfigLayer& layer) {
  answer.add("type", layer.type);
  if (!layer.stack.empty()) answer.add("stack", layer.stack);
  if (!layer.encoding) return;
  add(answer.open("encoding"), *layer.encoding);
  answer.close();
  if (layer.scale) answer.add("scale", *layer.scale);
  if (layer.window) answer.add("window", *layer.window);
  if (layer.window_ahead) answer.add("windowAhead", *layer.window_ahead);
  if (layer.chunk) answer.add("chunk", *layer.chunk);
  if (layer.softcap) answer.add("softcap", *layer.softcap);
  if (layer.sinks) answer.add_flag("sinks", true);
  if (!layer.causal) answer.add_flag("causal", false);
  if (layer.rotates_values) answer.add_flag("rotatesValues", true);
  if (layer.qk_norm) {
    const phasor::LayerQkNorm& norm = *layer.qk_norm;
    answer.open("qkNorm")
        .add("norm", norm.norm)
        .add("over", norm.over)
        .add("weightForm", norm.weight_form)
        .add("order", norm.order)
        .add("eps", norm.eps)
        .close();
  }
  if (!layer.temperature) return;
  answer.open("temperature")
      .add("floorScale", layer.temperature->floor_scale)
      .add("attnScale", layer.temperature->attn_scale)
      .add("first", layer.temperature->first)
      .close();
}

Status layers_from_config(Request& request, Answer& answer) {
  const phasor::Params file = config_file(request);
  return run(
      request, [&] { return phasor::layers_from_config(file); },
      [&](const std::vector<phasor::ConfigLayer>& layers) {
        answer.open_list("layers");
        for (const phasor::ConfigLayer& layer : layers) {
          add(answer.open(kItem), layer);
          answer.close();
        }
        answer.close();
      });
}

}  // namespace

namespace phasor_js {

std::span<const Call> model_calls() {
  static constexpr Call kCalls[] = {
      {"ropeFromConfig", rope_from_config},
      {"encodingFromConfig", encoding_from_config},
      {"layersFromConfig", layers_from_config},
  };
  return kCalls;
}

}  // namespace phasor_js
