// What comes behind the button: all pairs as clocks with what each adds to the score, and the rotation of one of them written in three ways.
import { movedMark } from '../../../charts/compose.ts';
import type { Box, Mark, Tone } from '../../../charts/picture.ts';
import { shorten } from '../../../charts/text-metrics.ts';
import { wrappedText } from '../../../charts/wrapped-text.ts';
import { clockMarks } from './dial.ts';
import { type FormulaPart, formulaLines } from './formula-marks.ts';
import type { Hands } from './hands.ts';

export interface PanelClock {
  readonly hands: Hands;
  readonly reach: number;
  readonly score: string;
  /** '18°/place'; empty where places differ. */
  readonly speed: string;
}

export interface PanelSpec {
  readonly width: number;
  /** None where there is one pair only. */
  readonly clocks: readonly PanelClock[];
  readonly chosen: number;
  /** 'Together 2.12.' and a sentence. */
  readonly sum: string;
  readonly forms?: {
    readonly title: string;
    readonly legend: readonly { readonly tone: Tone; readonly text: string }[];
    readonly forms: readonly { readonly heading: string; readonly parts: readonly FormulaPart[] }[];
  };
}

export interface Panel {
  readonly marks: readonly Mark[];
  readonly height: number;
  /** The room of each clock. */
  readonly cells: readonly Box[];
}

const GAP = 14;
/** From this width of a clock on its numbers are below it. */
const WORDED = 76;
const WORDS = 46;
/** All clocks together are at most as high as this, or as small as can be seen. */
const [HIGHEST, SMALLEST] = [330, 30];

function cellsOf(width: number, count: number): Box[] {
  const shape = (size: number) => {
    const columns = Math.max(1, Math.min(count, Math.floor((width + GAP) / (size + GAP))));
    return { size, columns, high: size + (size >= WORDED ? WORDS : 10) };
  };
  let best = shape(Math.min(112, width));
  for (let size = best.size; size >= SMALLEST; size -= 2) {
    best = shape(size);
    // Eight fill a line, or two lines of a phone.
    const rows = Math.ceil(count / best.columns);
    if (rows * best.high <= HIGHEST && (count % best.columns === 0 || rows === 1 || count > 16)) break;
  }
  const gap = best.columns > 1 ? Math.min(40, (width - best.columns * best.size) / (best.columns - 1)) : 0;
  const left = (width - best.columns * best.size - (best.columns - 1) * gap) / 2;
  return Array.from({ length: count }, (_, index) => ({
    x: left + (index % best.columns) * (best.size + gap),
    y: Math.floor(index / best.columns) * best.high,
    width: best.size,
    height: best.high,
  }));
}

function clocksPart({ clocks, chosen, width }: PanelSpec): Panel {
  const cells = clocks.length > 0 ? cellsOf(width, clocks.length) : [];
  const marks = clocks.flatMap(({ hands, reach, score, speed }, pair): Mark[] => {
    const { x, y, width: size } = cells[pair] as Box;
    const cx = x + size / 2;
    const dial = { cx, cy: y + size / 2, radius: size / 2 - 2 };
    const drawn = clockMarks(dial, hands, reach, pair === chosen);
    if (size < WORDED) return drawn;
    return [
      ...drawn,
      { kind: 'text', tone: 'ink', size: 16, bold: pair === chosen, x: cx, y: y + size + 13, text: score, anchor: 'middle' },
      { kind: 'text', tone: 'muted', size: 13, x: cx, y: y + size + 31, text: speed, anchor: 'middle' },
    ];
  });
  const last = cells.at(-1);
  return { marks, cells, height: last ? last.y + last.height : 0 };
}

function formsPart(
  { width }: PanelSpec,
  { title, legend, forms }: NonNullable<PanelSpec['forms']>,
): { readonly marks: readonly Mark[]; readonly height: number } {
  const marks: Mark[] = [{ kind: 'text', tone: 'ink', bold: true, size: 15, x: 0, y: 9, text: shorten(title, width, 15, true) }];
  let y = 24;
  for (const { tone, text } of legend) {
    const { marks: lines, height } = wrappedText([text], width, 14, tone);
    marks.push(...lines.map((mark) => movedMark(mark, 0, y)));
    y += height;
  }
  y += 12;
  let x = 0;
  let tallest = 0;
  forms.forEach(({ heading, parts }) => {
    const made = formulaLines(parts, 1, 26, width - 2, 14);
    const wide = Math.max(made.width, 300);
    // Beside the one before, where both fit.
    if (x > 0 && x + wide > width) {
      y += tallest + 22;
      x = 0;
      tallest = 0;
    }
    const words = wrappedText([heading], Math.min(width - x, Math.max(wide, 340)), 13, 'muted');
    marks.push(...words.marks.map((mark) => movedMark(mark, x, y)));
    marks.push(...made.marks.map((mark) => movedMark(mark, x, y + words.height - 22)));
    tallest = Math.max(tallest, words.height + made.height + 4);
    x += wide + 44;
  });
  return { marks, height: y + tallest };
}

export function panelOf(spec: PanelSpec): Panel {
  const clocks = clocksPart(spec);
  const marks: Mark[] = [...clocks.marks];
  let { height } = clocks;
  if (spec.sum) {
    const sum = wrappedText([spec.sum], spec.width, 17, 'ink');
    marks.push(...sum.marks.map((mark): Mark => ({ ...movedMark(mark, 0, height + 8), serif: true }) as Mark));
    height += 8 + sum.height;
  }
  if (spec.forms) {
    const top = height + (height > 0 ? 18 : 0);
    const forms = formsPart(spec, spec.forms);
    marks.push(...forms.marks.map((mark) => movedMark(mark, 0, top)));
    height = top + forms.height;
  }
  return { marks, height, cells: clocks.cells };
}
