// The angles of RoPE for all pairs, one curve per position: fast pairs at the rim, slow pairs at the centre.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import type { Poster } from '../poster.ts';
import { SIDE } from '../poster.ts';

const [POSITIONS, PAIRS, BASE] = [14, 256, 40];
const [RIM_RADIUS, CORE_RADIUS] = [182, 4];

/** The point at a radius and an angle, counterclockwise from twelve o'clock, in radians. */
function pointAt(radius: number, angle: number): readonly [x: number, y: number] {
  return [SIDE / 2 - radius * Math.sin(angle), SIDE / 2 - radius * Math.cos(angle)];
}

export const poster: Poster = {
  id: 'nautilus',
  title: 'RoPE rotates every pair',
  caption: `One curve for each position from 0 to ${POSITIONS - 1}, through ${PAIRS} pairs: fast pairs at the rim, slow pairs inside`,
  figure: { kind: 'spiral', fields: { encoding: `rope base=${BASE}`, length: String(POSITIONS), dim: String(2 * PAIRS) } },
  to: 'book/rotation/#all-pairs',
  numbers(phasor) {
    const { data } = phasor.rotaryAngles({ encoding: { id: 'rope', base: BASE }, dim: 2 * PAIRS, length: POSITIONS });
    const curve = (position: number): string =>
      Array.from({ length: PAIRS }, (_, pair) => {
        const [x, y] = pointAt(RIM_RADIUS - ((RIM_RADIUS - CORE_RADIUS) * pair) / (PAIRS - 1), entryAt(data, position * PAIRS + pair));
        return `${pair === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`;
      }).join('');
    return (look) => ({
      // The last position is drawn first, so that earlier positions are in front.
      marks: Array.from({ length: POSITIONS }, (_, index): readonly Mark[] => {
        const position = POSITIONS - 1 - index;
        const color = look.amount(0.24 + (0.74 * position) / (POSITIONS - 1));
        const [cx, cy] = pointAt(RIM_RADIUS, entryAt(data, position * PAIRS));
        return [
          { kind: 'path', tone: 'accent', d: curve(position), stroke: 4.2, color },
          { kind: 'circle', tone: 'accent', cx, cy, r: 8, color },
        ];
      }).flat(),
    });
  },
};
