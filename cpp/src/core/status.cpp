#include "phasor/status.h"

#include <cstdlib>

namespace phasor {

Status::Status(Code failure, Sentence sentence) {
  if (failure == Code::ok) std::abort();  // a sentence about nothing
  failure_ = new Failure{failure, std::move(sentence)};
}

// Out of line, because every call that may fail would have them.
[[gnu::noinline]] Status::Failure* Status::copy(const Failure& failure) { return new Failure(failure); }
[[gnu::noinline]] void Status::drop(Failure* failure) noexcept { delete failure; }

const std::string& Status::message() const& {
  static const std::string none;
  return ok() ? none : failure_->sentence.text;
}

std::string_view Status::part(Sentence::Part Sentence::*which) const {
  if (ok()) return {};
  const Sentence& sentence = failure_->sentence;
  const auto [begin, size] = sentence.*which;
  return std::string_view(sentence.text.data() + begin, size);
}

Status Status::about(std::string_view path) && {
  Sentence& sentence = failure_->sentence;
  sentence.text.replace(0, sentence.path.size, path);
  // What stands behind it moves by as much.
  for (Sentence::Part* part : {&sentence.value, &sentence.choices}) {
    if (part->size > 0) part->begin += path.size() - sentence.path.size;
  }
  sentence.path.size = path.size();
  return std::move(*this);
}

}  // namespace phasor
