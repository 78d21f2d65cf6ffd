#pragma once
// The forget gates of a job (math/decay.h).

#include "attention/streaming/attend.h"
#include "math/decay.h"

namespace phasor {

/// The gates of a job, or nullptr.
const Tensor* log_gates_of(const AttendJob& job);
/// Their sums for a job that has some, which must not outlive `decay`.
Status sum_gates(AttendJob& job, std::optional<Decay>& decay);

}  // namespace phasor
