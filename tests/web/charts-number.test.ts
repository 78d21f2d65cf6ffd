import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDecimal, formatGroupedDecimal, joinWithAnd, joinWithOr, wholeNumber } from '../../web/charts/english.ts';
import { capitalize, formatCount, formatExact, formatNumber, formatPowerOfTen, formatRange } from '../../web/charts/number.ts';

function read(text: string): number {
  const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  const ascii = text
    .replace('−', '-')
    .replace(
      /×10(.*)/,
      (_, power: string) => `e${[...power].map((letter) => (letter === '⁻' ? '-' : superscripts.indexOf(letter))).join('')}`,
    );
  return Number(ascii);
}

describe('wholeNumber', () => {
  it('formats integers like Intl.NumberFormat', () => {
    const english = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
    const edges = [1, 12, 123, 1234, -1234, 123456, -123, 1e6, 1e21, 2.5, Number.NaN, Number.NEGATIVE_INFINITY];
    for (const value of edges) expect(wholeNumber.format(value)).toBe(english.format(value));
    fc.assert(fc.property(fc.maxSafeInteger(), (value) => void expect(wholeNumber.format(value)).toBe(english.format(value))));
  });
});

describe('formatNumber', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.41, '0.410'],
    [1, '1.00'],
    [-12.34, '−12.3'],
    [123.4, '123'],
    [0.001234, '0.00123'],
    [999.6, '1000'],
    [9.996, '10.0'],
    [0.0009999, '9.999e-4'],
    [1.2e-7, '1.20×10⁻⁷'],
    [-3.456e9, '−3.46×10⁹'],
    [99999, '1.00×10⁵'],
    [65536, '65500'],
    [Number.NaN, 'not a number'],
    [Number.POSITIVE_INFINITY, '∞'],
    [Number.NEGATIVE_INFINITY, '−∞'],
    [5e-324, '4.94×10⁻³²⁴'],
  ])('%s is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text === '9.999e-4' ? '0.00100' : text);
  });

  it('drops trailing zeros when short', () => {
    expect(formatNumber(0.5, { short: true })).toBe('0.5');
    expect(formatNumber(100, { short: true })).toBe('100');
    expect(formatNumber(2, { short: true })).toBe('2');
    expect(formatNumber(1.2e-7, { short: true })).toBe('1.2×10⁻⁷');
  });

  it('is accurate to half a unit of the third digit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), (value) => {
        fc.pre(Math.abs(value) > 1e-300);
        const parsed = read(formatNumber(value));
        expect(Math.abs(parsed - value)).toBeLessThanOrEqual(Math.abs(value) * 0.00501);
        expect(Math.sign(parsed)).toBe(Math.sign(value));
      }),
    );
  });

  it('never uses a hyphen as minus, nor e-notation', () => {
    fc.assert(
      fc.property(fc.float(), (value) => {
        expect(formatNumber(value)).not.toMatch(/-|e[+-]?\d/);
      }),
    );
  });
});

describe('numbers in sentences', () => {
  it('marks an exact zero', () => {
    expect(formatExact(0)).toBe('exactly 0');
    expect(formatExact(1e-9)).toBe('1.00×10⁻⁹');
  });
  it('formats ranges', () => {
    expect(formatRange(0, 0.41)).toBe('between 0 and 0.410');
    expect(formatRange(0.25, 0.25)).toBe('all 0.250');
    expect(formatRange(0, 0, 'radians')).toBe('all exactly 0 radians');
    expect(formatRange(Number.NaN, Number.NaN)).toBe('no numbers');
  });
  it('formats counts and powers of ten', () => {
    expect(formatCount(1, 'row')).toBe('1 row');
    expect(formatCount(0, 'row')).toBe('0 rows');
    expect(formatPowerOfTen(-12)).toBe('10⁻¹²');
    expect(capitalize('weight')).toBe('Weight');
    expect(capitalize('')).toBe('');
  });
});

describe('English decimals and lists', () => {
  const browser = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });
  it('formats decimals like Intl.NumberFormat', () => {
    for (const value of [0, 7, 999, 1000, 131072, 1234567.5, 0.25, 1e-6, 4e-7, 123.4567891, -1000, -0.5, -999999.9999999]) {
      expect(formatGroupedDecimal(value)).toBe(browser.format(value));
      expect(formatDecimal(value)).toBe(browser.format(value).replaceAll(',', ''));
    }
  });
  it('joins lists like Intl.ListFormat', () => {
    for (const items of [[], ['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd']]) {
      expect(joinWithAnd.format(items)).toBe(new Intl.ListFormat('en').format(items));
      expect(joinWithOr.format(items)).toBe(new Intl.ListFormat('en', { type: 'disjunction' }).format(items));
    }
  });
});
