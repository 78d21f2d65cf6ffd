import { joinWithAnd, wholeNumber } from '../../charts/english.ts';

/** The name of the line for each encoding id. */
export const LINE_NAMES: readonly (readonly [id: string, name: string])[] = [
  ['none', 'no encoding'],
  ['alibi', 'ALiBi'],
  ['learned', 'learned table'],
  ['sinusoidal', 'sinusoidal'],
  ['t5', 'T5'],
  ['rope', 'RoPE'],
];

const formatSeeds = (seeds: readonly number[]): string =>
  seeds.length === 1 ? `one seed (${seeds[0]})` : `seeds ${joinWithAnd.format(seeds.map(String))}`;

export const TRAINING_STRINGS = {
  labels: {
    encodings: 'encodings',
    task: 'task',
    metric: 'measure',
    seeds: 'number of seeds',
    budget: 'training time (s)',
    run: 'curves',
  },
  help: {
    seeds: "The field 'seed' contains the first seed. With several seeds, lines show the mean and bands the range over the seeds.",
    budget:
      'Approximate training time, including half a second to measure how many steps fit. Slow devices take longer, because at least 160 steps are needed.',
    run: 'recorded: recorded results; live: trained on this page.',
  },
  accuracy: 'accuracy',
  loss: 'loss, nats',
  chance: 'chance',
  chanceValue: (value: string) => `; chance ${value}`,
  train: 'Train',
  again: 'Use another seed',
  recording: 'Show recording',
  recorded: (seeds: readonly number[]) => `Recorded, ${formatSeeds(seeds)}`,
  live: (seeds: readonly number[], doneSteps: number, totalSteps: number, isSequential: boolean, seconds: number | undefined) =>
    `Live, trained here, ${formatSeeds(seeds)}: step ${wholeNumber.format(doneSteps)} of ${wholeNumber.format(totalSteps)}${isSequential ? '; one worker at a time' : ''}${
      seconds === undefined ? '' : `; about ${wholeNumber.format(Math.max(1, Math.round(seconds)))} s on this device`
    }`,
  lacksNovel: 'This page does not include the training text, so only the recorded models are shown; they can be trained on the website',
  battery: 'Training uses all cores for 60 s. You can stop it',
  hidden: 'Paused while the page is hidden',
  value: (name: string, value: string) => `${name} ${value}`,
  line: 'line',
  low: 'minimum over seeds',
  high: 'maximum over seeds',
  notRecorded: (firstSeed: number, lastSeed: number) =>
    `only seeds 1 to 3 were recorded, not ${firstSeed} to ${lastSeed}; every seed can be trained here`,
  cannotTrain: 'live: training is unavailable on this page; use the website or the npm package',
  verdicts: { passes: '✓ Agrees with the recording', fails: '△ Differs from the recording' },
} as const;
