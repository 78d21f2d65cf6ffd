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

std::optional<double> Encoding::scale(int) const { return {}; }
Named<const Tensor*> Encoding::learned() const { return {}; }
Status Encoding::check_positions(Positions) const { return {}; }
Status Encoding::check_distances(Positions, Positions) const { return {}; }
void Encoding::table(Positions, MatrixRef) const {}
void Encoding::table_backward(Positions, ConstMatrixRef, Gradients&) const {}
std::vector<Wave> Encoding::waves(int) const { return {}; }
void Encoding::transform(Role, Positions, Tensor&) const {}
void Encoding::transform_backward(Role, Positions, const Tensor&, Tensor&, Gradients&) const {}
void Encoding::angles(Positions, MatrixRef) const {}
void Encoding::add_bias(int, Positions, Positions, MatrixRef) const {}
void Encoding::bias_backward(int, Positions, Positions, ConstMatrixRef, Gradients&) const {}
void Encoding::add_content(const ContentTile&, MatrixRef) const {}
void Encoding::content_backward(const ContentTile&, ConstMatrixRef, ConstMatrixRef, MatrixRef, MatrixRef, Gradients&) const {}
void Encoding::add_values(int, Positions, Positions, ConstMatrixRef, MatrixRef) const {}
void Encoding::values_backward(int, Positions, Positions, ConstMatrixRef, ConstMatrixRef, MatrixRef, Gradients&) const {}

}  // namespace phasor
