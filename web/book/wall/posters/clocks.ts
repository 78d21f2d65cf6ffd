// One clock per channel pair and position: positions from left to right, pairs from fast at the top to slow at the bottom.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import type { Poster } from '../poster.ts';
import { POSTER_SIDE } from '../poster.ts';

const [CLOCK_COUNT, BASE] = [7, 30];
const CELL_SIZE = POSTER_SIDE / CLOCK_COUNT;
const RADIUS = CELL_SIZE * 0.36;
const FULL_TURN = 2 * Math.PI;

/** A sector that starts at twelve o'clock and extends clockwise by an angle in radians. */
function formatSectorPath(x: number, y: number, angle: number): string {
  const [handX, handY] = [x + RADIUS * Math.sin(angle), y - RADIUS * Math.cos(angle)];
  return `M${x},${y}L${x},${y - RADIUS}A${RADIUS} ${RADIUS} 0 ${angle > Math.PI ? 1 : 0} 1 ${handX},${handY}Z`;
}

export const poster: Poster = {
  id: 'clocks',
  title: 'Every pair is a clock',
  caption: `Positions 1 to ${CLOCK_COUNT} from left to right, ${CLOCK_COUNT} channel pairs from fast to slow`,
  figure: {
    kind: 'clocks',
    fields: { encoding: `sinusoidal base=${BASE}`, length: String(CLOCK_COUNT), dim: String(2 * CLOCK_COUNT), 'position-offset': '1' },
  },
  to: 'book/one-sine-to-many/#several-circles',
  compute(phasor) {
    const { data } = phasor.rotaryAngles({
      encoding: { id: 'rope', base: BASE },
      dim: 2 * CLOCK_COUNT,
      length: CLOCK_COUNT,
      positionOffset: 1,
    });
    return (style) => ({
      marks: Array.from({ length: CLOCK_COUNT * CLOCK_COUNT }, (_, index): readonly Mark[] => {
        const [pair, column] = [Math.floor(index / CLOCK_COUNT), index % CLOCK_COUNT];
        const [x, y] = [CELL_SIZE * (column + 0.5), CELL_SIZE * (pair + 0.5)];
        const angle = entryAt(data, column * CLOCK_COUNT + pair) % FULL_TURN;
        const [handX, handY] = [x + RADIUS * Math.sin(angle), y - RADIUS * Math.cos(angle)];
        return [
          { kind: 'circle', tone: 'hairline', cx: x, cy: y, r: RADIUS, outline: true, stroke: 1.4 },
          {
            kind: 'path',
            tone: 'accent',
            d: formatSectorPath(x, y, angle),
            fill: true,
            color: style.getColor(0.18 + 0.7 * (1 - pair / (CLOCK_COUNT - 1))),
          },
          { kind: 'line', tone: 'ink', x1: x, y1: y, x2: handX, y2: handY, stroke: 2.2 },
        ];
      }).flat(),
    });
  },
};
