#include "task_base/copy_task.h"

#include "core/format_error.h"

namespace phasor {

Status CopyTask::check_length(int length) const {
  if (length > kDelay) return {};
  return invalid("length: {} tokens are too few for a delay of {} tokens", detail(length), kDelay);
}

Result<std::unique_ptr<Task>> make_copy_task(const TrainConfig&) {
  return std::unique_ptr<Task>(std::make_unique<CopyTask>());
}

}  // namespace phasor
