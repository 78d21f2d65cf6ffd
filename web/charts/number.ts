// Formats numbers with three significant digits, a minus sign instead of a hyphen, and superscript powers of ten. Keeps trailing zeros, so that
// numbers align in columns and keep their width when they change.
import { countWithNoun } from './english.ts';

const strings = {
  none: 'not a number',
  zero: 'exactly 0',
  noRange: 'no numbers',
  all: (value: string) => `all ${value}`,
  between: (min: string, max: string) => `between ${min} and ${max}`,
} as const;

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Formats a power of ten with an integer exponent, such as '10⁻⁷'. */
export function formatPowerOfTen(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');
  return `10${exponent < 0 ? '⁻' : ''}${digits}`;
}

export interface NumberStyle {
  /** Significant digits, 1 to 17; default: 3. */
  readonly digits?: number;
  /** Whether to drop trailing zeros of the fraction ('0.5' instead of '0.500'), for axis ticks. */
  readonly short?: boolean;
}

const dropTrailingZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/**
 * Formats a number, by default with three significant digits: '0.410', '12.3', '−0.00120', '1.20×10⁻⁷', '0', '∞', 'not a number'. Magnitudes from
 * 100000 up and below 0.001 use a power of ten.
 */
export function formatNumber(value: number, style: NumberStyle = {}): string {
  if (Number.isNaN(value)) return strings.none;
  const signText = value < 0 ? '−' : '';
  if (!Number.isFinite(value)) return `${signText}∞`;
  if (value === 0) return '0';
  const digits = style.digits ?? 3;
  const formatDigits = style.short ? dropTrailingZeros : (text: string) => text;
  // Fast path for common magnitudes.
  const magnitude = Math.abs(value);
  const fixedText = magnitude >= 0.001 && magnitude < 10_000 ? magnitude.toPrecision(digits) : 'e';
  if (!fixedText.includes('e')) return signText + formatDigits(fixedText);
  const [mantissa = '', power = ''] = magnitude.toExponential(digits - 1).split('e');
  const exponent = Number(power);
  if (exponent >= 5 || exponent < -3) return `${signText}${formatDigits(mantissa)}×${formatPowerOfTen(exponent)}`;
  const roundedNumber = Number(`${mantissa}e${power}`);
  return signText + formatDigits(roundedNumber.toFixed(Math.max(0, digits - 1 - exponent)));
}

/** Like `formatNumber`, but formats zero as 'exactly 0'. */
export function formatExact(value: number, style: NumberStyle = {}): string {
  return value === 0 ? strings.zero : formatNumber(value, style);
}

/** Formats a range with its unit: 'between 0 and 0.410', or 'all 0.250' if both ends are equal. */
export function formatRange(min: number, max: number, unit = ''): string {
  const unitSuffix = unit ? ` ${unit}` : '';
  if (Number.isNaN(min) || Number.isNaN(max)) return strings.noRange;
  if (min === max) return `${strings.all(formatExact(min))}${unitSuffix}`;
  return `${strings.between(formatNumber(min), formatNumber(max))}${unitSuffix}`;
}

export const formatCount = countWithNoun;

export function capitalize(text: string): string {
  const [firstLetter = ''] = text;
  return firstLetter.toLocaleUpperCase('en') + text.slice(firstLetter.length);
}
