#pragma once
// Threads for a call: a pool that grows to what calls request, and lives as long as the program.

#include <atomic>

namespace phasor {

/// The items [0, count) of a call, each taken by one of its threads.
class WorkItems {
 public:
  explicit WorkItems(int count) : count_(count) {}
  /// False if none is left.
  bool next(int& item) {
    item = next_.fetch_add(1, std::memory_order_relaxed);
    return item < count_;
  }

 private:
  int count_;
  std::atomic<int> next_{0};
};

/// Runs body(context) on the calling thread and on at most `threads` - 1 of the pool, and returns
/// when all have. Every body has to end if another one has taken all the work, since a thread may
/// arrive late or not at all: WebAssembly without threads has none, and neither has a process after
/// fork.
void run_on_threads(int threads, void (*body)(void* context), void* context);

/// Calls body(items) on as many threads. Which thread takes an item, and when, is undetermined, so
/// an item must not depend on others.
template <class Body>
void run_parallel(int threads, int count, const Body& body) {
  struct Call {
    const Body& body;
    WorkItems items;
  } call{body, WorkItems(count)};
  const int useful = threads < count ? threads : count;
  run_on_threads(
      useful,
      [](void* context) {
        Call& own = *static_cast<Call*>(context);
        own.body(own.items);
      },
      &call);
}

}  // namespace phasor
