// The calls that measure tables and outputs.

#include <emscripten/bind.h>

#include "answer.h"
#include "request.h"

namespace {

using namespace phasor_js;

val similarity(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  const auto measure = static_cast<phasor::Measure>(request.choice("measure", {"cosine", "dot"}));
  Tensor out;
  return answer(request.status().ok() ? phasor::similarity(table, measure, out) : request.status(), out);
}

val permutation_error(val object) {
  Request request(object);
  const Tensor before = request.tensor("before"), after = request.tensor("after");
  const std::vector<int> order = request.numbers<int>("order");
  phasor::PermutationError result;
  const Status status = request.status().ok() ? phasor::permutation_error(before, after, order, result) : request.status();
  return Answer(status).add("largest", result.largest).add("perToken", result.per_token);
}

val distance_profile(val object) {
  Request request(object);
  const Tensor matrix = request.tensor("matrix");
  phasor::DistanceProfile result;
  const Status status = request.status().ok() ? phasor::distance_profile(matrix, result) : request.status();
  return Answer(status).add("mean", result.mean).add("lowest", result.lowest).add("highest", result.highest).add("spread", result.spread);
}

val table_facts(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  phasor::TableFacts facts;
  const Status status = request.status().ok() ? phasor::table_facts(table, facts) : request.status();
  return Answer(status)
      .add("closest", val::array(std::vector<int>{facts.closest_first, facts.closest_second}))
      .add("closestDistance", facts.closest_distance)
      .add("largest", facts.largest)
      .add("meanNorm", facts.mean_norm)
      .add("lowestNorm", facts.lowest_norm)
      .add("highestNorm", facts.highest_norm);
}

val spectrum(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  phasor::Spectrum result;
  const Status status = request.status().ok() ? phasor::spectrum(table, result) : request.status();
  return Answer(status).add("power", result.power).add("wavelength", result.wavelength);
}

val principal_components(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  const int components = request.integer("components");
  phasor::Principal result;
  const Status status = request.status().ok() ? phasor::principal_components(table, components, result) : request.status();
  return Answer(status).add("coordinates", result.coordinates).add("explained", result.explained);
}

val decodability(val object) {
  Request request(object);
  const Tensor table = request.tensor("table");
  const double ridge = request.optional_number("ridge").value_or(1e-3);
  phasor::Decodability result;
  const Status status = request.status().ok() ? phasor::decodability(table, ridge, result) : request.status();
  return Answer(status).add("rSquared", result.r_squared).add("meanError", result.mean_error).add("predicted", result.predicted);
}

val shift_matrix(val object) {
  Request request(object);
  const double k = request.number("k");
  Tensor out;
  if (request.has("encoding")) {
    request.refuse_beside("encoding", {"frequencies", "layout"});
    const phasor::EncodingConfig config = request.encoding("encoding");
    const int width = request.integer("width");
    return answer(request.status().ok() ? phasor::shift_matrix(config, width, k, out) : request.status(), out);
  }
  const std::vector<double> frequencies = request.numbers<double>("frequencies");
  const auto layout = static_cast<phasor::WaveLayout>(request.choice("layout", {"interleaved", "concatenated"}));
  return answer(request.status().ok() ? phasor::shift_matrix(frequencies, k, layout, out) : request.status(), out);
}

val shift_residual(val object) {
  Request request(object);
  const Tensor table = request.tensor("table"), shift = request.tensor("shift");
  const int k = request.integer("k");
  double largest = 0;
  const Status status = request.status().ok() ? phasor::shift_residual(table, shift, k, largest) : request.status();
  return Answer(status).add("largest", largest);
}

val rotation_residual(val object) {
  Request request(object);
  const phasor::EncodingConfig config = request.encoding("encoding");
  const Tensor q = request.tensor("q"), k = request.tensor("k");
  const OwnedPositions positions = request.positions("positions");
  double largest = 0;
  const Status status = request.status().ok() ? phasor::rotation_residual(config, q, k, positions.view(), largest) : request.status();
  return Answer(status).add("largest", largest);
}

}  // namespace

EMSCRIPTEN_BINDINGS(phasor_analysis) {
  emscripten::function("similarity", &similarity);
  emscripten::function("permutationError", &permutation_error);
  emscripten::function("distanceProfile", &distance_profile);
  emscripten::function("tableFacts", &table_facts);
  emscripten::function("spectrum", &spectrum);
  emscripten::function("principalComponents", &principal_components);
  emscripten::function("decodability", &decodability);
  emscripten::function("shiftMatrix", &shift_matrix);
  emscripten::function("shiftResidual", &shift_residual);
  emscripten::function("rotationResidual", &rotation_residual);
}
