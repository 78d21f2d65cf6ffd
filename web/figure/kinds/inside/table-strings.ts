// What is said of a learned table of positions.
import { whole } from '../../../charts/english.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';

export const tableWords = {
  position: 'position',
  channel: 'channel',
  cosine: 'cosine',
  cosines: 'Cosines of the rows of the table',
  title: 'A learned table before and after training',
  beforeTraining: 'Before training',
  afterSteps: (step: number) => (step === 0 ? 'Now: not trained yet' : `After ${whole.format(step)} steps`),
  cosineBefore: 'cosines before training',
  cosineAfter: (step: number) => `cosines after ${whole.format(step)} steps`,
  rowsAfter: (step: number) => `rows of the table after ${whole.format(step)} steps`,
  recorded: ({ command, spec }: ShippedModel) => `Recorded, one seed (${spec.seed}): ${command}`,
  neighbours: (step: number, value: string) => `After ${whole.format(step)} steps: neighbouring positions have a mean cosine of ${value}`,
  pair: (one: number, other: number, before: string, after: string, step: number) =>
    `Positions ${one} and ${other}: cosine ${before} before training, ${after} after ${whole.format(step)} steps`,
  proof: {
    what: 'difference between the mean cosine of neighbouring positions and that of the recorded run at its end',
    holds: 'Neighbouring positions have become as alike as in the recorded run.',
    amber:
      'Neighbouring positions are not as alike as at the end of the recorded run: training has not come so far, or another seed found another table.',
  },
  source: (file: string) => `Five standard deviations of three seeds (experiment E11). Recorded weights: ${file}.`,
} as const;
