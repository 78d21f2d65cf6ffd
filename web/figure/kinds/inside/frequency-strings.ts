// What is said of the frequencies that heads use.
import { all, whole } from '../../../charts/english.ts';

/** '20 characters': of a wavelength, which is no whole number. */
const characters = (count: number): string =>
  Number.isFinite(count) ? `${whole.format(Math.round(count))} characters` : 'no number of characters';

export const frequencyWords = {
  title: 'Which frequencies each head uses',
  none: (id: string) => `${id} does not rotate pairs of channels, so it has no frequencies; its attention is under heads`,
  axis: 'characters for one turn, fast → slow',
  bars: 'Share of each pair in |q||k| of its head ↑',
  shade: (trained: number) => `turns fully within ${whole.format(trained)} characters`,
  equal: 'if all pairs were used alike',
  percent: (share: number) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`,
  tick: (share: number) => `${Math.round(100 * share)} %`,
  wavelength: (tokens: number) => (Number.isFinite(tokens) ? whole.format(Math.round(tokens)) : '∞'),
  pair: (pair: number, wavelength: number) => `pair ${pair}, one turn in ${characters(wavelength)}`,
  most: (pair: string, share: string, distance: string, weight: string) =>
    `the most used is ${pair}: ${share}. On average most attention goes to ${distance}: ${weight}`,
  at: (pair: string, share: string, product: string) => `${pair}: ${share} of the head’s |q||k|, ${product} on average`,
  headMost: (place: string, pair: number, share: string) => `${place}: pair ${pair} most, ${share}`,
  description: (heads: string, fast: string, pairs: number) =>
    `Shares of ${pairs} pairs of channels, fast to slow, in every head. ${heads}. The faster half of the pairs has ${fast} on average over all heads.`,
  back: (distance: number, share: string) => `${distance === 0 ? 'itself' : `${distance} back`}: ${share}`,
  backNote: 'Below the name of a head: at which distance its attention is largest on average, and how large.',
  reads: (read: number, length: number, unknown: readonly string[], total: number) =>
    [
      read > length
        ? `The model reads ${whole.format(read)} characters, ${whole.format(length)} at a time, as it was trained.`
        : `The model reads ${whole.format(read)} characters.`,
      total > read ? `The text has ${whole.format(total)}; more are not read here.` : '',
      unknown.length > 0 ? `Left out, because its novel does not have them: ${all.format(unknown)}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  tables: {
    shares: 'share of each pair in a head’s mean |q||k|',
    halves: 'share of the faster and of the slower half of the pairs',
    products: 'mean |q||k| of each pair, over all keys that a query sees',
    back: 'mean weight by distance',
    q: 'queries before the rotation',
    k: 'keys before the rotation',
  },
  halves: ['faster half', 'slower half'],
  everyHead: 'all heads, mean',
  pairs: 'pair (characters for one turn)',
  channel: 'channel',
  vector: 'layer, head, character',
  proof: {
    what: 'largest difference between the model’s weights and those that the core’s attention makes of these queries and keys, once it has rotated them',
    holds: 'These are the queries and keys that the model attends with: rotated, they give its weights.',
    amber: 'The weights of these queries and keys are not those of the model.',
  },
} as const;
