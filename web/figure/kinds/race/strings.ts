import { ENCODING_NAMES, TRAINING } from '../../compute/training-strings.ts';

/** Lines by their names in links. */
export const NAMES: readonly (readonly [id: string, name: string])[] = ENCODING_NAMES.flatMap((line) =>
  line[0] === 'none' ? [line, ['none_causal', 'a causal mask'] as const] : [line],
);
export const nameOf = (id: string): string => NAMES.find(([known]) => known === id)?.[1] ?? id;

export const words = {
  ...TRAINING,
  question: 'Which encoding learns it first?',
  instruction: 'Train them here, or point at a step.',
  caption:
    'Small transformers that differ in nothing but their encoding learn the same task from the same batches. Who came first: which of two words comes first in 16 tokens. Copy: which token was three places back.',
  help: {
    ...TRAINING.help,
    encodings: 'Two to six of them; each is a model of its own, in a worker of its own.',
    task: 'order: which of two words came first; copy: which token was three places back, with a causal mask.',
    measure: 'The share of right answers on new items, or the loss on the batches.',
  },
  step: 'step',
  probing: 'No point of the curves has been measured yet.',
  after: (step: number, values: string, chance: string) => `Step ${step}: ${values}${chance}`,
  tables: { score: TRAINING.accuracy, loss: TRAINING.loss, low: TRAINING.low, high: TRAINING.high },
  few: 'a race has at least two of them',
  proof: {
    what: 'largest difference between the last share of right answers of a seed and the mean of the three recorded seeds of its line',
    source: 'Two standard deviations of a share of right answers among 100 items, at most.',
    holds: 'Every seed of every line ended where three recorded seeds ended on average.',
    amber: 'A line ended elsewhere than three recorded seeds did on average: another seed, fewer steps, or a run that still goes on.',
  },
} as const;
