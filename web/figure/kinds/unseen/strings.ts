import { all } from '../../../charts/english.ts';
import { formatCount } from '../../../charts/number.ts';
import { METHODS } from './methods.ts';

export const nameOf = (id: string): string => METHODS.find(([known]) => known === id)?.[1] ?? id;

export const words = {
  question: 'Which rotations has the model never seen?',
  instruction: 'Point at a method and a distance.',
  caption:
    'A model of RoPE reads a text longer than those of its training, by each of the methods that need no further training. A row is the last query of the text, from the nearest key to the farthest; “all” is every query and key. The colour is the share of pairs of channels that are rotated beyond any angle of training. A pair that completed a rotation in training knows every angle.',
  labels: { methods: 'methods', shows: 'shows', trained: 'trained length', factor: 'times as long', width: 'head width' },
  help: {
    methods:
      'Slower pairs (linear scaling, which is position interpolation; NTK-aware; YaRN) or other distances (the rest), with the sizes that their papers use.',
    trained: 'Tokens.',
    factor: 'How many times the trained length the text has.',
    width: 'Channels of a head, two to a pair.',
    shows:
      'Rotations that are new; the attention of a query that equals all of its keys, so that only distance decides; or the loss that was recorded of a small model of characters, whose sizes the other fields do not change.',
  },
  distance: 'distance of the key, tokens',
  share: 'new rotations',
  doublings: 'doublings of an even share',
  hidden: 'not seen',
  all: 'all',
  trained: (length: number) => `trained: ${length}`,
  even: 'Attention beside an even share among the keys seen',
  few: 'there is no method; choose at least one',
  odd: (width: number) => `${width} is odd; channels of a head are rotated in pairs`,
  summary: (factor: number, shares: readonly string[]) =>
    `At ${factor} times the trained length, rotations that are new: ${all.format(shares)}.`,
  one: (method: string, share: string) => `${method} ${share}`,
  at: (method: string, distance: number, taken: string, beyond: number, pairs: number, weight: string) =>
    `${method}, a key ${formatCount(distance, 'token')} back${taken}: ${beyond} of ${pairs} pairs at a rotation that is new; its weight is ${weight} times an even share where all keys are equal`,
  taken: (distance: number) => `, taken as ${distance} back`,
  none: (method: string, distance: number) => `${method} does not see a key ${formatCount(distance, 'token')} back`,
  whole: (method: string, share: string) => `${method}, over all queries and keys: ${share} of rotations are new`,
  characters: 'length of the text, characters',
  loss: 'loss',
  nats: 'nats',
  lossTitle: 'The loss of a model of characters, read by each method',
  lossAt: (length: number, times: number, values: readonly string[]) =>
    `Recorded, nats per character at ${length} characters${times === 1 ? ', the trained length' : `, ${times} times the trained length`}: ${all.format(values)}.`,
  spread: (mean: string, deviation: string) => `${mean} ± ${deviation}`,
  recorded: (command: string, seeds: number, passages: number, trained: number) =>
    `Recorded: ${command}. The mean of ${formatCount(seeds, 'model')}, seeds 1 to ${seeds}, trained on ${trained} characters and no further, on ${passages} passages of the novel.`,
  method: 'method',
  tables: {
    unseen: 'share of pairs at a rotation that is new',
    shares: 'the same over all queries and keys',
    taken: 'distance at which a key is taken, tokens',
    weights: 'weight of a key where all are equal',
    loss: 'recorded loss, nats per character',
  },
  proof: {
    what: 'largest difference between a score of equal vectors and the mean cosine of the angles that are counted here, over all queries and keys',
    source: 'Rounding of frequencies to float32, which grows with the distance.',
    holds: 'Attention rotates by these angles, with every method.',
    amber: 'Attention does not rotate by these angles.',
  },
} as const;
