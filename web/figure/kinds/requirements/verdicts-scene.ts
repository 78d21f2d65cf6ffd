// Draws a row per requirement: a mark, the measured value, its threshold, and their ratio on a logarithmic track. The
// cursor selects a row.
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { maxTextWidth, textWidth } from '../../../charts/text-metrics.ts';
import { type Paragraph, wrapText } from '../../../charts/wrapped-text.ts';
import { axisMarks, rowMarks } from './verdict-marks.ts';

export const NAME_SIZE = 14;
export const QUESTION_SIZE = 12;
export const VALUE_SIZE = 13;
const MIN_TRACK_WIDTH = 110;
const MAX_TRACK_WIDTH = 420;
export const GLYPH_WIDTH = 26;
export const LINE_HEIGHT = 16;

/** The layout of the rows. In narrow or low pictures, parts of a row are stacked or omitted. */
export interface VerdictsLayout {
  readonly width: number;
  readonly height: number;
  readonly rightEdge: number;
  readonly heading: Paragraph;
  /** Upper edge of the first row. Each row has the height `pitch`. The last row ends at `bottom`. */
  readonly top: number;
  readonly bottom: number;
  readonly pitch: number;
  /** Whether the name, track, value and verdict of a row are side by side. */
  readonly isWide: boolean;
  readonly hasQuestions: boolean;
  readonly hasTracks: boolean;
  readonly track: { readonly x: number; readonly width: number };
  readonly numbersX: number;
  readonly availableNumbersWidth: number;
  /** Height of the second line of text to the right of the measured value; 0 if there is none. */
  readonly secondLineHeight: number;
}

export function layoutVerdicts(spec: VerdictsSceneSpec): VerdictsLayout {
  const { rows } = spec;
  const width = Math.max(1, spec.width);
  const availableHeight = spec.maxHeight ?? Number.POSITIVE_INFINITY;
  const verdictWidth = maxTextWidth(
    rows.map(({ verdictText }) => verdictText),
    VALUE_SIZE,
    true,
  );
  const rightEdge = width - 8;
  const heading = wrapText([spec.heading], width - 8, QUESTION_SIZE, 'muted');
  const top = heading.height + 8;
  const axisHeight = 44;
  // Low pictures omit the questions. Narrow pictures that are still too high also omit the tracks.
  const fitsHeight = (rowHeight: number): boolean => top + rowHeight * rows.length + axisHeight <= availableHeight;
  const nameWidth = Math.max(
    maxTextWidth(
      rows.map(({ name }) => name),
      NAME_SIZE,
      true,
    ),
    fitsHeight(64)
      ? maxTextWidth(
          rows.map(({ question }) => question),
          QUESTION_SIZE,
        )
      : 0,
  );
  const numbersWidth = Math.max(
    120,
    ...rows.map(({ valueText, quantityLabel, thresholdText }) =>
      valueText
        ? Math.ceil(Math.max(textWidth(valueText, VALUE_SIZE, true) + 8 + textWidth(quantityLabel), textWidth(thresholdText))) + 1
        : 0,
    ),
  );
  // The track fills the remaining width. If this width is too small, the track is placed below the other parts.
  const trackX = GLYPH_WIDTH + 8 + nameWidth + 24;
  const remainingWidth = rightEdge - verdictWidth - 20 - numbersWidth - 22 - trackX;
  const isWide = remainingWidth >= MIN_TRACK_WIDTH;
  const track = isWide ? { x: trackX, width: Math.min(MAX_TRACK_WIDTH, remainingWidth) } : { x: 8, width: width - 16 };
  const numbersX = isWide ? track.x + track.width + 22 : GLYPH_WIDTH + 8;
  const availableNumbersWidth = Math.max(10, (isWide ? rightEdge - verdictWidth - 20 : rightEdge) - numbersX);

  const hasQuestions = fitsHeight(isWide ? 64 : 86);
  const hasTracks = isWide || hasQuestions || fitsHeight(68);
  // The threshold has a separate line unless it fits beside the measured value in every row.
  const needsThresholdLine = rows.some(
    ({ valueText, quantityLabel, thresholdText }) =>
      valueText !== '' &&
      textWidth(`${quantityLabel}, ${thresholdText}`) > availableNumbersWidth - textWidth(valueText, VALUE_SIZE, true) - 8,
  );
  const secondLineHeight = !isWide && needsThresholdLine && fitsHeight(86 + LINE_HEIGHT) ? LINE_HEIGHT : 0;
  const pitch = isWide ? (hasQuestions ? 64 : 46) : hasQuestions ? 86 + secondLineHeight : hasTracks ? 68 : 44;
  const bottom = top + pitch * rows.length;
  const height = hasTracks ? bottom + axisHeight : bottom + 4;
  return {
    width,
    height,
    rightEdge,
    heading,
    top,
    bottom,
    pitch,
    isWide,
    hasQuestions,
    hasTracks,
    track,
    numbersX,
    availableNumbersWidth,
    secondLineHeight,
  };
}

export type VerdictState = 'holds' | 'fails' | 'idle';

export interface VerdictRow {
  readonly name: string;
  readonly question: string;
  readonly state: VerdictState;
  /** 'holds', 'does not hold' or 'does not apply'. */
  readonly verdictText: string;
  /** The measured quantity, such as 'smallest distance', or the reason why nothing was measured. */
  readonly quantityLabel: string;
  /** The measured value as text, such as '1.48'. Empty if nothing was measured. */
  readonly valueText: string;
  /** The threshold as text, such as 'at least 0.0221'. Empty if nothing was measured. */
  readonly thresholdText: string;
  /**
   * Ratio of the measured value to its threshold, inverted if smaller values are better. From 0 (worst) to Infinity
   * (best); undefined if nothing was measured.
   */
  readonly margin: number | undefined;
}

export interface VerdictsSceneSpec {
  readonly rows: readonly VerdictRow[];
  readonly axis: string;
  readonly heading: string;
  readonly title: string;
  readonly description: string;
  readonly trackLabels: readonly [left: string, middle: string, right: string];
  readonly trackNote: string;
  readonly width: number;
  readonly maxHeight?: number | undefined;
}

export function verdictsScene(spec: VerdictsSceneSpec): Scene {
  const { rows, axis } = spec;
  const layout = layoutVerdicts(spec);
  const { width, height, heading, top, pitch } = layout;
  const rowY = (index: number): number => top + index * pitch;
  const getRowIndex = (requirement: number | undefined): number | undefined =>
    requirement !== undefined && requirement >= 0 && requirement < rows.length ? requirement : undefined;
  return {
    picture: {
      width,
      height,
      title: spec.title,
      description: spec.description,
      rasters: [],
      marks: [...heading.marks, ...rows.flatMap((row, index) => rowMarks(row, rowY(index), layout)), ...axisMarks(spec, layout)],
    },
    overlay({ [axis]: requirement }) {
      const index = getRowIndex(requirement);
      if (index === undefined) return [];
      return [{ kind: 'rect', tone: 'cursor', x: 1, y: rowY(index) + 1, width: width - 2, height: pitch - 2, outline: true, stroke: 2 }];
    },
    hit(x, y) {
      const index = Math.floor((y - top) / pitch);
      return x >= 0 && x < width && y >= top && index < rows.length ? { [axis]: index } : undefined;
    },
    step: (cursor, columns, down) => ({ ...cursor, [axis]: stepIndex(getRowIndex(cursor[axis]), down || columns, rows.length) }),
  };
}
