import { joinWithAnd } from '../../../charts/english.ts';
import { LINE_NAMES, TRAINING_STRINGS } from '../../compute/training-strings.ts';

/** Additional lines for the task `text`: the RoPE model evaluated with lower frequencies (stretched.ts). */
export const SCALED_ROPE_NAMES: typeof LINE_NAMES = [
  ['rope_linear', 'interpolation'],
  ['rope_ntk', 'NTK-aware'],
  ['rope_parts', 'by parts'],
  ['rope_yarn', 'YaRN'],
];
/** An additional line for the task `text`: the RoPE model after further training without positions (recalibrated.ts). */
export const DROPE_NAMES: typeof LINE_NAMES = [['rope_dropped', 'RoPE removed']];
/** Additional lines for the tasks `copy` and `counting`: content-dependent encodings. */
export const CONTENT_DEPENDENT_NAMES: typeof LINE_NAMES = [
  ['forgetting', 'forget gates'],
  ['path', 'PaTH'],
];
export const ALL_LINE_NAMES = [...LINE_NAMES, ...CONTENT_DEPENDENT_NAMES, ...SCALED_ROPE_NAMES, ...DROPE_NAMES];
export const getLineName = (id: string): string => ALL_LINE_NAMES.find(([lineId]) => lineId === id)?.[1] ?? id;

const describeLengthRatio = (length: number, trainedLength: number): string => {
  if (length === trainedLength) return ', the trained length';
  return length > trainedLength ? `, ${Number((length / trainedLength).toPrecision(3))} times the trained length` : '';
};

export const strings = {
  ...TRAINING_STRINGS,
  question: 'Which encoding generalizes to longer texts?',
  instruction: 'Train here, or point at a length.',
  caption:
    'Small transformers that differ only in their encoding learn a task on texts of one length and are then tested on longer texts. The task is to predict the token three places back (copy), which of two words came first (order long), the next letter of a novel (text), or the number of ones since the last zero (counting).',
  labels: { ...TRAINING_STRINGS.labels, beyond: 'beyond the table', random: 'random positions' },
  help: {
    ...TRAINING_STRINGS.help,
    encodings:
      'One to six encodings, each with a separate model; forget gates and PaTH need the task copy or counting. With the task text, the RoPE model is also available with lower frequencies (interpolation, NTK-aware, by parts, YaRN) and after 5% more steps without positions (RoPE removed).',
    task: 'copy: the token three places back, trained on 32 tokens; order long: which of two words came first, trained on 16; text: the next letter of a novel, trained on 64; counting: the number of ones since the last zero, trained on 32. The models for the novel are already trained; this page only evaluates them.',
    metric: 'Accuracy at the last token or over the whole text, or the loss. In order long, each text has only one target.',
    beyond: 'Positions beyond a learned table. error: not evaluated; clamp: the last row; untrained: extra rows that are never trained.',
    random:
      'Each training step draws ascending positions from a range of 128 (Ruoss et al. 2023). Only for order long, because copy depends on an exact distance.',
    run: 'recorded: recorded results; live: trained on this page. Each length is evaluated on 24 texts during training and on 100 at the end (above 256 tokens on 50, only at the end; the novel on 128 passages).',
  },
  lossTitle: 'loss, nats (lower is better)',
  lastTokenTitle: 'accuracy at the last token',
  lengthTitle: 'text length, tokens',
  trainedRegion: (length: number) => `trained: ${length}`,
  trainedRegionShort: 'trained',
  noTableRow: (position: number) => `no row for position ${position}`,
  tableEnd: (name: string, position: number) => `${name}: no row for position ${position}`,
  tableEndShort: (name: string, position: number) => `${name}: no row ${position}`,
  tableError: (sentence: string) => `Error of the learned table: “${sentence}.”`,
  lineWithOptions: (name: string, options: string) => `${name} with ${options}`,
  extendTable: 'Extend the table',
  nothingMeasured: 'Not measured yet.',
  lengthReadout: (length: number, trainedLength: number, values: string, chance: string) =>
    `${length} tokens${describeLengthRatio(length, trainedLength)}: ${values}${chance}`,
  lengthNotMeasured: (length: number, trainedLength: number) =>
    `${length} tokens${describeLengthRatio(length, trainedLength)}: not measured yet`,
  noEncodings: 'is empty; expected at least one encoding',
  recordedOnlyFor: (name: string, tasks: readonly string[]) =>
    `${name}: recorded only for ${tasks.length === 1 ? 'the task' : 'the tasks'} ${joinWithAnd.format(tasks)}`,
  scalingNote: (trainedLength: number) =>
    `interpolation, NTK-aware, by parts and YaRN use the weights of the RoPE model; for n tokens, frequencies are scaled by the factor n / ${trainedLength}`,
  recalibrationNote: (steps: number) =>
    `RoPE removed starts from the weights of the RoPE model and is trained for ${steps} steps without positions (Gelberg et al. 2025)`,
  evaluateOnNovel: 'Evaluate on the novel',
  evaluationSource: (passageCount: number, completedCount: number, totalCount: number) =>
    `Live, evaluated here: shipped models, seed 1, on ${passageCount} passages of the novel; ${completedCount} of ${totalCount} evaluations`,
  cannotEvaluate: 'live: this page does not include the models for the task text; use the website',
  noLearnedModel: 'live: the shipped model with a learned table has 128 rows, unlike the recorded one; expected encodings without learned',
  onlyFirstSeed: 'live: the shipped models exist only for seed 1',
  onlyOrderTask: 'random positions are available only for the task order_long',
  // Measured with npm run train -- copy --encoding ID --randomized_positions 512 --lengths 32,64,256,512, one seed: at 32 tokens, rope has
  // 0.417 and t5 0.267 (both 1 with consecutive positions); at 512 tokens, 0.070 and 0.071 (chance).
  noBenefitForCopy:
    'random positions do not help the task copy, because the distance to the copied token varies: RoPE and T5 do worse even at the trained length; use order_long',
  tables: {
    last: 'accuracy at the last token',
    score: TRAINING_STRINGS.accuracy,
    loss: TRAINING_STRINGS.loss,
    low: TRAINING_STRINGS.low,
    high: TRAINING_STRINGS.high,
  },
  tokensTitle: 'tokens',
  proof: {
    quantity: 'largest difference between a seed’s accuracy at the trained length and its line’s mean over the three recorded seeds',
    toleranceSource: 'At most two standard deviations of the accuracy on 100 texts.',
    passes: 'At the trained length, every seed of every line agrees with the mean of three recorded seeds.',
    fails:
      'At the trained length, a line differs from the mean of three recorded seeds. This can happen with another seed, fewer steps or an unfinished run.',
  },
} as const;
