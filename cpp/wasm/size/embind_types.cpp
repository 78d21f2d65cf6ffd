// Embind's own bind.cpp announces every type that anybody may bind (numbers, strings of three
// widths, handles of values, views of memory) and brings printf to name one that nobody bound. What
// is bound here takes and gives nothing, so void is all there is: with its announcement and the
// function of names here, that file stays out of the link (CMakeLists.txt). The glue is smaller,
// too: it is built without what reads the announcements.

#include <emscripten/bind.h>
#include <emscripten/emscripten.h>

#include <cstring>
#include <typeinfo>

// Asked for where a function is called whose types nobody has announced: there is none. The caller
// frees it.
extern "C" EMSCRIPTEN_KEEPALIVE const char* __getTypeName(const std::type_info*) {
  return strdup("unbound");
}

EMSCRIPTEN_BINDINGS(types) {
  using namespace emscripten::internal;
  _embind_register_void(TypeID<void>::get(), "void");
}
