// Numbers and lists as English writes them. A browser reads its tables of a language when the first formatter is made, which is most of what a script
// costs that makes some when it starts: these are made when they are first asked for.

interface Formatter<Value> {
  format(value: Value): string;
}

/** A formatter that is made with its first text. */
export function formatter<Value>(make: () => Formatter<Value>): Formatter<Value> {
  let made: Formatter<Value> | undefined;
  return {
    format: (value) => {
      made ??= make();
      return made.format(value);
    },
  };
}

/** '1,024' */
export const whole = formatter<number>(() => new Intl.NumberFormat('en', { maximumFractionDigits: 0 }));
/** 'a, b, and c' */
export const all = formatter<readonly string[]>(() => new Intl.ListFormat('en'));
/** 'a, b, or c' */
export const either = formatter<readonly string[]>(() => new Intl.ListFormat('en', { type: 'disjunction' }));
