// Numbers in cells: a long one, such as '−6.63×10⁻⁴', has fewer digits, because otherwise all cells would omit their numbers.
import { formatNumber } from './number.ts';
import { textWidth } from './text-metrics.ts';

/** Three significant digits, or as many as fit into `room` px, at least `least`. */
export function fittedNumber(value: number, room: number, least: number): string {
  for (let digits = 3; digits > least; digits--) {
    const text = formatNumber(value, { digits });
    if (textWidth(text) <= room) return text;
  }
  return formatNumber(value, { digits: least });
}
