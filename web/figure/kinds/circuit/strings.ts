import { formatWholePercent, wholeNumber } from '../../../charts/english.ts';
import { isolate } from '../../../sentence/direction.ts';
import { LINE_NAMES, TRAINING_STRINGS } from '../../compute/training-strings.ts';

/** @param head number of the head, from 1, over all layers */
const headName = (head: number, heads: number): string => `head ${((head - 1) % heads) + 1} of layer ${Math.floor((head - 1) / heads) + 1}`;

/** Short names that fit beside the curves. */
const SHORT_NAMES: { readonly [id: string]: string } = { ...Object.fromEntries(LINE_NAMES), none: 'none', learned: 'learned' };
export const nameOf = (id: string): string => SHORT_NAMES[id] ?? id;

export const strings = {
  ...TRAINING_STRINGS,
  percent: formatWholePercent,
  headName,
  question: 'When does a circuit emerge?',
  instruction: 'Select a head to remove it.',
  caption:
    'Two models that differ only in their encoding learn to copy: after a repeated token, they predict the token that followed it before. This takes a previous-token head, and a head in the next layer that reads its output.',
  labels: {
    run: TRAINING_STRINGS.labels.run,
    other: 'second encoding',
    snapshot: 'snapshot',
    ablatedHead: 'removed head',
    ablatedModel: 'removed from',
    ablation: 'replaced by',
  },
  help: {
    other: 'The encoding of the second model, which has the same initial weights and is trained on the same batches.',
    snapshot: 'The snapshot shown. The recording has all snapshots for the initial words, but only the last one for other words.',
    ablatedHead: 'The head to remove, numbered from 1 across both layers; 0: none.',
    ablatedModel: 'The model from which the head is removed.',
    ablation: 'zero: replaces the head’s output with 0; mean: replaces it with its mean over the tokens.',
    run: TRAINING_STRINGS.help.run,
  },
  step: 'step',
  loss: 'loss, nats',
  score: 'mean weight',
  lossTitle: 'Loss',
  scoresTitle: 'Heads',
  chance: 'chance',
  back: (name: string) => `${name}: previous`,
  copies: (name: string) => `${name}: copying`,
  scores: (previousScore: string, copyingScore: string) => `previous token ${previousScore}, copying ${copyingScore}`,
  emerged: (name: string, step: number) => `${name}: from step ${wholeNumber.format(step)}`,
  title: 'Loss and head scores by training step',
  layer: (layer: number) => `layer ${layer}`,
  maps: (name: string, step: number) => `${name}, step ${wholeNumber.format(step)}`,
  guess: (text: string, word: string, share: number) => `Prediction after “${text}”: “${isolate(word)}”, ${formatWholePercent(share)}.`,
  nothingReturns: 'No word occurs twice, so there is nothing to copy.',
  isNew: (last: string) => `“${last}” is new, so there is nothing to copy.`,
  unread: (first: number) =>
    `The models read at most 64 words, at most 26 of them distinct: the first ${first === 1 ? 'word is' : `${first} words are`} omitted.`,
  composed: (writer: string, reader: string, score: string, baseline: string) =>
    `${writer} writes the previous word into each word; ${reader} reads it (K-composition ${score}; expected ${baseline} for random matrices).`,
  notComposed: (largestWeight: string, uniformWeight: string) =>
    `No circuit: the best previous-token head has a score of ${largestWeight}; uniform attention would score ${uniformWeight}.`,
  partly: (writer: string, previousScore: string) =>
    `${writer} attends most to the previous word, but only with a weight of ${previousScore}: not a clear circuit.`,
  without: (head: string) => `Without ${head}`,
  others: 'Without the other heads of this layer',
  effect: (removal: string, guess: string, accuracy: readonly [string, string], copies: readonly [string, string]) =>
    `${removal}: ${guess}accuracy ${accuracy[0]} → ${accuracy[1]}, copying head ${copies[0]} → ${copies[1]}.`,
  guessChange: (word: string, before: number, after: number) =>
    `“${isolate(word)}” ${formatWholePercent(before)} → ${formatWholePercent(after)}, `,
  noModels: 'This page has no trained models, so it shows only the curves.',
  noWeights: 'requires the last snapshot, the only one with recorded weights; expected 0 for earlier snapshots',
  earlierWords: (text: string) => `Earlier steps were recorded with “${text}”; other words are shown at the last step.`,
  thin: (seeds: readonly number[]) => `Thin lines: recorded runs with seeds ${seeds.join(' and ')}.`,
  later: 'Heads appear after the first snapshot.',
  otherParams: 'The recording uses default encoding parameters; train here to use your own.',
  after: (step: number, values: string) => `Step ${wholeNumber.format(step)}: ${values}`,
  headScores: (name: string, head: string, previousScore: string, copyingScore: string) =>
    `${name}, ${head}: ${strings.scores(previousScore, copyingScore)}`,
  weightOf: (query: string, key: string, weight: string) => `; “${query}” attends to “${key}” with weight ${weight}`,
  removeBack: 'Remove the previous-token head',
  removeCopy: 'Remove the copying head',
  restore: 'Restore the head',
  toZero: 'Replace with zero',
  toMean: 'Replace with the mean',
  earlier: 'Earlier',
  laterOne: 'Later',
  same: 'other: same as the first encoding; expected a different encoding',
  notRecordedId: (id: string, all: readonly string[]) => `no model with “${id}” was recorded; expected one of ${all.join(', ')}`,
  onlySeed: (seed: number) => `no model with seed ${seed} was recorded; expected 1, or train here with any seed`,
  line: 'model',
  tables: {
    loss: 'loss',
    previous: 'previous-token score of the best head in layer 1',
    matching: 'prefix-matching score of the best head in layer 2',
    composition: 'K-composition between heads in layer 1 (rows, model by model) and heads in layer 2 (columns)',
    head: 'head of layer 2',
    writer: 'head of layer 1',
  },
  proof: {
    quantity: 'largest difference between a score measured now and the score recorded at the last step',
    toleranceSource: 'Weights of recorded models are stored in float16; training elsewhere may round differently.',
    passes: 'Both models reproduce the recorded scores.',
    fails: 'A score differs from the recording, as can happen with another seed, other parameters, an earlier step or unfinished training.',
  },
} as const;
