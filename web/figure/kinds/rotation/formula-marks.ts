// Small formulas with numbers: columns and matrices in brackets, words and signs between them. Set from left to right, for a picture that has no
// typesetter.
import { formatNumber } from '../../../charts/number.ts';
import type { Mark, Tone } from '../../../charts/picture.ts';
import { textWidth } from '../../../charts/text-metrics.ts';

/** A sign or words between columns, or rows of numbers in brackets. */
export type FormulaPart =
  | { readonly text: string; readonly tone?: Tone }
  | { readonly rows: readonly (readonly number[])[]; readonly tone?: Tone };

export interface Formula {
  readonly marks: readonly Mark[];
  readonly width: number;
  readonly height: number;
}

const BRACKET = 4;
/** Between a bracket and what is beside it, in sizes. */
const SPACE = 0.55;

/** A formula whose top left corner is at (x, y). */
export function formula(parts: readonly FormulaPart[], x: number, y: number, size: number): Formula {
  const line = size + 6;
  const rows = Math.max(1, ...parts.map((part) => ('rows' in part ? part.rows.length : 1)));
  const height = rows * line + 4;
  const middle = y + height / 2;
  const marks: Mark[] = [];
  let at = x;
  for (const part of parts) {
    const tone = part.tone ?? 'ink';
    if ('text' in part) {
      marks.push({ kind: 'text', tone: part.tone ?? 'muted', x: at, y: middle, text: part.text, size });
      // Signs are wider than the letters that estimates are made for.
      at += textWidth(part.text, size) * 1.07 + SPACE * size;
      continue;
    }
    const texts = part.rows.map((row) => row.map((value) => formatNumber(value)));
    const columns = texts[0]?.length ?? 0;
    const tall = part.rows.length * line;
    const top = middle - tall / 2;
    marks.push(bracket(at, top, tall, BRACKET, tone));
    at += SPACE * size;
    for (let column = 0; column < columns; column++) {
      const wide = Math.max(...texts.map((row) => textWidth(row[column] ?? '', size))) + 2;
      texts.forEach((row, index) => {
        marks.push({ kind: 'text', tone, x: at + wide, y: top + (index + 0.5) * line, text: row[column] ?? '', size, anchor: 'end' });
      });
      at += wide + (column < columns - 1 ? 1.3 * size : 0);
    }
    at += SPACE * size;
    marks.push(bracket(at, top, tall, -BRACKET, tone));
    at += SPACE * size;
  }
  return { marks, width: at - x, height };
}

/** Opening when `wide` is above 0, else closing. */
const bracket = (x: number, top: number, tall: number, wide: number, tone: Tone): Mark => ({
  kind: 'path',
  tone,
  d: `M${(x + wide).toFixed(2)},${(top + 1).toFixed(2)}H${x.toFixed(2)}V${(top + tall - 1).toFixed(2)}H${(x + wide).toFixed(2)}`,
  stroke: 1,
});

/** Signs before which a formula goes on in the next line. */
const BREAKS = ['=', '+'];

/** A formula in one line, or in several where that is too wide. */
export function formulaLines(parts: readonly FormulaPart[], x: number, y: number, room: number, size: number): Formula {
  const whole = formula(parts, x, y, size);
  const at = parts.findIndex((part, index) => index > 0 && 'text' in part && BREAKS.includes(part.text));
  if (whole.width <= room || at < 0) return whole;
  const first = formula(parts.slice(0, at), x, y, size);
  const rest = formulaLines(parts.slice(at), x, y + first.height + 6, room, size);
  return {
    marks: [...first.marks, ...rest.marks],
    width: Math.max(first.width, rest.width),
    height: first.height + 6 + rest.height,
  };
}
