#include "phasor/status.h"

#include <cstdlib>

namespace phasor {

Status::Status(Code failure, std::string message) {
  if (failure == Code::ok) std::abort();  // a sentence about nothing
  failure_ = new Failure{failure, std::move(message)};
}

// Out of line, because every call that may fail would have them.
[[gnu::noinline]] Status::Failure* Status::copy(const Failure& failure) { return new Failure(failure); }
[[gnu::noinline]] void Status::drop(Failure* failure) noexcept { delete failure; }

const std::string& Status::message() const& {
  static const std::string none;
  return ok() ? none : failure_->message;
}

}  // namespace phasor
