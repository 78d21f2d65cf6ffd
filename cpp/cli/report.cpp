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
  explicit JsonBuilder(char open) : closing_bracket_(open == '{' ? '}' : ']'), text_(1, open) {}
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
  std::string end() const { return text_ + closing_bracket_; }

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
                  .end());
  }
  for (const phasor::LengthScore& score : run.evaluation.lengths) {
    JsonBuilder accuracies('[');
    for (const double share : score.accuracy_at) accuracies.add(to_json(share));
    lengths.add(JsonBuilder('{')
                    .add("length", to_json(score.length))
                    .add("loss", to_json(score.loss))
                    .add("score", to_json(score.score))
                    .add("accuracy_at", accuracies.end())
                    .end());
  }
  for (const auto& [name, number] : run.evaluation.metrics) metrics.add(name, to_json(number));
  return JsonBuilder('{')
      .add("seed", to_json(run.seed))
      .add("seconds", to_json(run.seconds))
      .add("curve", curve.end())
      .add("lengths", lengths.end())
      .add("metrics", metrics.end())
      .end();
}

std::string spread_to_json(MeanDeviation s) {
  return JsonBuilder('{').add("mean", to_json(s.mean)).add("deviation", to_json(s.deviation)).end();
}

}  // namespace

MeanDeviation spread(const std::vector<double>& numbers) {
  double mean = 0, squares = 0;
  for (const double x : numbers) mean += x / static_cast<double>(numbers.size());
  for (const double x : numbers) squares += (x - mean) * (x - mean);
  return {mean,
          numbers.size() > 1 ? std::sqrt(squares / static_cast<double>(numbers.size() - 1)) : 0};
}

std::string report(const phasor::TrainConfig& spec, const phasor::TaskInfo& task,
                   const std::vector<Run>& runs) {
  JsonBuilder params('{'), run_list('['), lengths('['), metrics('{');
  for (const auto& [name, param] : spec.encoding.params) params.add(name, param_to_json(param));
  for (const Run& run : runs) run_list.add(run_to_json(run));
  const phasor::Evaluation& first = runs.front().evaluation;
  for (std::size_t n = 0; n < first.lengths.size(); ++n) {
    std::vector<double> scores;
    for (const Run& run : runs) scores.push_back(run.evaluation.lengths[n].score);
    const MeanDeviation s = spread(scores);
    lengths.add(JsonBuilder('{')
                    .add("length", to_json(first.lengths[n].length))
                    .add("mean", to_json(s.mean))
                    .add("deviation", to_json(s.deviation))
                    .end());
  }
  for (const auto& [name, number] : first.metrics) {
    std::vector<double> numbers;
    for (const Run& run : runs) numbers.push_back(run.evaluation.metrics.at(name));
    metrics.add(name, spread_to_json(spread(numbers)));
  }
  return JsonBuilder('{')
             .add("task", to_json(task.id))
             .add("encoding", JsonBuilder('{')
                                  .add("id", to_json(spec.encoding.id))
                                  .add("params", params.end())
                                  .end())
             .add("score", to_json(task.score))
             .add("higher_is_better", task.higher_is_better ? "true" : "false")
             .add("chance", to_json(first.chance))
             .add("steps", to_json(spec.steps))
             .add("causal", spec.causal ? "true" : "false")
             .add("lengths", lengths.end())
             .add("metrics", metrics.end())
             .add("runs", run_list.end())
             .end() +
         "\n";
}

}  // namespace train_program
