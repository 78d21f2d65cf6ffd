#include "task_base/order_task.h"

#include "core/format_error.h"

namespace phasor {

Status OrderTask::check_length(int length) const {
  if (length >= 2) return {};
  return invalid("length: {} is too short for two words", length);
}

}  // namespace phasor
