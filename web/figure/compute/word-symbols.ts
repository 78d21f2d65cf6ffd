// Words as symbols of a model that copies (cpp/src/tasks/induction.cpp): symbols have no meaning, so any words can be symbols.

/** Symbols of the models. */
export const SYMBOLS = 26;

/** Words that differ in upper case only are one symbol. */
export const symbolOf = (word: string): string => word.toLocaleLowerCase('en');

/** The first position that the model reads: at most `most` tokens up to the end, and at most 26 distinct words. */
export function firstRead(placed: readonly string[], most: number): number {
  const known = new Set<string>();
  let first = placed.length;
  while (first > 0 && placed.length - first < most) {
    known.add(symbolOf(placed[first - 1] as string));
    if (known.size > SYMBOLS) break;
    first -= 1;
  }
  return first;
}

/** The position after the last earlier occurrence of the last word. */
export function copiedPlace(placed: readonly string[], first: number): number | undefined {
  const all = placed.map(symbolOf);
  const at = all.lastIndexOf(all.at(-1) as string, -2);
  return at < first || at < 0 ? undefined : at + 1;
}
