// Draws the matrix of each of four positions as two arrows. They grow with the position; with RoPE, all arrows would have the same length.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import { computeMatrixScores, POSITION_COUNT } from '../../../figure/kinds/position-matrices/compute.ts';
import { SPIRAL } from '../../../figure/kinds/position-matrices/presets.ts';
import type { Poster } from '../poster.ts';
import { POSTER_SIDE } from '../poster.ts';

const CELL_SIZE = POSTER_SIDE / 2;
const UNIT_LENGTH = 61;

/** Draws an arrow from a centre to the point offset by x and y units. */
function createArrowMarks([centreX, centreY]: readonly [number, number], x: number, y: number, color: string): readonly Mark[] {
  const [toX, toY] = [centreX + UNIT_LENGTH * x, centreY - UNIT_LENGTH * y];
  const magnitude = Math.hypot(x, y);
  const formatHeadPoint = (alongArrow: number, acrossArrow: number): string =>
    `${(toX - (alongArrow * x + acrossArrow * y) / magnitude).toFixed(1)},${(toY + (alongArrow * y - acrossArrow * x) / magnitude).toFixed(1)}`;
  return [
    { kind: 'line', tone: 'accent', x1: centreX, y1: centreY, x2: toX, y2: toY, stroke: 5.5, color },
    {
      kind: 'path',
      tone: 'accent',
      fill: true,
      d: `M${formatHeadPoint(-5, 0)}L${formatHeadPoint(15, 10)}L${formatHeadPoint(15, -10)}Z`,
      color,
    },
  ];
}

export const poster: Poster = {
  id: 'beat',
  title: 'Can you beat the proof?',
  caption: `${POSITION_COUNT} positions, each with its own matrix, drawn as two arrows: draw your own, and see which two scores disagree`,
  figure: { kind: 'position-matrices', fields: {} },
  to: 'book/short-way/#could-it-be-anything-else',
  async compute(_, { engine }) {
    const { vectors } = await computeMatrixScores(SPIRAL, engine);
    return (style) => ({
      marks: Array.from({ length: POSITION_COUNT }, (_, position): readonly Mark[] => {
        const centre = [CELL_SIZE * ((position % 2) + 0.5), CELL_SIZE * (Math.floor(position / 2) + 0.5)] as const;
        const [firstColor, secondColor] = [0.82, 0.4].map((colorFraction) => style.getColor(colorFraction)) as [string, string];
        const getTip = (column: number) =>
          [0, 1].map((axis) => entryAt(vectors.data, 4 * position + 2 * column + axis)) as [number, number];
        return [
          { kind: 'circle', tone: 'muted', outline: true, cx: centre[0], cy: centre[1], r: UNIT_LENGTH, stroke: 1.6, opacity: 0.7 },
          ...createArrowMarks(centre, ...getTip(1), secondColor),
          ...createArrowMarks(centre, ...getTip(0), firstColor),
        ];
      }).flat(),
    });
  },
};
