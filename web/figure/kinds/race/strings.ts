import { LINE_NAMES, TRAINING_STRINGS } from '../../compute/training-strings.ts';

export const ENCODING_NAMES: readonly (readonly [id: string, name: string])[] = LINE_NAMES.flatMap((line) =>
  line[0] === 'none' ? [line, ['none_causal', 'a causal mask'] as const] : [line],
);
export const getLineName = (id: string): string => ENCODING_NAMES.find(([known]) => known === id)?.[1] ?? id;

export const strings = {
  ...TRAINING_STRINGS,
  question: 'Which encoding learns fastest?',
  instruction: 'Train here, or point at a step.',
  caption:
    'Small transformers that differ only in their encoding learn the same task from the same batches. In the task “order”, they find which of two words comes first among 16 tokens; in “copy”, which token is three positions back.',
  help: {
    ...TRAINING_STRINGS.help,
    encodings: 'Two to six encodings. Each has its own model, trained in a separate worker.',
    task: 'order: find which of two words comes first; copy: find the token three positions back, with a causal mask.',
    metric: 'Accuracy on new items, or the loss on the training batches.',
  },
  step: 'step',
  nothingMeasured: 'Not measured yet.',
  stepReadout: (step: number, values: string, chance: string) => `Step ${step}: ${values}${chance}`,
  tables: { score: TRAINING_STRINGS.accuracy, loss: TRAINING_STRINGS.loss, low: TRAINING_STRINGS.low, high: TRAINING_STRINGS.high },
  tooFewEncodings: 'has too few encodings; expected at least two',
  proof: {
    quantity: 'largest difference between a seed’s final accuracy and the mean of three recorded seeds with the same encoding',
    toleranceSource: 'At most two standard deviations of an accuracy measured on 100 items.',
    passes: 'All final accuracies agree with the means of three recorded seeds.',
    fails:
      'A final accuracy differs from the mean of three recorded seeds, possibly because of another seed, fewer steps or an unfinished run.',
  },
} as const;
