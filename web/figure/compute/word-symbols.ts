// Words as symbols of a model that copies tokens (cpp/src/tasks/induction.cpp). Symbols have no meaning, so any word can be a symbol.

/** Number of symbols in the vocabulary of the models. */
export const MAX_SYMBOLS = 26;

/** The symbol of a word; words that differ only in case share one. */
export const toSymbol = (word: string): string => word.toLocaleLowerCase('en');

/** The index of the first word that the model reads. It reads the last words of the text: at most `maxCount`, at most 26 of them distinct. */
export function findFirstReadPosition(placedWords: readonly string[], maxCount: number): number {
  const distinctSymbols = new Set<string>();
  let firstPosition = placedWords.length;
  while (firstPosition > 0 && placedWords.length - firstPosition < maxCount) {
    distinctSymbols.add(toSymbol(placedWords[firstPosition - 1] as string));
    if (distinctSymbols.size > MAX_SYMBOLS) break;
    firstPosition -= 1;
  }
  return firstPosition;
}

/** The position after the previous occurrence of the last word; undefined if there is none from `firstPosition` on. */
export function findCopiedPosition(placedWords: readonly string[], firstPosition: number): number | undefined {
  const symbols = placedWords.map(toSymbol);
  const previousIndex = symbols.lastIndexOf(symbols.at(-1) as string, -2);
  return previousIndex < firstPosition || previousIndex < 0 ? undefined : previousIndex + 1;
}
