#include "task_base/task.h"

#include "core/format_error.h"

namespace phasor {

#define PHASOR_USE(id) extern const TaskType phasor_task_##id;
#include "tasks.inc"
#undef PHASOR_USE

namespace {

constexpr const TaskType* kTasks[] = {
#define PHASOR_USE(id) &phasor_task_##id,
#include "tasks.inc"
#undef PHASOR_USE
};

}  // namespace

void Batch::resize(int item_count, int token_count, bool pooled) {
  items = item_count;
  tokens = token_count;
  const std::size_t count = static_cast<std::size_t>(items) * static_cast<std::size_t>(tokens);
  inputs.assign(count, 0);
  targets.assign(pooled ? static_cast<std::size_t>(items) : count, nn::kIgnored);
}

Result<std::vector<int>> Task::tokenize(std::string_view) const {
  return invalid("text: this task does not use text");
}

std::span<const TaskInfo> tasks() {
  static const std::vector<TaskInfo> task_infos = [] {
    std::vector<TaskInfo> list;
    for (const TaskType* type : kTasks) list.push_back(type->info);
    return list;
  }();
  return task_infos;
}

const TaskType* find_task(std::string_view id) {
  for (const TaskType* type : kTasks) {
    if (type->info.id == id) return type;
  }
  return nullptr;
}

}  // namespace phasor
