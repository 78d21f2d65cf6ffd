// A heatmap of attention weights with a word below each column. Below each word, a draggable line shows its gate, from 0 to 1.

import { entryAt } from '../../../charts/entry-at.ts';
import type { Grid } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Box, Frame, Mark } from '../../../charts/picture.ts';
import { type Cursor, type DragHandle, type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten } from '../../../charts/text-metrics.ts';
import { findCommonGate } from './compute.ts';
import { type METHOD_STRINGS, strings } from './strings.ts';

export interface GatesSpec extends Frame {
  readonly words: readonly string[];
  /** Attention weights; NaN where the key comes after the query. */
  readonly grid: Grid;
  /** Gates by position, 0 to 1. */
  readonly gates: readonly number[];
  readonly methodStrings: (typeof METHOD_STRINGS)[keyof typeof METHOD_STRINGS];
}

/** Height of a gate's track if the figure's height is not limited, CSS px. */
const TRACK_HEIGHT = 88;
const LOW_TRACK_HEIGHT = 52;
const LINE_HEIGHT = 20;
const NUMBER_OFFSET = 20;
const TRACK_MARGIN = 26;
/** Height of the draggable areas above and below a gate's track, CSS px. */
const GRIP_MARGIN = 10;
const KEY_STEP = 0.05;

export function gatesScene({ words: labels, grid, gates, methodStrings, ...frame }: GatesSpec): Scene {
  const count = gates.length;
  const trackHeight = (frame.maxHeight ?? Number.POSITIVE_INFINITY) < 400 ? LOW_TRACK_HEIGHT : TRACK_HEIGHT;
  const matrix = matrixScene({
    ...frame,
    // Without a height limit, the cells are as large as in figures that show only weights.
    maxHeight: frame.maxHeight ?? 480 + trackHeight + TRACK_MARGIN + LINE_HEIGHT,
    grid,
    scale: 'sequential',
    range: [0, 1],
    title: methodStrings.question,
    quantity: strings.quantity,
    rowAxis: 'query',
    columnAxis: 'key',
    rowLabels: labels,
    columnLabels: labels,
    rowTitle: strings.query,
    columnTitle: strings.key,
    spaceBelow: trackHeight + TRACK_MARGIN + LINE_HEIGHT,
  });
  const { layout, picture } = matrix;
  const { plot, cellWidth, cellHeight } = layout;
  const trackBox = layout.below as Box;
  const [top, bottom] = [trackBox.y + TRACK_MARGIN, trackBox.y + TRACK_MARGIN + trackHeight];
  const yOfGate = (gate: number): number => bottom - gate * trackHeight;
  const xOfPosition = (position: number): number => plot.x + (position + 0.5) * cellWidth;
  const gateWidth = Math.max(1, Math.min(44, cellWidth * 0.7));
  const getCursorGate = ({ gate }: Cursor): number | undefined =>
    gate !== undefined && Number.isInteger(gate) && gate >= 0 && gate < count ? gate : undefined;

  const gateTexts = gates.map((gate) => formatNumber(gate, { digits: 2, short: true }));
  const hasNumbers = maxTextWidth(gateTexts, LABEL_SIZE, true) + 6 <= cellWidth;
  function createGateMarks(gate: number, tone: 'accent' | 'muted' | 'cursor'): Mark[] {
    const [x, y] = [xOfPosition(gate), yOfGate(entryAt(gates, gate))];
    const line: Mark = { kind: 'line', tone, x1: x - gateWidth / 2, y1: y, x2: x + gateWidth / 2, y2: y, stroke: gateWidth < 6 ? 2 : 4 };
    if (!hasNumbers) return [line];
    return [
      line,
      { kind: 'text', tone: tone === 'accent' ? 'ink' : tone, x, y: y - NUMBER_OFFSET, text: gateTexts[gate] as string, anchor: 'middle' },
    ];
  }
  const createBarMark = (gate: number): Mark => {
    const y = yOfGate(entryAt(gates, gate));
    return {
      kind: 'rect',
      tone: 'accent',
      opacity: gate === 0 ? 0.06 : 0.2,
      x: xOfPosition(gate) - gateWidth / 2,
      y,
      width: gateWidth,
      height: bottom - y,
    };
  };
  const createRule = (y: number): Mark => ({ kind: 'line', tone: 'hairline', x1: plot.x, y1: y, x2: plot.x + plot.width, y2: y });
  const createEdgeLabel = (text: string, y: number): Mark => ({ kind: 'text', tone: 'muted', x: plot.x - 6, y, text, anchor: 'end' });
  const commonGate = findCommonGate(gates);
  const equalGatesNote = commonGate === undefined ? '' : methodStrings.equalGatesNote(commonGate);
  const gateNames = gates.map((_, gate) => strings.gateOfWord(labels[gate] as string, gateTexts[gate] as string));
  const marks: Mark[] = [
    createRule(top),
    createRule(bottom),
    createEdgeLabel('1', top),
    createEdgeLabel(strings.gate, (top + bottom) / 2),
    createEdgeLabel('0', bottom),
    ...gates.map((_, gate) => createBarMark(gate)),
    // The gate of the first word has no effect.
    ...gates.flatMap((_, gate) => createGateMarks(gate, gate === 0 ? 'muted' : 'accent')),
    ...(equalGatesNote
      ? [{ kind: 'text', tone: 'ink', x: plot.x, y: bottom + 15, text: shorten(equalGatesNote, frame.width - plot.x) } as const]
      : []),
  ];

  /** Outlines the weights that a gate affects: queries from its word on, and keys before its word. */
  function createAffectedMarks(gate: number): Mark[] {
    if (gate === 0) return [];
    const box = { x: plot.x, y: plot.y + gate * cellHeight, width: gate * cellWidth, height: (count - gate) * cellHeight };
    return [
      { kind: 'rect', tone: 'halo', key: 'acted-halo', ...box, outline: true, stroke: 5 },
      { kind: 'rect', tone: 'cursor', key: 'acted', ...box, outline: true, stroke: 2.5 },
    ];
  }

  return {
    picture: {
      ...picture,
      description: `${picture.description} ${strings.gatesDescription(gateNames.join(', '))}${equalGatesNote ? ` ${equalGatesNote}.` : ''}`,
      marks: [...picture.marks, ...marks],
    },
    overlay(cursor) {
      const pointedGate = getCursorGate(cursor);
      if (pointedGate !== undefined) {
        // Keeps only the word's bold column label, the one mark without a key. Omits the column's outline.
        const label = matrix.overlay({ key: pointedGate }).filter(({ key }) => key === undefined);
        return [...label, ...createAffectedMarks(pointedGate), ...createGateMarks(pointedGate, 'cursor')];
      }
      const { query, key } = cursor;
      const gatesBetween =
        query === undefined || key === undefined ? [] : gates.map((_, index) => index).filter((gate) => gate > key && gate <= query);
      return [...matrix.overlay(cursor), ...gatesBetween.flatMap((gate) => createGateMarks(gate, 'cursor'))];
    },
    hit(x, y) {
      const pointedWord = Math.floor((x - plot.x) / cellWidth);
      if (y >= top - GRIP_MARGIN && y <= bottom + GRIP_MARGIN && pointedWord >= 0 && pointedWord < count) return { gate: pointedWord };
      return matrix.hit(x, y);
    },
    step(cursor, right, down) {
      const pointedGate = getCursorGate(cursor);
      const { gate: _, ...otherAxes } = cursor;
      const { query, key } = otherAxes;
      // The cursor starts at the first gate that has an effect. Arrow up moves from the gates to the weights.
      if (pointedGate === undefined && query === undefined && key === undefined) return { gate: Math.min(1, count - 1) };
      if (pointedGate !== undefined)
        return down < 0 ? { ...otherAxes, query: count - 1, key: pointedGate } : { gate: stepIndex(pointedGate, right, count) };
      if (down > 0 && query === count - 1 && key !== undefined) return { gate: Math.max(0, Math.min(count - 1, key)) };
      return matrix.step(otherAxes, right, down);
    },
    dragHandle(cursor): DragHandle | undefined {
      const pointedGate = getCursorGate(cursor);
      if (pointedGate === undefined) return undefined;
      return {
        x: xOfPosition(pointedGate),
        y: yOfGate(entryAt(gates, pointedGate)),
        value: entryAt(gates, pointedGate),
        valueAt: (y) => Math.max(0, Math.min(1, (bottom - y) / trackHeight)),
        step: KEY_STEP,
        range: [0, 1],
        limits: [0, 1],
      };
    },
  };
}
