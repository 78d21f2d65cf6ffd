// The panel below the picture: a small dial per channel pair with its contribution to the score, and one pair's
// rotation written in three forms.
import { translateMark } from '../../../charts/compose.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Box, Mark, Tone } from '../../../charts/picture.ts';
import { shorten, textWidth } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import { clockMarks, type Hands } from './dial.ts';

/** A part of a formula: text, an operator, or rows of numbers in brackets. */
export type FormulaPart =
  | { readonly text: string; readonly tone?: Tone }
  | { readonly rows: readonly (readonly number[])[]; readonly tone?: Tone };

export interface Formula {
  readonly marks: readonly Mark[];
  readonly width: number;
  readonly height: number;
}

const BRACKET_DEPTH = 4;
/** The gap beside a bracket, relative to the font size. */
const BRACKET_GAP = 0.55;

/** Places a formula with its top left corner at (x, y). */
export function layoutFormula(parts: readonly FormulaPart[], x: number, y: number, size: number): Formula {
  const lineHeight = size + 6;
  const rowCount = Math.max(1, ...parts.map((part) => ('rows' in part ? part.rows.length : 1)));
  const height = rowCount * lineHeight + 4;
  const middleY = y + height / 2;
  const marks: Mark[] = [];
  let currentX = x;
  for (const part of parts) {
    const tone = part.tone ?? 'ink';
    if ('text' in part) {
      marks.push({ kind: 'text', tone: part.tone ?? 'muted', x: currentX, y: middleY, text: part.text, size });
      // textWidth underestimates the width of operators.
      currentX += textWidth(part.text, size) * 1.07 + BRACKET_GAP * size;
      continue;
    }
    const entryTexts = part.rows.map((row) => row.map((value) => formatNumber(value)));
    const columns = entryTexts[0]?.length ?? 0;
    const matrixHeight = part.rows.length * lineHeight;
    const top = middleY - matrixHeight / 2;
    marks.push(bracketMark(currentX, top, matrixHeight, BRACKET_DEPTH, tone));
    currentX += BRACKET_GAP * size;
    for (let column = 0; column < columns; column++) {
      const columnWidth = Math.max(...entryTexts.map((row) => textWidth(row[column] ?? '', size))) + 2;
      entryTexts.forEach((row, index) => {
        marks.push({
          kind: 'text',
          tone,
          x: currentX + columnWidth,
          y: top + (index + 0.5) * lineHeight,
          text: row[column] ?? '',
          size,
          anchor: 'end',
        });
      });
      currentX += columnWidth + (column < columns - 1 ? 1.3 * size : 0);
    }
    currentX += BRACKET_GAP * size;
    marks.push(bracketMark(currentX, top, matrixHeight, -BRACKET_DEPTH, tone));
    currentX += BRACKET_GAP * size;
  }
  return { marks, width: currentX - x, height };
}

/** Draws an opening bracket if `depth` is positive, otherwise a closing bracket. */
const bracketMark = (x: number, top: number, height: number, depth: number, tone: Tone): Mark => ({
  kind: 'path',
  tone,
  d: `M${(x + depth).toFixed(2)},${(top + 1).toFixed(2)}H${x.toFixed(2)}V${(top + height - 1).toFixed(2)}H${(x + depth).toFixed(2)}`,
  stroke: 1,
});

/** Operators before which a formula may be broken into lines. */
const BREAK_OPERATORS = ['=', '+'];

/** Places a formula on one line, or on several lines if it is too wide. */
export function layoutFormulaLines(parts: readonly FormulaPart[], x: number, y: number, maxWidth: number, size: number): Formula {
  const singleLine = layoutFormula(parts, x, y, size);
  const breakIndex = parts.findIndex((part, index) => index > 0 && 'text' in part && BREAK_OPERATORS.includes(part.text));
  if (singleLine.width <= maxWidth || breakIndex < 0) return singleLine;
  const firstLine = layoutFormula(parts.slice(0, breakIndex), x, y, size);
  const remainingLines = layoutFormulaLines(parts.slice(breakIndex), x, y + firstLine.height + 6, maxWidth, size);
  return {
    marks: [...firstLine.marks, ...remainingLines.marks],
    width: Math.max(firstLine.width, remainingLines.width),
    height: firstLine.height + 6 + remainingLines.height,
  };
}

export interface PanelClock {
  readonly hands: Hands;
  readonly maxLength: number;
  readonly score: string;
  /** The angle per position as text, such as '18°/step'. Empty if it is not constant. */
  readonly speedText: string;
}

export interface PanelSpec {
  readonly width: number;
  /** One small dial per channel pair. Empty if there is only one pair. */
  readonly clocks: readonly PanelClock[];
  readonly chosenPair: number;
  /** The sum over all pairs as text, such as 'Sum of all pairs: 2.12.' */
  readonly sumSentence: string;
  readonly forms?: {
    readonly title: string;
    readonly legend: readonly { readonly tone: Tone; readonly text: string }[];
    readonly forms: readonly { readonly heading: string; readonly parts: readonly FormulaPart[] }[];
  };
}

export interface Panel {
  readonly marks: readonly Mark[];
  readonly height: number;
  readonly clockBoxes: readonly Box[];
}

const GAP = 14;
const MIN_WIDTH_WITH_TEXT = 76;
const TEXT_HEIGHT = 46;
/** Maximum height of all clocks together in px. It is exceeded if clocks would otherwise be smaller than MIN_SIZE. */
const [MAX_HEIGHT, MIN_SIZE] = [330, 30];

function layoutClocks(width: number, count: number): Box[] {
  const computeGrid = (size: number) => {
    const columns = Math.max(1, Math.min(count, Math.floor((width + GAP) / (size + GAP))));
    return { size, columns, rowHeight: size + (size >= MIN_WIDTH_WITH_TEXT ? TEXT_HEIGHT : 10) };
  };
  let grid = computeGrid(Math.min(112, width));
  for (let size = grid.size; size >= MIN_SIZE; size -= 2) {
    grid = computeGrid(size);
    // With up to 16 clocks, prefers a size at which every row is full.
    const rowCount = Math.ceil(count / grid.columns);
    if (rowCount * grid.rowHeight <= MAX_HEIGHT && (count % grid.columns === 0 || rowCount === 1 || count > 16)) break;
  }
  const gap = grid.columns > 1 ? Math.min(40, (width - grid.columns * grid.size) / (grid.columns - 1)) : 0;
  const left = (width - grid.columns * grid.size - (grid.columns - 1) * gap) / 2;
  return Array.from({ length: count }, (_, index) => ({
    x: left + (index % grid.columns) * (grid.size + gap),
    y: Math.floor(index / grid.columns) * grid.rowHeight,
    width: grid.size,
    height: grid.rowHeight,
  }));
}

function createClocksPart({ clocks, chosenPair, width }: PanelSpec): Panel {
  const clockBoxes = clocks.length > 0 ? layoutClocks(width, clocks.length) : [];
  const marks = clocks.flatMap(({ hands, maxLength, score, speedText }, pair): Mark[] => {
    const { x, y, width: size } = clockBoxes[pair] as Box;
    const cx = x + size / 2;
    const dial = { cx, cy: y + size / 2, radius: size / 2 - 2 };
    const dialMarks = clockMarks(dial, hands, maxLength, pair === chosenPair);
    if (size < MIN_WIDTH_WITH_TEXT) return dialMarks;
    return [
      ...dialMarks,
      { kind: 'text', tone: 'ink', size: 16, bold: pair === chosenPair, x: cx, y: y + size + 13, text: score, anchor: 'middle' },
      { kind: 'text', tone: 'muted', size: 13, x: cx, y: y + size + 31, text: speedText, anchor: 'middle' },
    ];
  });
  const lastCell = clockBoxes.at(-1);
  return { marks, clockBoxes, height: lastCell ? lastCell.y + lastCell.height : 0 };
}

function createFormsPart(
  { width }: PanelSpec,
  { title, legend, forms }: NonNullable<PanelSpec['forms']>,
): { readonly marks: readonly Mark[]; readonly height: number } {
  const marks: Mark[] = [{ kind: 'text', tone: 'ink', bold: true, size: 15, x: 0, y: 9, text: shorten(title, width, 15, true) }];
  let y = 24;
  for (const { tone, text } of legend) {
    const { marks: lines, height } = wrapText([text], width, 14, tone);
    marks.push(...lines.map((mark) => translateMark(mark, 0, y)));
    y += height;
  }
  y += 12;
  let x = 0;
  let maxLineHeight = 0;
  forms.forEach(({ heading, parts }) => {
    const lines = layoutFormulaLines(parts, 1, 26, width - 2, 14);
    const formulaWidth = Math.max(lines.width, 300);
    // Starts a new row if the formula does not fit beside the previous one.
    if (x > 0 && x + formulaWidth > width) {
      y += maxLineHeight + 22;
      x = 0;
      maxLineHeight = 0;
    }
    const headingText = wrapText([heading], Math.min(width - x, Math.max(formulaWidth, 340)), 13, 'muted');
    marks.push(...headingText.marks.map((mark) => translateMark(mark, x, y)));
    marks.push(...lines.marks.map((mark) => translateMark(mark, x, y + headingText.height - 22)));
    maxLineHeight = Math.max(maxLineHeight, headingText.height + lines.height + 4);
    x += formulaWidth + 44;
  });
  return { marks, height: y + maxLineHeight };
}

export function createPanel(spec: PanelSpec): Panel {
  const clocks = createClocksPart(spec);
  const marks: Mark[] = [...clocks.marks];
  let { height } = clocks;
  if (spec.sumSentence) {
    const sumText = wrapText([spec.sumSentence], spec.width, 17, 'ink');
    marks.push(...sumText.marks.map((mark): Mark => ({ ...translateMark(mark, 0, height + 8), serif: true }) as Mark));
    height += 8 + sumText.height;
  }
  if (spec.forms) {
    const top = height + (height > 0 ? 18 : 0);
    const forms = createFormsPart(spec, spec.forms);
    marks.push(...forms.marks.map((mark) => translateMark(mark, 0, top)));
    height = top + forms.height;
  }
  return { marks, height, clockBoxes: clocks.clockBoxes };
}

// Strings of the panel. They are loaded when the panel is opened.
export const panelStrings = {
  formsTitle: (pair: number, a: number, b: number, pairingName: string) => `Pair ${pair}: channels ${a} and ${b}, ${pairingName}`,
  pairing: { interleaved: 'interleaved pairing', half_split: 'half-split pairing' },
  vectorRotation: (name: string, position: string, angle: string, isOneDimensional: boolean) =>
    `${name} at position ${position}: rotated by ${isOneDimensional ? `${formatThetaFactor(position)}θ = ` : ''}${angle} rad`,
  complexHeading: (hasGain: boolean) =>
    hasGain ? 'As complex numbers: multiplied by g (cos + i sin), with a gain g' : 'As complex numbers: multiplied by cos + i sin',
  matrixHeading: (hasGain: boolean) => (hasGain ? 'As a matrix: a rotation multiplied by a gain' : 'As a rotation matrix'),
  elementwiseHeading: {
    interleaved: 'As in code: x ⊙ cos + rotate_every_two(x) ⊙ sin',
    half_split: 'As in code: x ⊙ cos + rotate_half(x) ⊙ sin',
  },
  pairSum: (total: string, isRegular: boolean) =>
    `Sum of all pairs: ${total}.${isRegular ? ' Each pair rotates at its own speed. When query and key move together, the angles between their hands do not change.' : ''}`,
} as const;

/** Returns the coefficient of θ as text: '5', or '' for 1. */
const formatThetaFactor = (position: string): string => (position === '1' ? '' : position);
