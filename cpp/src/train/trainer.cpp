#include <algorithm>
#include <cmath>

#include "core/finite.h"
#include "core/format_error.h"
#include "core/repeated_name.h"
#include "optim/optimizer.h"
#include "phasor/train.h"
#include "train/config.h"
#include "train/trainable.h"

namespace phasor {

namespace {

constexpr const char* kFormat = "phasor-trainer-1";
constexpr double kMaxCheckpointStep = 1e9;  // so that steps fit in an int

class ArenaTrainer final : public Trainer {
 public:
  ArenaTrainer(TrainConfig config, std::unique_ptr<TrainableModel> model)
      : config_(std::move(config)),
        model_(std::move(model)),
        m_(model_->arena.size()),
        v_(model_->arena.size()),
        saved_state_(3 * model_->arena.size()) {}

  const TrainConfig& config() const override { return config_; }
  int global_step() const override { return step_; }

  Result<StepReport> step(int count) override {
    return Result<StepReport>::from([&](StepReport& out) -> Status {
      PHASOR_TRY(check_range("count", count, 1, 100000000));
      if (is_ablated_) return invalid("count: heads are ablated; restore all heads before a step");
      double sum = 0;
      for (int n = 0; n < count; ++n) {
        PHASOR_TRY(train_step(out));
        sum += out.loss;
      }
      out.loss = sum / count;
      return {};
    });
  }

  Result<Evaluation> evaluate(const EvaluateConfig& config) override {
    return Result<Evaluation>::from([&](Evaluation& out) -> Status {
      out.step = step_;
      return model_->evaluate(config, out);
    });
  }

  Result<Tensor> attention_weights(std::span<const int> tokens) override {
    return model_->attention_weights(tokens);
  }
  Result<QueriesAndKeys> queries_and_keys(std::span<const int> tokens) override {
    return model_->queries_and_keys(tokens);
  }
  Result<Tensor> logits(std::span<const int> tokens) override { return model_->logits(tokens); }
  Status ablate_heads(std::span<const HeadIndex> heads, AblationType type) override {
    PHASOR_TRY(model_->ablate_heads(heads, type));
    is_ablated_ = !heads.empty();
    return {};
  }
  Result<Tensor> k_composition(int from_layer, int to_layer, double distance) override {
    return model_->k_composition(from_layer, to_layer, distance);
  }
  Result<std::vector<int>> tokens(std::string_view text) const override {
    return model_->tokenize(text);
  }

  OrderedMap<Tensor> weights() const override {
    OrderedMap<Tensor> out;
    int n = 0;
    for (const auto& e : arena().entries()) out.add(e.name, arena().tensor(n++));
    return out;
  }

  Status load_weights(const OrderedMap<Tensor>& weights) override {
    if (const auto name = find_repeated_name(weights))
      return invalid("weights: {} occurs twice", detail(*name));
    PHASOR_TRY(check_arrays("", weights));
    for (const auto& [name, t] : weights) {
      const bool is_known =
          std::any_of(arena().entries().begin(), arena().entries().end(),
                      [&requested = name](const auto& e) { return e.name == requested; });
      if (!is_known) return invalid("weights: {} is not a weight of this model", detail(name));
    }
    save_state();
    for (const auto& e : arena().entries()) copy_entry(weights.at(e.name), e, arena().values);
    return apply_or_restore();
  }

  Result<std::vector<std::uint8_t>> save_checkpoint() const override {
    SafetensorsFile file;
    file.metadata.add("format", kFormat);
    file.metadata.add("step", to_message(static_cast<double>(step_)));
    file.metadata.add("spec", serialize_config(config_));
    const auto add_tensors = [&](const char* prefix, const std::vector<float>& numbers) {
      for (const auto& e : arena().entries()) {
        const float* from = numbers.data() + e.offset;
        file.tensors.add(prefix + e.name, Tensor(e.shape, std::vector<float>(from, from + e.size)));
      }
    };
    add_tensors("", arena().values);
    add_tensors("m.", m_);
    add_tensors("v.", v_);
    return write_safetensors(file, DType::f32);
  }

  Status load_checkpoint(std::span<const std::uint8_t> checkpoint) override {
    SafetensorsFile file;
    PHASOR_TRY(read_safetensors(checkpoint).move_to(file));
    const std::string *format = file.metadata.find("format"), *step = file.metadata.find("step"),
                      *config = file.metadata.find("spec");
    if (format == nullptr || *format != kFormat || step == nullptr || config == nullptr)
      return invalid("checkpoint: has only weights; expected a trainer checkpoint");
    const std::string stored_config = convert_legacy_names(*config),
                      current_config = serialize_config(config_);
    if (stored_config != current_config) {
      return invalid("checkpoint: belongs to another training run: {}",
                     std::string_view(first_difference(stored_config, current_config)));
    }
    // Parses the digits here, because strtod would add 10 kB of WebAssembly.
    double steps = 0;
    for (const char digit : *step) steps = 10 * steps + (digit - '0');
    if (!(steps >= 0 && steps <= kMaxCheckpointStep) || to_message(steps) != *step)
      return invalid("checkpoint: step {} is not a whole number from {}", detail(*step),
                     Range{0, kMaxCheckpointStep});
    if (file.tensors.size() != 3 * arena().entries().size())
      return invalid("checkpoint: has {} arrays; expected {}", file.tensors.size(),
                     3 * arena().entries().size());
    for (const char* prefix : {"", "m.", "v."}) PHASOR_TRY(check_arrays(prefix, file.tensors));
    for (const auto& e : arena().entries())
      PHASOR_TRY(check_squares("v." + e.name, file.tensors.at("v." + e.name)));
    save_state();
    for (const auto& e : arena().entries()) {
      copy_entry(file.tensors.at(e.name), e, arena().values);
      copy_entry(file.tensors.at("m." + e.name), e, m_);
      copy_entry(file.tensors.at("v." + e.name), e, v_);
    }
    PHASOR_TRY(apply_or_restore());
    step_ = static_cast<int>(steps);
    return {};
  }

 private:
  Arena& arena() const { return model_->arena; }

  Status check_arrays(const std::string& prefix, const OrderedMap<Tensor>& arrays) const {
    for (const auto& e : arena().entries()) {
      const Tensor* t = arrays.find(prefix + e.name);
      if (t == nullptr) return invalid("weights: {} is missing", detail(prefix + e.name));
      if (t->shape != e.shape) {
        return invalid("weights: {} has shape {}; expected {}", detail(prefix + e.name), t->shape,
                       e.shape);
      }
      PHASOR_TRY(check_tensor((prefix + e.name).c_str(), *t));
    }
    return {};
  }

  static Status check_squares(const std::string& name, const Tensor& mean_squares) {
    for (std::size_t i = 0; i < mean_squares.data.size(); ++i) {
      if (mean_squares.data[i] < 0)
        return invalid("{}[{}]: {} is negative; expected a mean of squares", name, i,
                       static_cast<double>(mean_squares.data[i]));
    }
    return {};
  }

  static void copy_entry(const Tensor& from, const Arena::Entry& e, std::vector<float>& to) {
    std::copy(from.data.begin(), from.data.end(),
              to.begin() + static_cast<std::ptrdiff_t>(e.offset));
  }

  static std::string first_difference(const std::string& stored_text,
                                      const std::string& current_text) {
    std::size_t from = 0;
    while (from < stored_text.size() && from < current_text.size()) {
      const std::size_t a = stored_text.find('\n', from), b = current_text.find('\n', from);
      const std::string stored_line = stored_text.substr(from, a - from),
                        current_line = current_text.substr(from, b - from);
      if (stored_line != current_line)
        return "\"" + stored_line + "\" in the checkpoint, \"" + current_line +
               "\" in this trainer";
      if (a == std::string::npos || b == std::string::npos) break;
      from = a + 1;
    }
    return "the number of fields differs";
  }

  void save_state() {
    const auto n = static_cast<std::ptrdiff_t>(arena().size());
    std::copy(arena().values.begin(), arena().values.end(), saved_state_.begin());
    std::copy(m_.begin(), m_.end(), saved_state_.begin() + n);
    std::copy(v_.begin(), v_.end(), saved_state_.begin() + 2 * n);
  }
  void restore_state() {
    const auto n = static_cast<std::ptrdiff_t>(arena().size());
    std::copy_n(saved_state_.begin(), n, arena().values.begin());
    std::copy_n(saved_state_.begin() + n, n, m_.begin());
    std::copy_n(saved_state_.begin() + 2 * n, n, v_.begin());
  }

  // If the model rejects its new values, restores the saved state.
  Status apply_or_restore() {
    Status status = model_->on_values_changed();
    if (status.ok()) return status;
    restore_state();
    PHASOR_TRY(model_->on_values_changed());
    return status;
  }

  Status report_divergence(const char* what) const {
    return invalid(
        "step: {} has {} that is not finite; the weights of step {} are kept; try a smaller lr or "
        "more warmup_steps",
        step_ + 1, what, step_);
  }

  Status train_step(StepReport& out) {
    std::fill(arena().grads.begin(), arena().grads.end(), 0.0f);
    PHASOR_TRY(model_->compute_gradients(static_cast<std::uint64_t>(step_)).move_to(out.loss));
    if (!std::isfinite(out.loss)) return report_divergence("a loss");
    out.grad_norm = euclidean_norm(arena().grads);
    if (!std::isfinite(out.grad_norm)) return report_divergence("a gradient");
    save_state();
    const int step = step_ + 1;
    out.lr =
        config_.lr * lr_factor(step, config_.warmup_steps, config_.steps, config_.min_lr_ratio);
    const bool needs_clipping = config_.max_grad_norm > 0 && out.grad_norm > config_.max_grad_norm;
    update(step, out.lr,
           needs_clipping ? static_cast<float>(config_.max_grad_norm / out.grad_norm) : 1.0f);
    for (const std::vector<float>* numbers : {&arena().values, &m_, &v_}) {
      if (std::isfinite(max_abs(*numbers))) continue;
      restore_state();
      return report_divergence(numbers == &arena().values ? "a weight" : "an optimizer moment");
    }
    PHASOR_TRY(apply_or_restore());
    out.step = ++step_;
    return {};
  }

  void update(int step, double lr, float grad_scale) {
    for (const auto& e : arena().entries()) {
      const auto slice = [&](std::vector<float>& numbers) {
        return std::span(numbers.data() + e.offset, e.size);
      };
      const double decay = e.has_weight_decay() ? config_.weight_decay : 0;
      if (config_.optimizer == OptimizerType::sgd) {
        sgd(lr * e.lr_factor, config_.momentum, decay, grad_scale, slice(arena().values),
            slice(arena().grads), slice(m_));
      } else {
        adam({.lr = lr * e.lr_factor,
              .beta1 = config_.beta1,
              .beta2 = config_.beta2,
              .eps = config_.eps,
              .weight_decay = decay},
             step, grad_scale, slice(arena().values), slice(arena().grads), slice(m_), slice(v_));
      }
    }
  }

  TrainConfig config_;
  std::unique_ptr<TrainableModel> model_;
  std::vector<float> m_, v_, saved_state_;
  int step_ = 0;
  bool is_ablated_ = false;
};

Status check_data(const TrainConfig& config, const TaskType& type) {
  if (!type.reads_corpus && !config.corpus.empty())
    return invalid("corpus: task {} does not use a corpus", config.task);
  if (type.create != nullptr && !config.image.empty())
    return invalid("image: task {} does not use an image", config.task);
  return {};
}

}  // namespace

Result<std::unique_ptr<Trainer>> Trainer::create(const TrainConfig& config) {
  return Result<std::unique_ptr<Trainer>>::from([&](std::unique_ptr<Trainer>& out) -> Status {
    PHASOR_TRY(check_config(config));
    const TaskType* type = find_task(config.task);
    if (type == nullptr) return make_train_config(config.task).status();
    PHASOR_TRY(check_data(config, *type));
    std::unique_ptr<TrainableModel> model;
    if (type->create == nullptr) {
      PHASOR_TRY(make_image_network(config).move_to(model));
    } else {
      std::unique_ptr<Task> task;
      PHASOR_TRY(type->create(config).move_to(task));
      PHASOR_TRY(make_transformer(config, std::move(task)).move_to(model));
    }
    out = std::make_unique<ArenaTrainer>(config, std::move(model));
    return {};
  });
}

}  // namespace phasor
