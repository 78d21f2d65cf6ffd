#pragma once
// Has Clang pass a Status, which is one pointer, as one number, although it has a destructor: every
// call that may fail would answer through memory. Included ahead of every file of the WebAssembly
// (-include), where nobody else is linked; a native library and its caller may be by compilers of
// which only one knows the attribute.

namespace phasor {
class [[clang::trivial_abi]] Status;
}
