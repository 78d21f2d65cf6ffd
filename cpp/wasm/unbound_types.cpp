// Embind announces every type that anybody may bind, a memory view of each kind of number and strings of three widths among them. None of
// these crosses here: CMakeLists.txt has their announcements come to these functions, so that the glue is built without what reads them.

#include <cstddef>

extern "C" {
void __wrap__embind_register_memory_view(const void*, unsigned, const char*) {}
void __wrap__embind_register_std_wstring(const void*, std::size_t, const char*) {}
}
