// A text as a model of characters reads it. What it does not know is named, not lost without a word.

export interface Reading {
  /** What the model reads, one token each. */
  readonly characters: readonly string[];
  /** Characters of the text that it does not know, each once. */
  readonly unknown: readonly string[];
  /** Characters that it knows, also those beyond the last that is read. */
  readonly total: number;
  /** Some letters were capitals, which it does not have. */
  readonly isLowered: boolean;
}

/** As the task `text` of the core reads a text: white space is one space, and A to Z are lower case. At most `most` characters. */
export function readingOf(text: string, symbols: string, most: number): Reading {
  const known = new Set(symbols);
  const spaced = text.replace(/\s+/g, ' ').trim();
  const lowered = spaced.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const all = [...lowered];
  const kept = all.filter((character) => known.has(character));
  return {
    characters: kept.slice(0, most),
    unknown: [...new Set(all.filter((character) => !known.has(character)))],
    total: kept.length,
    isLowered: lowered !== spaced,
  };
}
