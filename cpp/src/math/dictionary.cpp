#include "math/dictionary.h"

#include "math/sentence.h"

namespace phasor {

std::string to_words(const ParamValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return to_words(*number);
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  if (const auto* word = std::get_if<std::string>(&value)) return "\"" + *word + "\"";
  return sentence("a list of {} numbers", {std::get<Tensor>(value).data.size()});
}

template <class T>
std::optional<T> Dictionary::read(const char* key, const char* kind) {
  asked_.insert(key);
  const auto found = entries.find(key);
  if (found == entries.end()) return std::nullopt;
  if (const auto* value = std::get_if<T>(&found->second)) return *value;
  fail(invalid("{}{}: {} is not {}", path, key, to_words(found->second), kind));
  return std::nullopt;
}

std::optional<double> Dictionary::number(const char* key) { return read<double>(key, "a number"); }
std::optional<bool> Dictionary::boolean(const char* key) { return read<bool>(key, "true or false"); }
std::optional<std::string> Dictionary::word(const char* key) { return read<std::string>(key, "a text"); }
std::optional<Tensor> Dictionary::list(const char* key) { return read<Tensor>(key, "a list of numbers"); }

bool Dictionary::has(const char* key) const { return entries.count(key) > 0; }

double Dictionary::needed(const char* key, const char* type) {
  if (!has(key)) fail(invalid("{}{}: the key is missing; {} needs it", path, key, type));
  return number(key).value_or(0);
}

void Dictionary::fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

Status Dictionary::unknown(const std::string& type) const {
  for (const auto& [key, value] : entries) {
    if (asked_.count(key) > 0) continue;
    return phasor::unknown("{}{}: {} has no such key, here {}; it has {}", path, key, type, to_words(value), joined(asked_));
  }
  return {};
}

Dictionary::Map Dictionary::take_below(const std::string& beginning, Map& from) {
  Map taken;
  for (auto entry = from.begin(); entry != from.end();) {
    if (entry->first.rfind(beginning, 0) == 0) {
      taken.emplace(entry->first.substr(beginning.size()), std::move(entry->second));
      entry = from.erase(entry);
    } else {
      ++entry;
    }
  }
  return taken;
}

}  // namespace phasor
