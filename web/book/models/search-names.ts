// Search of families by their model types, and by names of published models.

/** A name without case and separators: 'Gemma 3' matches gemma3_text. */
export const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_.-]+/g, '');

/** The name that matches a normalized text, preferably a complete match. */
export const found = (names: readonly string[], query: string): string | undefined =>
  names.find((name) => plain(name) === query) ?? names.find((name) => plain(name).includes(query));

/**
 * The text if a name contains it, or else its longest beginning, cut between words, that a name begins with: 'Llama' of 'Llama 3.1'.
 * Undefined if there is none.
 */
export function longestFound(text: string, names: readonly string[]): string | undefined {
  const whole = text.trim();
  if (plain(whole) !== '' && found(names, plain(whole)) !== undefined) return whole;
  const cuts = [...whole.matchAll(/[\s_.-]+/g)].map(({ index }) => whole.slice(0, index)).reverse();
  return cuts.find((part) => plain(part).length > 2 && names.some((name) => plain(name).startsWith(plain(part))));
}
