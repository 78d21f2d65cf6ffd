#include <array>

#include "calls.h"

namespace {

using namespace phasor_js;

Status similarity(Request& request, Response& response) {
  const Tensor& table = request.tensor("table");
  const auto metric = request.choice<phasor::SimilarityMetric>("metric", "cosine, dot");
  return run(request, response, [&] { return phasor::similarity(table, metric); });
}

Status permutation_error(Request& request, Response& response) {
  const Tensor &before = request.tensor("before"), &after = request.tensor("after");
  const std::vector<int> order = request.whole_numbers("order");
  return run(
      request, [&] { return phasor::permutation_error(before, after, order); },
      [&](const auto& result) {
        response.add("maxAbsDiff", result.max_abs_diff).add("perToken", result.per_token);
      });
}

Status permutation_test(Request& request, Response& response) {
  const Tensor& x = request.tensor("x");
  const std::vector<int> order = request.whole_numbers("order");
  phasor::SelfAttentionConfig config = read_layer_config(request);
  config.outputs = read_layer_outputs(request);
  return run(
      request, [&] { return phasor::permutation_test(x, order, config); },
      [&](const auto& result) {
        add(response, result.result, config.outputs)
            .add("before", result.before)
            .add("maxAbsDiff", result.error.max_abs_diff)
            .add("perToken", result.error.per_token);
      });
}

Status distance_profile(Request& request, Response& response) {
  const Tensor& matrix = request.tensor("matrix");
  return run(
      request, [&] { return phasor::distance_profile(matrix); },
      [&](const auto& result) {
        response.add("mean", result.mean)
            .add("min", result.min)
            .add("max", result.max)
            .add("spread", result.spread);
      });
}

Status table_statistics(Request& request, Response& response) {
  const Tensor& table = request.tensor("table");
  return run(
      request, [&] { return phasor::table_statistics(table); },
      [&](const auto& result) {
        response.add_list("closestPair", std::array{result.closest_first, result.closest_second})
            .add("closestDistance", result.closest_distance)
            .add("maxAbs", result.max_abs)
            .add("meanNorm", result.mean_norm)
            .add("minNorm", result.min_norm)
            .add("maxNorm", result.max_norm);
      });
}

Status spectrum(Request& request, Response& response) {
  const Tensor& table = request.tensor("table");
  return run(
      request, [&] { return phasor::spectrum(table); },
      [&](const auto& result) {
        response.add("power", result.power).add("wavelength", result.wavelength);
      });
}

Status principal_components(Request& request, Response& response) {
  const Tensor& table = request.tensor("table");
  const int components = request.integer("components");
  return run(
      request, [&] { return phasor::principal_components(table, components); },
      [&](const auto& result) {
        response.add("coordinates", result.coordinates)
            .add("explainedVarianceRatio", result.explained_variance_ratio);
      });
}

Status linear_probe(Request& request, Response& response) {
  const Tensor& table = request.tensor("table");
  const double ridge = request.number_or("ridge", 1e-3);
  return run(
      request, [&] { return phasor::linear_probe(table, ridge); },
      [&](const auto& result) {
        response.add("rSquared", result.r_squared)
            .add("meanAbsoluteError", result.mean_absolute_error)
            .add("predictions", result.predictions);
      });
}

Status shift_matrix(Request& request, Response& response) {
  const double k = request.number("k");
  if (request.has("encoding")) {
    request.reject_combination("encoding", "frequencies, layout");
    const phasor::EncodingConfig config = request.encoding();
    const int dim = request.integer("dim");
    return run(request, response, [&] { return phasor::shift_matrix(config, dim, k); });
  }
  const std::vector<double> frequencies = request.numbers("frequencies");
  const auto layout = request.choice<phasor::SinusoidLayout>("layout", "interleaved, concatenated");
  return run(request, response, [&] { return phasor::shift_matrix(frequencies, k, layout); });
}

// A channel index of -1 means that the table has no channel for that sine or cosine.
Status sinusoids(Request& request, Response& response) {
  const phasor::EncodingConfig config = request.encoding();
  const int dim = request.integer("dim");
  return run(
      request, [&] { return phasor::sinusoids(config, dim); },
      [&](const std::vector<phasor::Sinusoid>& result) {
        const int count = static_cast<int>(result.size());
        Tensor sine({count}), cosine({count}), frequency({count});
        for (std::size_t t = 0; t < result.size(); ++t) {
          sine.data[t] = static_cast<float>(result[t].sine);
          cosine.data[t] = static_cast<float>(result[t].cosine);
          frequency.data[t] = static_cast<float>(result[t].frequency);
        }
        response.add("sine", sine).add("cosine", cosine).add("frequency", frequency);
      });
}

Status shift_error(Request& request, Response& response) {
  const Tensor &table = request.tensor("table"), &shift = request.tensor("shift");
  const int k = request.integer("k");
  return run(
      request, [&] { return phasor::shift_error(table, shift, k); },
      [&](const auto& result) { response.add("maxAbsDiff", result); });
}

Status relative_position_error(Request& request, Response& response) {
  const phasor::EncodingConfig config = request.encoding();
  const Tensor &q = request.tensor("q"), &k = request.tensor("k");
  const RequestPositions positions = request.positions("positions");
  return run(
      request, [&] { return phasor::relative_position_error(config, q, k, positions.view()); },
      [&](const auto& result) { response.add("maxAbsDiff", result); });
}

}  // namespace

namespace phasor_js {

std::span<const Call> list_analysis_calls() {
  static constexpr Call kCalls[] = {
      {"similarity", similarity},
      {"permutationError", permutation_error},
      {"permutationTest", permutation_test},
      {"distanceProfile", distance_profile},
      {"tableStatistics", table_statistics},
      {"spectrum", spectrum},
      {"principalComponents", principal_components},
      {"linearProbe", linear_probe},
      {"shiftMatrix", shift_matrix},
      {"sinusoids", sinusoids},
      {"shiftError", shift_error},
      {"relativePositionError", relative_position_error},
  };
  return kCalls;
}

}  // namespace phasor_js
