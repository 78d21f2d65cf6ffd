#include "phasor/status.h"

#include <cstdlib>

namespace phasor {

Status::Status(StatusCode code, ErrorDetails details) {
  if (code == StatusCode::ok) std::abort();  // a failure cannot have the code ok
  failure_ = new Failure{code, std::move(details)};
}

// Defined out of line, because the code would otherwise be repeated in every function that can
// fail.
Status::Failure* Status::copy(const Failure& failure) { return new Failure(failure); }
void Status::drop(Failure* failure) noexcept { delete failure; }

const std::string& Status::message() const& {
  static const std::string empty_message;
  return ok() ? empty_message : failure_->details.text;
}

std::string_view Status::part(TextRangeMember member) const {
  if (ok()) return {};
  const auto [begin, size] = failure_->details.*member;
  return {failure_->details.text.data() + begin, size};
}

void Status::rename_argument(std::size_t size, std::string_view name) {
  ErrorDetails& details = failure_->details;
  details.text = std::string(name).append(details.text, size);
  // Shifts the parts after the argument by the change in its length.
  const std::size_t size_change = name.size() - size;
  details.argument.size += size_change;
  if (details.value.size > 0) details.value.begin += size_change;
  if (details.choices.size > 0) details.choices.begin += size_change;
}

}  // namespace phasor
