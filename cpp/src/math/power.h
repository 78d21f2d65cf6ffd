#pragma once
// pow, exp and log1p in double, within one unit in the last place. The C library's own need a table
// of 2 kB that gzip cannot shrink.

namespace phasor {

/// e^(x + rest), where rest is what the rounding of x has lost.
double exponential(double x, double rest = 0);

/// ln(1 + x), x at least 0.
double logarithm_1p(double x);

/// base^exponent, base above 0. Whole powers of 2 are exact.
double power(double base, double exponent);

}  // namespace phasor
