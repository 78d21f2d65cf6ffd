// run_model PATH: opens a checkpoint, and answers each request (a line of JSON) with a line of
// JSON.
//   {"ids": [2, 818], "outputs": "loss attentions", "topK": 20, "changes": {"0": {"kind": "none"}}}
//     runs the model with at most one change, with the names of JavaScript, and returns the last
//     hidden state if no outputs are requested;
//   {"ids": [2, 818], "count": 20} continues the ids;
//   {"tensor": "token_embd.weight", "row": 0} returns the values of a row of a GGUF file.

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "json_writer.h"
#include "phasor/gguf.h"
#include "phasor/model.h"

namespace {

using phasor::Params;
using phasor::ParamValue;
using phasor::PositionChange;
using phasor::Status;
using phasor::Tensor;

constexpr int kThreads = 2;

std::vector<int> integers(const ParamValue& value) {
  const Tensor& t = std::get<Tensor>(value);
  return {t.data.begin(), t.data.end()};
}
int integer(const ParamValue& value) { return static_cast<int>(std::get<double>(value)); }

// In the order of PositionChange::Kind.
constexpr std::array<std::string_view, 12> kKinds = {
    "none",  "shift", "order",  "params",        "layout",        "clip",
    "still", "drop",  "window", "zero_ablation", "mean_ablation", "skip"};

void set_field(PositionChange& change, std::string_view field, const ParamValue& value) {
  constexpr std::string_view kParams = "params.";
  if (field == "kind") {
    const auto kind = std::find(kKinds.begin(), kKinds.end(), std::get<std::string>(value));
    change.kind = static_cast<PositionChange::Kind>(kind - kKinds.begin());
  }
  if (field == "layers") change.layers = integers(value);
  if (field == "heads") change.heads = integers(value);
  if (field == "order") change.order = integers(value);
  if (field == "shift") change.shift = std::get<double>(value);
  if (field == "clip") change.clip = integer(value);
  if (field == "pairsBegin") change.pairs_begin = integer(value);
  if (field == "pairsEnd") change.pairs_end = integer(value);
  if (field.starts_with(kParams))
    change.params.add(std::string(field.substr(kParams.size())), value);
}

std::vector<PositionChange> changes_of(const Params& request) {
  constexpr std::string_view kOnly = "changes.0.";
  std::vector<PositionChange> out;
  for (const auto& [key, value] : request) {
    if (!key.starts_with(kOnly)) continue;
    if (out.empty()) out.emplace_back();
    set_field(out[0], std::string_view(key).substr(kOnly.size()), value);
  }
  return out;
}

void write(real::JsonWriter& out, const phasor::HeadMeasures& measures) {
  out.open("headMeasures");
  const auto add = [&](const char* name, const Tensor& t) {
    if (!t.data.empty()) out.add(name, t);
  };
  add("entropy", measures.entropy);
  add("entropyNormalised", measures.entropy_normalised);
  add("distance", measures.distance);
  add("first", measures.first);
  add("last", measures.last);
  add("self", measures.self);
  add("previous", measures.previous);
  add("next", measures.next);
  add("duplicate", measures.duplicate);
  out.add("duplicateChance", measures.duplicate_chance);
  add("induction", measures.induction);
  out.add("inductionChance", measures.induction_chance);
  add("shareOfDistance", measures.share_of_distance);
  add("useOfPosition", measures.use_of_position);
  out.add("pairsUsed", measures.pairs_used);
  out.close();
}

Status run(const phasor::Model& model, const std::vector<int>& ids, const Params& request) {
  const ParamValue* const names = request.find("outputs");
  const std::string outputs = names != nullptr ? std::get<std::string>(*names) : "";
  const auto has = [&](std::string_view name) { return outputs.find(name) != std::string::npos; };
  const ParamValue* const top_k = request.find("topK");
  const phasor::RunConfig config{.output_hidden_states = has("hiddenStates"),
                                 .output_attentions = has("attentions"),
                                 .output_head_measures = has("headMeasures"),
                                 .output_logits = has("logits"),
                                 .output_loss = has("loss"),
                                 .top_k = top_k != nullptr ? integer(*top_k) : 0,
                                 .changes = changes_of(request),
                                 .threads = kThreads};
  PHASOR_TRY_ASSIGN(const phasor::ModelOutput result, model.run(ids, config));
  real::JsonWriter out;
  if (outputs.empty()) out.add("lastHiddenState", result.last_hidden_state);
  out.add("hiddenStates", result.hidden_states);
  out.add("attentions", result.attentions);
  if (has("logits")) out.add("logits", result.logits);
  out.add_list("logProbabilities", result.log_probabilities);
  if (result.loss) out.add("loss", *result.loss);
  if (result.head_measures) write(out, *result.head_measures);
  if (result.predictions.empty()) return {};
  std::vector<int> predicted;
  std::vector<double> numbers;
  for (const std::vector<phasor::TokenPrediction>& row : result.predictions) {
    for (const phasor::TokenPrediction& token : row) {
      predicted.push_back(token.id);
      numbers.push_back(static_cast<double>(token.log_probability));
    }
  }
  out.add_list("predictedIds", predicted);
  out.add_list("predictedLogProbabilities", numbers);
  return {};
}

Status generate(const phasor::Model& model, const std::vector<int>& ids, int count) {
  PHASOR_TRY_ASSIGN(const std::vector<int> tokens,
                    model.generate(ids, {.max_new_tokens = count, .threads = kThreads}));
  real::JsonWriter out;
  out.add_list("ids", tokens);
  return {};
}

Status read_row(const std::string& path, const std::string& name, int row) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uint64_t>(file.tellg());
  const auto read = [&file](std::uint64_t begin, std::uint64_t count) {
    std::vector<std::uint8_t> bytes(count);
    file.seekg(static_cast<std::streamoff>(begin));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    return bytes;
  };
  phasor::GgufHeaderPart part;
  part.bytes_needed = std::uint64_t{1} << 16;
  while (part.bytes_needed > 0)
    PHASOR_TRY(phasor::read_gguf_header(read(0, part.bytes_needed), size).move_to(part));
  real::JsonWriter out;
  for (const phasor::GgufTensor& tensor : part.header.tensors) {
    if (tensor.name != name) continue;
    const std::uint64_t count = phasor::gguf_row_bytes(tensor);
    const auto at = tensor.begin + count * static_cast<std::uint64_t>(row);
    PHASOR_TRY_ASSIGN(const std::vector<float> values, phasor::dequantize(tensor, read(at, count)));
    out.add_list("values", values);
  }
  return {};
}

Status answer(const std::string& path, const phasor::Model& model, const std::string& line) {
  PHASOR_TRY_ASSIGN(const Params request, phasor::config_from_json(line));
  if (const ParamValue* const name = request.find("tensor"))
    return read_row(path, std::get<std::string>(*name), integer(request.at("row")));
  const std::vector<int> ids = integers(request.at("ids"));
  if (const ParamValue* const count = request.find("count"))
    return generate(model, ids, integer(*count));
  return run(model, ids, request);
}

int fail(const Status& status) {
  std::fprintf(stderr, "%s\n", status.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto model = phasor::open_model(argv[1]);
  if (!model.ok()) return fail(model.status());
  for (std::string line; std::getline(std::cin, line);)
    if (const Status status = answer(argv[1], **model, line); !status.ok()) return fail(status);
  return 0;
}
