#pragma once
// A thread pool that grows on demand and lives as long as the program.

#include <atomic>

namespace phasor {

/// Distributes the items [0, count) of a call; each item is taken by exactly one thread.
class WorkItems {
 public:
  explicit WorkItems(int count) : count_(count) {}
  /// Takes the next item. Returns false if none is left.
  bool next(int& item) {
    item = next_.fetch_add(1, std::memory_order_relaxed);
    return item < count_;
  }

 private:
  int count_;
  std::atomic<int> next_{0};
};

/// Runs body(context) on the calling thread and on at most `threads` - 1 pool threads, and returns
/// when all of them have finished. Pool threads may start late or never (WebAssembly without
/// threads, a process after fork), so `body` must return as soon as no work is left.
void run_on_threads(int threads, void (*body)(void* context), void* context);

/// Calls body(items) on at most `threads` threads. Items must not depend on each other: any thread
/// may take them, in any order.
template <class Body>
void run_parallel(int threads, int count, const Body& body) {
  struct ParallelCall {
    const Body& body;
    WorkItems items;
  } call{body, WorkItems(count)};
  run_on_threads(
      threads < count ? threads : count,
      [](void* context) {
        ParallelCall& work = *static_cast<ParallelCall*>(context);
        work.body(work.items);
      },
      &call);
}

}  // namespace phasor
