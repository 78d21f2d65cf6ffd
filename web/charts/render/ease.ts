// The time of a transition between pictures; what moves in it is said by glide.ts.

/** Duration of a transition, ms. */
export const GLIDE = 200;

/** Smoothstep easing from 0 to 1. */
export const ease = (t: number): number => t * t * (3 - 2 * t);
