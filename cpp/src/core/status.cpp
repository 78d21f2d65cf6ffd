#include "phasor/status.h"

#include <cstdlib>

namespace phasor {

Status::Status(StatusCode failure, ErrorDetails sentence) {
  if (failure == StatusCode::ok) std::abort();  // a failure cannot have the code ok
  failure_ = new Failure{failure, std::move(sentence)};
}

// Out of line: inlined, it would be repeated in every function that can fail.
Status::Failure* Status::copy(const Failure& failure) { return new Failure(failure); }
void Status::drop(Failure* failure) noexcept { delete failure; }

const std::string& Status::message() const& {
  static const std::string empty_message;
  return ok() ? empty_message : failure_->sentence.text;
}

std::string_view Status::part(PartOfSentence member) const {
  if (ok()) return {};
  const auto [begin, size] = failure_->sentence.*member;
  return {failure_->sentence.text.data() + begin, size};
}

void Status::rename_argument(std::size_t size, std::string_view name) {
  ErrorDetails& sentence = failure_->sentence;
  sentence.text = std::string(name).append(sentence.text, size);
  // Ranges after the argument move by the same amount.
  const std::size_t growth = name.size() - size;
  sentence.argument.size += growth;
  if (sentence.value.size > 0) sentence.value.begin += growth;
  if (sentence.choices.size > 0) sentence.choices.begin += growth;
}

}  // namespace phasor
