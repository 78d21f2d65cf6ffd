import { formatWholePercent, wholeNumber } from '../../../charts/english.ts';
import { isolate } from '../../../sentence/direction.ts';
import { LINE_NAMES, TRAINING_STRINGS } from '../../compute/training-strings.ts';

/** @param head number of the head, from 1, over all layers */
const headName = (head: number, heads: number): string => `head ${((head - 1) % heads) + 1} of layer ${Math.floor((head - 1) / heads) + 1}`;

/** Short names that fit beside the curves. */
const SHORT_NAMES: { readonly [id: string]: string } = { ...Object.fromEntries(LINE_NAMES), none: 'none', learned: 'learned' };
export const getEncodingName = (id: string): string => SHORT_NAMES[id] ?? id;

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
  scoreTitle: 'mean weight',
  lossChartTitle: 'Loss',
  scoresChartTitle: 'Heads',
  chance: 'chance',
  previousTokenCurve: (name: string) => `${name}: previous`,
  copyingCurve: (name: string) => `${name}: copying`,
  scorePair: (previousScore: string, copyingScore: string) => `previous token ${previousScore}, copying ${copyingScore}`,
  emergenceLabel: (name: string, step: number) => `${name}: from step ${wholeNumber.format(step)}`,
  figureTitle: 'Loss and head scores by training step',
  layerLabel: (layer: number) => `layer ${layer}`,
  mapsTitle: (name: string, step: number) => `${name}, step ${wholeNumber.format(step)}`,
  prediction: (text: string, word: string, probability: number) =>
    `Prediction after “${text}”: “${isolate(word)}”, ${formatWholePercent(probability)}.`,
  noRepeatedWord: 'No word occurs twice, so there is nothing to copy.',
  newLastWord: (lastWord: string) => `“${lastWord}” is new, so there is nothing to copy.`,
  omittedWords: (omittedCount: number) =>
    `The models read at most 64 words, at most 26 of them distinct: the first ${omittedCount === 1 ? 'word is' : `${omittedCount} words are`} omitted.`,
  clearCircuit: (writer: string, reader: string, score: string, baseline: string) =>
    `${writer} writes the previous word into each word; ${reader} reads it (K-composition ${score}; expected ${baseline} for random matrices).`,
  noCircuit: (largestWeight: string, uniformWeight: string) =>
    `No circuit: the best previous-token head has a score of ${largestWeight}; uniform attention would score ${uniformWeight}.`,
  unclearCircuit: (writer: string, previousScore: string) =>
    `${writer} attends most to the previous word, but only with a weight of ${previousScore}: not a clear circuit.`,
  withoutHead: (head: string) => `Without ${head}`,
  withoutOtherHeads: 'Without the other heads of this layer',
  removalEffect: (
    removal: string,
    predictionText: string,
    accuracies: readonly [string, string],
    copyingScores: readonly [string, string],
  ) => `${removal}: ${predictionText}accuracy ${accuracies[0]} → ${accuracies[1]}, copying head ${copyingScores[0]} → ${copyingScores[1]}.`,
  predictionChange: (word: string, before: number, after: number) =>
    `“${isolate(word)}” ${formatWholePercent(before)} → ${formatWholePercent(after)}, `,
  noModelsNote: 'This page has no trained models, so it shows only the curves.',
  noEarlierWeights: 'requires the last snapshot, the only one with recorded weights; expected 0 for earlier snapshots',
  earlierStepsNote: (text: string) => `Earlier steps were recorded with “${text}”; other words are shown at the last step.`,
  thinLinesNote: (seeds: readonly number[]) => `Thin lines: recorded runs with seeds ${seeds.join(' and ')}.`,
  pendingHeadsNote: 'Heads appear after the first snapshot.',
  defaultParamsNote: 'The recording uses default encoding parameters; train here to use your own.',
  stepReadout: (step: number, values: string) => `Step ${wholeNumber.format(step)}: ${values}`,
  headReadout: (name: string, head: string, previousScore: string, copyingScore: string) =>
    `${name}, ${head}: ${strings.scorePair(previousScore, copyingScore)}`,
  weightSuffix: (query: string, key: string, weight: string) => `; “${query}” attends to “${key}” with weight ${weight}`,
  removePreviousTokenHead: 'Remove the previous-token head',
  removeCopyingHead: 'Remove the copying head',
  restoreHead: 'Restore the head',
  replaceWithZero: 'Replace with zero',
  replaceWithMean: 'Replace with the mean',
  earlierSnapshot: 'Earlier',
  laterSnapshot: 'Later',
  sameEncoding: 'other: same as the first encoding; expected a different encoding',
  encodingNotRecorded: (id: string, recordedIds: readonly string[]) =>
    `no model with “${id}” was recorded; expected one of ${recordedIds.join(', ')}`,
  seedNotRecorded: (seed: number) => `no model with seed ${seed} was recorded; expected 1; other seeds can be trained here`,
  line: 'model',
  tableTitles: {
    loss: 'loss',
    previous: 'previous-token score of the best head in layer 1',
    matching: 'prefix-matching score of the best head in layer 2',
    composition: 'K-composition between heads in layer 1 (rows, model by model) and heads in layer 2 (columns)',
    readerTitle: 'head of layer 2',
    writerTitle: 'head of layer 1',
  },
  proof: {
    quantity: 'largest difference between a score measured now and the score recorded at the last step',
    toleranceSource: 'Weights of recorded models are stored in float16; training elsewhere may round differently.',
    passes: 'Both models reproduce the recorded scores.',
    fails: 'A score differs from the recording, as can happen with another seed, other parameters, an earlier step or unfinished training.',
  },
} as const;
