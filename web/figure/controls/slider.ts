// A slider: which number is at which of its places.

/** Numbers that a slider reaches. */
export interface SliderRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
  readonly logarithmic: boolean;
}

/** The last place; the first is 0. */
export const STEPS = 1000;

/** The place of a value, the nearest end for one outside the range. */
export function sliderPlace(value: number, { min, max, logarithmic }: SliderRange): number {
  const share = logarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.round(STEPS * Math.min(1, Math.max(0, share || 0)));
}

/** The value at a place, rounded to a readable number. */
export function sliderValue(place: number, { min, max, whole, logarithmic }: SliderRange): number {
  const share = place / STEPS;
  const exact = logarithmic ? min * (max / min) ** share : min + (max - min) * share;
  return Math.min(max, Math.max(min, whole ? Math.round(exact) : Number(exact.toPrecision(4))));
}
