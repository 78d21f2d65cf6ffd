// Tests whether a causal model without an encoding represents positions (Haviv et al. 2022, arXiv
// 2203.16634, figures 2 and 3). After a character model is trained, with the same first token in
// every text, small networks predict a token's position from the residual stream after each layer.
// Their error is at chance level for the embeddings, and lower after the first layer.
// probe_error_layer_n is the mean absolute error in tokens.

#include <cmath>

#include "core/format_error.h"
#include "nn/mlp.h"
#include "optim/optimizer.h"
#include "task_base/corpus.h"

namespace phasor {
namespace {

constexpr int kTrainingItems = 32, kTestItems = 16, kHiddenUnits = 64, kSteps = 200;

class ProbeTask final : public Task {
 public:
  Corpus corpus;

  // the last symbol is the first token of every text
  int symbol_count() const override { return corpus.symbol_count() + 1; }
  ScoreKind score_kind() const override { return ScoreKind::nats; }
  double chance_score() const override { return corpus.unigram_nats(); }
  int evaluation_item_count() const override { return 128; }
  Status check_length(int length) const override {
    if (length < 4) return invalid("length: {} tokens are too few to predict positions", length);
    return corpus.check_length(length);
  }

  void fill_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      corpus.sample_window(random, out.tokens, out.item_target(item));
      shift(out, item);
    }
  }
  void fill_evaluation_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      corpus.sample_test_window(random, out.tokens, out.item_target(item));
      shift(out, item);
    }
  }
  Result<std::vector<int>> tokenize(std::string_view text) const override {
    return corpus.tokenize(text);
  }

  Status add_metrics(ObservedModel& model, const TrainConfig& config,
                     OrderedMap<double>& out) const override {
    Tensor training_states, test_states;
    PHASOR_TRY(compute_states(model, config, 0, kTrainingItems, training_states));
    PHASOR_TRY(compute_states(model, config, kTrainingItems, kTestItems, test_states));
    out.add("probe_chance", (config.sequence_length - 1) / 4.0);
    for (int layer = 0; layer <= config.layers; ++layer) {
      out.add(format_error("probe_error_layer_{}", layer),
              probe(config, layer, matrix(training_states, layer), matrix(test_states, layer)));
    }
    return {};
  }

 private:
  void shift(Batch& out, int item) const {
    int* tokens = out.item_input(item);
    tokens[0] = corpus.symbol_count();
    std::copy_n(out.item_target(item), out.tokens - 1, tokens + 1);
  }

  Status compute_states(ObservedModel& model, const TrainConfig& config, int first, int items,
                        Tensor& out) const {
    Batch batch;
    batch.resize(items, config.sequence_length, false);
    Generator random(config.seed, RandomPurpose::probe, static_cast<std::uint64_t>(first));
    fill_evaluation_batch(random, batch);
    return model.compute_hidden_states(batch, out);
  }

  // Trains a network with kHiddenUnits hidden units to predict a token's position from its hidden
  // state, and returns the mean absolute error, which is also the training loss, for the test
  // states. Ignores the first token of each text.
  static double probe(const TrainConfig& config, int layer, MatrixRef training_states,
                      MatrixRef test_states) {
    const int length = config.sequence_length;
    standardise(training_states, test_states);
    nn::Mlp network({training_states.columns, kHiddenUnits, 1});
    std::vector<float> values(network.parameter_count()), grads(network.parameter_count()),
        m(network.parameter_count()), v(network.parameter_count());
    Generator random(config.seed, RandomPurpose::probe, 1000 + static_cast<std::uint64_t>(layer));
    network.init_parameters(random, values.data());
    const auto target_position = [&](int row) {
      return static_cast<float>(row % length) / static_cast<float>(length) - 0.5f;
    };
    const float gradient_scale = 1 / static_cast<float>(training_states.rows);
    for (int step = 1; step <= kSteps; ++step) {
      const MatrixRef predictions = network.forward(values.data(), training_states);
      for (int r = 0; r < predictions.rows; ++r) {
        float* g = predictions.row(r);
        *g = r % length == 0 ? 0 : *g > target_position(r) ? gradient_scale : -gradient_scale;
      }
      std::fill(grads.begin(), grads.end(), 0.0f);
      network.backward(values.data(), grads.data());
      adam({.lr = 1e-2 * lr_factor(step, 10, kSteps, 0.05)}, step, 1, values, grads, m, v);
    }
    const MatrixRef predictions = network.forward(values.data(), test_states);
    double sum = 0;
    for (int r = 0; r < predictions.rows; ++r) {
      if (r % length != 0)
        sum += static_cast<double>(std::fabs(*predictions.row(r) - target_position(r)));
    }
    return sum * length / (static_cast<double>(predictions.rows) / length * (length - 1));
  }

  // Normalises each channel with the mean and variance of the training states.
  static void standardise(MatrixRef training_states, MatrixRef test_states) {
    for (int c = 0; c < training_states.columns; ++c) {
      double sum = 0, squares = 0;
      for (int r = 0; r < training_states.rows; ++r) {
        const double x = static_cast<double>(training_states.row(r)[c]);
        sum += x;
        squares += x * x;
      }
      const double mean = sum / training_states.rows,
                   deviation =
                       std::sqrt(std::max(squares / training_states.rows - mean * mean, 1e-12));
      for (const MatrixRef& m : {training_states, test_states}) {
        for (int r = 0; r < m.rows; ++r)
          m.row(r)[c] = static_cast<float>((static_cast<double>(m.row(r)[c]) - mean) / deviation);
      }
    }
  }
};

}  // namespace

PHASOR_TASK(probe) = {
    .info = {.id = "probe",
             .summary = "Does a language model without a position encoding represent positions?",
             .claim = "A causal mask alone provides positions to the layers above the first",
             .score = "nats",
             .higher_is_better = false},
    .set_defaults =
        [](TrainConfig& config) {
          config.causal = true;
          config.sequence_length = 64;
          config.batch_size = 16;
          config.steps = 500;
        },
    .create = make_corpus_task<ProbeTask>,
    .reads_corpus = true,
};

}  // namespace phasor
