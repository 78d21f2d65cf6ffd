// The words of the sentence as marks, in the look of the tiles on the page.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Box, Mark, Theme } from '../../../charts/picture.ts';
import type { SentenceLayout } from './layout.ts';
import { words } from './strings.ts';
import { weightColor } from './weight-color.ts';

/** As in surface.css, px. */
const ROUND = 8;

function rounded({ x, y, width, height }: Box, out: number): string {
  const r = ROUND + out;
  const [w, h] = [width + 2 * out - 2 * r, height + 2 * out - 2 * r];
  return `M${x - out + r} ${y - out}h${w}a${r} ${r} 0 0 1 ${r} ${r}v${h}a${r} ${r} 0 0 1 ${-r} ${r}h${-w}a${r} ${r} 0 0 1 ${-r} ${-r}v${-h}a${r} ${r} 0 0 1 ${r} ${-r}z`;
}

/** @param chosen a place @param weights of each place */
export function wordMarks({ tiles, size, large }: SentenceLayout, chosen: number, weights: Float32Array, theme: Theme): Mark[] {
  return tiles.flatMap(({ word, text, arc }, place): Mark[] => {
    const middle = word.y + word.height / 2;
    const written = { kind: 'text', x: arc.x, anchor: 'middle', size, text, serif: true } as const;
    if (!large)
      return [
        { kind: 'rect', tone: 'halo', ...word },
        { kind: 'rect', tone: place === chosen ? 'accent' : 'hairline', ...word, outline: true, stroke: place === chosen ? 2 : 1 },
        { ...written, tone: 'ink', y: middle },
      ];
    const weight = entryAt(weights, place);
    const { fill, ink } = weightColor(weight, theme);
    const d = rounded(word, 0);
    const line = large.share + 0.16 * word.height;
    return [
      { kind: 'path', tone: 'halo', color: fill, d, fill: true },
      { kind: 'path', tone: 'ink', d, opacity: 0.16, stroke: 1.5 },
      ...(place === chosen ? [{ kind: 'path', tone: 'ink', d: rounded(word, 4), stroke: 3 } as const] : []),
      { ...written, tone: 'ink', color: ink, y: middle - line / 2 + 1 },
      {
        kind: 'text',
        tone: 'ink',
        color: ink,
        x: arc.x,
        y: middle + size / 2,
        anchor: 'middle',
        size: large.share,
        text: words.share(weight),
      },
    ];
  });
}
