// Finds families by model type or by the name of a published model.

/** Converts a name to lower case and removes separators, so that 'Gemma 3' matches gemma3_text. */
export const normalizeName = (text: string): string => text.toLowerCase().replaceAll(/[\s_.-]+/g, '');

/** Returns the first name that equals the normalized query, or else the first name that contains it. */
export const findName = (names: readonly string[], query: string): string | undefined =>
  names.find((name) => normalizeName(name) === query) ?? names.find((name) => normalizeName(name).includes(query));

/**
 * Returns the whole text if a name contains it. Otherwise, returns the longest prefix of whole words that starts a name, such as 'Llama' for 'Llama
 * 3.1'. Returns undefined if nothing matches.
 */
export function findLongestMatch(text: string, names: readonly string[]): string | undefined {
  const trimmedText = text.trim();
  if (normalizeName(trimmedText) !== '' && findName(names, normalizeName(trimmedText)) !== undefined) return trimmedText;
  const prefixes = [...trimmedText.matchAll(/[\s_.-]+/g)].map(({ index }) => trimmedText.slice(0, index)).reverse();
  return prefixes.find(
    (part) => normalizeName(part).length > 2 && names.some((name) => normalizeName(name).startsWith(normalizeName(part))),
  );
}
