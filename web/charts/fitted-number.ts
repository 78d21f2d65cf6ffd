// Numbers in cells. All cells omit their numbers if one does not fit, so long numbers, such as '−6.63×10⁻⁴', are shortened.
import { formatNumber } from './number.ts';
import { textWidth } from './text-metrics.ts';

/** Formats a number with three significant digits, or with fewer to fit in `room` px, but with at least `minDigits`. */
export function fittedNumber(value: number, room: number, minDigits: number): string {
  for (let hasDigits = 3; hasDigits > minDigits; hasDigits--) {
    const text = formatNumber(value, { hasDigits });
    if (textWidth(text) <= room) return text;
  }
  return formatNumber(value, { hasDigits: minDigits });
}
