// Calls that read the config.json of a published model.

#include "calls.h"

namespace {

using namespace phasor_js;

void add(Response& response, const phasor::Params& params) {
  for (const auto& [key, value] : params) {
    const char* const name = key.c_str();
    if (const auto* tensor = std::get_if<Tensor>(&value)) {
      response.add(name, *tensor);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      response.add(name, *text);
    } else if (const auto* flag = std::get_if<bool>(&value)) {
      response.add_flag(name, *flag);
    } else if (const auto* number = std::get_if<double>(&value)) {
      response.add(name, *number);
    }
  }
}

// Adds {id, ...parameters}, which is how requests describe an encoding.
void add(Response& response, const phasor::EncodingConfig& config) {
  add(response.add("id", config.id), config.params);
}

std::string read_string_or_empty(Request& request, const char* name) {
  return request.has(name) ? request.string(name) : std::string();
}

// Reads the object in the field `config` as if it were a config file.
phasor::Params read_config_file(Request& request) {
  request.object("config");
  return request.params("config.");
}

Status rope_from_config(Request& request, Response& response) {
  const phasor::Params config_params = read_config_file(request);
  phasor::ConfigOptions options{.layer_type = read_string_or_empty(request, "layerType"),
                                .sequence_length = request.number_or("sequenceLength", 0)};
  if (request.has("layerIdx")) options.layer_idx = request.integer("layerIdx");
  return run(
      request, [&] { return phasor::rope_from_config(config_params, options); },
      [&](const phasor::EncodingConfig& result) { add(response, result); });
}

// Adds the encoding of a config file. `positionIds` contains the fields of a positionIds request.
void add(Response& response, const phasor::ConfigEncoding& result) {
  add(response.open_object("encoding"), result.encoding);
  add(response.close().open_object("sourceKeys"), result.source_keys);
  add(response.close().open_object("defaults"), result.defaults);
  response.close();
  if (!result.assumed.empty()) {
    add(response.open_object("assumed"), result.assumed);
    response.close();
  }
  if (result.added) {
    add(response.open_object("added"), *result.added);
    response.close();
  }
  if (result.rotates_values) response.add_flag("rotatesValues", true);
  if (result.scale) response.add("scale", *result.scale);
  if (result.position_offset != 0) response.add("positionOffset", result.position_offset);
  if (!result.position_id_mode) return;
  response.open_object("positionIds")
      .add("mode", kPositionIdModes.list()[static_cast<std::size_t>(*result.position_id_mode)]);
  if (*result.position_id_mode == phasor::PositionIdMode::fairseq)
    response.add("paddingIdx", result.padding_idx);
  response.close();
}

Status encoding_from_config(Request& request, Response& response) {
  const phasor::Params config_params = read_config_file(request);
  phasor::ConfigOptions options{.stack = read_string_or_empty(request, "stack"),
                                .layer_type = read_string_or_empty(request, "layerType")};
  if (request.has("layerIdx")) options.layer_idx = request.integer("layerIdx");
  options.sequence_length = request.number_or("sequenceLength", 0);
  return run(
      request, [&] { return phasor::encoding_from_config(config_params, options); },
      [&](const phasor::ConfigEncoding& result) { add(response, result); });
}

void add(Response& response, const phasor::ConfigLayer& layer) {
  response.add("type", layer.type);
  if (!layer.stack.empty()) response.add("stack", layer.stack);
  if (!layer.encoding) return;
  add(response.open_object("encoding"), *layer.encoding);
  response.close();
  if (layer.heads) response.add("heads", *layer.heads);
  if (layer.kv_heads) response.add("kvHeads", *layer.kv_heads);
  if (layer.head_dim) response.add("headDim", *layer.head_dim);
  if (layer.scale) response.add("scale", *layer.scale);
  if (layer.window) response.add("window", *layer.window);
  if (layer.window_ahead) response.add("windowAhead", *layer.window_ahead);
  if (layer.chunk) response.add("chunk", *layer.chunk);
  if (layer.patch_window) response.add("patchWindow", *layer.patch_window);
  if (layer.softcap) response.add("softcap", *layer.softcap);
  if (layer.sinks) response.add_flag("sinks", true);
  if (!layer.causal) response.add_flag("causal", false);
  if (layer.rotates_values) response.add_flag("rotatesValues", true);
  if (layer.qk_norm) {
    const phasor::LayerQkNorm& norm = *layer.qk_norm;
    response.open_object("qkNorm")
        .add("norm", norm.norm)
        .add("over", norm.over)
        .add("weightForm", norm.weight_form)
        .add("order", norm.order)
        .add("eps", norm.eps)
        .close();
  }
  if (!layer.temperature) return;
  response.open_object("temperature")
      .add("floorScale", layer.temperature->floor_scale)
      .add("attnScale", layer.temperature->attn_scale)
      .add("first", layer.temperature->first)
      .close();
}

Status layers_from_config(Request& request, Response& response) {
  const phasor::Params config_params = read_config_file(request);
  return run(
      request, [&] { return phasor::layers_from_config(config_params); },
      [&](const std::vector<phasor::ConfigLayer>& layers) {
        response.open_list("layers");
        for (const phasor::ConfigLayer& layer : layers) {
          add(response.open_object(kItem), layer);
          response.close();
        }
        response.close();
      });
}

}  // namespace

namespace phasor_js {

std::span<const Call> list_model_calls() {
  static constexpr Call kCalls[] = {
      {"ropeFromConfig", rope_from_config},
      {"encodingFromConfig", encoding_from_config},
      {"layersFromConfig", layers_from_config},
  };
  return kCalls;
}

}  // namespace phasor_js
