// RoPE's channel-pair frequencies as tones: those in training at the top, those with YaRN at the bottom.
import { logScale } from '../../../charts/curve/axis-scale.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import { readSpec } from '../../../figure/contract/spec.ts';
import { computeTones } from '../../../figure/kinds/tones/compute.ts';
import { kind } from '../../../figure/kinds/tones/index.ts';
import type { Poster } from '../poster.ts';
import { POSTER_SIDE } from '../poster.ts';

const [PAIR_COUNT, FACTOR] = [32, 4];
const fields = { encoding: `rope scaling=yarn factor=${FACTOR}`, dim: String(2 * PAIR_COUNT) };
const [MARGIN, TOP, BOTTOM] = [26, 44, 356];

export const poster: Poster = {
  id: 'stretched',
  title: 'What does RoPE sound like?',
  caption: `${PAIR_COUNT} channel pairs as tones, low to high; from top to bottom, YaRN with a factor of ${FACTOR} lowers all but the highest tones`,
  figure: { kind: 'tones', fields },
  to: 'book/stretching-rope/#tones',
  async compute(_, { engine }) {
    const { trainedFrequencies, heardFrequencies } = await computeTones(readSpec(kind, fields), engine);
    const toX = logScale([Math.min(...heardFrequencies), Math.max(...trainedFrequencies)], [MARGIN, POSTER_SIDE - MARGIN]);
    return (style) => ({
      marks: Array.from({ length: PAIR_COUNT }, (_, pair): readonly Mark[] => {
        const [x1, x2] = [toX(entryAt(trainedFrequencies, pair)), toX(entryAt(heardFrequencies, pair))];
        const color = style.getColor(0.24 + (0.74 * (PAIR_COUNT - 1 - pair)) / (PAIR_COUNT - 1));
        return [
          { kind: 'line', tone: 'accent', x1, x2, y1: TOP, y2: BOTTOM, stroke: 3, color },
          { kind: 'circle', tone: 'accent', cx: x2, cy: BOTTOM, r: 4.5, color },
        ];
      }).flat(),
    });
  },
};
