#include "train/config.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>

#include "core/format_error.h"
#include "core/repeated_name.h"
#include "phasor/registry.h"
#include "task_base/task.h"

namespace phasor {

namespace {

double to_number(bool x) { return x ? 1 : 0; }
template <class T>
double to_number(T x) {
  return static_cast<double>(x);
}
double to_number(const std::optional<double>& x) { return x.value_or(std::nan("")); }

template <class T>
void assign(T& to, double x) {
  to = static_cast<T>(x);
}
void assign(bool& to, double x) { to = x != 0; }
void assign(std::optional<double>& to, double x) { to = x; }

Status read_field(const ParamInfo& field, const ParamValue& value, double& out) {
  const auto name = argument(field.name.data());
  if (field.kind == ParamKind::choice) {
    const std::string* text = std::get_if<std::string>(&value);
    const int index = text != nullptr ? field.choices.find(*text) : -1;
    if (index < 0) return invalid("{}: {} is not one of {}", name, value, field.choices);
    out = index;
    return {};
  }
  if (field.kind == ParamKind::boolean) {
    const bool* flag = std::get_if<bool>(&value);
    if (flag == nullptr) return invalid("{}: {} is not true or false", name, value);
    out = to_number(*flag);
    return {};
  }
  const double* number = std::get_if<double>(&value);
  if (number == nullptr) return invalid("{}: {} is not a number", name, value);
  if (field.kind == ParamKind::integer && *number != std::floor(*number))
    return invalid("{}: {} is not a whole number", name, *number);
  out = *number;
  return check_range(name, *number, field.min, field.max);
}

std::string join_field_names() {
  std::string names;
  for (const ParamInfo& field : train_config_params())
    (names += names.empty() ? "" : ", ") += field.name;
  return names;
}

// Sets encoding parameters whose default depends on the config, unless the caller has set them.
void set_model_defaults(const EncodingInfo& type, const TrainConfig& config,
                        Params& provided_params) {
  for (const ParamInfo& param : type.params) {
    if (provided_params.contains(param.name) || !type.learned) continue;
    if (param.name == "seed")
      provided_params.add("seed", static_cast<double>(config.seed % 2147483648u));
    if (param.name == "bidirectional") provided_params.add("bidirectional", !config.causal);
    if (param.name == "init_std") provided_params.add("init_std", 0.02);
    // max_distance must be larger than the number of distances that have their own bucket, which is
    // half the number of buckets per side.
    if (param.name == "max_distance") {
      const ParamValue* num_buckets = provided_params.find("num_buckets");
      const double* number = num_buckets != nullptr ? std::get_if<double>(num_buckets) : nullptr;
      const double exact_buckets = (number != nullptr ? *number : 32) / (config.causal ? 2 : 4);
      provided_params.add("max_distance", std::max(static_cast<double>(config.sequence_length),
                                                   std::floor(exact_buckets) + 1));
    }
    if (param.name == "max_length" && !provided_params.contains("table")) {
      const int rows = std::max(config.sequence_length, config.randomized_positions);
      provided_params.add("max_length",
                          static_cast<double>(rows) + std::ceil(config.position_offset));
    }
  }
}

Status check_member(const char* name, double value, double min, double max) {
  return check_range(argument(name), value, min, max);
}

}  // namespace

std::span<const ParamInfo> train_config_params() {
  static const std::vector<ParamInfo> kFields = [] {
    std::vector<ParamInfo> list;
    const TrainConfig config;
    for_each_field(config, [&](const ParamInfo& field, const auto&) { list.push_back(field); });
    return list;
  }();
  return kFields;
}

Params train_config_fields(const TrainConfig& config) {
  Params out;
  for_each_field(config, [&](const ParamInfo& field, const auto& member) {
    const double number = to_number(member);
    if (std::isnan(number)) return;
    ParamValue& value = out.add(std::string(field.name), number);
    if (field.kind == ParamKind::boolean) value = number != 0;
    if (field.kind == ParamKind::choice)
      value = std::string(field.choices.list()[static_cast<std::size_t>(number)]);
  });
  return out;
}

Result<TrainConfig> make_train_config(std::string_view task, const Params& fields,
                                      const EncodingConfig& encoding) {
  return Result<TrainConfig>::from([&](TrainConfig& config) -> Status {
    if (const auto name = find_repeated_name(fields))
      return invalid("{}: occurs twice; expected one value", *name);
    const TaskType* type = find_task(task);
    if (type == nullptr) {
      std::string names;
      for (const TaskInfo& info : tasks()) (names += names.empty() ? "" : ", ") += info.id;
      return unknown("task: \"{}\" is unknown; expected one of {}", std::string(task),
                     ChoiceList(names.c_str()));
    }
    config = {};
    config.task = task;
    type->set_defaults(config);
    config.encoding = encoding;
    for (const auto& [name, value] : fields) {
      bool is_known = false;
      Status status;
      for_each_field(
          config, [&, &requested = name, &provided = value](const ParamInfo& field, auto& member) {
            if (field.name != requested) return;
            is_known = true;
            double number = 0;
            status = read_field(field, provided, number);
            if (status.ok()) assign(member, number);
          });
      PHASOR_TRY(std::move(status));
      if (!is_known) {
        return unknown("{}: is not a field of the config; expected one of {}", name,
                       ChoiceList(join_field_names().c_str()));
      }
    }
    const EncodingInfo* info = find_encoding(config.encoding.id);
    if (info != nullptr) set_model_defaults(*info, config, config.encoding.params);
    return {};
  });
}

Status check_config(const TrainConfig& config) {
  Status status;
  for_each_field(config, [&](const ParamInfo& field, const auto& member) {
    if (!status.ok()) return;
    if constexpr (std::is_same_v<std::decay_t<decltype(member)>, std::optional<double>>) {
      if (member) status = check_member(field.name.data(), *member, field.min, field.max);
    } else if (field.kind == ParamKind::real || field.kind == ParamKind::integer) {
      status = check_member(field.name.data(), static_cast<double>(member), field.min, field.max);
    }
  });
  PHASOR_TRY(std::move(status));
  const double tokens = static_cast<double>(config.batch_size) * config.sequence_length;
  if (tokens > std::numeric_limits<int>::max()) {
    return make_error(StatusCode::resource_exhausted,
                      "{}: {} items of {} tokens have {} tokens in total; expected at most {}",
                      argument("batch_size"), detail(config.batch_size), config.sequence_length,
                      tokens, std::numeric_limits<int>::max());
  }
  if (config.min_sequence_length > config.sequence_length) {
    return invalid("{}: {} exceeds {} {}", argument("min_sequence_length"),
                   config.min_sequence_length, argument("sequence_length"), config.sequence_length);
  }
  if (config.randomized_positions > 0 && config.randomized_positions < config.sequence_length) {
    return invalid("{}: {} is less than the number of tokens per item, {}",
                   argument("randomized_positions"), config.randomized_positions,
                   config.sequence_length);
  }
  return {};
}

std::string serialize_config(const TrainConfig& config) {
  std::string out = "task " + config.task + "\n";
  const auto add = [&](std::string_view name, double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", number);
    ((out += name) += ' ') += text;
    out += '\n';
  };
  for_each_field(config, [&](const ParamInfo& field, const auto& member) {
    add(field.name, to_number(member));
  });
  out += "encoding " + config.encoding.id + "\n";
  for (const auto& [name, value] : config.encoding.params) {
    const Tensor* tensor = std::get_if<Tensor>(&value);
    if (tensor == nullptr) {
      out += "encoding." + name + " " + to_message(value) + "\n";
      continue;
    }
    for (const float x : tensor->data) add("encoding." + name, static_cast<double>(x));
  }
  // Adds an FNV-1a hash of the text and the image.
  std::uint64_t hash = 14695981039346656037ull;
  const auto add_to_hash = [&hash](std::uint64_t x) { hash = (hash ^ x) * 1099511628211ull; };
  for (const char c : config.corpus) add_to_hash(static_cast<unsigned char>(c));
  for (const float x : config.image.data) add_to_hash(static_cast<std::uint64_t>(x * 65536.0f));
  add("data", static_cast<double>(hash >> 11));
  return out;
}

// Accepts the field names of version 0.1 for one more release.
std::string convert_legacy_names(const std::string& text) {
  struct FieldRename {
    std::string_view old_name, new_name;
  };
  constexpr FieldRename kRenames[] = {
      {"width", "embed_dim"},
      {"feed_forward", "dim_feedforward"},
      {"tied_head", "tie_word_embeddings"},
      {"input_std", "table_init_std"},
      {"batch", "batch_size"},
      {"length", "sequence_length"},
      {"shortest_length", "min_sequence_length"},
      {"final_lr", "min_lr_ratio"},
      {"table_lr", "bias_table_lr_scale"},
      {"encoding.rotary_width", "encoding.rotary_dim"},
  };
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(from, end - from),
                           name = line.substr(0, line.find(' '));
    const auto match =
        std::find_if(std::begin(kRenames), std::end(kRenames),
                     [name](const FieldRename& field) { return field.old_name == name; });
    out += match == std::end(kRenames) ? name : match->new_name;
    out += line.substr(name.size());
    from = end;
  }
  return out;
}

}  // namespace phasor
