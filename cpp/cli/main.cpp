// phasor_train: trains one model, or several from different seeds, and writes progress, a
// checkpoint for resuming and a learning curve as JSON. `npm run train` builds and runs it.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "arguments.h"
#include "files.h"
#include "report.h"

namespace train_program {

namespace {

using phasor::Status;
using phasor::TrainConfig;
using phasor::Trainer;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const phasor::TaskInfo& find_task_info(const TrainConfig& config) {
  for (const phasor::TaskInfo& task : phasor::tasks()) {
    if (task.id == config.task) return task;
  }
  return phasor::tasks().front();  // unreachable: make_train_config rejects unknown tasks
}

// CPU time of this process. Unlike wall-clock time, it excludes other programs.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Prints a line of progress. On a terminal, the next line overwrites it.
void print_progress(const TrainConfig& config, const CurvePoint& p, double steps_per_second) {
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  std::fprintf(stderr, "%s%s %s seed %u: step %d/%d  loss %.4f  score %.4f  %.0f steps/s%s",
               is_terminal ? "\r\033[K" : "", config.task.c_str(), config.encoding.id.c_str(),
               config.seed, p.step, config.steps, p.loss, p.score, steps_per_second,
               is_terminal && p.step < config.steps ? "" : "\n");
}

// Saves a checkpoint. Its metadata contains the learning curve so far, one point per line.
Status save_progress(const Trainer& trainer, const Run& run, const std::string& path) {
  PHASOR_TRY_ASSIGN(const std::vector<std::uint8_t> checkpoint_bytes, trainer.save_checkpoint());
  PHASOR_TRY_ASSIGN(phasor::SafetensorsFile file, phasor::read_safetensors(checkpoint_bytes));
  std::string curve;
  for (const CurvePoint& p : run.curve) {
    char line[160];
    std::snprintf(line, sizeof line, "%d %.17g %.17g %.17g %.17g %.17g\n", p.step, p.loss, p.lr,
                  p.grad_norm, p.score, p.seconds);
    curve += line;
  }
  file.metadata.add("curve", curve);
  PHASOR_TRY_ASSIGN(const std::vector<std::uint8_t> bytes,
                    phasor::write_safetensors(file, phasor::DType::f32));
  return write_file(path, bytes);
}

Status resume(Trainer& trainer, Run& run, const std::string& path) {
  PHASOR_TRY_ASSIGN(const std::vector<std::uint8_t> bytes, read_file(path));
  PHASOR_TRY(trainer.load_checkpoint(bytes));
  PHASOR_TRY_ASSIGN(const phasor::SafetensorsFile file, phasor::read_safetensors(bytes));
  const std::string* curve = file.metadata.find("curve");
  CurvePoint p{};
  for (const char* cursor = curve != nullptr ? curve->c_str() : "";
       std::sscanf(cursor, "%d %lf %lf %lf %lf %lf", &p.step, &p.loss, &p.lr, &p.grad_norm,
                   &p.score, &p.seconds) == 6;) {
    run.curve.push_back(p);
    run.seconds = p.seconds;
    const char* line_end = std::strchr(cursor, '\n');
    if (line_end == nullptr) break;
    cursor = line_end + 1;
  }
  std::fprintf(stderr, "continuing from step %d\n", trainer.global_step());
  return {};
}

// Checks before training that the output files can be written and that the model can be evaluated
// at the requested lengths.
Status check_outputs(const Arguments& arguments, Trainer& trainer) {
  for (const std::string& path :
       {arguments.out_path, arguments.weights_path, arguments.checkpoint_path}) {
    if (!path.empty()) PHASOR_TRY(check_writable(path));
  }
  if (arguments.lengths.empty()) return {};
  return trainer
      .evaluate({.lengths = arguments.lengths,
                 .num_samples = 1,
                 .out_of_range = arguments.out_of_range,
                 .extra_metrics = false})
      .status();
}

// Trains one model, evaluating it at the training length for each learning-curve point.
Status train(const Arguments& arguments, const TrainConfig& config, Run& run,
             std::string& weights_bytes) {
  run.seed = config.seed;
  PHASOR_TRY_ASSIGN(const std::unique_ptr<Trainer> trainer, Trainer::create(config));
  const std::string checkpoint_path = arguments.checkpoint_path + "." + std::to_string(config.seed);
  const bool has_checkpoint_path = !arguments.checkpoint_path.empty();
  if (arguments.should_resume && has_checkpoint_path && file_exists(checkpoint_path)) {
    PHASOR_TRY(resume(*trainer, run, checkpoint_path));
  }
  PHASOR_TRY(check_outputs(arguments, *trainer));
  const int step_interval =
      arguments.curve_interval > 0 ? arguments.curve_interval : std::max(1, config.steps / 20);
  while (trainer->global_step() < config.steps) {
    const int first_step = trainer->global_step(),
              end_step = std::min(config.steps, (first_step / step_interval + 1) * step_interval);
    const double start_seconds = seconds_now(), start_cpu_seconds = processor_seconds();
    phasor::StepReport report;
    if (Status status = trainer->step(end_step - first_step).move_to(report); !status.ok()) {
      // The trainer has undone the diverged step, so the saved weights are finite.
      if (has_checkpoint_path) {
        PHASOR_TRY(save_progress(*trainer, run, checkpoint_path));
        std::fprintf(stderr, "saved step %d in \"%s\"\n", trainer->global_step(),
                     checkpoint_path.c_str());
      }
      return status;
    }
    const double seconds = seconds_now() - start_seconds;
    run.seconds += processor_seconds() - start_cpu_seconds;
    CurvePoint point{report.step, report.loss, report.lr, report.grad_norm, 0, run.seconds};
    PHASOR_TRY_ASSIGN(
        const phasor::Evaluation evaluation,
        trainer->evaluate({.lengths = {}, .num_samples = 100, .extra_metrics = false}));
    point.score = evaluation.lengths.front().score;
    run.curve.push_back(point);
    print_progress(config, point, (end_step - first_step) / seconds);
    if (has_checkpoint_path) PHASOR_TRY(save_progress(*trainer, run, checkpoint_path));
  }
  PHASOR_TRY(
      trainer->evaluate({.lengths = arguments.lengths, .out_of_range = arguments.out_of_range})
          .move_to(run.evaluation));
  phasor::SafetensorsFile file{
      .tensors = trainer->weights(),
      .metadata = {{"task", config.task}, {"encoding", config.encoding.id}}};
  if (arguments.weights_path.empty()) return {};
  PHASOR_TRY_ASSIGN(const std::vector<std::uint8_t> bytes,
                    phasor::write_safetensors(
                        file, arguments.should_save_f16 ? phasor::DType::f16 : phasor::DType::f32));
  weights_bytes.assign(bytes.begin(), bytes.end());
  return {};
}

void print_scores(const phasor::TaskInfo& task, const std::vector<Run>& runs) {
  const phasor::Evaluation& first_evaluation = runs.front().evaluation;
  std::printf("%s, chance %.4f\n", std::string(task.score).c_str(), first_evaluation.chance);
  for (std::size_t n = 0; n < first_evaluation.lengths.size(); ++n) {
    std::vector<double> scores;
    for (const Run& run : runs) scores.push_back(run.evaluation.lengths[n].score);
    const MeanAndDeviation s = compute_mean_and_deviation(scores);
    std::printf("  length %5d: %.4f +- %.4f\n", first_evaluation.lengths[n].length, s.mean,
                s.deviation);
  }
  for (const auto& [name, number] : first_evaluation.metrics) {
    std::vector<double> values;
    for (const Run& run : runs) values.push_back(run.evaluation.metrics.at(name));
    const MeanAndDeviation s = compute_mean_and_deviation(values);
    std::printf("  %s: %.4f +- %.4f\n", name.c_str(), s.mean, s.deviation);
  }
}

Status run(const std::vector<std::string>& args) {
  PHASOR_TRY_ASSIGN(Arguments arguments, read_arguments(args));
  if (arguments.should_show_help) return std::fputs(format_usage().c_str(), stdout), Status{};
  if (arguments.checkpoint_path.empty() && !arguments.out_path.empty())
    arguments.checkpoint_path = arguments.out_path + ".checkpoint";
  PHASOR_TRY_ASSIGN(TrainConfig config, phasor::make_train_config(arguments.task, arguments.fields,
                                                                  arguments.encoding));
  if (!arguments.corpus_path.empty()) {
    PHASOR_TRY_ASSIGN(const std::vector<std::uint8_t> bytes, read_file(arguments.corpus_path));
    config.corpus.assign(bytes.begin(), bytes.end());
  }
  if (!arguments.image_path.empty())
    PHASOR_TRY(read_image(arguments.image_path).move_to(config.image));
  std::vector<Run> runs;
  std::string weights_bytes;
  for (int n = 0; n < arguments.seeds; ++n) {
    // Rebuilds the config for each seed, because the encoding's seed depends on it.
    if (n > 0) {
      arguments.fields["seed"] = static_cast<double>(config.seed + 1);
      PHASOR_TRY_ASSIGN(
          TrainConfig seed_config,
          phasor::make_train_config(arguments.task, arguments.fields, arguments.encoding));
      seed_config.corpus = std::move(config.corpus);
      seed_config.image = std::move(config.image);
      config = std::move(seed_config);
    }
    PHASOR_TRY(train(arguments, config, runs.emplace_back(), weights_bytes));
  }
  if (!arguments.out_path.empty())
    PHASOR_TRY(
        write_file(arguments.out_path, report_to_json(config, find_task_info(config), runs)));
  if (!arguments.weights_path.empty())
    PHASOR_TRY(write_file(arguments.weights_path, weights_bytes));
  print_scores(find_task_info(config), runs);
  return {};
}

}  // namespace

}  // namespace train_program

int main(int argc, char** argv) {
  const phasor::Status status = train_program::run({argv + 1, argv + argc});
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n(--help lists tasks, fields and options)\n", status.message().c_str());
  return 1;
}
