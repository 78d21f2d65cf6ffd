#include "model/checkpoint/layer_attention.h"

#include "core/format_error.h"

namespace phasor::model {

Status configure_attention(const ConfigLayer& layer, int number, AttentionConfig& config) {
  const auto rejected = [&](const char* what) {
    return invalid("layer {}: it has {}, which is not supported",
                   aside(static_cast<double>(number)), what);
  };
  if (!layer.encoding) return rejected("no queries and keys");
  if (layer.chunk) return rejected("chunked attention");
  if (layer.patch_window) return rejected("windows of patches");
  if (layer.temperature) return rejected("a temperature of queries");
  if (layer.sinks) return rejected("learned sinks");
  if (layer.rotates_values) return rejected("rotated values");
  if (layer.window_ahead && layer.window != *layer.window_ahead + 1)
    return rejected("a window of different sizes before and after the query");
  config.encoding = *layer.encoding;
  config.mask = layer.causal ? Mask::causal : Mask::none;
  config.window = layer.window;
  config.scale = layer.scale;
  config.output_layout = OutputLayout::token_major;
  config.options.softcap = layer.softcap;
  if (!layer.qk_norm) return {};
  const LayerQkNorm& norm = *layer.qk_norm;
  QkNorm& to = config.options.qk_norm.emplace();
  if (norm.over != "head" || norm.weight_form == "none")
    return rejected("a norm of queries and keys over all heads or without weights");
  to.norm = norm.norm == "rms" ? QkNorm::Norm::rms : QkNorm::Norm::layer;
  to.weight_form =
      norm.weight_form == "plain" ? QkNorm::WeightForm::plain : QkNorm::WeightForm::one_plus;
  to.order = norm.order == "before_encoding" ? QkNorm::Order::before_encoding
                                             : QkNorm::Order::after_encoding;
  to.eps = norm.eps;
  return {};
}

}  // namespace phasor::model
