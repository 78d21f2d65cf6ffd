// Calls for trainers (web/engine/train/trainer.ts). The field `handle` of a request contains the
// trainer's number.

#include "calls.h"
#include "core/format_error.h"
#include "phasor/train.h"

namespace {

using namespace phasor_js;
using phasor::Trainer;

// Returns the field names in camel case, in the order of train_config_params(). The names must
// outlive every request.
const std::vector<std::string>& list_field_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const phasor::ParamInfo& field : phasor::train_config_params())
      names.push_back(to_camel_case(field.name));
    return names;
  }();
  return kNames;
}

void add_value(Response& response, const char* name, const phasor::ParamValue& value) {
  if (const double* number = std::get_if<double>(&value)) {
    response.add(name, *number);
  } else if (const bool* flag = std::get_if<bool>(&value)) {
    response.add_flag(name, *flag);
  } else if (const std::string* text = std::get_if<std::string>(&value)) {
    response.add(name, *text);
  } else {
    response.add(name, std::get<Tensor>(value));
  }
}

void add_config(Response& response, const phasor::TrainConfig& config) {
  response.open_object("spec")
      .add("task", config.task)
      .open_object("encoding")
      .add("id", config.encoding.id);
  for (const auto& [name, value] : config.encoding.params) add_value(response, name.c_str(), value);
  response.close();
  for (const auto& [name, value] : phasor::train_config_fields(config))
    add_value(response, to_camel_case(name).c_str(), value);
  response.close();
}

// {tasks, fields}
Status describe_training(Request& request, Response& response) {
  PHASOR_TRY(request.finish());
  response.open_list("tasks");
  for (const phasor::TaskInfo& task : phasor::tasks()) {
    response.open_object(kItem)
        .add("id", task.id)
        .add("summary", task.summary)
        .add("claim", task.claim);
    response.add("score", task.score).add_flag("higherIsBetter", task.higher_is_better).close();
  }
  response.close().open_list("fields");
  std::size_t n = 0;
  for (const phasor::ParamInfo& field : phasor::train_config_params()) {
    response.open_object(kItem)
        .add("name", list_field_names()[n++])
        .add("kind", phasor::to_string(field.kind));
    response.add("min", field.min)
        .add("max", field.max)
        .add_string_list("choices", field.choices.text());
    response.add("unit", field.unit).add("summary", field.summary).close();
  }
  response.close();
  return {};
}

Status create_trainer(Request& request, Response& response) {
  const double number = request.new_handle();
  const std::string task = request.string("task");
  const phasor::EncodingConfig encoding = request.encoding_or_none();
  phasor::Params fields;
  std::size_t n = 0;
  for (const phasor::ParamInfo& field : phasor::train_config_params()) {
    const std::string& name = list_field_names()[n++];
    if (request.has(name)) fields.add(std::string(field.name), request.value(name));
  }
  std::string corpus = request.has("corpus") ? request.string("corpus") : "";
  Tensor image = request.has("image") ? request.take_tensor("image") : Tensor();
  PHASOR_TRY(request.finish());
  PHASOR_TRY_ASSIGN(phasor::TrainConfig config, phasor::make_train_config(task, fields, encoding));
  config.corpus = std::move(corpus);
  config.image = std::move(image);
  PHASOR_TRY_ASSIGN(std::unique_ptr<Trainer> trainer, Trainer::create(config));
  add_config(response, config);
  get_handles().add({.number = number, .trainer = std::move(trainer)});
  return {};
}

// Finds the trainer of a request. Rejects the request if the trainer was lost because its instance
// was restarted.
Trainer* find_trainer(Request& request) {
  const Handle* handle = get_handles().find(request.new_handle());
  if (handle && handle->trainer) return handle->trainer.get();
  request.reject("trainer: was lost when its engine was restarted; create a trainer again");
  return nullptr;
}

Status step(Request& request, Response& response) {
  Trainer* trainer = find_trainer(request);
  const int count = request.integer_or("count", 1);
  PHASOR_TRY(request.finish());
  PHASOR_TRY_ASSIGN(const phasor::StepReport report, trainer->step(count));
  response.add("step", report.step).add("loss", report.loss);
  response.add("gradNorm", report.grad_norm).add("lr", report.lr);
  return {};
}

Status evaluate(Request& request, Response& response) {
  Trainer* trainer = find_trainer(request);
  phasor::EvaluateConfig config;
  if (request.has("lengths")) config.lengths = request.whole_numbers("lengths");
  config.num_samples = request.integer_or("numSamples", 0);
  config.out_of_range = request.choice<phasor::OutOfRange>("outOfRange", "error, clamp");
  config.extra_metrics = !request.has("extraMetrics") || request.flag("extraMetrics");
  PHASOR_TRY(request.finish());
  PHASOR_TRY_ASSIGN(const phasor::Evaluation evaluation, trainer->evaluate(config));
  response.add("step", evaluation.step).add("chance", evaluation.chance).open_list("lengths");
  for (const phasor::LengthScore& score : evaluation.lengths) {
    response.open_object(kItem)
        .add("length", score.length)
        .add("loss", score.loss)
        .add("score", score.score);
    response.open_list("accuracyAt");
    for (const double accuracy : score.accuracy_at) response.add(kItem, accuracy);
    response.close().close();
  }
  response.close().open_object("metrics");
  for (const auto& [name, number] : evaluation.metrics) response.add(name.c_str(), number);
  response.close();
  return {};
}

Status attention_weights(Request& request, Response& response) {
  Trainer* trainer = find_trainer(request);
  const std::vector<int> tokens = request.whole_numbers("tokens");
  return run(request, response, [&] { return trainer->attention_weights(tokens); });
}

// {q, k}
Status queries_and_keys(Request& request, Response& response) {
  Trainer* trainer = find_trainer(request);
  const std::vector<int> tokens = request.whole_numbers("tokens");
  PHASOR_TRY(request.finish());
  PHASOR_TRY_ASSIGN(const phasor::QueriesAndKeys result, trainer->queries_and_keys(tokens));
  response.add("q", result.q).add("k", result.k);
  return {};
}

Status logits(Request& request, Response& response) {
  Trainer* trainer = find_trainer(request);
  const std::vector<int> tokens = request.whole_numbers("tokens");
  return run(request, response, [&] { return trainer->logits(tokens); });
}

// The field `heads` is a flat list of pairs: layer, head, layer, head ...
Status ablate_heads(Request& request, Response&) {
  Trainer* trainer = find_trainer(request);
  const std::vector<int> numbers = request.whole_numbers("heads");
  const auto type = request.choice<phasor::AblationType>("type", "zero, mean");
  PHASOR_TRY(request.finish());
  if (numbers.size() % 2 != 0)
    return phasor::invalid("heads: has an odd number of entries; expected pairs of layer and head");
  std::vector<phasor::HeadIndex> heads;
  for (std::size_t n = 0; n < numbers.size(); n += 2)
    heads.push_back({.layer = numbers[n], .head = numbers[n + 1]});
  return trainer->ablate_heads(heads, type);
}

Status k_composition(Request& request, Response& response) {
  Trainer* trainer = find_trainer(request);
  const int from = request.integer_or("fromLayer", 0), to = request.integer_or("toLayer", 1);
  const double distance = request.number_or("distance", 1);
  return run(request, response, [&] { return trainer->k_composition(from, to, distance); });
}

Status tokens(Request& request, Response& response) {
  const Trainer* trainer = find_trainer(request);
  const std::string text = request.string("text");
  PHASOR_TRY(request.finish());
  PHASOR_TRY_ASSIGN(const std::vector<int> result, trainer->tokens(text));
  response.add_list("tokens", result);
  return {};
}

Status weights(Request& request, Response& response) {
  const Trainer* trainer = find_trainer(request);
  PHASOR_TRY(request.finish());
  for (const auto& [name, t] : trainer->weights()) response.add(name.c_str(), t);
  return {};
}

// Reads a list of byte values.
std::vector<std::uint8_t> read_bytes(Request& request, const char* name) {
  const std::vector<double> numbers = request.numbers(name);
  return {numbers.begin(), numbers.end()};
}
// Returned arrays always contain floats, so the bytes are added as the bit patterns of floats.
Status add_bytes(Response& response, const std::vector<std::uint8_t>& bytes) {
  const std::size_t float_count = (bytes.size() + sizeof(float) - 1) / sizeof(float);
  PHASOR_TRY(phasor::check_memory("bytes", static_cast<double>(bytes.size())));
  Tensor bits({static_cast<int>(float_count)});
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(bits.data.data()));
  response.add("size", static_cast<double>(bytes.size())).add("bits", bits);
  return {};
}

Status save_weights(Request& request, Response& response) {
  const Trainer* trainer = find_trainer(request);
  const auto dtype = request.choice<phasor::DType>("dtype", "f32, f16");
  PHASOR_TRY(request.finish());
  const phasor::TrainConfig& config = trainer->config();
  const phasor::SafetensorsFile file{
      .tensors = trainer->weights(),
      .metadata = {{"task", config.task}, {"encoding", config.encoding.id}}};
  PHASOR_TRY_ASSIGN(const std::vector<std::uint8_t> bytes, phasor::write_safetensors(file, dtype));
  return add_bytes(response, bytes);
}

// Loads the weights from a safetensors file, or from tensors in the fields "0", "1" ... In the
// second case, `names` lists the names of the tensors, one per line.
Status load_weights(Request& request, Response&) {
  Trainer* trainer = find_trainer(request);
  phasor::SafetensorsFile file;
  const bool is_file = request.has("bytes");
  std::vector<std::uint8_t> bytes;
  std::vector<std::string> tensor_fields;
  if (is_file) {
    bytes = read_bytes(request, "bytes");
  } else {
    const std::string names = request.string("names");
    std::size_t from = 0;
    // The request refers to these strings, so reserve() keeps the vector from moving them.
    tensor_fields.reserve(names.size() + 1);
    while (from < names.size()) {
      const std::size_t to = std::min(names.find('\n', from), names.size());
      tensor_fields.push_back(std::to_string(tensor_fields.size()));
      file.tensors.add(names.substr(from, to - from), request.take_tensor(tensor_fields.back()));
      from = to + 1;
    }
  }
  PHASOR_TRY(request.finish());
  if (is_file) PHASOR_TRY(phasor::read_safetensors(bytes).move_to(file));
  return trainer->load_weights(file.tensors);
}

Status save_checkpoint(Request& request, Response& response) {
  const Trainer* trainer = find_trainer(request);
  PHASOR_TRY(request.finish());
  PHASOR_TRY_ASSIGN(const std::vector<std::uint8_t> bytes, trainer->save_checkpoint());
  return add_bytes(response, bytes);
}

Status load_checkpoint(Request& request, Response& response) {
  Trainer* trainer = find_trainer(request);
  const std::vector<std::uint8_t> bytes = read_bytes(request, "bytes");
  PHASOR_TRY(request.finish());
  PHASOR_TRY(trainer->load_checkpoint(bytes));
  response.add("step", trainer->global_step());
  return {};
}

}  // namespace

namespace phasor_js {

std::span<const Call> list_train_calls() {
  static constexpr Call kCalls[] = {
      {"training", describe_training},
      {"createTrainer", create_trainer},
      {"step", step},
      {"evaluate", evaluate},
      {"attentionWeights", attention_weights},
      {"queriesAndKeys", queries_and_keys},
      {"tokens", tokens},
      {"logits", logits},
      {"ablateHeads", ablate_heads},
      {"kComposition", k_composition},
      {"weights", weights},
      {"saveWeights", save_weights},
      {"loadWeights", load_weights},
      {"saveCheckpoint", save_checkpoint},
      {"loadCheckpoint", load_checkpoint},
  };
  return kCalls;
}

}  // namespace phasor_js
