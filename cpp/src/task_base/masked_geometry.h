#pragma once
// Masked prediction on data that have a geometry, of geometry_1d and geometry_2d: what does a
// learned table of positions become?

#include "task_base/task.h"

namespace phasor {

class GeometryTask : public Task {
 public:
  static constexpr int kSymbols = 8;

  int symbols() const override { return kSymbols + 1; }  // the last one hides
  double chance() const override { return 1.0 / kSymbols; }
  int evaluation_items() const override { return 256; }

  void batch(Generator& random, Batch& out) const final;
  Status observe(Observed& model, const TrainConfig& spec, OrderedMap<double>& out) const final;

 protected:
  /// Fills the tokens of one item.
  virtual void draw(Generator& random, int count, int* tokens) const = 0;
  /// How far apart two tokens of an item are.
  virtual int distance(int a, int b) const = 0;
  /// At which distances the likeness of rows is observed.
  virtual std::vector<int> distances() const = 0;
};

/// The model that both were proven with.
void geometry_defaults(TrainConfig& spec);

}  // namespace phasor
