#pragma once
// Making a task that reads a text.

#include <memory>
#include <utility>

#include "task_base/corpus.h"
#include "task_base/task.h"

namespace phasor {

/// A T with the corpus of the spec, in which the symbols of an item and the one after them must be.
template <class T>
Result<std::unique_ptr<Task>> make_corpus_task(const TrainSpec& spec) {
  return Result<std::unique_ptr<Task>>::from([&](std::unique_ptr<Task>& out) -> Status {
    auto task = std::make_unique<T>();
    PHASOR_TRY(Corpus::read(spec.corpus, spec.length + 1, task->corpus));
    out = std::move(task);
    return {};
  });
}

}  // namespace phasor
