#pragma once

namespace phasor::kernels {

// Weights below 1e-30 of the largest are 0. Smaller ones would meet values as denormal numbers,
// which processors multiply a hundred times slower, and no float32 output can show them.
inline constexpr float kNegligible = -69.0f;

}  // namespace phasor::kernels
