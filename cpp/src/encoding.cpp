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

ParamSpec ParamSpec::real(std::string name, double fallback, double min, double max, std::string unit, std::string summary) {
  return {.name = std::move(name),
          .kind = ParamKind::real,
          .fallback = fallback,
          .min = min,
          .max = max,
          .unit = std::move(unit),
          .summary = std::move(summary)};
}

ParamSpec ParamSpec::log_real(std::string name, double fallback, double min, double max, std::string unit, std::string summary) {
  ParamSpec spec = real(std::move(name), fallback, min, max, std::move(unit), std::move(summary));
  spec.logarithmic = true;
  return spec;
}

ParamSpec ParamSpec::integer(std::string name, int fallback, int min, int max, std::string unit, std::string summary) {
  ParamSpec spec = real(std::move(name), fallback, min, max, std::move(unit), std::move(summary));
  spec.kind = ParamKind::integer;
  return spec;
}

ParamSpec ParamSpec::choice(std::string name, std::vector<std::string> choices, std::string summary) {
  const double last = static_cast<double>(choices.size()) - 1;
  return {.name = std::move(name), .kind = ParamKind::choice, .max = last, .choices = std::move(choices), .summary = std::move(summary)};
}

ParamSpec ParamSpec::boolean(std::string name, bool fallback, std::string summary) {
  return {.name = std::move(name), .kind = ParamKind::boolean, .fallback = fallback ? 1.0 : 0.0, .max = 1, .summary = std::move(summary)};
}

ParamSpec ParamSpec::tensor(std::string name, std::string shape, std::string summary) {
  return {.name = std::move(name), .kind = ParamKind::tensor, .summary = std::move(summary), .shape = std::move(shape)};
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
