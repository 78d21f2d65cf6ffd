#include "core/parallel.h"

#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)
#define PHASOR_THREADS 1
#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>
#else
#define PHASOR_THREADS 0
#endif

namespace phasor {

#if PHASOR_THREADS

namespace {

struct Job {
  void (*body)(void*);
  void* context;
  int vacant;      // threads that may still join
  int active = 0;  // threads of the pool that run the body
};

class ThreadPool {
 public:
  void run(Job& job) {
    std::unique_lock lock(mutex_);
    jobs_.push_back(&job);
    grow();
    lock.unlock();
    offered_.notify_all();
    job.body(job.context);
    lock.lock();
    jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));  // nobody joins from here on
    left_.wait(lock, [&] { return job.active == 0; });
  }

 private:
  // As many threads as the present jobs may have, or as the system grants. std::thread would throw
  // where it grants none.
  void grow() {
    int wanted = 0;
    for (const Job* job : jobs_) wanted += job->vacant + job->active;
    for (; size_ < wanted; ++size_) {
      pthread_t thread;
      const auto work = [](void* pool) -> void* { static_cast<ThreadPool*>(pool)->work(); };
      if (pthread_create(&thread, nullptr, work, this) != 0) return;
      pthread_detach(thread);
    }
  }

  [[noreturn]] void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto job = std::find_if(jobs_.begin(), jobs_.end(),
                                    [](const Job* offered) { return offered->vacant > 0; });
      if (job == jobs_.end()) {
        offered_.wait(lock);
        continue;
      }
      Job& joined = **job;
      --joined.vacant;
      ++joined.active;
      lock.unlock();
      joined.body(joined.context);
      lock.lock();
      if (--joined.active == 0) left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable offered_, left_;
  std::vector<Job*> jobs_;
  int size_ = 0;
};

}  // namespace

void run_on_threads(int threads, void (*body)(void* context), void* context) {
  if (threads <= 1) return body(context);
  // Never destroyed, because its threads wait in it until the program ends.
  static ThreadPool& pool = *new ThreadPool;
  Job job{body, context, threads - 1};
  pool.run(job);
}

#else

void run_on_threads(int, void (*body)(void* context), void* context) { body(context); }

#endif

}  // namespace phasor
