#pragma once
// Small loops over arrays, compiled for speed. Arguments must not overlap.

namespace phasor::kernels {

/// to[i] = x
void fill(float* to, float x, int n);
/// to[i] += x
void add_constant(float* to, float x, int n);
/// to[i] += from[i]
void add_row(float* to, const float* from, int n);
/// to[i] = from[i] where from[i] is not 0
void copy_nonzero(float* to, const float* from, int n);
/// to[i] += factor * from[i]
void add_scaled(float* to, float factor, const float* from, int n);
/// to[i] += factor * from[i], in double
void add_scaled(double* to, double factor, const float* from, int n);
/// to[i] *= x
void multiply(float* to, float x, int n);
/// to[i] *= from[i]
void multiply_rows(float* to, const float* from, int n);
/// The dot product, in four partial sums.
float dot(const float* a, const float* b, int n);
double dot_in_double(const float* a, const float* b, int n);
/// The sum of from[0..n), in four partial sums. Trailing zeros do not change the result.
float sum(const float* from, int n);
/// The dot product, in four partial sums.
double dot(const double* a, const double* b, int n);
/// to[i] = from[i]
void widen(double* to, const float* from, int n);
/// to[i] = from[i], rounded to float
void narrow(float* to, const double* from, int n);
/// to[i] *= factor * from[i]
void multiply_rows(double* to, double factor, const double* from, int n);

}  // namespace phasor::kernels
