#pragma once
// Base class of the tasks `geometry_1d` and `geometry_2d`, which test whether a learned position
// table acquires the geometry of the data. The model predicts masked tokens.

#include "task_base/task.h"

namespace phasor {

class GeometryTask : public Task {
 public:
  static constexpr int kSymbolCount = 8;

  // The last symbol is the mask token.
  int symbol_count() const override { return kSymbolCount + 1; }
  double chance_score() const override { return 1.0 / kSymbolCount; }
  int evaluation_item_count() const override { return 256; }

  void fill_batch(Generator& random, Batch& out) const final;
  Status add_metrics(ObservedModel& model, const TrainConfig& config,
                     OrderedMap<double>& out) const final;

 protected:
  virtual void draw_tokens(Generator& random, int count, int* tokens) const = 0;
  virtual int distance(int a, int b) const = 0;
  /// The distances for which add_metrics() adds a mean cosine similarity.
  virtual std::vector<int> distances() const = 0;
};

void set_geometry_defaults(TrainConfig& config);

}  // namespace phasor
