#include "request.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/format_error.h"

namespace phasor_js {

namespace {

constexpr double kMaxInt = std::numeric_limits<int>::max();

bool is_whole(double value) { return value == std::floor(value); }

}  // namespace

Request::Request(std::string_view method, std::string fields, const ArraySource& source)
    : method_(method), text_(std::move(fields)), source_(source) {
  const std::size_t count = source.list_size();
  if (!can_allocate(method, count * sizeof(double))) return;
  numbers_.resize(count);
  source.copy_list(numbers_);
  if (!fields_.read(text_, numbers_, source.array_count()))
    fail(method, nullptr, "a valid request");
}

Status Request::finish() {
  reject_unread();
  return status_;
}

void Request::reject_unread() {
  const Field* field = fields_.find_unread();
  if (!field) return;
  for (const std::string_view name : find_current_names(field->path)) {
    if (!fields_.is_requested(name)) continue;
    status_ = make_rename_error(field->path, name);
    return;
  }
  // A hint for an unread field replaces an earlier error, because that field may have caused the
  // error.
  std::string hint = misplaced_param_hint(field->path);
  if (hint.empty()) {
    const std::string name = fields_.find_similar_path(field->path);
    if (!status_.ok() && name.empty()) return;
    if (!name.empty()) hint = phasor::format_error("; did you mean {}?", name);
  }
  status_ =
      phasor::unknown("{} is not a field of {}{}",
                      phasor::Subject{field->path.substr(0, kMaxShownLetters)}, method_, hint);
}

void Request::reject(Status failure) {
  if (status_.ok()) status_ = std::move(failure);
}

void Request::fail(std::string_view name, const Field* value, std::string_view expected) {
  reject_choice(name, value, expected, {});
}

void Request::reject_choice(std::string_view name, const Field* value, std::string_view expected,
                            phasor::ChoiceList choices) {
  if (value && value->kind == Field::Kind::number)
    return reject("{}: {} is not {}{}", name, *value->numbers, expected, choices);
  reject("{}: {} is not {}{}", name, describe(value), expected, choices);
}

void Request::reject_combination(const char* requested, phasor::ChoiceList other_names) {
  for (const std::string_view other : other_names.list()) {
    if (has(other)) reject("{}: cannot be combined with {}", other, requested);
  }
}

// Checks the available memory first, because a failed allocation would terminate the instance.
bool Request::can_allocate(std::string_view name, std::size_t bytes) {
  if (phasor::can_allocate(static_cast<double>(bytes))) return true;
  const char* const what = name == method_ ? "the values in its lists" : "its values";
  if (status_.ok()) {
    status_ = phasor::make_error(phasor::StatusCode::resource_exhausted,
                                 "{}: {} need {} MiB, more than is available", name,
                                 phasor::detail(what), bytes >> 20);
  }
  return false;
}

double Request::number(const char* name) {
  const Field* field = fields_.find(name);
  if (field && field->kind == Field::Kind::number) return *field->numbers;
  fail(name, field, "a number");
  return 0;
}

int Request::integer(const char* name) {
  const double value = number(name);
  if (is_whole(value) && std::fabs(value) <= kMaxInt) return static_cast<int>(value);
  fail(name, "a whole number below 2147483648");
  return 0;
}

bool Request::flag(const char* name) {
  const Field* field = fields_.find(name);
  const bool value = field && field->kind == Field::Kind::yes;
  if (field && !value && field->kind != Field::Kind::no) fail(name, field, "true or false");
  return value;
}

std::uint32_t Request::seed(const char* name) {
  const double value = number_or(name, 0);
  if (value >= 0 && value <= 4294967295.0 && is_whole(value))
    return static_cast<std::uint32_t>(value);
  reject("{}: {} is not a whole number from {}", name, value, phasor::Range{0, 4294967295.0});
  return 0;
}

std::string Request::string(const char* name) {
  const Field* field = fields_.find(name);
  if (field && field->kind == Field::Kind::word) return std::string(field->text);
  fail(name, field, "a string");
  return "";
}

void Request::object(const char* name) {
  const Field* field = fields_.find(name);
  if (!field || field->kind != Field::Kind::object) fail(name, field, "an object");
}

int Request::choice_index(const char* name, phasor::ChoiceList choice_list) {
  const Field* field = fields_.find(name);
  if (!field) return 0;
  const int index = field->kind == Field::Kind::word ? choice_list.find(field->text) : -1;
  if (index >= 0) return index;
  reject_choice(name, field, "one of ", choice_list);
  return 0;
}

template <class T>
void Request::copy(const Field& field, std::vector<T>& out) const {
  if (field.kind == Field::Kind::array) {
    source_.copy_array(field.index, out);
  } else {
    std::copy_n(field.numbers, field.count, out.begin());
  }
}

std::vector<double> Request::numbers(const Field& field) {
  std::vector<double> out;
  if (can_allocate(field.path, field.count * sizeof(double))) {
    out.resize(field.count);
    copy(field, out);
  }
  return out;
}

std::vector<double> Request::numbers(std::string_view name, std::string_view leaf) {
  const Field* field = fields_.find(name, leaf);
  if (field && field->holds_numbers()) return numbers(*field);
  if (leaf.empty() && has(name, ".shape")) {
    const auto [data, shape] = read_shaped_field(name);
    if (data && shape.size() == 1) return numbers(*data);
    reject("{}: has shape {}; expected one axis", name, shape);
    return {};
  }
  fail(std::string(name).append(leaf), field, "an array of numbers");
  return {};
}

std::vector<int> Request::whole_numbers(std::string_view name, std::string_view leaf) {
  std::vector<int> out;
  const std::vector<double> values = numbers(name, leaf);
  if (!can_allocate(name, values.size() * sizeof(int))) return out;
  out.reserve(values.size());
  for (const double value : values) {
    if (!(value >= 0 && value <= kMaxInt && is_whole(value))) {
      reject("{}{}: {} is not a whole number from {}", name, leaf, value,
             phasor::Range{0, kMaxInt});
      return {};
    }
    out.push_back(static_cast<int>(value));
  }
  return out;
}

std::vector<std::uint8_t> Request::flags(const char* name) {
  const Field* field = fields_.find(name);
  const bool has_booleans = field && field->kind == Field::Kind::flags;
  const std::vector<double> values = has_booleans ? numbers(*field) : numbers(name);
  if (!can_allocate(name, values.size())) return {};
  std::vector<std::uint8_t> out(values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (values[i] != 0 && values[i] != 1)
      reject("{}[{}]: {} is not 0, 1, true or false", name, i, values[i]);
    out[i] = values[i] != 0;
  }
  return out;
}

Request::ShapedField Request::read_shaped_field(std::string_view name) {
  const Field* data = fields_.find(name, ".data");
  if (!data || !has(name, ".shape")) {
    fail(name, "a tensor {shape, data}");
    return {};
  }
  std::vector<int> shape = whole_numbers(name, ".shape");
  double element_count = 1;
  for (const int extent : shape) element_count *= extent;
  if (status_.ok() && !data->holds_numbers()) fail(data->path, data, "an array of numbers");
  if (status_.ok() && element_count != static_cast<double>(data->count)) {
    reject("{}: {} values do not match its shape, which needs {}", data->path,
           phasor::detail(data->count), element_count);
  }
  return {status_.ok() ? data : nullptr, std::move(shape)};
}

const Handle* Request::handle(std::string_view name, Field::Kind kind) {
  const Field* field = fields_.find(name);
  if (!field || field->kind != kind) {
    fail(name, field, phasor::format_error("a {}", get_kind_name(kind)));
    return nullptr;
  }
  const Handle* stored_handle = get_handles().find(*field->numbers);
  if (stored_handle && stored_handle->kind() == kind) return stored_handle;
  reject("{}: this {} was lost when its engine was restarted; create it again", name,
         get_kind_name(kind));
  return nullptr;
}

double Request::new_handle() {
  for (const Field& field : fields_) {
    if (field.kind != Field::Kind::created) continue;
    field.is_read = true;
    return *field.numbers;
  }
  reject("handle: is missing; expected a number");
  return 0;
}

const Tensor* Request::find_handle_tensor(std::string_view name) {
  const Field* field = fields_.find(name);
  if (!field || field->kind != Field::Kind::tensor) return nullptr;
  const Handle* tensor_handle = handle(name, Field::Kind::tensor);
  return tensor_handle ? tensor_handle->tensor.get() : &tensors_.emplace_front();
}

const Tensor& Request::tensor(std::string_view name) {
  if (const Tensor* handle_tensor = find_handle_tensor(name)) return *handle_tensor;
  return tensors_.emplace_front(take_tensor(name));
}

Tensor Request::take_tensor(std::string_view name) {
  if (const Tensor* handle_tensor = find_handle_tensor(name))
    return can_allocate(name, handle_tensor->data.size() * sizeof(float)) ? *handle_tensor
                                                                          : Tensor();
  auto [data, shape] = read_shaped_field(name);
  return data ? tensor(*data, std::move(shape)) : Tensor();
}

Tensor Request::tensor(const Field& data, std::vector<int> shape) {
  if (!can_allocate(data.path, data.count * sizeof(float))) return {};
  Tensor out(std::move(shape));
  copy(data, out.data);
  return out;
}

phasor::RequestedOutputs Request::outputs() {
  phasor::RequestedOutputs outputs;
  if (has("head")) outputs.head = integer("head");
  bool* const flags[] = {&outputs.weights, &outputs.scores, &outputs.bias, &outputs.pooled_weights,
                         &outputs.sink_weights};
  for (const int index : choices("outputs", "weights, scores, bias, pooledWeights, sinkWeights"))
    *flags[index] = true;
  return outputs;
}

std::vector<int> Request::choices(const char* name, phasor::ChoiceList choice_list) {
  std::vector<int> out;
  const Field* field = fields_.find(name);
  if (!field || (field->kind == Field::Kind::list && field->count == 0)) return out;
  bool is_known = field->kind == Field::Kind::words;
  for (std::string_view remaining_names = field->text; is_known;) {
    const std::size_t comma = remaining_names.find(", ");
    out.push_back(choice_list.find(remaining_names.substr(0, comma)));
    is_known = out.back() >= 0;
    if (comma == std::string_view::npos) break;
    remaining_names.remove_prefix(comma + 2);
  }
  if (is_known) return out;
  reject_choice(name, field, "a list of ", choice_list);
  return {};
}

Request::ArrayField Request::array(const char* name) {
  const Field* field = fields_.find(name);
  if (field && field->kind == Field::Kind::array)
    return can_allocate(name, field->count) ? ArrayField{field->index, field->count} : ArrayField();
  fail(name, field, "a typed array");
  return {};
}

phasor::Params Request::params(std::string_view path) {
  phasor::Params out;
  for (const Field& field : fields_) {
    if (!field.path.starts_with(path)) continue;
    field.is_read = true;
    if (field.kind == Field::Kind::object) continue;
    // The keys of an object are distinct, so there is no need to search for duplicates.
    phasor::ParamValue& value = out.add(std::string(field.path.substr(path.size())), {});
    switch (field.kind) {
      case Field::Kind::number: value = *field.numbers; break;
      case Field::Kind::yes: value = true; break;
      case Field::Kind::no: value = false; break;
      case Field::Kind::null: value = phasor::Tensor(); break;  // of rank 0
      case Field::Kind::list:
      case Field::Kind::array: value = tensor(field, {static_cast<int>(field.count)}); break;
      default: value = std::string(field.text);
    }
  }
  return out;
}

}  // namespace phasor_js
