// Calls that open and run published models (web/engine/model/model.ts). An instance has at most one
// model. A model's memory is freed by terminating its instance.

#include "bytes.h"
#include "calls.h"
#include "changes.h"
#include "core/format_error.h"
#include "phasor/gguf.h"
#include "phasor/model.h"

namespace {

using namespace phasor_js;

struct OpenModel {
  std::unique_ptr<phasor::ModelLoader> loader;
  std::unique_ptr<phasor::Model> model;
};

OpenModel& get_open_model() {
  static OpenModel state;
  return state;
}

void add(Response& response, const phasor::ModelInfo& info) {
  response.open_object("info").add("modelType", info.model_type).add("layers", info.layers);
  response.add("heads", info.heads).add("kvHeads", info.kv_heads).add("headDim", info.head_dim);
  response.add("hiddenSize", info.hidden_size).add("vocabSize", info.vocab_size);
  response.add_flag("causal", info.causal).add_flag("hasHead", info.has_head);
  response.add("parameters", info.parameters).add("bytes", info.bytes).close();
}

// Adds `info` once all headers are read, and `range`, the next byte range to read. If no range is
// left, creates the model.
Status add_progress(Response& response) {
  OpenModel& state = get_open_model();
  if (const std::optional<phasor::ModelInfo> info = state.loader->info()) add(response, *info);
  if (const std::optional<phasor::ByteRange> range = state.loader->next_range()) {
    response.open_object("range").add("file", range->file);
    response.add("begin", static_cast<double>(range->begin));
    response.add("size", static_cast<double>(range->size)).close();
    return {};
  }
  PHASOR_TRY(state.loader->finish().move_to(state.model));
  state.loader = nullptr;
  return {};
}

// The request has the fields `config` (the text of config.json; missing for a GGUF file), `names`
// (one file name per line) and `sizes`.
Status open_model(Request& request, Response& response) {
  const bool is_gguf = !request.has("config");
  const std::string config = is_gguf ? "" : request.string("config");
  const std::string file_names = request.string("names");
  const std::vector<double> file_sizes = request.numbers("sizes");
  PHASOR_TRY(request.finish());
  std::vector<phasor::CheckpointFile> files;
  std::size_t begin = 0;
  for (const double size : file_sizes) {
    const std::size_t end = std::min(file_names.find('\n', begin), file_names.size());
    files.push_back({file_names.substr(begin, end - begin), static_cast<std::uint64_t>(size)});
    begin = std::min(end + 1, file_names.size());
  }
  get_open_model() = {};
  std::unique_ptr<phasor::ModelLoader>& loader = get_open_model().loader;
  if (is_gguf) {
    if (files.size() != 1)
      return phasor::invalid("files: has {} GGUF files; expected one", files.size());
    PHASOR_TRY(phasor::ModelLoader::create_gguf(std::move(files[0])).move_to(loader));
  } else {
    PHASOR_TRY_ASSIGN(const phasor::Params model_config, phasor::config_from_json(config));
    PHASOR_TRY(phasor::ModelLoader::create(model_config, std::move(files)).move_to(loader));
  }
  return add_progress(response);
}

// Adds each metadata value of a GGUF file under its key; arrays as {type, count, begin, end}.
Status gguf_metadata(Request& request, Response& response) {
  PHASOR_TRY(request.finish());
  const auto& loader = get_open_model().loader;
  const phasor::GgufHeader* header = loader ? loader->gguf_header() : nullptr;
  if (header == nullptr) return phasor::invalid("files: expected a GGUF file");
  for (const auto& [key, entry] : header->metadata) {
    const char* const name = key.c_str();
    if (const auto* list = std::get_if<phasor::GgufArray>(&entry.value)) {
      response.open_object(name).add("type", static_cast<double>(list->type));
      response.add("count", static_cast<double>(list->count));
      response.add("begin", static_cast<double>(list->begin));
      response.add("end", static_cast<double>(list->end)).close();
    } else if (const auto* text = std::get_if<std::string>(&entry.value)) {
      response.add(name, *text);
    } else if (const auto* flag = std::get_if<bool>(&entry.value)) {
      response.add_flag(name, *flag);
    } else if (const auto* number = std::get_if<double>(&entry.value)) {
      response.add(name, *number);
    } else if (const auto* integer = std::get_if<std::int64_t>(&entry.value)) {
      response.add(name, static_cast<double>(*integer));
    } else {
      response.add(name, static_cast<double>(std::get<std::uint64_t>(entry.value)));
    }
  }
  return {};
}

Status give_bytes(Request& request, Response& response) {
  const std::vector<std::uint8_t> bytes = read_bytes(request, "bytes");
  PHASOR_TRY(request.finish());
  if (!get_open_model().loader) return phasor::invalid("model: no file is being read");
  PHASOR_TRY(get_open_model().loader->add_bytes(bytes));
  return add_progress(response);
}

const phasor::Model* find_open_model(Request& request) {
  if (!get_open_model().model)
    request.reject("model: was lost when its engine was restarted; open the model again");
  return get_open_model().model.get();
}

// Omits measures that are undefined for the model or text.
void add(Response& response, const phasor::HeadMeasures& measures) {
  response.open_object("headMeasures");
  const auto add_if_present = [&](const char* name, const Tensor& t) {
    if (!t.data.empty()) response.add(name, t);
    return !t.data.empty();
  };
  add_if_present("entropy", measures.entropy);
  add_if_present("entropyNormalised", measures.entropy_normalised);
  add_if_present("distance", measures.distance);
  add_if_present("first", measures.first);
  add_if_present("last", measures.last);
  add_if_present("self", measures.self);
  add_if_present("previous", measures.previous);
  add_if_present("next", measures.next);
  if (add_if_present("duplicate", measures.duplicate))
    response.add("duplicateChance", measures.duplicate_chance);
  if (add_if_present("induction", measures.induction))
    response.add("inductionChance", measures.induction_chance);
  add_if_present("shareOfDistance", measures.share_of_distance);
  add_if_present("useOfPosition", measures.use_of_position);
  if (!measures.pairs_used.empty()) {
    response.open_list("pairsUsed");
    for (const Tensor& t : measures.pairs_used) {
      if (t.data.empty())
        response.add_null(kItem);
      else
        response.add(kItem, t);
    }
    response.close();
  }
  add_if_present("profile", measures.profile);
  response.close();
}

void add(Response& response, const phasor::ModelOutput& out, const phasor::RunConfig& config,
         bool has_loss) {
  response.add("lastHiddenState", out.last_hidden_state);
  if (!out.logits.shape.empty()) response.add("logits", out.logits);
  const auto add_tensors = [&](const char* name, const std::vector<Tensor>& tensors) {
    if (tensors.empty()) return;
    response.open_list(name);
    for (const Tensor& t : tensors) response.add(kItem, t);
    response.close();
  };
  add_tensors("hiddenStates", out.hidden_states);
  add_tensors("attentions", out.attentions);
  if (has_loss && out.loss) {
    response.add("loss", *out.loss).open_list("logProbabilities");
    for (const double number : out.log_probabilities) response.add(kItem, number);
    response.close();
  }
  if (config.top_k > 0) {
    std::vector<int> ids;
    Tensor log_probabilities({static_cast<int>(out.predictions.size()), config.top_k});
    for (const std::vector<phasor::TokenPrediction>& row : out.predictions) {
      for (const phasor::TokenPrediction& token : row) {
        log_probabilities.data[ids.size()] = token.log_probability;
        ids.push_back(token.id);
      }
    }
    response.add_list("predictedIds", ids).add("predictedLogProbabilities", log_probabilities);
  }
  if (out.head_measures) add(response, *out.head_measures);
  if (config.cache != nullptr) response.add("cacheLength", config.cache->length());
}

// Converts the argument name of an error to camel case. Config keys stay as they are.
Status with_camel_case_argument(Status status) {
  const std::string argument(status.argument());
  if (!status.ok()) status.rename_argument(argument.size(), to_camel_case(argument));
  return status;
}

phasor::ModelCache* read_cache(Request& request) {
  if (!request.has("cache")) return nullptr;
  const Handle* handle = request.handle("cache", Field::Kind::cache);
  return handle != nullptr ? handle->model_cache.get() : nullptr;
}

phasor::RunConfig read_text_config(Request& request) {
  phasor::RunConfig config;
  if (request.has("attentionMask")) config.attention_mask = request.flags("attentionMask");
  if (request.has("tokenTypeIds")) config.token_type_ids = request.whole_numbers("tokenTypeIds");
  config.changes = read_changes(request);
  return config;
}

Status run_model(Request& request, Response& response) {
  const phasor::Model* model = find_open_model(request);
  const std::vector<int> ids = request.whole_numbers("inputIds");
  phasor::RunConfig config = read_text_config(request);
  config.cache = read_cache(request);
  enum { kLogits, kHiddenStates, kAttentions, kLoss, kHeadMeasures, kCount };
  constexpr phasor::ChoiceList kOutputs = "logits, hiddenStates, attentions, loss, headMeasures";
  bool is_requested[kCount] = {};
  for (const int index : request.choices("outputs", kOutputs)) is_requested[index] = true;
  config.output_logits = is_requested[kLogits];
  config.output_hidden_states = is_requested[kHiddenStates];
  config.output_attentions = is_requested[kAttentions];
  config.output_loss = is_requested[kLoss];
  config.output_head_measures = is_requested[kHeadMeasures];
  config.top_k = request.integer_or("topK", 0);
  config.logits_to_keep = request.integer_or("logitsToKeep", 0);
  return with_camel_case_argument(run(
      request, [&] { return model->run(ids, config); },
      [&](const phasor::ModelOutput& out) { add(response, out, config, is_requested[kLoss]); }));
}

Status model_attention(Request& request, Response& response) {
  const phasor::Model* model = find_open_model(request);
  const std::vector<int> ids = request.whole_numbers("inputIds");
  const phasor::RunConfig config = read_text_config(request);
  const int layer = request.integer("layer");
  std::optional<int> head;
  if (request.has("head")) head = request.integer("head");
  return with_camel_case_argument(
      run(request, response, [&] { return model->attention_weights(ids, layer, head, config); }));
}

Status query_key_states(Request& request, Response& response) {
  const phasor::Model* model = find_open_model(request);
  const std::vector<int> ids = request.whole_numbers("inputIds");
  const phasor::RunConfig config = read_text_config(request);
  const int layer = request.integer("layer");
  return with_camel_case_argument(run(
      request, [&] { return model->query_key_states(ids, layer, config); },
      [&](const phasor::QueryKeyStates& states) {
        response.add("queries", states.queries).add("keys", states.keys);
        response.add("rotatedQueries", states.rotated_queries);
        response.add("rotatedKeys", states.rotated_keys);
      }));
}

Status create_model_cache(Request& request, Response&) {
  const phasor::Model* model = find_open_model(request);
  const double number = request.new_handle();
  const int max_length = request.integer("maxLength");
  const std::vector<phasor::PositionChange> changes = read_changes(request);
  return with_camel_case_argument(run(
      request, [&] { return model->create_cache(max_length, changes); },
      [&](std::unique_ptr<phasor::ModelCache>& cache) {
        get_handles().add({.number = number, .model_cache = std::move(cache)});
      }));
}

}  // namespace

namespace phasor_js {

std::span<const Call> list_checkpoint_calls() {
  static constexpr Call kCalls[] = {
      {"openModel", open_model},
      {"giveBytes", give_bytes},
      {"ggufMetadata", gguf_metadata},
      {"queryKeyStates", query_key_states},
      {"run", run_model},
      {"attention", model_attention},
      {"createCache", create_model_cache},
      {"release", release},
  };
  return kCalls;
}

}  // namespace phasor_js
