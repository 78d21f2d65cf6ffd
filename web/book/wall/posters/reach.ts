// RoPE scores by distance: for equal vectors, for unrelated vectors, and the paper's bound.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import { readSpec } from '../../../figure/contract/spec.ts';
import { computeDecay } from '../../../figure/kinds/decay/compute.ts';
import { kind } from '../../../figure/kinds/decay/index.ts';
import type { Poster } from '../poster.ts';

const TOKEN_COUNT = 256;
const fields = { encoding: 'rope', length: String(TOKEN_COUNT), dim: '128' };
const [LEFT, RIGHT, ZERO_Y, ONE_Y] = [20, 380, 262, 36];
/** The curves from front to back. `column` is an index into the columns of `decay`. */
const CURVES = [
  { column: 0, legend: 'equal vectors', colorFraction: 0.92, stroke: 4.5 },
  { column: 2, legend: 'unrelated vectors', colorFraction: 0.66, stroke: 3 },
  { column: 1, legend: 'the paper’s bound', colorFraction: 0.42, stroke: 3 },
] as const;

export const poster: Poster = {
  id: 'reach',
  title: 'How far does RoPE reach?',
  caption: `Scores at distances from 0 to ${TOKEN_COUNT - 1}: they fall for equal vectors, but not for unrelated ones`,
  figure: { kind: 'decay', fields },
  to: 'book/rotation/#what-is-said-of-it',
  async compute(_, { engine }) {
    const { decay } = await computeDecay(readSpec(kind, fields), engine);
    const x = (distance: number) => (LEFT + ((RIGHT - LEFT) * distance) / (TOKEN_COUNT - 1)).toFixed(1);
    const y = (value: number) => (ZERO_Y + (ONE_Y - ZERO_Y) * value).toFixed(1);
    const formatCurvePath = (column: number): string =>
      Array.from(
        { length: TOKEN_COUNT },
        (_, distance) => `${distance === 0 ? 'M' : 'L'}${x(distance)},${y(entryAt(decay.data, 3 * distance + column))}`,
      ).join('');
    return (style) => ({
      marks: [
        { kind: 'line', tone: 'muted', x1: LEFT, x2: RIGHT, y1: ZERO_Y, y2: ZERO_Y, opacity: 0.5 },
        ...CURVES.toReversed().map(
          ({ column, colorFraction, stroke }): Mark => ({
            kind: 'path',
            tone: 'accent',
            d: formatCurvePath(column),
            stroke,
            color: style.getColor(colorFraction),
          }),
        ),
        ...CURVES.flatMap(({ legend, colorFraction }, index): readonly Mark[] => {
          const y = 306 + index * 32;
          return [
            { kind: 'line', tone: 'accent', x1: LEFT, x2: LEFT + 28, y1: y, y2: y, stroke: 5, color: style.getColor(colorFraction) },
            { kind: 'text', tone: 'ink', x: LEFT + 40, y, text: legend, size: 20 },
          ];
        }),
      ],
    });
  },
};
