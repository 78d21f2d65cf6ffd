// The angles of RoPE for all pairs, one curve per position: fast pairs at the rim, slow pairs at the centre.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import type { Poster } from '../poster.ts';
import { POSTER_SIDE } from '../poster.ts';

const [POSITION_COUNT, PAIR_COUNT, BASE] = [14, 256, 40];
const [RIM_RADIUS, CORE_RADIUS] = [182, 4];

/** The point at a radius and an angle. The angle is in radians, counterclockwise from twelve o'clock. */
function toPoint(radius: number, angle: number): readonly [x: number, y: number] {
  return [POSTER_SIDE / 2 - radius * Math.sin(angle), POSTER_SIDE / 2 - radius * Math.cos(angle)];
}

export const poster: Poster = {
  id: 'nautilus',
  title: 'RoPE rotates every pair',
  caption: `One curve for each position from 0 to ${POSITION_COUNT - 1}, through ${PAIR_COUNT} channel pairs: fast pairs at the rim, slow pairs inside`,
  figure: { kind: 'spiral', fields: { encoding: `rope base=${BASE}`, length: String(POSITION_COUNT), dim: String(2 * PAIR_COUNT) } },
  to: 'book/rotation/#all-pairs',
  compute(phasor) {
    const { data } = phasor.rotaryAngles({ encoding: { id: 'rope', base: BASE }, dim: 2 * PAIR_COUNT, length: POSITION_COUNT });
    const formatCurvePath = (position: number): string =>
      Array.from({ length: PAIR_COUNT }, (_, pair) => {
        const [x, y] = toPoint(
          RIM_RADIUS - ((RIM_RADIUS - CORE_RADIUS) * pair) / (PAIR_COUNT - 1),
          entryAt(data, position * PAIR_COUNT + pair),
        );
        return `${pair === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`;
      }).join('');
    return (style) => ({
      // The last position is drawn first, so that earlier positions are in front.
      marks: Array.from({ length: POSITION_COUNT }, (_, index): readonly Mark[] => {
        const position = POSITION_COUNT - 1 - index;
        const color = style.getColor(0.24 + (0.74 * position) / (POSITION_COUNT - 1));
        const [cx, cy] = toPoint(RIM_RADIUS, entryAt(data, position * PAIR_COUNT));
        return [
          { kind: 'path', tone: 'accent', d: formatCurvePath(position), stroke: 4.2, color },
          { kind: 'circle', tone: 'accent', cx, cy, r: 8, color },
        ];
      }).flat(),
    });
  },
};
