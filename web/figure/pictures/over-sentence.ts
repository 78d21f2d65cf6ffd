// What is drawn on the sentence itself: arcs of attention over the words, stripes of the encoding under them.
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

/** More arcs than this are a blot, and slow. */
const MOST_ARCS = 48;

/** The weights of the word that attends, with all but the strongest set aside. */
export function strongest(weights: Float32Array, most: number = MOST_ARCS): Float32Array {
  const seen = weights.filter((weight) => weight > 0).sort();
  const least = seen.at(-most);
  return least === undefined ? weights : weights.map((weight) => (weight >= least ? weight : 0));
}

/** The weights that the word at the cursor gives. */
function weightsOf(figure: Figure, { query }: PlaceCursor): Float32Array {
  const { columns, data } = gridOf(figure.weights);
  return data.subarray(query * columns, (query + 1) * columns);
}

const above0 = (weights: Float32Array): number => weights.filter((weight) => weight > 0).length;

/** Says that some arcs are not drawn; '' when all are. */
export function arcsLeftOut(figure: Figure, cursor: PlaceCursor): string {
  const all = weightsOf(figure, cursor);
  const drawn = above0(strongest(all));
  return drawn < above0(all) ? `Drawn are the ${drawn} strongest of ${above0(all)} arcs.` : '';
}

/** Arcs from the word at the cursor; `places` are those of the words in the figure's order. */
export function arcsPicture(figure: Figure, cursor: PlaceCursor, places: readonly WordPlace[], stage: Stage): Picture {
  return arcs({
    ...stage,
    places,
    weights: strongest(weightsOf(figure, cursor)),
    chosen: cursor.query,
    title: `Attention of ${figure.words[figure.order[cursor.query] as number]}, head ${figure.head + 1}`,
    words: placedWords(figure),
    keys: placedKeys(figure),
    cursor: cursor.key,
  });
}

const UNMARKED: Picture = { width: 1, height: 1, title: 'No stripes', description: 'The encoding adds nothing.', rasters: [], marks: [] };

/** A stripe for each place. Stripes belong to positions: words travel over them. */
export function stripesPicture(figure: Figure, cursor: PlaceCursor, places: readonly Box[], stage: Stage, theme: Theme): Picture {
  const numbers = addedNumbers(figure);
  if (!numbers) return { ...UNMARKED, ...stage };
  const pointed = cursor.key ?? cursor.query;
  return fingerprints({
    ...stage,
    ...numbers,
    theme,
    places,
    title: 'What the encoding gives to each position',
    cursor: { row: pointed, column: figure.addition.kind === 'bias' ? undefined : cursor.dimension },
  });
}
