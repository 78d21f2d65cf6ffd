import { all, whole } from '../../../views/english.ts';

/** Lines by their names in links. */
export const NAMES: readonly (readonly [id: string, name: string])[] = [
  ['none', 'no encoding'],
  ['none_causal', 'none, causal mask'],
  ['alibi', 'ALiBi'],
  ['learned', 'learned table'],
  ['sinusoidal', 'sinusoidal'],
  ['t5', 'T5'],
  ['rope', 'RoPE'],
];
export const nameOf = (id: string): string => NAMES.find(([known]) => known === id)?.[1] ?? id;

const seedsText = (seeds: readonly number[]): string =>
  seeds.length === 1 ? `one seed (${seeds[0]})` : `seeds ${all.format(seeds.map(String))}`;

export const words = {
  question: 'Which encoding learns it first?',
  instruction: 'Train them here, or point at a step.',
  caption:
    'Small transformers that differ in nothing but their encoding learn the same task from the same batches. Who came first: which of two words comes first in 16 tokens. Copy: which token was three places before.',
  labels: {
    encodings: 'encodings',
    task: 'task',
    measure: 'measure',
    seeds: 'how many seeds',
    budget: 'seconds',
    run: 'curves',
  },
  help: {
    encodings: 'Two to six of them; each is a model of its own, in a worker of its own.',
    task: 'order: which of two words came first; copy: which token was three places before, with a causal mask.',
    measure: 'The share of right answers on new items, or the loss on the batches.',
    seeds: 'From the seed on; with more than one, a line is their mean and its band goes from the lowest to the highest.',
    budget: 'About how long training may take here; half a second of it is spent on finding out how many steps that is.',
    run: 'recorded, or trained here, live.',
  },
  accuracy: 'share of right answers',
  loss: 'loss, nats',
  step: 'step',
  chance: 'chance',
  train: 'Train them here',
  again: 'Another seed',
  recording: 'The recording',
  recorded: (command: string, seeds: readonly number[]) => `Recorded, ${seedsText(seeds)}: ${command}`,
  live: (seeds: readonly number[], done: number, total: number, isOne: boolean) =>
    `Live, trained here, ${seedsText(seeds)}: step ${whole.format(done)} of ${whole.format(total)}${isOne ? '; one worker at a time' : ''}`,
  hidden: 'Paused while the page is hidden',
  probing: 'No point of the curves has been measured yet.',
  after: (step: number, values: string, chance: string) => `Step ${step}: ${values}${chance}`,
  value: (name: string, value: string) => `${name} ${value}`,
  chanceValue: (value: string) => `; chance ${value}`,
  line: 'line',
  tables: { score: 'share of right answers', loss: 'loss, nats', low: 'lowest of the seeds', high: 'highest of the seeds' },
  notRecorded: (first: number, last: number) =>
    `only seeds 1 to 3 were recorded, and these curves ask for ${first} to ${last}; every seed can be trained here`,
  cannotTrain: 'live: this page has nothing that trains; the website and the npm package do',
  few: 'a race has at least two of them',
  proof: {
    what: 'largest difference between the last share of right answers of a seed and the mean of the three recorded seeds of its line',
    source: 'Two standard deviations of a share of right answers among 100 items, at most.',
    holds: 'Every seed of every line ended where three recorded seeds ended on average.',
    amber: 'A line ended elsewhere than three recorded seeds did on average: another seed, fewer steps, or a run that still goes on.',
  },
  verdicts: { holds: '✓ As recorded', amber: '△ Not as recorded' },
} as const;
