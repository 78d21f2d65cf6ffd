import { all } from '../../../charts/english.ts';
import { ENCODING_NAMES, TRAINING } from '../../compute/training-strings.ts';

/** RoPE as it was trained, and read with slower pairs (stretched.ts): for the task text. */
export const STRETCHED_NAMES: typeof ENCODING_NAMES = [
  ['rope_linear', 'interpolation'],
  ['rope_ntk', 'NTK-aware'],
  ['rope_parts', 'by parts'],
  ['rope_yarn', 'YaRN'],
];
/** Encodings that go by content (E12a and E12b): for the tasks copy and counting. */
export const CONTENT_NAMES: typeof ENCODING_NAMES = [
  ['forgetting', 'forget gates'],
  ['path', 'PaTH'],
];
export const NAMES = [...ENCODING_NAMES, ...CONTENT_NAMES, ...STRETCHED_NAMES];
export const nameOf = (id: string): string => NAMES.find(([known]) => known === id)?.[1] ?? id;

const times = (length: number, trained: number): string => {
  if (length === trained) return ', the trained length';
  return length > trained ? `, ${Number((length / trained).toPrecision(3))} times the trained length` : '';
};

export const words = {
  ...TRAINING,
  question: 'Which encoding still works on longer texts?',
  instruction: 'Train them here, or point at a length.',
  caption:
    'Small transformers that differ in nothing but their encoding learn a task on texts of one length, and are then tested on longer texts. Copy: which token was three places back. Order long: which of two words came first. Text: the next letter of a novel. Counting: how many ones since the last zero.',
  labels: { ...TRAINING.labels, beyond: 'past the last row', random: 'random positions' },
  help: {
    ...TRAINING.help,
    encodings:
      'One to six of them; each is a model of its own, but interpolation, NTK-aware, by parts (as in YaRN’s paper) and YaRN are that of RoPE with slower pairs, not trained any further. These are for the task text, and forget gates and PaTH for the tasks copy and counting.',
    task: 'copy: which token was three places back, trained on 32 tokens; order long: which of two words came first, trained on 16; text: the next letter of a novel, trained on 64; counting: how many ones since the last zero, trained on 32. The models of the novel are trained already and only read here.',
    measure:
      'The share of right answers at the last token of a text or over the whole of it, or the loss. A text of order long has one answer.',
    beyond:
      'What a learned table does where it has no row: refuse, repeat its last row (clamp), or have more rows, which training never reaches (untrained).',
    random:
      'Each step of training draws its positions from those of a text of 128 tokens, in ascending order (Ruoss et al. 2023). For the task order long: it is no cure for copy, which asks for a distance.',
    run: 'recorded, or trained here, live. Then 100 texts of each length are read at the end, and 24 before; of those longer than 256 tokens 50, at the end alone; of the novel 128 passages.',
  },
  lossAxis: 'loss, nats (lower is better)',
  atLast: 'share of right answers at the last token',
  length: 'length of the text, tokens',
  trained: (length: number) => `trained: ${length}`,
  trainedShort: 'trained',
  noRow: (position: number) => `no row for position ${position}`,
  ends: (name: string, position: number) => `${name}: no row for position ${position}`,
  endsShort: (name: string, position: number) => `${name}: no row ${position}`,
  core: (sentence: string) => `The core about the learned table: “${sentence}.”`,
  variant: (name: string, options: string) => `${name} with ${options}`,
  moreRows: 'Give the table more rows',
  probing: 'No length has been measured yet.',
  at: (length: number, trained: number, values: string, chance: string) => `${length} tokens${times(length, trained)}: ${values}${chance}`,
  notYet: (length: number, trained: number) => `${length} tokens${times(length, trained)}: not measured yet`,
  few: 'there is no encoding; choose at least one',
  onlyFor: (name: string, tasks: readonly string[]) =>
    `${name}: recorded for ${tasks.length === 1 ? 'the task' : 'the tasks'} ${all.format(tasks)} alone`,
  stretched: (trained: number) =>
    `interpolation, NTK-aware, by parts and YaRN are the weights of RoPE, whose pairs are slowed down by the factor n / ${trained}`,
  read: 'Read the novel here',
  reading: (passages: number, done: number, total: number) =>
    `Live, read here: models that ship, seed 1, on ${passages} passages of the novel; ${done} of ${total} readings`,
  cannotRead: 'live: this page has no models of the novel; the website does',
  noTable: 'live: the learned table that ships has 128 rows, which none of these lines has; leave it out',
  onlyFirst: 'live: models that ship are of the seed 1',
  onlyOrder: 'random positions were recorded and tried for the task order_long alone',
  // npm run train -- copy --encoding ID --randomized_positions 512 --lengths 32,64,256,512, one seed: at 32 tokens rope 0.417 and t5 0.267, which are right
  // always with positions in a row; at 512 tokens 0.070 and 0.071, which is chance.
  noCure:
    'random positions are no cure for copy: the token three places back is then at another distance each time, and RoPE and T5 do worse even at the trained length; they help with order_long',
  tables: {
    last: 'share of right answers at the last token',
    score: TRAINING.accuracy,
    loss: TRAINING.loss,
    low: TRAINING.low,
    high: TRAINING.high,
  },
  tokens: 'tokens',
  proof: {
    what: 'largest difference at the trained length between what a seed reached and the mean of the three recorded seeds of its line',
    source: 'Two standard deviations of a share of right answers among 100 texts, at most.',
    holds: 'At the trained length every seed of every line reached what three recorded seeds did on average.',
    amber:
      'At the trained length a line is elsewhere than three recorded seeds were on average: another seed, fewer steps, or a run that still goes on.',
  },
} as const;
