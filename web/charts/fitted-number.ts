// Shortens numbers to fit in cells. If one number does not fit, all cells omit their numbers.
import { formatNumber } from './number.ts';
import { textWidth } from './text-metrics.ts';

/** Formats a number with three significant digits, or with fewer to fit in `room` px, but never fewer than `minDigits`. */
export function formatToFit(value: number, room: number, minDigits: number): string {
  for (let digits = 3; digits > minDigits; digits--) {
    const text = formatNumber(value, { digits });
    if (textWidth(text) <= room) return text;
  }
  return formatNumber(value, { digits: minDigits });
}
