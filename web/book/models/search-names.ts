// Finds families by model type or by the name of a published model.

/** Converts a name to lower case and removes separators, so that 'Gemma 3' matches gemma3_text. */
export const normalizeName = (text: string): string => text.toLowerCase().replaceAll(/[\s_.-]+/g, '');

/** The first name that equals the normalized query. If there is none, the first name that contains it. */
export const findName = (names: readonly string[], query: string): string | undefined =>
  names.find((name) => normalizeName(name) === query) ?? names.find((name) => normalizeName(name).includes(query));

/**
 * The longest beginning of the text that occurs in a name. If no name contains the whole text, this is the longest sequence of first words with
 * which a name begins, such as 'Llama' in 'Llama 3.1'. Undefined if nothing matches.
 */
export function findLongestMatch(text: string, names: readonly string[]): string | undefined {
  const trimmedText = text.trim();
  if (normalizeName(trimmedText) !== '' && findName(names, normalizeName(trimmedText)) !== undefined) return trimmedText;
  const prefixes = [...trimmedText.matchAll(/[\s_.-]+/g)].map(({ index }) => trimmedText.slice(0, index)).reverse();
  return prefixes.find(
    (part) => normalizeName(part).length > 2 && names.some((name) => normalizeName(name).startsWith(normalizeName(part))),
  );
}
