// The register blocks of the matrix product, compiled to a separate WebAssembly module.
// scripts/wasm/fused-kernels.mjs replaces each multiplication and addition in it with one fused
// instruction of relaxed SIMD. If the engine supports relaxed SIMD, web/engine/load/instantiate.ts
// connects these functions to the core.

#include <emscripten/emscripten.h>

#include "kernels/register_blocks.h"

using phasor::kernels::BlockMode;
using phasor::kernels::register_block;

#define PHASOR_EXPORT_BLOCK(name, rows, mode)                                                     \
  extern "C" EMSCRIPTEN_KEEPALIVE void name(const float* a, std::ptrdiff_t a_stride,              \
                                            const float* panel, int inner, float scale, float* c, \
                                            std::ptrdiff_t c_stride) {                            \
    register_block<rows, BlockMode::mode>(a, a_stride, panel, inner, scale, c, c_stride);         \
  }

PHASOR_EXPORT_BLOCK(set_1_row, 1, set)
PHASOR_EXPORT_BLOCK(set_2_rows, 2, set)
PHASOR_EXPORT_BLOCK(add_1_row, 1, add)
PHASOR_EXPORT_BLOCK(add_2_rows, 2, add)
