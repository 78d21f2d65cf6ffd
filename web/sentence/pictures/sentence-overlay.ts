// The pictures drawn over the sentence: attention arcs above the words, stripes of the encoding below them.
import { arcs, type WordPlace } from '../../views/arcs.ts';
import { fingerprints } from '../../views/fingerprint.ts';
import type { Box, Picture, Theme } from '../../views/picture.ts';
import type { Figure } from '../compute.ts';
import { addedNumbers } from './added.ts';
import { gridOf, type PlaceCursor, placedKeys, placedWords } from './place-cursor.ts';

export interface Stage {
  readonly width: number;
  readonly height: number;
}

/** More arcs than this are illegible, and slow. */
const MAX_ARCS = 48;

/** The weights of one query with all but the `most` largest set to 0. */
export function strongestWeights(weights: Float32Array, most: number = MAX_ARCS): Float32Array {
  const positive = weights.filter((weight) => weight > 0).sort();
  const threshold = positive.at(-most);
  return threshold === undefined ? weights : weights.map((weight) => (weight >= threshold ? weight : 0));
}

/** The weights of the query at the cursor. */
function weightsOf(figure: Figure, { query }: PlaceCursor): Float32Array {
  const { columns, data } = gridOf(figure.weights);
  return data.subarray(query * columns, (query + 1) * columns);
}

const countPositive = (weights: Float32Array): number => weights.filter((weight) => weight > 0).length;

/** A note that some arcs are not drawn; '' when all are. */
export function omittedArcsNote(figure: Figure, cursor: PlaceCursor): string {
  const all = weightsOf(figure, cursor);
  const drawn = countPositive(strongestWeights(all));
  return drawn < countPositive(all) ? `Only the ${drawn} strongest of ${countPositive(all)} arcs are drawn.` : '';
}

/** Arcs from the word at the cursor; `places` are in the figure's order. */
export function arcsPicture(figure: Figure, cursor: PlaceCursor, places: readonly WordPlace[], stage: Stage): Picture {
  return arcs({
    ...stage,
    places,
    weights: strongestWeights(weightsOf(figure, cursor)),
    chosen: cursor.query,
    title: `Attention of ${figure.words[figure.order[cursor.query] as number]}, head ${figure.head + 1}`,
    words: placedWords(figure),
    keys: placedKeys(figure),
    cursor: cursor.key,
  });
}

const NO_STRIPES: Picture = { width: 1, height: 1, title: 'No stripes', description: 'The encoding adds nothing.', rasters: [], marks: [] };

/** A stripe for each place. Stripes belong to positions and stay in place when words move. */
export function stripesPicture(figure: Figure, cursor: PlaceCursor, places: readonly Box[], stage: Stage, theme: Theme): Picture {
  const numbers = addedNumbers(figure);
  if (!numbers) return { ...NO_STRIPES, ...stage };
  const pointed = cursor.key ?? cursor.query;
  return fingerprints({
    ...stage,
    ...numbers,
    theme,
    places,
    title: 'The encoding of each position',
    cursor: { row: pointed, column: figure.addition.kind === 'bias' ? undefined : cursor.dimension },
  });
}
