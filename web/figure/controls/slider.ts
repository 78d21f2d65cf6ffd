export interface SliderRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
  readonly logarithmic: boolean;
}

/** Slider positions are integers from 0 to this value. */
export const SLIDER_STEPS = 1000;

/** Returns the slider position of a value. Values outside the range are clamped. */
export function toSliderPosition(value: number, { min, max, logarithmic }: SliderRange): number {
  const fraction = logarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.round(SLIDER_STEPS * Math.min(1, Math.max(0, fraction || 0)));
}

/** Returns the value at a slider position, rounded to four significant digits or to an integer. */
export function fromSliderPosition(position: number, { min, max, whole, logarithmic }: SliderRange): number {
  const fraction = position / SLIDER_STEPS;
  const exactValue = logarithmic ? min * (max / min) ** fraction : min + (max - min) * fraction;
  return Math.min(max, Math.max(min, whole ? Math.round(exactValue) : Number(exactValue.toPrecision(4))));
}
