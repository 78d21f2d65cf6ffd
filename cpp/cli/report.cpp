#include "report.h"

#include <cmath>
#include <cstdio>

namespace train_program {

namespace {

std::string to_json(double x) {
  if (!std::isfinite(x)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}
std::string to_json(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

// Builds a JSON object or list: {"name": value, ...} or [value, ...]
class JsonBuilder {
 public:
  explicit JsonBuilder(char opening_bracket)
      : closing_bracket_(opening_bracket == '{' ? '}' : ']'), text_(1, opening_bracket) {}
  JsonBuilder& add(std::string_view name, const std::string& value) {
    add_comma();
    (text_ += to_json(name)) += ": ";
    text_ += value;
    return *this;
  }
  JsonBuilder& add(const std::string& value) {
    add_comma();
    text_ += value;
    return *this;
  }
  std::string finish() const { return text_ + closing_bracket_; }

 private:
  void add_comma() {
    if (text_.size() > 1) text_ += ", ";
  }
  char closing_bracket_;
  std::string text_;
};

std::string param_to_json(const phasor::ParamValue& param) {
  if (const double* number = std::get_if<double>(&param)) return to_json(*number);
  if (const bool* flag = std::get_if<bool>(&param)) return *flag ? "true" : "false";
  if (const std::string* text = std::get_if<std::string>(&param)) return to_json(*text);
  return "null";
}

std::string run_to_json(const Run& run) {
  JsonBuilder curve('['), lengths('['), metrics('{');
  for (const CurvePoint& p : run.curve) {
    curve.add(JsonBuilder('{')
                  .add("step", to_json(p.step))
                  .add("loss", to_json(p.loss))
                  .add("score", to_json(p.score))
                  .add("lr", to_json(p.lr))
                  .add("grad_norm", to_json(p.grad_norm))
                  .add("seconds", to_json(p.seconds))
                  .finish());
  }
  for (const phasor::LengthScore& score : run.evaluation.lengths) {
    JsonBuilder accuracies('[');
    for (const double accuracy : score.accuracy_at) accuracies.add(to_json(accuracy));
    lengths.add(JsonBuilder('{')
                    .add("length", to_json(score.length))
                    .add("loss", to_json(score.loss))
                    .add("score", to_json(score.score))
                    .add("accuracy_at", accuracies.finish())
                    .finish());
  }
  for (const auto& [name, number] : run.evaluation.metrics) metrics.add(name, to_json(number));
  return JsonBuilder('{')
      .add("seed", to_json(run.seed))
      .add("seconds", to_json(run.seconds))
      .add("curve", curve.finish())
      .add("lengths", lengths.finish())
      .add("metrics", metrics.finish())
      .finish();
}

std::string mean_and_deviation_to_json(MeanAndDeviation s) {
  return JsonBuilder('{')
      .add("mean", to_json(s.mean))
      .add("deviation", to_json(s.deviation))
      .finish();
}

}  // namespace

MeanAndDeviation compute_mean_and_deviation(const std::vector<double>& values) {
  double mean = 0, sum_of_squares = 0;
  for (const double x : values) mean += x / static_cast<double>(values.size());
  for (const double x : values) sum_of_squares += (x - mean) * (x - mean);
  return {mean, values.size() > 1
                    ? std::sqrt(sum_of_squares / static_cast<double>(values.size() - 1))
                    : 0};
}

std::string report_to_json(const phasor::TrainConfig& config, const phasor::TaskInfo& task,
                           const std::vector<Run>& runs) {
  JsonBuilder params('{'), run_list('['), lengths('['), metrics('{');
  for (const auto& [name, param] : config.encoding.params) params.add(name, param_to_json(param));
  for (const Run& run : runs) run_list.add(run_to_json(run));
  const phasor::Evaluation& first_evaluation = runs.front().evaluation;
  for (std::size_t n = 0; n < first_evaluation.lengths.size(); ++n) {
    std::vector<double> scores;
    for (const Run& run : runs) scores.push_back(run.evaluation.lengths[n].score);
    const MeanAndDeviation s = compute_mean_and_deviation(scores);
    lengths.add(JsonBuilder('{')
                    .add("length", to_json(first_evaluation.lengths[n].length))
                    .add("mean", to_json(s.mean))
                    .add("deviation", to_json(s.deviation))
                    .finish());
  }
  for (const auto& [name, number] : first_evaluation.metrics) {
    std::vector<double> values;
    for (const Run& run : runs) values.push_back(run.evaluation.metrics.at(name));
    metrics.add(name, mean_and_deviation_to_json(compute_mean_and_deviation(values)));
  }
  return JsonBuilder('{')
             .add("task", to_json(task.id))
             .add("encoding", JsonBuilder('{')
                                  .add("id", to_json(config.encoding.id))
                                  .add("params", params.finish())
                                  .finish())
             .add("score", to_json(task.score))
             .add("higher_is_better", task.higher_is_better ? "true" : "false")
             .add("chance", to_json(first_evaluation.chance))
             .add("steps", to_json(config.steps))
             .add("causal", config.causal ? "true" : "false")
             .add("lengths", lengths.finish())
             .add("metrics", metrics.finish())
             .add("runs", run_list.finish())
             .finish() +
         "\n";
}

}  // namespace train_program
