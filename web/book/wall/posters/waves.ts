// Sines from fast to slow, each in front of the previous one.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import type { Poster } from '../poster.ts';
import { SIDE } from '../poster.ts';

const [WAVES, LENGTH, BASE] = [16, 64, 80];
/** Points per position: sinusoids are smooth between positions. Slow ones need fewer. */
const POINTS_PER_POSITION = 4;
const stepOf = (wave: number): number => (wave < 6 ? 1 : POINTS_PER_POSITION);
const [TOP, STEP, HEIGHT] = [34, 21.9, 15];

export const poster: Poster = {
  id: 'waves',
  title: 'From fast to slow',
  caption: `${WAVES} sines over ${LENGTH} positions: the fast ones distinguish neighbours, the slow ones do not repeat`,
  figure: {
    kind: 'waves',
    fields: {
      encoding: `sinusoidal base=${BASE}`,
      length: String(LENGTH),
      dim: String(2 * WAVES),
      channels: Array.from({ length: WAVES }, (_, wave) => 2 * wave).join(','),
    },
  },
  to: 'book/one-sine-to-many/#the-right-speeds',
  numbers(phasor) {
    const positions = Float64Array.from({ length: LENGTH * POINTS_PER_POSITION + 1 }, (_, at) => at / POINTS_PER_POSITION);
    const { data } = phasor.positionTable({ encoding: { id: 'sinusoidal', base: BASE }, positions, dim: 2 * WAVES });
    const line = (wave: number, y: number): string =>
      Array.from({ length: (LENGTH * POINTS_PER_POSITION) / stepOf(wave) + 1 }, (_, index) => {
        const at = index * stepOf(wave);
        const value = entryAt(data, at * 2 * WAVES + 2 * wave);
        return `${at === 0 ? 'M' : 'L'}${((at / POINTS_PER_POSITION / LENGTH) * SIDE).toFixed(1)},${(y - HEIGHT * value).toFixed(1)}`;
      }).join('');
    return (look) => ({
      marks: Array.from({ length: WAVES }, (_, wave): readonly Mark[] => {
        const y = TOP + wave * STEP;
        const d = line(wave, y);
        return [
          { kind: 'path', tone: 'halo', d: `${d}L${SIDE},${y + 60}L0,${y + 60}Z`, fill: true, opacity: 0.86, color: look.palette.ground },
          { kind: 'path', tone: 'accent', d, stroke: 2.4, color: look.amount(0.34 + 0.62 * (1 - wave / (WAVES - 1))) },
        ];
      }).flat(),
    });
  },
};
