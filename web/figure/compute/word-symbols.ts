// Words as symbols of a model that copies tokens (cpp/src/tasks/induction.cpp). Symbols have no meaning, so any word can be a symbol.

/** Number of symbols in the vocabulary of the models. */
export const MAX_SYMBOLS = 26;

/** The symbol of a word. Words that differ only in case are the same symbol. */
export const symbolOf = (word: string): string => word.toLocaleLowerCase('en');

/** The start of the part that the model reads: the last words of the text, at most `most`, at most 26 of them distinct. */
export function firstReadPosition(placed: readonly string[], most: number): number {
  const distinct = new Set<string>();
  let first = placed.length;
  while (first > 0 && placed.length - first < most) {
    distinct.add(symbolOf(placed[first - 1] as string));
    if (distinct.size > MAX_SYMBOLS) break;
    first -= 1;
  }
  return first;
}

/** The position after the previous occurrence of the last word; undefined if there is none from `first` on. */
export function copiedPosition(placed: readonly string[], first: number): number | undefined {
  const symbols = placed.map(symbolOf);
  const at = symbols.lastIndexOf(symbols.at(-1) as string, -2);
  return at < first || at < 0 ? undefined : at + 1;
}
