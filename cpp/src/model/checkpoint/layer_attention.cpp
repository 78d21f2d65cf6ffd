#include "model/checkpoint/layer_attention.h"

#include "core/format_error.h"

namespace phasor::model {

Status configure_attention(const ConfigLayer& layer, int layer_index, AttentionConfig& config) {
  const auto reject = [&](const char* feature) {
    return invalid("layer {}: has {}, which is not supported",
                   detail(static_cast<double>(layer_index)), feature);
  };
  if (!layer.encoding) return reject("no attention");
  if (layer.chunk) return reject("chunked attention");
  if (layer.patch_window) return reject("patch windows");
  if (layer.temperature) return reject("a query temperature");
  if (layer.sinks) return reject("learned sinks");
  if (layer.rotates_values) return reject("rotated values");
  if (layer.window_ahead && layer.window != *layer.window_ahead + 1)
    return reject("an asymmetric window");
  config.encoding = *layer.encoding;
  config.mask = layer.causal ? Mask::causal : Mask::none;
  config.window = layer.window;
  config.scale = layer.scale;
  config.output_layout = OutputLayout::token_major;
  config.options.softcap = layer.softcap;
  if (!layer.qk_norm) return {};
  const LayerQkNorm& norm = *layer.qk_norm;
  QkNorm& out = config.options.qk_norm.emplace();
  if (norm.over != "head" || norm.weight_form == "none")
    return reject("a query and key norm over all heads or without weights");
  out.norm = norm.norm == "rms" ? QkNorm::Norm::rms : QkNorm::Norm::layer;
  out.weight_form =
      norm.weight_form == "plain" ? QkNorm::WeightForm::plain : QkNorm::WeightForm::one_plus;
  out.order = norm.order == "before_encoding" ? QkNorm::Order::before_encoding
                                              : QkNorm::Order::after_encoding;
  out.eps = norm.eps;
  return {};
}

}  // namespace phasor::model
