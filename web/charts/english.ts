// Numbers and lists in English. Formatters are created on first use, because loading the browser's locale data dominates start-up time.

interface Formatter<Value> {
  format(value: Value): string;
}

export function lazyFormatter<Value>(create: () => Formatter<Value>): Formatter<Value> {
  let cachedFormatter: Formatter<Value> | undefined;
  return {
    format: (value) => {
      cachedFormatter ??= create();
      return cachedFormatter.format(value);
    },
  };
}

const roundedFormatter = lazyFormatter<number>(() => new Intl.NumberFormat('en', { maximumFractionDigits: 0 }));
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** Formats a whole number: '1,024'. It does not use Intl, which would delay the first picture. */
export const wholeNumber: Formatter<number> = {
  format: (value) => (Number.isSafeInteger(value) ? String(value).replace(THOUSANDS, ',') : roundedFormatter.format(value)),
};
/** Formats a number with at most six decimals: '10000', '-0.25'. */
export const formatDecimal = (value: number): string => String(Number(value.toFixed(6)));
/** Formats a number with grouped thousands: '10,000', '0.25'. */
export const formatGroupedDecimal = (value: number): string =>
  formatDecimal(value).replace(/^-?\d+/, (digits) => digits.replace(THOUSANDS, ','));
/** Formats a fraction as a whole percentage: '30%' for 0.3. */
export const formatWholePercent = (fraction: number): string => `${Math.round(100 * fraction)}%`;
/** Formats an id for display: 'half split' for 'half_split'. */
export const formatId = (id: string): string => id.replaceAll('_', ' ');
const listFormatter = (conjunction: string): Formatter<readonly string[]> => ({
  format: (items) => {
    if (items.length < 3) return items.join(` ${conjunction} `);
    return `${items.slice(0, -1).join(', ')}, ${conjunction} ${items.at(-1)}`;
  },
});
export const joinWithAnd = listFormatter('and');
export const joinWithOr = listFormatter('or');
/** Formats a count with a noun: '1 row', '4 rows', '1,024 rows'. */
export const countWithNoun = (count: number, noun: string): string => `${wholeNumber.format(count)} ${noun}${count === 1 ? '' : 's'}`;
export const joinSentences = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ');
