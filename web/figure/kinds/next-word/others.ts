// The predictions of the encodings that are not selected, for their buttons: recorded ones for the first sentence, in any order with the
// same end (scripts/train/record-next-word.mjs), otherwise those of models that the reader has loaded.
import type { Guess } from './compute.ts';
import recorded from './recorded.json';

/** Predictions by the id of an encoding. */
export type Guesses = { readonly [encoding: string]: Guess };

export const { encodings: OFFERED } = recorded;

const ORDERS: { readonly [placed: string]: readonly (readonly (string | number)[])[] } = recorded.guesses;

/** Undefined for other words. */
export function recordedGuesses(placed: readonly string[]): Guesses | undefined {
  const found = ORDERS[placed.join(' ')];
  return found && Object.fromEntries(OFFERED.map((id, at) => [id, { word: String(found[at]?.[0]), probability: Number(found[at]?.[1]) }]));
}

/** @param read returns the prediction of an encoding whose model is loaded */
export async function otherGuesses(
  placed: readonly string[],
  chosen: string,
  read: (id: string) => Promise<Guess | undefined>,
): Promise<Guesses> {
  const known = recordedGuesses(placed);
  if (known) return known;
  const all = await Promise.all(OFFERED.filter((id) => id !== chosen).map(async (id) => [id, await read(id)] as const));
  return Object.fromEntries(all.flatMap(([id, guess]) => (guess ? [[id, guess]] : [])));
}
