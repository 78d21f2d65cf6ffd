// Draws the rows with their tracks, and labels below the tracks.
import { logScale } from '../../../charts/curve/axis-scale.ts';
import type { Mark, Tone } from '../../../charts/picture.ts';
import { LABEL_SIZE, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import {
  GLYPH_WIDTH,
  LINE_HEIGHT,
  NAME_SIZE,
  QUESTION_SIZE,
  VALUE_SIZE,
  type VerdictRow,
  type VerdictState,
  type VerdictsLayout,
  type VerdictsSceneSpec,
} from './verdicts-scene.ts';

const TICK_EXPONENTS = [-3, -2, -1, 0, 1, 2, 3];
const VERDICT_TONES: { readonly [Each in VerdictState]: Tone } = { holds: 'accent', fails: 'series-2', idle: 'muted' };

function verdictGlyph(verdictState: VerdictState, x: number, y: number): Mark {
  const by = { x, y: y - 6 };
  if (verdictState === 'holds') return { kind: 'path', tone: 'accent', d: 'M1,7L5,11L13,1', stroke: 2.5, by };
  if (verdictState === 'fails') return { kind: 'path', tone: 'series-2', d: 'M7,1L13.5,12L0.5,12Z', stroke: 2, by };
  return { kind: 'path', tone: 'muted', d: 'M2,6L12,6', stroke: 2.5, by };
}

function trackMarks({ state, margin }: VerdictRow, x: number, y: number, width: number): Mark[] {
  const xScale = logScale([1e-3, 1e3], [x, x + width]).clamped();
  const trackLines: Mark[] = [
    { kind: 'line', tone: 'hairline', x1: x, y1: y, x2: x + width, y2: y },
    ...TICK_EXPONENTS.map((power): Mark => {
      const tickX = xScale(10 ** power);
      const tickHeight = power === 0 ? 9 : 3;
      return { kind: 'line', tone: power === 0 ? 'muted' : 'hairline', x1: tickX, y1: y - tickHeight, x2: tickX, y2: y + tickHeight };
    }),
  ];
  if (margin === undefined) return trackLines;
  const tone = VERDICT_TONES[state];
  const barEndX = xScale(Math.max(1e-9, Math.min(1e9, margin)));
  const overflowDirection = margin > 1e3 ? 1 : margin < 1e-3 ? -1 : 0;
  return [
    ...trackLines,
    { kind: 'line', tone, x1: xScale(1), y1: y, x2: barEndX, y2: y, stroke: 4 },
    // Values within the track are drawn as dots, hollow if the requirement fails; values outside it as arrows.
    ...(overflowDirection !== 0
      ? [
          {
            kind: 'path',
            tone,
            fill: true,
            d: `M0,-6L${8 * overflowDirection},0L0,6Z`,
            by: { x: barEndX - 8 * overflowDirection, y },
          } as const,
        ]
      : state === 'fails'
        ? ([
            { kind: 'circle', tone: 'halo', cx: barEndX, cy: y, r: 5 },
            { kind: 'circle', tone, cx: barEndX, cy: y, r: 4.5, outline: true, stroke: 2 },
          ] as const)
        : [{ kind: 'circle', tone, cx: barEndX, cy: y, r: 5 } as const]),
  ];
}

const moveText = (mark: Mark, x: number, y: number): Mark => (mark.kind === 'text' ? { ...mark, x: mark.x + x, y: mark.y + y } : mark);

/** Draws the measured value with its quantity and threshold, or the reason why nothing was measured. */
function numberMarks({ quantityLabel, valueText, thresholdText }: VerdictRow, y: number, layout: VerdictsLayout): Mark[] {
  const { isWide, rightEdge, numbersX, availableNumbersWidth, secondLineHeight } = layout;
  if (!valueText) {
    const reasonText = wrapText([quantityLabel], availableNumbersWidth, LABEL_SIZE, 'muted');
    return reasonText.marks.slice(0, 2).map((mark) => moveText(mark, numbersX, y - (reasonText.marks.length > 1 ? 16 : 8)));
  }
  const valueWidth = textWidth(valueText, VALUE_SIZE, true);
  if (!isWide) {
    const x = numbersX + valueWidth + 8;
    const availableWidth = rightEdge - x;
    const measuredText = shorten(quantityLabel, secondLineHeight ? availableWidth : availableWidth - textWidth(`, ${thresholdText}`));
    return [
      { kind: 'text', tone: 'ink', bold: true, size: VALUE_SIZE, x: numbersX, y, text: valueText },
      { kind: 'text', tone: 'muted', x, y, text: secondLineHeight ? measuredText : `${measuredText}, ${thresholdText}` },
      ...(secondLineHeight ? [{ kind: 'text', tone: 'muted', x, y: y + LINE_HEIGHT, text: thresholdText } as const] : []),
    ];
  }
  return [
    { kind: 'text', tone: 'ink', bold: true, size: VALUE_SIZE, x: numbersX, y: y - 9, text: valueText },
    {
      kind: 'text',
      tone: 'muted',
      x: numbersX + valueWidth + 8,
      y: y - 9,
      text: shorten(quantityLabel, availableNumbersWidth - valueWidth - 8),
    },
    { kind: 'text', tone: 'muted', x: numbersX, y: y + 9, text: shorten(thresholdText, availableNumbersWidth) },
  ];
}

const nameMarks = ({ state, name }: VerdictRow, y: number): Mark[] => [
  verdictGlyph(state, 8, y),
  { kind: 'text', tone: 'ink', bold: true, size: NAME_SIZE, x: GLYPH_WIDTH + 8, y, text: name },
];
const verdictMark = ({ state, verdictText }: VerdictRow, x: number, y: number): Mark => ({
  kind: 'text',
  tone: state === 'idle' ? 'muted' : 'ink',
  bold: true,
  size: VALUE_SIZE,
  x,
  y,
  text: verdictText,
  anchor: 'end',
});
const questionMark = ({ question }: VerdictRow, y: number, maxWidth: number): Mark => ({
  kind: 'text',
  tone: 'muted',
  size: QUESTION_SIZE,
  x: GLYPH_WIDTH + 8,
  y,
  text: shorten(question, maxWidth, QUESTION_SIZE),
});

export function rowMarks(row: VerdictRow, y: number, layout: VerdictsLayout): Mark[] {
  const { width, rightEdge, pitch, isWide, hasQuestions, hasTracks, track, secondLineHeight } = layout;
  const middleY = y + pitch / 2;
  const separator: Mark = { kind: 'line', tone: 'hairline', x1: 0, y1: y, x2: width, y2: y };
  if (isWide) {
    return [
      separator,
      ...nameMarks(row, hasQuestions ? middleY - 10 : middleY),
      ...(hasQuestions ? [questionMark(row, middleY + 10, track.x - GLYPH_WIDTH - 24)] : []),
      ...trackMarks(row, track.x, middleY, track.width),
      ...numberMarks(row, middleY, layout),
      verdictMark(row, rightEdge, middleY),
    ];
  }
  const questionHeight = hasQuestions ? 17 : 0;
  return [
    separator,
    ...nameMarks(row, y + 15),
    verdictMark(row, rightEdge, y + 15),
    ...(hasQuestions ? [questionMark(row, y + 33, rightEdge - GLYPH_WIDTH - 8)] : []),
    ...numberMarks(row, y + 33 + questionHeight, layout),
    ...(hasTracks ? trackMarks(row, track.x, y + 53 + questionHeight + secondLineHeight, track.width) : []),
  ];
}

export function axisMarks({ trackLabels: [worse, middle, better], trackNote }: VerdictsSceneSpec, layout: VerdictsLayout): Mark[] {
  const { hasTracks, bottom, width, track } = layout;
  if (!hasTracks) return [];
  return [
    { kind: 'line', tone: 'hairline', x1: 0, y1: bottom, x2: width, y2: bottom },
    { kind: 'text', tone: 'muted', x: track.x, y: bottom + 14, text: `← ${worse}` },
    { kind: 'text', tone: 'muted', x: track.x + track.width / 2, y: bottom + 14, text: middle, anchor: 'middle' },
    { kind: 'text', tone: 'muted', x: track.x + track.width, y: bottom + 14, text: `${better} →`, anchor: 'end' },
    { kind: 'text', tone: 'muted', x: track.x + track.width / 2, y: bottom + 31, text: trackNote, anchor: 'middle' },
  ];
}
