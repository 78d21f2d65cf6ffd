// The readout, proof and tables for the rotary frequencies that a trained model's heads use. A channel pair adds at most |q||k| to a
// score, where |q| and |k| are the lengths of the query and the key in the pair's plane (Barbero et al. 2024, arXiv 2410.06205).

import { formatWholePercent, joinWithAnd, wholeNumber } from '../../../charts/english.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Tensor } from '../../../engine/index.ts';
import { type Cursor, type DataTable, makeProof, type Proof } from '../../contract/kind.ts';
import { frequencyScene } from './frequencies-scene.ts';
import { characterLabel, headAt, headIndex, toLayerAndHead } from './heads.ts';
import type { Spec } from './index.ts';
import type { LazyView } from './later-view.ts';
import { snapshotAt, type Training } from './model.ts';
import type { ModelInput } from './shown.ts';
import { distanceBack, strings } from './strings.ts';

const wavelengthText = (count: number): string =>
  Number.isFinite(count) ? `${wholeNumber.format(Math.round(count))} characters` : 'infinitely many characters';

export const frequencyStrings = {
  title: 'Frequencies of each head',
  none: (id: string) => `${id} does not rotate pairs of channels, so it has no frequencies; expected 'heads'`,
  axis: 'characters per rotation, fast → slow',
  bars: 'Share of each pair in its head’s |q||k| ↑',
  shade: (trained: number) => `full rotation within ${wholeNumber.format(trained)} characters`,
  equal: 'equal use of all pairs',
  percent: (share: number) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)}%`,
  tick: formatWholePercent,
  wavelength: (tokens: number) => (Number.isFinite(tokens) ? wholeNumber.format(Math.round(tokens)) : '∞'),
  pair: (pair: number, wavelength: number) => `pair ${pair}, one rotation in ${wavelengthText(wavelength)}`,
  most: (pair: string, share: string, distance: string, weight: string) =>
    `the most used is ${pair}: ${share}. On average, most attention goes to ${distance}: ${weight}`,
  at: (pair: string, share: string, product: string) => `${pair}: ${share} of the head’s |q||k|, ${product} on average`,
  headMost: (position: string, pair: number, share: string) => `${position}: pair ${pair} is used most (${share})`,
  description: (heads: string, fast: string, pairs: number) =>
    `How much each head uses ${pairs} channel pairs, from fast to slow. ${heads}. The faster half of the pairs has a share of ${fast}, averaged over all heads.`,
  back: (distance: number, share: string) => `${distance === 0 ? 'itself' : `${distance} back`}: ${share}`,
  backNote: 'Below each head’s name: the distance with the largest mean weight, and that weight.',
  reads: (read: number, length: number, unknown: readonly string[], total: number) =>
    [
      read > length
        ? `The model reads ${wholeNumber.format(read)} characters, ${wholeNumber.format(length)} at a time, as in training.`
        : `The model reads ${wholeNumber.format(read)} characters.`,
      total > read ? `The text has ${wholeNumber.format(total)} characters; the rest are not read.` : '',
      unknown.length > 0 ? `Omitted, because the model’s training novel does not contain them: ${joinWithAnd.format(unknown)}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  tables: {
    shares: 'share of each pair in a head’s mean |q||k|',
    halves: 'shares of the faster and slower halves of the pairs',
    products: 'mean |q||k| of each pair, over all visible keys',
    back: 'mean weight by distance',
    q: 'queries before rotation',
    k: 'keys before rotation',
  },
  halves: ['faster half', 'slower half'],
  everyHead: 'all heads, mean',
  pairs: 'pair (characters per rotation)',
  channel: 'channel',
  vector: 'layer, head, character',
  proof: {
    quantity: 'largest difference between the model’s attention weights and those computed from these queries and keys after rotation',
    passes: 'After rotation, these queries and keys reproduce the model’s attention weights.',
    fails: 'After rotation, these queries and keys do not reproduce the model’s attention weights.',
  },
} as const;

/** Tolerance for float32 rounding. The model and the core sum the scores in different orders. */
const TOLERANCE = 1e-5;

export interface FrequencyResults extends Training {
  readonly show: 'frequencies';
  readonly view: LazyView<FrequencyResults>;
  readonly modelInput: ModelInput;
  readonly layers: number;
  /** Heads per layer. */
  readonly heads: number;
  /** Training length in characters. Longer texts are read in chunks of this length. */
  readonly trainedLength: number;
  readonly channels: readonly (readonly [number, number])[];
  /** [pairs]: characters per rotation. */
  readonly wavelengths: Float32Array;
  /** [layers * heads, pairs]: the mean of |q||k| in the pair's plane, over all queries and their visible keys. */
  readonly products: Tensor;
  /** `products` as fractions of each head's sum. */
  readonly shares: Tensor;
  /** [layers * heads, distances]: the mean weight at each distance back. */
  readonly meanByDistance: Tensor;
  /** [layers * heads, characters, headDim], before rotation. */
  readonly q: Tensor;
  readonly k: Tensor;
  readonly residual: number;
  readonly hasOtherParams: boolean;
}

export const rowOf = ({ shape, data }: Tensor, row: number): Float32Array => {
  const columns = entryAt(shape, 1);
  return data.subarray(row * columns, (row + 1) * columns);
};

/**
 * Returns [layers * heads + 1, 2]: each head's total share of the faster and of the slower half of the pairs. The last
 * row is the mean over all heads.
 */
export function sumHalves({ shares }: Pick<FrequencyResults, 'shares'>): Tensor {
  const [heads = 0, pairs = 0] = shares.shape;
  const data = new Float32Array(2 * (heads + 1));
  for (let head = 0; head < heads; head++) {
    rowOf(shares, head).forEach((share, pair) => {
      for (const row of [head, heads]) {
        const at = 2 * row + (2 * pair < pairs ? 0 : 1);
        data[at] = entryAt(data, at) + (row === head ? share : share / heads);
      }
    });
  }
  return { shape: [heads + 1, 2], data };
}

const pairAt = ({ wavelengths }: FrequencyResults, { pair }: Cursor): number | undefined =>
  pair !== undefined && Number.isInteger(pair) && pair >= 0 && pair < wavelengths.length ? pair : undefined;

function readout(results: FrequencyResults, spec: Spec, cursor: Cursor): string {
  const cursorSnapshot = snapshotAt(results, cursor.snapshot);
  if (cursorSnapshot !== undefined) return strings.snapshotAt(entryAt(results.steps, cursorSnapshot));
  const index = headAt(results, cursor.head) ?? headIndex(results, spec);
  const { layer, head } = toLayerAndHead(results, index);
  const pair = pairAt(results, cursor);
  const { shares, products, meanByDistance, wavelengths } = results;
  const pairText = (pair: number): string => frequencyStrings.pair(pair, entryAt(wavelengths, pair));
  if (pair !== undefined) {
    const [share, product] = [entryAt(rowOf(shares, index), pair), entryAt(rowOf(products, index), pair)];
    return strings.inHead(layer, head, frequencyStrings.at(pairText(pair), frequencyStrings.percent(share), formatNumber(product)));
  }
  const largest = extent(rowOf(shares, index));
  const mainDistance = extent(rowOf(meanByDistance, index));
  const mainDistanceText = distanceBack(mainDistance.argmax);
  return strings.inHead(
    layer,
    head,
    frequencyStrings.most(
      pairText(largest.argmax),
      frequencyStrings.percent(largest.max),
      mainDistanceText,
      frequencyStrings.percent(mainDistance.max),
    ),
  );
}

const proof = (results: FrequencyResults): Proof =>
  makeProof({ ...frequencyStrings.proof, toleranceSource: strings.weightsFrom(results) }, results.residual, TOLERANCE);

function tables(results: FrequencyResults): readonly DataTable[] {
  const { shares, products, meanByDistance, q, k, wavelengths, modelInput } = results;
  const titles = frequencyStrings.tables;
  const positions = Array.from({ length: entryAt(shares.shape, 0) }, (_, index) => toLayerAndHead(results, index)).map(({ layer, head }) =>
    strings.place(layer, head),
  );
  const columns = Array.from(wavelengths, (tokens, pair) => `${pair} (${frequencyStrings.wavelength(tokens)})`);
  const pairLabels = { rowTitle: strings.head, columnTitle: frequencyStrings.pairs, rows: positions, columns };
  const vectors = positions.flatMap((location) => modelInput.characters.map((character) => `${location}: ${characterLabel(character)}`));
  const vectorLabels = { rowTitle: frequencyStrings.vector, columnTitle: frequencyStrings.channel, rows: vectors };
  const asMatrix = ({ shape, data }: Tensor): Tensor => ({ shape: [entryAt(shape, 0) * entryAt(shape, 1), entryAt(shape, 2)], data });
  return [
    { name: 'shares', title: titles.shares, tensor: shares, ...pairLabels },
    {
      name: 'halves',
      title: titles.halves,
      tensor: sumHalves(results),
      rowTitle: strings.head,
      columnTitle: frequencyStrings.pairs,
      rows: [...positions, frequencyStrings.everyHead],
      columns: frequencyStrings.halves,
    },
    { name: 'products', title: titles.products, tensor: products, ...pairLabels },
    {
      name: 'back',
      title: titles.back,
      tensor: meanByDistance,
      rowTitle: strings.head,
      columnTitle: strings.charactersBack,
      rows: positions,
    },
    { name: 'q', title: titles.q, tensor: asMatrix(q), ...vectorLabels },
    { name: 'k', title: titles.k, tensor: asMatrix(k), ...vectorLabels },
  ];
}

export const view: LazyView<FrequencyResults> = { scene: frequencyScene, readout, proof, tables };
