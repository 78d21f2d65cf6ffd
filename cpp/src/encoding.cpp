#include "phasor/encoding.h"

#include <algorithm>
#include <cstdlib>

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

std::vector<std::string_view> Words::list() const {
  std::vector<std::string_view> words;
  for (std::string_view rest = text_; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    words.push_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return words;
}

int Words::find(std::string_view word) const {
  const std::vector<std::string_view> words = list();
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

Values::Values(std::span<const ParamSpec> specs) : specs_(specs) {
  for (const ParamSpec& spec : specs) slots_.push_back({.number = spec.fallback});
}

std::size_t Values::slot(std::string_view name) const {
  const auto spec = std::find_if(specs_.begin(), specs_.end(), [&](const ParamSpec& s) { return s.name == name; });
  if (spec == specs_.end()) std::abort();  // an encoding that asks for what it has not declared
  return static_cast<std::size_t>(spec - specs_.begin());
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
