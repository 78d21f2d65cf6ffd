#include "phasor/status.h"

namespace phasor {

[[gnu::noinline]] Status::Status() noexcept = default;
[[gnu::noinline]] Status::Status(Code failure, std::string sentence) : code(failure), message(std::move(sentence)) {}
[[gnu::noinline]] Status::Status(const Status&) = default;
[[gnu::noinline]] Status::Status(Status&&) noexcept = default;
[[gnu::noinline]] Status& Status::operator=(const Status&) = default;
[[gnu::noinline]] Status& Status::operator=(Status&&) noexcept = default;
[[gnu::noinline]] Status::~Status() = default;

}  // namespace phasor
