// Numbers in cells. A long number, such as '−6.63×10⁻⁴', is shown with fewer digits, because all cells omit their numbers if one does not fit.
import { formatNumber } from './number.ts';
import { textWidth } from './text-metrics.ts';

/** Formats a number with three significant digits, or with as many as fit into `room` px, but at least `least`. */
export function fittedNumber(value: number, room: number, least: number): string {
  for (let digits = 3; digits > least; digits--) {
    const text = formatNumber(value, { digits });
    if (textWidth(text) <= room) return text;
  }
  return formatNumber(value, { digits: least });
}
