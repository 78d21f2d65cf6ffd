// Words as symbols of a model that copies (cpp/src/tasks/induction.cpp): symbols have no meaning, so any words can be symbols.

/** Number of symbols in the vocabulary of the models. */
export const SYMBOLS = 26;

/** The symbol of a word. Words that differ only in case are the same symbol. */
export const symbolOf = (word: string): string => word.toLocaleLowerCase('en');

/** The first position that the model reads: it reads up to the last word, at most `most` tokens with at most 26 distinct words. */
export function firstRead(placed: readonly string[], most: number): number {
  const distinct = new Set<string>();
  let first = placed.length;
  while (first > 0 && placed.length - first < most) {
    distinct.add(symbolOf(placed[first - 1] as string));
    if (distinct.size > SYMBOLS) break;
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
