// Reads how vision towers encode positions: a learned table with one row per patch, or RoPE over
// rows and columns.

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/format_error.h"
#include "hf_config/family_readers.h"
#include "hf_config/layer_heads.h"
#include "hf_config/layer_types.h"

namespace phasor {

namespace {

// Returns the number of patches along an axis of the image (0: rows, 1: columns). The size in the
// file is one number for both axes, or a list of two.
int count_patches(ConfigMap& model, const Family& family, std::size_t axis) {
  const auto read_size = [&](const char* key, double default_value) {
    const ParamValue* value = model.entries.find(key);
    if (value == nullptr || std::holds_alternative<double>(*value))
      return model.get_or(key, default_value);
    const Tensor* list = model.list(key);
    return list != nullptr && list->data.size() == 2 ? static_cast<double>(list->data[axis]) : 0.0;
  };
  const double image_size = read_size("image_size", family.image_size),
               patch_size = read_size("patch_size", family.patch_size);
  if (patch_size >= 1 && image_size >= patch_size && image_size <= kMaxExtent)
    return static_cast<int>(std::floor(image_size / patch_size));
  model.fail(invalid("{}image_size: {} is smaller than patch_size, {}", model.path,
                     detail(image_size), patch_size));
  return 1;
}

int count_prefix_tokens(ConfigMap& model, const Family& family) {
  return family.prefix_tokens +
         (family.prefix_key != nullptr ? static_cast<int>(model.number(family.prefix_key, 0)) : 0);
}

EncodingConfig make_patch_table(ConfigMap& model, const Family& family) {
  const double rows = family.table_key != nullptr && model.has(family.table_key)
                          ? model.number(family.table_key, 0)
                          : count_patches(model, family, 0) * count_patches(model, family, 1) +
                                static_cast<double>(family.prefix_tokens);
  return {.id = "learned", .params = {{"max_length", rows}}};
}

// Most layers attend within square windows of patches. The side of a window is a multiple of
// spatial_merge_size, because the model later merges squares of that size.
struct PatchWindows {
  int window_side = 0;  ///< side of a window in patches, or 0 if there are no windows
  std::vector<int> full_layers{7, 15, 23, 31};

  static Status read(ConfigMap& model, const Family& family, int count, PatchWindows& out) {
    if (family.window_pixels == 0) return {};
    const int patch_size =
                  read_whole_number(model, "patch_size", static_cast<int>(family.patch_size), 1),
              merge_size = read_whole_number(model, "spatial_merge_size", 2, 1),
              window_pixels = read_whole_number(model, "window_size",
                                                static_cast<int>(family.window_pixels), 1);
    PHASOR_TRY(model.status());
    out.window_side = window_pixels / merge_size / patch_size * merge_size;
    if (out.window_side == 0) {
      return invalid("{}window_size: {} is smaller than spatial_merge_size * patch_size, {}",
                     model.path, window_pixels, static_cast<double>(merge_size) * patch_size);
    }
    if (const Tensor* index_list = model.list("fullatt_block_indexes")) {
      out.full_layers.clear();
      for (const float index : index_list->data) {
        if (!(index >= 0 && index < static_cast<float>(count) && index == std::floor(index))) {
          return invalid("{}fullatt_block_indexes: {} is not a layer index from 0 to {}",
                         model.path, index, count - 1);
        }
        out.full_layers.push_back(static_cast<int>(index));
      }
    }
    return {};
  }

  bool has_full_attention(int layer) const {
    return window_side == 0 ||
           std::find(full_layers.begin(), full_layers.end(), layer) != full_layers.end();
  }
};

}  // namespace

Status add_tower_layers(const Params& config, ConfigMap& model, const Family& family, int count,
                        std::vector<ConfigLayer>& out) {
  PatchWindows windows;
  PHASOR_TRY(PatchWindows::read(model, family, count, windows));
  const QkNormRule& norm = family.norm;
  const bool has_qk_norm = norm.over != nullptr && is_satisfied(norm.condition, model);
  const double eps = norm.eps_key != nullptr ? model.number(norm.eps_key, norm.eps) : norm.eps;
  for (int index = 0; index < count; ++index) {
    ConfigLayer& layer = out.emplace_back();
    PHASOR_TRY_ASSIGN(ConfigEncoding config_encoding,
                      encoding_from_config(config, {.layer_idx = index}));
    layer.encoding = std::move(config_encoding.encoding);
    layer.scale = config_encoding.scale;
    layer.causal = false;
    layer.type = windows.has_full_attention(index) ? kFullAttention : kWindowedAttention;
    PHASOR_TRY(read_heads(model, family, {}, index, layer));
    if (!windows.has_full_attention(index)) layer.patch_window = windows.window_side;
    if (has_qk_norm) layer.qk_norm = {norm.norm_type, norm.over, norm.weight_form, norm.order, eps};
  }
  return model.status();
}

Status read_patches(ConfigReader& r, const Family& family) {
  r.out.encoding = make_patch_table(r.model, family);
  return r.validate();
}

Status read_axial(ConfigReader& r, const Family& family) {
  r.out.encoding.id = "rope_2d";
  r.set("convention", family.convention);
  for (const char* key : {"rope_theta", "rope_parameters.rope_theta"}) {
    if (const double* base = r.model.number(key)) {
      r.set("base", *base);
      r.keys["base"] = r.model.path + key;
    }
  }
  r.model.string("rope_parameters.rope_type");
  if (r.model.has("image_size")) {
    r.set("columns", static_cast<double>(count_patches(r.model, family, 1)));
    if (family.convention == std::string_view("dinov3"))
      r.set("rows", static_cast<double>(count_patches(r.model, family, 0)));
  }
  const int prefix_tokens = count_prefix_tokens(r.model, family);
  if (prefix_tokens > 0 && family.convention == std::string_view("dinov3"))
    r.set("prefix_tokens", static_cast<double>(prefix_tokens));
  if (family.table_key != nullptr) r.out.added = make_patch_table(r.model, family);
  return r.validate();
}

}  // namespace phasor
