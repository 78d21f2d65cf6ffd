import { joinWithAnd } from '../../../charts/english.ts';
import { formatCount } from '../../../charts/number.ts';
import { METHODS } from './methods.ts';

export const getMethodName = (id: string): string => METHODS.find(([known]) => known === id)?.[1] ?? id;

export const strings = {
  question: 'Which rotations never occur in training?',
  instruction: 'Point at a method and a distance.',
  caption:
    'A RoPE model reads a text longer than its training texts, with each method that needs no further training. A row shows the last query of the text, from the nearest key to the farthest; “all” shows every query and key. Colours show the share of channel pairs at an angle that never occurred in training. A pair that completed a rotation in training has reached every angle.',
  labels: { methods: 'methods', show: 'show', trained: 'trained length', factor: 'length factor', dim: 'head dimension' },
  help: {
    methods:
      'Methods that lower frequencies (linear scaling, which is position interpolation; NTK-aware; YaRN) or change distances (all others), with the parameters from their papers.',
    trained: 'Tokens.',
    factor: 'Length of the text / trained length.',
    dim: 'Channels of a head, two per pair.',
    show: 'New rotations, attention to equal keys, or recorded loss. The other fields do not affect the recorded loss.',
  },
  distance: 'distance to the key, tokens',
  unseenShare: 'new rotations',
  log2WeightRatio: 'log₂ of weight / uniform weight',
  maskedLabel: 'not visible',
  allLabel: 'all',
  trainedLabel: (length: number) => `trained: ${length}`,
  attentionTitle: 'Attention relative to uniform attention over visible keys',
  noMethods: 'is empty; expected at least one method',
  oddDim: (dim: number) => `${dim} is odd; expected an even number, because channels are rotated in pairs`,
  summary: (factor: number, shares: readonly string[]) =>
    `At ${factor} times the trained length, new rotations: ${joinWithAnd.format(shares)}.`,
  methodValue: (method: string, value: string) => `${method} ${value}`,
  keyReadout: (
    method: string,
    distance: number,
    remappedClause: string,
    unseenPairCount: number,
    pairCount: number,
    relativeWeight: string,
  ) =>
    `${method}, a key ${formatCount(distance, 'token')} back${remappedClause}: ${unseenPairCount} of ${pairCount} pairs with a new rotation; the weight of the key is ${relativeWeight} times the uniform weight if all keys are equal`,
  remappedClause: (distance: number) => `, remapped to distance ${distance}`,
  maskedReadout: (method: string, distance: number) => `${method} cannot attend to a key ${formatCount(distance, 'token')} back`,
  methodReadout: (method: string, share: string) => `${method}, over all queries and keys: ${share} of rotations are new`,
  characters: 'text length, characters',
  loss: 'loss',
  nats: 'nats',
  lossTitle: 'Loss of a character model with each method',
  lossReadout: (length: number, lengthRatio: number, values: readonly string[]) =>
    `Recorded, nats per character at ${length} characters${lengthRatio === 1 ? ', the trained length' : `, ${lengthRatio} times the trained length`}: ${joinWithAnd.format(values)}.`,
  meanWithDeviation: (mean: string, deviation: string) => `${mean} ± ${deviation}`,
  recordingNote: (seedCount: number, passageCount: number, trained: number) =>
    `Recorded: the mean of ${formatCount(seedCount, 'model')}, seeds 1 to ${seedCount}, trained on texts of ${trained} characters from a novel, not trained further, and evaluated on ${passageCount} passages of the same novel.`,
  method: 'method',
  tables: {
    unseen: 'share of pairs with a new rotation',
    shares: 'share of pairs with a new rotation, over all queries and keys',
    taken: 'remapped distance of a key, tokens',
    weights: 'weight of a key if all keys are equal',
    loss: 'recorded loss, nats per character',
  },
  proof: {
    quantity: 'largest difference between a score of equal vectors and the mean cosine of the displayed angles, over all queries and keys',
    toleranceSource: 'Float32 rounding of the frequencies, whose effect grows with the distance.',
    passes: 'With every method, attention uses the displayed angles.',
    fails: 'With at least one method, attention uses angles other than those displayed.',
  },
} as const;
