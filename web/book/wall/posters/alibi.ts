// The biases of ALiBi: one square per head.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import type { Poster } from '../poster.ts';
import { SIDE } from '../poster.ts';

const [WORDS, HEADS, DRAWN_HEADS] = [16, 8, 4];
const [MARGIN, GAP] = [16, 16];
const SQUARE_SIDE = (SIDE - 2 * MARGIN - GAP) / 2;
const CELL_SIZE = SQUARE_SIDE / WORDS;
/** The bias that has the colour of the background. */
const BACKGROUND_BIAS = -4;

export const poster: Poster = {
  id: 'alibi',
  title: 'ALiBi fades with distance',
  caption: `Penalty subtracted from each score, in ${DRAWN_HEADS} of ${HEADS} heads, for ${WORDS} words; each row is a query`,
  figure: { kind: 'bias', fields: { encoding: 'alibi', length: String(WORDS), heads: String(HEADS) } },
  to: 'book/biases/#alibi-compute-it',
  numbers(phasor) {
    const { data } = phasor.attentionBias({ encoding: 'alibi', heads: HEADS, queries: WORDS, keys: WORDS });
    const cells = Array.from({ length: DRAWN_HEADS * WORDS * WORDS }, (_, at) => {
      const [head, query, key] = [Math.floor(at / WORDS / WORDS), Math.floor(at / WORDS) % WORDS, at % WORDS];
      return { head, query, key, bias: entryAt(data, at) };
    }).filter(({ query, key }) => key <= query);
    return (look) => ({
      marks: cells.map(
        ({ head, query, key, bias }): Mark => ({
          kind: 'rect',
          tone: 'accent',
          x: MARGIN + (head % 2) * (SQUARE_SIDE + GAP) + key * CELL_SIZE,
          y: MARGIN + Math.floor(head / 2) * (SQUARE_SIDE + GAP) + query * CELL_SIZE,
          width: CELL_SIZE - 0.9,
          height: CELL_SIZE - 0.9,
          color: look.amount(0.1 + 0.9 * Math.max(0, 1 - bias / BACKGROUND_BIAS)),
        }),
      ),
    });
  },
};
