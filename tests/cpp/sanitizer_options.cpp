// Options of programs with sanitizers: malloc returns null when out of memory, which the library
// tests, and does not end them. Two frames of allocation stacks are kept: more takes a quarter of
// the suite's time, and ASAN_OPTIONS=malloc_context_size=30 gives more after a finding. The
// quarantine has 32 MB: tests are small, and with 256 MB each byte is fresh memory. The sanitizers
// call __asan_default_options and __tsan_default_options as they start; options in the environment
// take precedence.

extern "C" {
const char* __asan_default_options();
const char* __tsan_default_options();
[[gnu::used]] const char* __asan_default_options() {
  return "allocator_may_return_null=1:malloc_context_size=2:quarantine_size_mb=32";
}
[[gnu::used]] const char* __tsan_default_options() { return "allocator_may_return_null=1"; }
}
