// Draws the score at every distance, with a dot at the current distance. The dot stays in place when both positions
// move by the same amount.

import { translateMark } from '../../../charts/compose.ts';
import { linePath } from '../../../charts/curve/line-path.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import type { Box, Mark } from '../../../charts/picture.ts';
import { shorten, textWidth } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import type { ScoreCurve } from '../../compute/rotation.ts';
import type { RotationLayout } from './layout.ts';

export interface CurveSpec {
  readonly curve: ScoreCurve;
  readonly pair: number;
  /** The x value of the dot: the distance, or the position of the query. */
  readonly dotPosition: number;
  readonly score: number;
  /** Whether the curve was computed for a different position of the key. */
  readonly isForOtherKey: boolean;
  readonly caption: string;
  /** 'distance 3' */
  readonly label: string;
  readonly endLabels: readonly [string, string];
}

const FONT_SIZE = 15;
const [HEAD_HEIGHT, FOOT_HEIGHT, DOT_RADIUS, INSET] = [20, 22, 8, 9];

export function curveMarks(
  { x, y, width, height }: Box,
  { curve, pair, dotPosition, score, isForOtherKey, caption, label, endLabels }: CurveSpec,
): Mark[] {
  const count = curve.xValues.length;
  const values = curve.scores.data.subarray(pair * count, (pair + 1) * count);
  const { min, max } = extent(values);
  const maxAbsScore = Math.max(Math.abs(min), Math.abs(max)) || 1;
  const [first, last] = [entryAt(curve.xValues, 0), entryAt(curve.xValues, count - 1)];
  const [top, bottom] = [y + HEAD_HEIGHT + DOT_RADIUS, y + height - FOOT_HEIGHT - DOT_RADIUS / 2];
  const scaleX = (position: number): number => x + INSET + ((position - first) / (last - first || 1)) * (width - 2 * INSET);
  const scaleY = (value: number): number => (top + bottom) / 2 - (value / maxAbsScore) * ((bottom - top) / 2);
  const isVisible = dotPosition >= first && dotPosition <= last;
  const [dotX, dotY] = [scaleX(dotPosition), scaleY(Math.max(-maxAbsScore, Math.min(maxAbsScore, score)))];
  const halfWidth = textWidth(label, FONT_SIZE, true) / 2;
  const labelX = Math.max(x + halfWidth, Math.min(x + width - halfWidth, dotX));
  const marks: Mark[] = [
    { kind: 'text', tone: 'muted', size: FONT_SIZE, x, y: y + 7, text: caption },
    { kind: 'line', tone: 'hairline', x1: x, x2: x + width, y1: scaleY(0), y2: scaleY(0) },
  ];
  if (!isForOtherKey) {
    const points = Array.from(values, (value, index) => ({ x: scaleX(entryAt(curve.xValues, index)), y: scaleY(value) }));
    if (curve.isContinuous) marks.push({ kind: 'path', tone: 'muted', stroke: 1.6, d: linePath(points) });
    // Integer positions have dots if the dots are far enough apart.
    const positionSpacing = (width - 2 * INSET) / (last - first || 1);
    if (positionSpacing >= 7 || !curve.isContinuous)
      points.forEach((point, index) => {
        if (Number.isInteger(curve.xValues[index])) marks.push({ kind: 'circle', tone: 'muted', cx: point.x, cy: point.y, r: 2.4 });
      });
  }
  if (isVisible) {
    marks.push(
      { kind: 'line', tone: 'ink', dashed: true, x1: dotX, x2: dotX, y1: dotY, y2: y + height - FOOT_HEIGHT + 3 },
      { kind: 'circle', tone: 'wedge', cx: dotX, cy: dotY, r: DOT_RADIUS },
      { kind: 'circle', tone: 'ink', cx: dotX, cy: dotY, r: DOT_RADIUS, outline: true, stroke: 2 },
    );
  }
  marks.push({
    kind: 'text',
    tone: 'ink',
    bold: true,
    size: FONT_SIZE,
    x: isVisible ? labelX : x + width / 2,
    y: y + height - 8,
    text: label,
    anchor: 'middle',
  });
  const getLabelSpace = (text: string): number => textWidth(text, FONT_SIZE) + 14;
  if (!isVisible || labelX - halfWidth > x + getLabelSpace(endLabels[0]))
    marks.push({ kind: 'text', tone: 'muted', size: FONT_SIZE, x, y: y + height - 8, text: endLabels[0] });
  if (!isVisible || labelX + halfWidth < x + width - getLabelSpace(endLabels[1]))
    marks.push({ kind: 'text', tone: 'muted', size: FONT_SIZE, x: x + width, y: y + height - 8, text: endLabels[1], anchor: 'end' });
  return marks;
}

/** A score in large digits, with a sentence that compares it to the previous score. */
export interface ScoreSpec {
  readonly label: string;
  readonly score: string;
  /** Whether the score is the same as before the movement. Undefined before any movement. */
  readonly isSame: boolean | undefined;
  /** For example, 'Same score. Both rotated by 54°.' */
  readonly sentence: string;
}

/** Actual width of digits, relative to the estimate by textWidth. */
const DIGIT_WIDTH_RATIO = 0.92;

export function scoreMarks({ score: scoreLayout }: RotationLayout, { label, score, isSame, sentence }: ScoreSpec): Mark[] {
  const { x, y, width, sentenceSize } = scoreLayout;
  const size = Math.min(
    scoreLayout.scoreSize,
    (scoreLayout.scoreSize * width) / (textWidth(score, scoreLayout.scoreSize) * DIGIT_WIDTH_RATIO),
  );
  const { x: left, y: top, width: sentenceWidth, isStacked } = scoreLayout.sentence;
  const lineHeight = Math.round(sentenceSize * 1.45);
  const signMark = (text: string, tone: Mark['tone']): Mark => ({
    ...{ kind: 'text', tone, bold: true, size: sentenceSize * 1.3 },
    ...{ x: left, y: top + lineHeight / 2, text },
  });
  const signMarks = isSame === undefined ? [] : isSame ? [signMark('=', 'accent')] : [signMark('≠', 'changed')];
  const indent = signMarks.length > 0 ? sentenceSize * 1.45 : 0;
  const shownSentence = isStacked ? sentence : shorten(sentence, sentenceWidth - indent, sentenceSize);
  const lines = wrapText([shownSentence], sentenceWidth - indent, sentenceSize, isSame === undefined ? 'muted' : 'ink').marks;
  return [
    {
      ...{ kind: 'text', tone: 'muted', serif: true, size: scoreLayout.labelSize },
      ...{ x, y: y + scoreLayout.labelSize * 0.7, text: shorten(label, Math.max(width, sentenceWidth), scoreLayout.labelSize) },
    },
    {
      ...{ kind: 'text', tone: 'ink', bold: true, serif: true, size },
      ...{ x, y: y + scoreLayout.labelSize * 1.4 + scoreLayout.scoreSize * 0.645, text: score },
    },
    ...signMarks,
    ...lines.map((mark) => ({ ...translateMark(mark, left + indent, top), serif: true }) as Mark),
  ];
}
