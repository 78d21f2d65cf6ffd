// A slider: the mapping between numbers and slider positions.

export interface SliderRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
  readonly logarithmic: boolean;
}

/** The last slider position; the first is 0. */
export const SLIDER_STEPS = 1000;

/** The slider position of a value, clamped to the range. */
export function toSliderPosition(value: number, { min, max, logarithmic }: SliderRange): number {
  const fraction = logarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.round(SLIDER_STEPS * Math.min(1, Math.max(0, fraction || 0)));
}

/** The value at a slider position, rounded to a readable number. */
export function fromSliderPosition(position: number, { min, max, whole, logarithmic }: SliderRange): number {
  const fraction = position / SLIDER_STEPS;
  const exactValue = logarithmic ? min * (max / min) ** fraction : min + (max - min) * fraction;
  return Math.min(max, Math.max(min, whole ? Math.round(exactValue) : Number(exactValue.toPrecision(4))));
}
