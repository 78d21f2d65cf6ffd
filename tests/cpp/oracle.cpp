#include "oracle.h"

#include <algorithm>

#include "phasor/registry.h"

namespace phasor::test {

// CMake writes one line for each file of oracle/.
#define ORACLE_USE(name) std::unique_ptr<Oracle> oracle_##name(const Settings& settings);
#include "oracles.inc"
#undef ORACLE_USE

Vector row_of(const Tensor& t, int row, int slice) {
  const ConstMatrixRef m = matrix(t, slice);
  return Vector(m.row(row), m.row(row) + m.columns);
}

Vector Oracle::rotate(Role, int, std::span<const double>, const Vector& x) const { return x; }
double Oracle::bias(int, double, double) const { return 0; }
double Oracle::content_term(const ScoreRow&, std::size_t) const { return 0; }
Vector Oracle::value(int, double, double) const { return {}; }

Vector Oracle::content_terms(const ScoreRow& row) const {
  Vector all;
  all.reserve(row.k.size());
  for (std::size_t key = 0; key < row.k.size(); ++key) all.push_back(content_term(row, key));
  return all;
}

Settings::Settings(const EncodingConfig& config, const EncodingDims& sizes)
    : geometry(sizes), config_(&config), type_(find_encoding(config.id)) {}

double Settings::default_value(std::string_view name) const {
  const auto specs = type_->params;
  return std::find_if(specs.begin(), specs.end(),
                      [&](const ParamInfo& spec) { return spec.name == name; })
      ->default_value;
}

double Settings::number(std::string_view name) const {
  const ParamValue* value = param(name);
  return value != nullptr ? std::get<double>(*value) : default_value(name);
}

bool Settings::flag(std::string_view name) const {
  const ParamValue* value = param(name);
  return value != nullptr ? std::get<bool>(*value) : default_value(name) != 0;
}

std::string Settings::word(std::string_view name) const {
  if (const ParamValue* value = param(name)) return std::get<std::string>(*value);
  const auto specs = type_->params;
  const auto spec =
      std::find_if(specs.begin(), specs.end(), [&](const ParamInfo& s) { return s.name == name; });
  return std::string(spec->choices.list()[static_cast<std::size_t>(spec->default_value)]);
}

const Tensor* Settings::array(std::string_view name) const {
  const ParamValue* value = param(name);
  return value != nullptr ? &std::get<Tensor>(*value) : nullptr;
}

const Tensor& Settings::parameter(std::string_view name) const { return *array(name); }

std::unique_ptr<Oracle> make_oracle(const EncodingConfig& config, const EncodingDims& geometry) {
#define ORACLE_USE(name) \
  if (config.id == #name) return oracle_##name(Settings(config, geometry));
#include "oracles.inc"
#undef ORACLE_USE
  return nullptr;
}

}  // namespace phasor::test
