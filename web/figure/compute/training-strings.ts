// What figures say that show recorded curves of training and train themselves.
import { all, whole } from '../../charts/english.ts';

/** Encodings by their ids, as their lines are called. */
export const ENCODING_NAMES: readonly (readonly [id: string, name: string])[] = [
  ['none', 'no encoding'],
  ['alibi', 'ALiBi'],
  ['learned', 'learned table'],
  ['sinusoidal', 'sinusoidal'],
  ['t5', 'T5'],
  ['rope', 'RoPE'],
];

const seedsText = (seeds: readonly number[]): string =>
  seeds.length === 1 ? `one seed (${seeds[0]})` : `seeds ${all.format(seeds.map(String))}`;

export const TRAINING = {
  labels: {
    encodings: 'encodings',
    task: 'task',
    measure: 'measure',
    seeds: 'how many seeds',
    budget: 'seconds',
    run: 'curves',
  },
  help: {
    seeds: 'From the seed on; with more than one, a line is their mean and its band goes from the lowest to the highest.',
    budget:
      'About how long training may take here; half a second of it is spent on finding out how many steps that is. A slow device takes longer, because fewer than 160 steps show nothing.',
    run: 'recorded, or trained here, live.',
  },
  accuracy: 'share of right answers',
  loss: 'loss, nats',
  chance: 'chance',
  chanceValue: (value: string) => `; chance ${value}`,
  train: 'Train them here',
  again: 'Another seed',
  recording: 'The recording',
  recorded: (command: string, seeds: readonly number[]) => `Recorded, ${seedsText(seeds)}: ${command}`,
  live: (seeds: readonly number[], done: number, total: number, isOne: boolean, seconds: number | undefined) =>
    `Live, trained here, ${seedsText(seeds)}: step ${whole.format(done)} of ${whole.format(total)}${isOne ? '; one worker at a time' : ''}${
      seconds === undefined ? '' : `; about ${whole.format(Math.max(1, Math.round(seconds)))} s on this device`
    }`,
  lacksNovel: 'This page does not have the novel, so these models stay as they were recorded; on the website they can be tried',
  battery: 'Training for 60 s keeps all processors busy, which a battery feels; it can be stopped at any time',
  hidden: 'Paused while the page is hidden',
  value: (name: string, value: string) => `${name} ${value}`,
  line: 'line',
  low: 'lowest of the seeds',
  high: 'highest of the seeds',
  notRecorded: (first: number, last: number) =>
    `only seeds 1 to 3 were recorded, and these curves ask for ${first} to ${last}; every seed can be trained here`,
  cannotTrain: 'live: this page has nothing that trains; the website and the npm package do',
  verdicts: { holds: '✓ As recorded', amber: '△ Not as recorded' },
} as const;
