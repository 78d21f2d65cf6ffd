#include "report.h"

#include <cmath>
#include <cstdio>

namespace train_program {

namespace {

std::string json(double x) {
  if (!std::isfinite(x)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}
std::string json(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

// Writes {"name": value, ...} and [value, ...]
class Json {
 public:
  explicit Json(char open) : end_(open == '{' ? '}' : ']'), text_(1, open) {}
  Json& add(std::string_view name, const std::string& value) {
    next();
    (text_ += json(name)) += ": ";
    text_ += value;
    return *this;
  }
  Json& add(const std::string& value) {
    next();
    text_ += value;
    return *this;
  }
  std::string end() const { return text_ + end_; }

 private:
  void next() {
    if (text_.size() > 1) text_ += ", ";
  }
  char end_;
  std::string text_;
};

std::string value(const phasor::ParamValue& param) {
  if (const double* number = std::get_if<double>(&param)) return json(*number);
  if (const bool* yes = std::get_if<bool>(&param)) return *yes ? "true" : "false";
  if (const std::string* word = std::get_if<std::string>(&param)) return json(*word);
  return "null";
}

std::string run_of(const Run& run) {
  Json curve('['), lengths('['), metrics('{');
  for (const CurvePoint& p : run.curve) {
    curve.add(Json('{')
                  .add("step", json(p.step))
                  .add("loss", json(p.loss))
                  .add("score", json(p.score))
                  .add("lr", json(p.lr))
                  .add("grad_norm", json(p.grad_norm))
                  .add("seconds", json(p.seconds))
                  .end());
  }
  for (const phasor::LengthScore& score : run.evaluation.lengths) {
    Json at('[');
    for (const double share : score.accuracy_at) at.add(json(share));
    lengths.add(Json('{')
                    .add("length", json(score.length))
                    .add("loss", json(score.loss))
                    .add("score", json(score.score))
                    .add("accuracy_at", at.end())
                    .end());
  }
  for (const auto& [name, number] : run.evaluation.metrics) metrics.add(name, json(number));
  return Json('{')
      .add("seed", json(run.seed))
      .add("seconds", json(run.seconds))
      .add("curve", curve.end())
      .add("lengths", lengths.end())
      .add("metrics", metrics.end())
      .end();
}

std::string spread_of(Spread s) {
  return Json('{').add("mean", json(s.mean)).add("deviation", json(s.deviation)).end();
}

}  // namespace

Spread spread(const std::vector<double>& numbers) {
  double mean = 0, squares = 0;
  for (const double x : numbers) mean += x / static_cast<double>(numbers.size());
  for (const double x : numbers) squares += (x - mean) * (x - mean);
  return {mean,
          numbers.size() > 1 ? std::sqrt(squares / static_cast<double>(numbers.size() - 1)) : 0};
}

std::string report(const phasor::TrainConfig& spec, const phasor::TaskInfo& task,
                   const std::vector<Run>& runs) {
  Json params('{'), all('['), lengths('['), metrics('{');
  for (const auto& [name, param] : spec.encoding.params) params.add(name, value(param));
  for (const Run& run : runs) all.add(run_of(run));
  const phasor::Evaluation& first = runs.front().evaluation;
  for (std::size_t n = 0; n < first.lengths.size(); ++n) {
    std::vector<double> scores;
    for (const Run& run : runs) scores.push_back(run.evaluation.lengths[n].score);
    const Spread s = spread(scores);
    lengths.add(Json('{')
                    .add("length", json(first.lengths[n].length))
                    .add("mean", json(s.mean))
                    .add("deviation", json(s.deviation))
                    .end());
  }
  for (const auto& [name, number] : first.metrics) {
    std::vector<double> numbers;
    for (const Run& run : runs) numbers.push_back(run.evaluation.metrics.at(name));
    metrics.add(name, spread_of(spread(numbers)));
  }
  return Json('{')
             .add("task", json(task.id))
             .add("encoding",
                  Json('{').add("id", json(spec.encoding.id)).add("params", params.end()).end())
             .add("score", json(task.score))
             .add("higher_is_better", task.higher_is_better ? "true" : "false")
             .add("chance", json(first.chance))
             .add("steps", json(spec.steps))
             .add("causal", spec.causal ? "true" : "false")
             .add("lengths", lengths.end())
             .add("metrics", metrics.end())
             .add("runs", all.end())
             .end() +
         "\n";
}

}  // namespace train_program
