#include "phasor/status.h"

#include <memory>

namespace phasor {

[[gnu::noinline]] Status::Status() noexcept : message() {}
[[gnu::noinline]] Status::Status(Code failure, std::string sentence) : code(failure), message(std::move(sentence)) {}
[[gnu::noinline]] Status::Status(const Status& other) : code(other.code), message(other.message) {}
[[gnu::noinline]] Status::Status(Status&& other) noexcept : code(other.code), message(std::move(other.message)) {}
// Anew, because a text that is assigned keeps its memory.
[[gnu::noinline]] Status& Status::operator=(const Status& other) { return *this = Status(other); }
[[gnu::noinline]] Status& Status::operator=(Status&& other) noexcept {
  if (this == &other) return *this;
  std::destroy_at(this);
  return *std::construct_at(this, std::move(other));
}
[[gnu::noinline]] void Status::destroy_message() noexcept { std::destroy_at(&message); }

}  // namespace phasor
