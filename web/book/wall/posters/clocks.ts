// One clock per channel pair and position: positions from left to right, pairs from fast at the top to slow at the bottom.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import type { Poster } from '../poster.ts';
import { POSTER_SIDE } from '../poster.ts';

const [COUNT, BASE] = [7, 30];
const CELL_SIZE = POSTER_SIDE / COUNT;
const RADIUS = CELL_SIZE * 0.36;
const FULL_TURN = 2 * Math.PI;

/** A sector that starts at twelve o'clock and extends clockwise by an angle in radians. */
function sectorPath(x: number, y: number, angle: number): string {
  const [handX, handY] = [x + RADIUS * Math.sin(angle), y - RADIUS * Math.cos(angle)];
  return `M${x},${y}L${x},${y - RADIUS}A${RADIUS} ${RADIUS} 0 ${angle > Math.PI ? 1 : 0} 1 ${handX},${handY}Z`;
}

export const poster: Poster = {
  id: 'clocks',
  title: 'Every pair is a clock',
  caption: `Positions 1 to ${COUNT} from left to right, ${COUNT} channel pairs from fast to slow`,
  figure: {
    kind: 'clocks',
    fields: { encoding: `sinusoidal base=${BASE}`, length: String(COUNT), dim: String(2 * COUNT), 'position-offset': '1' },
  },
  to: 'book/one-sine-to-many/#several-circles',
  compute(phasor) {
    const { data } = phasor.rotaryAngles({ encoding: { id: 'rope', base: BASE }, dim: 2 * COUNT, length: COUNT, positionOffset: 1 });
    return (look) => ({
      marks: Array.from({ length: COUNT * COUNT }, (_, at): readonly Mark[] => {
        const [pair, column] = [Math.floor(at / COUNT), at % COUNT];
        const [x, y] = [CELL_SIZE * (column + 0.5), CELL_SIZE * (pair + 0.5)];
        const angle = entryAt(data, column * COUNT + pair) % FULL_TURN;
        const [handX, handY] = [x + RADIUS * Math.sin(angle), y - RADIUS * Math.cos(angle)];
        return [
          { kind: 'circle', tone: 'hairline', cx: x, cy: y, r: RADIUS, outline: true, stroke: 1.4 },
          {
            kind: 'path',
            tone: 'accent',
            d: sectorPath(x, y, angle),
            fill: true,
            color: look.colorOf(0.18 + 0.7 * (1 - pair / (COUNT - 1))),
          },
          { kind: 'line', tone: 'ink', x1: x, y1: y, x2: handX, y2: handY, stroke: 2.2 },
        ];
      }).flat(),
    });
  },
};
