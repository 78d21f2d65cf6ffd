#include "phasor/status.h"

namespace phasor {

Status::Status() noexcept = default;
Status::Status(Code failure, std::string sentence) : code(failure), message(std::move(sentence)) {}
Status::Status(const Status&) = default;
Status::Status(Status&&) noexcept = default;
Status& Status::operator=(const Status&) = default;
Status& Status::operator=(Status&&) noexcept = default;
Status::~Status() = default;

}  // namespace phasor
