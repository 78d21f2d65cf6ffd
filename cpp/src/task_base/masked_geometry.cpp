#include "task_base/masked_geometry.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "kernels/vector_ops.h"

namespace phasor {

namespace {

constexpr double kMaskedFraction = 0.3;

}  // namespace

void GeometryTask::fill_batch(Generator& random, Batch& out) const {
  for (int item = 0; item < out.items; ++item) {
    int *tokens = out.item_input(item), *targets = out.item_target(item);
    draw_tokens(random, out.tokens, tokens);
    for (int t = 0; t < out.tokens; ++t) {
      if (!random.bernoulli(kMaskedFraction)) continue;
      targets[t] = tokens[t];
      tokens[t] = kSymbolCount;
    }
  }
}

// For each distance, adds the mean cosine similarity of the rows of the learned table that are this
// far apart. The mean row is subtracted first.
Status GeometryTask::add_metrics(ObservedModel& model, const TrainConfig& config,
                                 OrderedMap<double>& out) const {
  Tensor table = model.find_weight("encoding.table");
  if (table.rank() != 2 || table.shape[0] < config.sequence_length ||
      table.shape[1] != config.embed_dim)
    return {};
  const int rows = config.sequence_length, embed_dim = config.embed_dim;
  std::vector<float> mean(static_cast<std::size_t>(embed_dim));
  for (int r = 0; r < rows; ++r) kernels::add_row(mean.data(), matrix(table).row(r), embed_dim);
  for (int r = 0; r < rows; ++r) {
    float* row = matrix(table).row(r);
    kernels::add_scaled(row, -1 / static_cast<float>(rows), mean.data(), embed_dim);
    const double length = std::sqrt(kernels::dot_in_double(row, row, embed_dim));
    if (length > 0) kernels::multiply(row, static_cast<float>(1 / length), embed_dim);
  }
  for (const int target_distance : distances()) {
    double sum = 0;
    int pair_count = 0;
    for (int a = 0; a < rows; ++a) {
      for (int b = a + 1; b < rows; ++b) {
        if (distance(a, b) != target_distance) continue;
        sum += kernels::dot_in_double(matrix(table).row(a), matrix(table).row(b), embed_dim);
        ++pair_count;
      }
    }
    if (pair_count > 0) out.add(format_error("cosine_{}", target_distance), sum / pair_count);
  }
  return {};
}

void set_geometry_defaults(TrainConfig& config) {
  config.embed_dim = 32;
  config.layers = 1;
  config.sequence_length = 64;
  config.batch_size = 32;
  config.steps = 400;
  config.lr = 5e-3;
  config.table_init_std = 0.02;
}

}  // namespace phasor
