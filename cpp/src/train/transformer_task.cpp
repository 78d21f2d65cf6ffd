#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "math/scalar_math.h"
#include "train/position_sampler.h"
#include "train/trainable.h"
#include "train/transformer.h"

namespace phasor {

namespace {

struct EvaluationSums {
  double loss = 0;
  double target_count = 0, correct = 0;
  std::vector<double> targets_per_token, correct_per_token;

  void add(const ConstMatrixRef& logits, std::span<const int> targets, int tokens) {
    const nn::CrossEntropy cross_entropy = nn::cross_entropy(logits, targets, 0, {});
    loss += cross_entropy.sum;
    target_count += cross_entropy.target_count;
    int r = 0;
    for (const int target : targets) {
      const float* row = logits.row(r);
      const auto token = static_cast<std::size_t>(r++ % tokens);
      if (target == nn::kIgnored) continue;
      const bool is_correct = std::max_element(row, row + logits.columns) - row == target;
      correct += is_correct ? 1 : 0;
      targets_per_token[token] += 1;
      correct_per_token[token] += is_correct ? 1 : 0;
    }
  }
};

class Transformer final : public TrainableModel, private ObservedModel {
 public:
  Transformer(const TrainConfig& config, std::unique_ptr<Task> task)
      : config_(config), task_(std::move(task)) {}

  Status create() {
    PHASOR_TRY(rename_argument(task_->check_length(config_.sequence_length), "length",
                               spell_argument(argument("sequence_length"))));
    PHASOR_TRY(model_.create(
        config_,
        {task_->symbol_count(), task_->class_count(), task_->is_pooled(), task_->grid_columns()},
        arena));
    PHASOR_TRY(position_sampler_.check_table());
    PHASOR_TRY(check_step_memory());
    arena.allocate();
    model_.init_parameters(config_);
    return model_.scatter_values();
  }

  double working_bytes() const override {
    return model_.bytes(config_.batch_size, config_.sequence_length, true);
  }

  Result<double> compute_gradients(std::uint64_t step) override {
    return Result<double>::from([&](double& loss) -> Status {
      Generator random(config_.seed, RandomPurpose::batches, step);
      draw_batch(random);
      PHASOR_TRY(model_.set_positions(position_sampler_.training_positions(random, batch_.tokens),
                                      batch_.items));
      const MatrixRef logits = model_.forward(batch_.inputs, true, activations_);
      loss = nn::cross_entropy(logits, batch_.targets, config_.label_smoothing, logits).mean();
      model_.backward(batch_.inputs, activations_);
      model_.gather_gradients();
      return {};
    });
  }

  Status on_values_changed() override { return model_.scatter_values(); }

  Status evaluate(const EvaluateConfig& config, Evaluation& out) override {
    out.chance = task_->chance_score();
    std::vector<int> lengths = config.lengths;
    if (lengths.empty()) lengths = {config_.sequence_length};
    for (const int length : lengths) {
      PHASOR_TRY(check_range("lengths", length, 1, kMaxExtent));
      PHASOR_TRY(task_->check_length(length));
      LengthScore score;
      PHASOR_TRY(evaluate(length, config, score));
      out.lengths.push_back(std::move(score));
    }
    return config.extra_metrics ? task_->add_metrics(*this, config_, out.metrics) : Status{};
  }

  Result<Tensor> attention_weights(std::span<const int> tokens) override {
    return Result<Tensor>::from([&](Tensor& out) -> Status {
      PHASOR_TRY(check_size("tokens", "attention weights",
                            {config_.layers, config_.heads, static_cast<int>(tokens.size()),
                             static_cast<int>(tokens.size())}));
      Activations a;
      PHASOR_TRY(run(tokens, true, a).status());
      out = model_.attention_weights(a);
      return {};
    });
  }

  Result<QueriesAndKeys> queries_and_keys(std::span<const int> tokens) override {
    return Result<QueriesAndKeys>::from([&](QueriesAndKeys& out) -> Status {
      PHASOR_TRY(
          check_size("tokens", "queries and keys",
                     {2 * config_.layers, static_cast<int>(tokens.size()), config_.embed_dim}));
      Activations a;
      PHASOR_TRY(run(tokens, false, a).status());
      out = model_.queries_and_keys(a);
      return {};
    });
  }

  Status ablate_heads(std::span<const HeadIndex> heads, AblationType type) override {
    return model_.ablate_heads(heads, type);
  }

  Result<Tensor> k_composition(int from_layer, int to_layer, double distance) override {
    if (config_.qk_norm) return invalid("fromLayer: query and key norms are not linear");
    return model_.k_composition(from_layer, to_layer, distance);
  }

  Result<Tensor> logits(std::span<const int> tokens) override {
    return Result<Tensor>::from([&](Tensor& out) -> Status {
      Activations a;
      MatrixRef rows;
      PHASOR_TRY(run(tokens, false, a).move_to(rows));
      out = Tensor({rows.rows, rows.columns});
      std::copy_n(rows.data, out.data.size(), out.data.begin());
      return {};
    });
  }

  Result<std::vector<int>> tokenize(std::string_view text) const override {
    return task_->tokenize(text);
  }

 private:
  // Rejects a step that needs more memory than is available, before anything is allocated.
  Status check_step_memory() const {
    const double parameters = 5.0 * sizeof(float) * static_cast<double>(arena.size()),
                 needed = parameters + working_bytes();
    if (needed < 0.75 * std::numeric_limits<std::uint32_t>::max() && can_allocate(needed))
      return {};
    return make_error(StatusCode::resource_exhausted,
                      "{}: a step of {} items of {} tokens needs {} bytes, more than is available",
                      argument("batch_size"), detail(config_.batch_size), config_.sequence_length,
                      std::string_view(to_message(needed)));
  }

  void draw_batch(Generator& random) {
    if (config_.min_sequence_length == 0) {
      batch_.resize(config_.batch_size, config_.sequence_length, task_->is_pooled());
    } else {
      const int length_count = config_.sequence_length - config_.min_sequence_length + 1;
      const int length = config_.min_sequence_length + random.uniform_integer(length_count);
      const int token_count = config_.batch_size * config_.sequence_length;
      batch_.resize(std::max(1, token_count / length), length, task_->is_pooled());
    }
    task_->fill_batch(random, batch_);
  }

  Status evaluate(int length, const EvaluateConfig& config, LengthScore& out) {
    std::vector<double> positions;
    PHASOR_TRY(
        position_sampler_
            .evaluation_positions(PositionSampler::kLengthsHints, length, config.out_of_range)
            .move_to(positions));
    const int items = config.num_samples > 0 ? config.num_samples : task_->evaluation_item_count();
    // Each run has at most as many tokens as a training step, but at least one item.
    const int items_per_run =
        std::clamp(config_.batch_size * config_.sequence_length / length, 1, items);
    PHASOR_TRY(check_memory("lengths", model_.bytes(items_per_run, length, false)));
    Activations a;
    EvaluationSums sums;
    sums.targets_per_token.resize(task_->is_pooled() ? 1 : static_cast<std::size_t>(length));
    sums.correct_per_token.resize(sums.targets_per_token.size());
    Batch batch;
    for (int first = 0; first < items; first += items_per_run) {
      batch.resize(std::min(items_per_run, items - first), length, task_->is_pooled());
      // Each item has its own random generator, so that results do not depend on how items are
      // divided into runs.
      Batch item_batch;
      for (int item = 0; item < batch.items; ++item) {
        item_batch.resize(1, length, task_->is_pooled());
        Generator random(config_.seed, RandomPurpose::evaluation,
                         static_cast<std::uint64_t>(first + item));
        task_->fill_evaluation_batch(random, item_batch);
        std::copy(item_batch.inputs.begin(), item_batch.inputs.end(), batch.item_input(item));
        std::copy(
            item_batch.targets.begin(), item_batch.targets.end(),
            batch.targets.begin() + static_cast<std::ptrdiff_t>(item_batch.targets.size()) * item);
      }
      PHASOR_TRY(model_.set_positions(positions, batch.items));
      sums.add(model_.forward(batch.inputs, false, a), batch.targets,
               static_cast<int>(sums.targets_per_token.size()));
    }
    out.length = length;
    out.loss = sums.target_count > 0 ? sums.loss / sums.target_count : 0;
    switch (task_->score_kind()) {
      case ScoreKind::accuracy: out.score = sums.correct / sums.target_count; break;
      case ScoreKind::nats: out.score = out.loss; break;
      case ScoreKind::perplexity: out.score = exponential(out.loss); break;
    }
    for (std::size_t t = 0; t < sums.targets_per_token.size(); ++t)
      out.accuracy_at.push_back(sums.correct_per_token[t] / sums.targets_per_token[t]);
    return check_result("lengths", out.loss, "the loss");
  }

  // Computes the logits of one item.
  Result<MatrixRef> run(std::span<const int> tokens, bool training, Activations& a) {
    return Result<MatrixRef>::from([&](MatrixRef& out) -> Status {
      if (tokens.empty()) return invalid("tokens: is empty");
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        PHASOR_TRY(check_range(format_error("tokens[{}]", t).c_str(), tokens[t], 0,
                               task_->symbol_count() - 1));
      }
      const int length = static_cast<int>(tokens.size());
      PHASOR_TRY(check_memory("tokens", model_.bytes(1, length, training)));
      std::vector<double> positions;
      PHASOR_TRY(position_sampler_
                     .evaluation_positions(PositionSampler::kTokensHints, length, OutOfRange::error)
                     .move_to(positions));
      PHASOR_TRY(model_.set_positions(std::move(positions), 1));
      out = model_.forward(tokens, training, a);
      return {};
    });
  }

  Status compute_hidden_states(const Batch& batch, Tensor& out) override {
    std::vector<double> positions;
    PHASOR_TRY(
        position_sampler_
            .evaluation_positions(PositionSampler::kLengthsHints, batch.tokens, OutOfRange::error)
            .move_to(positions));
    PHASOR_TRY(check_memory("lengths", model_.bytes(batch.items, batch.tokens, false)));
    PHASOR_TRY(model_.set_positions(std::move(positions), batch.items));
    Activations a;
    model_.forward(batch.inputs, false, a);
    out = Tensor({config_.layers + 1, batch.items * batch.tokens, config_.embed_dim});
    for (int layer = 0; layer <= config_.layers; ++layer) {
      const ConstMatrixRef from = model_.residual_stream(a, layer);
      std::copy_n(from.data, from.rows * from.columns, matrix(out, layer).data);
    }
    return {};
  }

  Tensor find_weight(std::string_view name) const override {
    int n = 0;
    for (const Arena::Entry& e : arena.entries()) {
      if (e.name == name) return arena.tensor(n);
      ++n;
    }
    return {};
  }

  TrainConfig config_;
  std::unique_ptr<Task> task_;
  TransformerNetwork model_;
  PositionSampler position_sampler_{config_, *task_, model_};
  Activations activations_;
  Batch batch_;
};

}  // namespace

Result<std::unique_ptr<TrainableModel>> make_transformer(const TrainConfig& config,
                                                         std::unique_ptr<Task> task) {
  return Result<std::unique_ptr<TrainableModel>>::from(
      [&](std::unique_ptr<TrainableModel>& out) -> Status {
        auto transformer = std::make_unique<Transformer>(config, std::move(task));
        PHASOR_TRY(transformer->create());
        out = std::move(transformer);
        return {};
      });
}

}  // namespace phasor
