// Maps words to the symbols of a model that copies tokens (cpp/src/tasks/induction.cpp). Symbols have no meaning, so any word can be mapped
// to any symbol.

export const MAX_SYMBOLS = 26;

/** Maps words that differ only in case to the same symbol. */
export const toSymbol = (word: string): string => word.toLocaleLowerCase('en');

/**
 * Returns the position of the first word that the model reads. The model reads the longest suffix of the text that has at most `maxCount`
 * words and at most 26 distinct ones.
 */
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

/**
 * Returns the position after the previous occurrence of the last word, or undefined if there is none at or after `firstPosition`.
 */
export function findCopiedPosition(placedWords: readonly string[], firstPosition: number): number | undefined {
  const symbols = placedWords.map(toSymbol);
  const previousIndex = symbols.lastIndexOf(symbols.at(-1) as string, -2);
  return previousIndex < firstPosition || previousIndex < 0 ? undefined : previousIndex + 1;
}
