#include "phasor/encoding.h"

namespace phasor {

const char* to_string(Injection injection) {
  switch (injection) {
    case Injection::none: return "none";
    case Injection::input: return "input";
    case Injection::query_key: return "query_key";
    case Injection::score: return "score";
    case Injection::score_content: return "score_content";
    case Injection::key_value: return "key_value";
  }
  return "unknown";
}

const char* to_string(ParamKind kind) {
  switch (kind) {
    case ParamKind::real: return "real";
    case ParamKind::integer: return "integer";
    case ParamKind::choice: return "choice";
    case ParamKind::boolean: return "boolean";
    case ParamKind::tensor: return "tensor";
  }
  return "unknown";
}

namespace {

ParamSpec spec(ParamKind kind, const char* name, const char* summary) {
  ParamSpec out;
  out.kind = kind;
  out.name = name;
  out.summary = summary;
  return out;
}

ParamSpec number(ParamKind kind, const char* name, double fallback, double min, double max, const char* unit, const char* summary) {
  ParamSpec out = spec(kind, name, summary);
  out.fallback = fallback;
  out.min = min;
  out.max = max;
  out.unit = unit;
  return out;
}

}  // namespace

ParamSpec ParamSpec::real(const char* name, double fallback, double min, double max, const char* unit, const char* summary) {
  return number(ParamKind::real, name, fallback, min, max, unit, summary);
}

ParamSpec ParamSpec::log_real(const char* name, double fallback, double min, double max, const char* unit, const char* summary) {
  ParamSpec out = number(ParamKind::real, name, fallback, min, max, unit, summary);
  out.logarithmic = true;
  return out;
}

ParamSpec ParamSpec::integer(const char* name, int fallback, int min, int max, const char* unit, const char* summary) {
  return number(ParamKind::integer, name, fallback, min, max, unit, summary);
}

ParamSpec ParamSpec::choice(const char* name, std::initializer_list<const char*> choices, const char* summary) {
  ParamSpec out = spec(ParamKind::choice, name, summary);
  out.choices.assign(choices.begin(), choices.end());
  out.max = static_cast<double>(choices.size()) - 1;
  return out;
}

ParamSpec ParamSpec::boolean(const char* name, bool fallback, const char* summary) {
  return number(ParamKind::boolean, name, fallback ? 1 : 0, 0, 1, "", summary);
}

ParamSpec ParamSpec::tensor(const char* name, const char* shape, const char* summary) {
  ParamSpec out = spec(ParamKind::tensor, name, summary);
  out.shape = shape;
  return out;
}

ParamSpec ParamSpec::only_with(std::string choice, std::vector<std::string> words) const {
  ParamSpec spec = *this;
  spec.applies = {std::move(choice), std::move(words)};
  return spec;
}

std::optional<double> Encoding::scale(int) const { return {}; }
std::map<std::string, const Tensor*> Encoding::learned() const { return {}; }
Status Encoding::check_positions(Positions) const { return {}; }
Status Encoding::check_distances(Positions, Positions) const { return {}; }
void Encoding::table(Positions, MatrixRef) const {}
void Encoding::table_gradient(Positions, ConstMatrixRef, Gradients&) const {}
std::vector<Wave> Encoding::waves(int) const { return {}; }
void Encoding::transform(Role, Positions, Tensor&) const {}
void Encoding::transform_gradient(Role, Positions, const Tensor&, Tensor&, Gradients&) const {}
void Encoding::angles(Positions, MatrixRef) const {}
void Encoding::add_bias(int, Positions, Positions, MatrixRef) const {}
void Encoding::bias_gradient(int, Positions, Positions, ConstMatrixRef, Gradients&) const {}
void Encoding::add_content(const ContentTile&, MatrixRef) const {}
void Encoding::content_gradient(const ContentTile&, ConstMatrixRef, ConstMatrixRef, MatrixRef, MatrixRef, Gradients&) const {}
void Encoding::add_values(int, Positions, Positions, ConstMatrixRef, MatrixRef) const {}
void Encoding::values_gradient(int, Positions, Positions, ConstMatrixRef, ConstMatrixRef, MatrixRef, Gradients&) const {}

}  // namespace phasor
