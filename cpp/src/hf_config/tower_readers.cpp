// Towers that read images: a learned table with a row per patch, or rotation by row and column.

#include <cmath>

#include "core/format_error.h"
#include "hf_config/family_readers.h"

namespace phasor {

namespace {

// Rows or columns of the picture in patches, of a file that has one number for both or two.
int patches(ConfigMap& model, const Family& family, std::size_t axis) {
  const auto size = [&](const char* key, double otherwise) {
    const ParamValue* value = model.entries.find(key);
    if (value == nullptr || std::holds_alternative<double>(*value))
      return model.get_or(key, otherwise);
    const Tensor* list = model.list(key);
    return list != nullptr && list->data.size() == 2 ? static_cast<double>(list->data[axis]) : 0.0;
  };
  const double image = size("image_size", family.image_size),
               patch = size("patch_size", family.patch_size);
  if (patch >= 1 && image >= patch && image <= kMaxExtent)
    return static_cast<int>(std::floor(image / patch));
  model.fail(
      invalid("{}image_size: {} is not at least patch_size, {}", model.path, aside(image), patch));
  return 1;
}

int prefix_tokens(ConfigMap& model, const Family& family) {
  return family.prefix_tokens +
         (family.prefix_key != nullptr ? static_cast<int>(model.number(family.prefix_key, 0)) : 0);
}

EncodingConfig patch_table(ConfigMap& model, const Family& family) {
  const double rows = family.table_key != nullptr && model.has(family.table_key)
                          ? model.number(family.table_key, 0)
                          : patches(model, family, 0) * patches(model, family, 1) +
                                static_cast<double>(family.prefix_tokens);
  return {.id = "learned", .params = {{"max_length", rows}}};
}

}  // namespace

Status read_patches(ConfigReader& r, const Family& family) {
  r.out.encoding = patch_table(r.model, family);
  return r.check();
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
  r.model.word("rope_parameters.rope_type");
  if (r.model.has("image_size")) {
    r.set("columns", static_cast<double>(patches(r.model, family, 1)));
    if (family.convention == std::string_view("dinov3"))
      r.set("rows", static_cast<double>(patches(r.model, family, 0)));
  }
  const int prefix = prefix_tokens(r.model, family);
  if (prefix > 0 && family.convention == std::string_view("dinov3"))
    r.set("prefix_tokens", static_cast<double>(prefix));
  if (family.table_key != nullptr) r.out.added = patch_table(r.model, family);
  return r.check();
}

}  // namespace phasor
