// Options of programs with sanitizers. malloc returns null when out of memory, which the library
// checks, instead of ending the program. Two frames of allocation stacks are kept, because more
// take a quarter of the suite's time; ASAN_OPTIONS=malloc_context_size=30 shows more after a
// finding. The quarantine has 32 MB, because tests are small and 256 MB would make every allocation
// use fresh memory. The sanitizers call __asan_default_options and __tsan_default_options as they
// start; options in the environment take precedence.

extern "C" {
const char* __asan_default_options();
const char* __tsan_default_options();
[[gnu::used]] const char* __asan_default_options() {
  return "allocator_may_return_null=1:malloc_context_size=2:quarantine_size_mb=32";
}
[[gnu::used]] const char* __tsan_default_options() { return "allocator_may_return_null=1"; }
}
