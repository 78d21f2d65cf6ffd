#pragma once
// A thread pool that grows on demand and lives as long as the program.

#include <atomic>

namespace phasor {

/// Items [0, count) of a call; each is taken by one thread.
class WorkItems {
 public:
  explicit WorkItems(int count) : count_(count) {}
  /// Takes the next item; false if none is left.
  bool next(int& item) {
    item = next_.fetch_add(1, std::memory_order_relaxed);
    return item < count_;
  }

 private:
  int count_;
  std::atomic<int> next_{0};
};

/// Runs body(context) on the calling thread and on at most `threads` - 1 pool threads, and returns
/// when all have finished. A body must return when no work is left, because a thread may start late
/// or never: WebAssembly without threads and a process after fork have no pool threads.
void run_on_threads(int threads, void (*body)(void* context), void* context);

/// Calls body(items) on this many threads. The assignment and order of items are unspecified, so
/// items must not depend on each other.
template <class Body>
void run_parallel(int threads, int count, const Body& body) {
  struct Call {
    const Body& body;
    WorkItems items;
  } call{body, WorkItems(count)};
  run_on_threads(
      threads < count ? threads : count,
      [](void* context) {
        Call& work = *static_cast<Call*>(context);
        work.body(work.items);
      },
      &call);
}

}  // namespace phasor
