#pragma once
// Cosine and sine in double. Those of the C library bring 6 kB for taking whole turns off angles of
// 2^1000, most of it digits of pi that gzip cannot shrink; both are wanted nearly everywhere, so
// one reduction serves both; and a table is the same on every platform.

namespace phasor {

struct SinCos {
  double cosine, sine;
};

/// The point at `angle` radians, within 2e-16 for angles below 2^40. From 2^53 on neighbouring
/// doubles are further apart than a radian, so that an angle says nothing; the point is on the
/// circle all the same. From 2^900 on it is not a number.
SinCos sincos(double angle);

}  // namespace phasor
