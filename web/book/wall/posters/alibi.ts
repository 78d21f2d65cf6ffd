// The biases of ALiBi: one square per head.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import type { Poster } from '../poster.ts';
import { POSTER_SIDE } from '../poster.ts';

const [WORD_COUNT, HEAD_COUNT, DRAWN_HEAD_COUNT] = [16, 8, 4];
const [MARGIN, GAP] = [16, 16];
const SQUARE_SIDE = (POSTER_SIDE - 2 * MARGIN - GAP) / 2;
const CELL_SIZE = SQUARE_SIDE / WORD_COUNT;
const BACKGROUND_BIAS = -4;

export const poster: Poster = {
  id: 'alibi',
  title: 'ALiBi fades with distance',
  caption: `Penalty subtracted from each score, in ${DRAWN_HEAD_COUNT} of ${HEAD_COUNT} heads, for ${WORD_COUNT} words; each row is a query`,
  figure: { kind: 'bias', fields: { encoding: 'alibi', length: String(WORD_COUNT), heads: String(HEAD_COUNT) } },
  to: 'book/biases/#alibi-compute-it',
  compute(phasor) {
    const { data } = phasor.attentionBias({ encoding: 'alibi', heads: HEAD_COUNT, queries: WORD_COUNT, keys: WORD_COUNT });
    const cells = Array.from({ length: DRAWN_HEAD_COUNT * WORD_COUNT * WORD_COUNT }, (_, index) => {
      const [head, query, key] = [
        Math.floor(index / WORD_COUNT / WORD_COUNT),
        Math.floor(index / WORD_COUNT) % WORD_COUNT,
        index % WORD_COUNT,
      ];
      return { head, query, key, bias: entryAt(data, index) };
    }).filter(({ query, key }) => key <= query);
    return (style) => ({
      marks: cells.map(
        ({ head, query, key, bias }): Mark => ({
          kind: 'rect',
          tone: 'accent',
          x: MARGIN + (head % 2) * (SQUARE_SIDE + GAP) + key * CELL_SIZE,
          y: MARGIN + Math.floor(head / 2) * (SQUARE_SIDE + GAP) + query * CELL_SIZE,
          width: CELL_SIZE - 0.9,
          height: CELL_SIZE - 0.9,
          color: style.getColor(0.1 + 0.9 * Math.max(0, 1 - bias / BACKGROUND_BIAS)),
        }),
      ),
    });
  },
};
