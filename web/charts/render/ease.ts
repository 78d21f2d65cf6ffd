// The timing of a transition between pictures; glide.ts defines the movement.

/** Duration of a transition, ms. */
export const GLIDE = 200;

/** Smoothstep easing from 0 to 1. */
export const ease = (t: number): number => t * t * (3 - 2 * t);
