// Numbers and lists in English. Formatters are created on first use, because the first formatter makes a browser load its locale data, which
// dominates the start-up time of a script.

interface Formatter<Value> {
  format(value: Value): string;
}

/** A formatter that is created on its first call. */
export function formatter<Value>(make: () => Formatter<Value>): Formatter<Value> {
  let created: Formatter<Value> | undefined;
  return {
    format: (value) => {
      created ??= make();
      return created.format(value);
    },
  };
}

const rounded = formatter<number>(() => new Intl.NumberFormat('en', { maximumFractionDigits: 0 }));
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** Formats a whole number: '1,024'. Implemented without a formatter, because the first picture contains such numbers. */
export const whole: Formatter<number> = {
  format: (value) => (Number.isSafeInteger(value) ? String(value).replace(THOUSANDS, ',') : rounded.format(value)),
};
/** Formats a number with at most six decimals: '10000', '-0.25'. */
export const decimal = (value: number): string => String(Number(value.toFixed(6)));
/** Formats a number with grouped thousands: '10,000', '0.25'. */
export const groupedDecimal = (value: number): string => decimal(value).replace(/^-?\d+/, (digits) => digits.replace(THOUSANDS, ','));
/** A readable id: 'half split' for 'half_split'. */
export const spaced = (id: string): string => id.replaceAll('_', ' ');
const listed = (word: string): Formatter<readonly string[]> => ({
  format: (items) => {
    if (items.length < 3) return items.join(` ${word} `);
    return `${items.slice(0, -1).join(', ')}, ${word} ${items.at(-1)}`;
  },
});
/** Joins words: 'a, b, and c'. */
export const all = listed('and');
/** Joins alternatives: 'a, b, or c'. */
export const either = listed('or');
/** A number with a noun: '1 row', '4 rows', '1,024 rows'. */
export const counted = (count: number, noun: string): string => `${whole.format(count)} ${noun}${count === 1 ? '' : 's'}`;
/** The defined values, in order. */
export const sentences = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ');
