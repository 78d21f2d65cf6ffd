// The cosine of a vector of ones and itself at a distance, both rotated by RoPE, for four bases.

import type { Mark } from '../../../charts/picture.ts';
import { similarity } from '../../../engine/analysis.ts';
import type { Phasor } from '../../../engine/index.ts';
import type { Poster } from '../poster.ts';

const [FARTHEST, WIDTH] = [256, 128];
const BASES = [
  { base: 1e2, words: 'base 100', share: 0.42 },
  { base: 1e4, words: '10,000', share: 0.56 },
  { base: 5e5, words: '500,000', share: 0.72 },
  { base: 1e8, words: '100 million', share: 0.92 },
] as const;
const [LEFT, RIGHT, ZERO, ONE] = [24, 376, 268, 32];

/** The cosine at each distance. */
function cosines(phasor: Phasor, base: number): ArrayLike<number> {
  const ones = { shape: [1, FARTHEST + 1, WIDTH], data: Float32Array.of(1), strides: [0, 0, 0] };
  const rotated = phasor.applyRotary(ones, { encoding: { id: 'rope', base } });
  return similarity(phasor, { table: { shape: [FARTHEST + 1, WIDTH], data: rotated.data } }).data.subarray(0, FARTHEST + 1);
}

export const poster: Poster = {
  id: 'reach',
  title: 'How far does RoPE reach?',
  caption: `Score of two equal vectors at distances from 0 to ${FARTHEST}: with a larger base it falls more slowly`,
  figure: { kind: 'decay', fields: { encoding: 'rope', length: String(FARTHEST), dim: String(WIDTH) } },
  to: 'book/rotation/#what-is-said-of-it',
  numbers(phasor) {
    const curves = BASES.map((one) => ({ ...one, values: cosines(phasor, one.base) }));
    return (look) => ({
      marks: [
        { kind: 'line', tone: 'muted', x1: LEFT, x2: RIGHT, y1: ZERO, y2: ZERO, opacity: 0.5 },
        ...curves.map(
          ({ share, values }): Mark => ({
            kind: 'path',
            tone: 'accent',
            d: Array.from(
              values,
              (value, distance) =>
                `${distance === 0 ? 'M' : 'L'}${(LEFT + ((RIGHT - LEFT) * distance) / FARTHEST).toFixed(1)},${(ZERO + (ONE - ZERO) * value).toFixed(1)}`,
            ).join(''),
            stroke: 3.2,
            color: look.amount(share),
          }),
        ),
        ...curves.flatMap(({ share, words }, at): readonly Mark[] => {
          const [x, y] = [LEFT + (at % 2) * 180, 340 + Math.floor(at / 2) * 34];
          return [
            { kind: 'line', tone: 'accent', x1: x, x2: x + 24, y1: y, y2: y, stroke: 5, color: look.amount(share) },
            { kind: 'text', tone: 'ink', x: x + 34, y, text: words, size: 20 },
          ];
        }),
      ],
    });
  },
};
