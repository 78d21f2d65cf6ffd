// Draws the line of positions. The query is above the line and the key below it, so that they can pass each other. A
// bar between them moves both.
import { selectLabelIndices } from '../../../charts/heatmap/labels.ts';
import type { Box, Mark } from '../../../charts/picture.ts';
import { textWidth } from '../../../charts/text-metrics.ts';
import { roundedPath } from './arcs.ts';
import { HAND_TONES } from './dial.ts';
import { getPositionX, type LineLayout, TILE_GAP } from './layout.ts';

export interface LineSpec {
  readonly query: number;
  readonly key: number;
  readonly labels: { readonly query: string; readonly key: string };
  readonly previousPositions: { readonly query: number; readonly key: number } | undefined;
  /** The distance as text, such as '3 apart', and a shorter version. */
  readonly distanceTexts: readonly [string, string];
}

const FONT_SIZE = 15;
/** If the handle has moved by at least this number of positions, an empty tile marks its previous position. */
const MIN_MARKED_POSITIONS = 0.3;

export function tileBox(line: LineLayout, name: 'query' | 'key', position: number): Box {
  const { width, height } = line.tile;
  const tileOffset = line.barHeight / 2 + TILE_GAP;
  return {
    x: getPositionX(line, position) - width / 2,
    y: name === 'query' ? line.y - tileOffset - height : line.y + tileOffset,
    width,
    height,
  };
}

export function barBox(line: LineLayout, query: number, key: number): Box {
  const [a, b] = [getPositionX(line, query), getPositionX(line, key)];
  const left = Math.min(a, b) - line.barHeight / 2;
  return { x: left, y: line.y - line.barHeight / 2, width: Math.abs(a - b) + line.barHeight, height: line.barHeight };
}

function tileMarks(line: LineLayout, name: 'query' | 'key', position: number, label: string): Mark[] {
  const { x, y, width, height } = tileBox(line, name, position);
  const tone = HAND_TONES[name];
  const { size } = line.tile;
  const letter = name === 'query' ? 'q' : 'k';
  const contentWidth = textWidth(letter, size, true) + 8 + textWidth(label, size);
  const left = x + (width - contentWidth) / 2;
  const middleX = x + width / 2;
  const [from, to] = name === 'query' ? [y + height, line.y - line.barHeight / 2] : [line.y + line.barHeight / 2, y];
  return [
    { kind: 'path', tone: 'halo', fill: true, d: roundedPath(x, y, width, height, 8) },
    { kind: 'path', tone, stroke: 2, d: roundedPath(x, y, width, height, 8) },
    { kind: 'line', tone, stroke: 2, x1: middleX, x2: middleX, y1: from, y2: to },
    { kind: 'text', tone, bold: true, serif: true, size, x: left, y: y + height / 2, text: letter },
    { kind: 'text', tone: 'ink', serif: true, size, x: left + contentWidth, y: y + height / 2, text: label, anchor: 'end' },
  ];
}

/** A double arrow. */
function arrowMark(x: number, y: number): Mark {
  return {
    kind: 'path',
    tone: 'halo',
    stroke: 1.8,
    d: `M${x - 6.5} ${y}H${x + 6.5}M${x - 3.5} ${y - 3}L${x - 6.5} ${y}L${x - 3.5} ${y + 3}M${x + 3.5} ${y - 3}L${x + 6.5} ${y}L${x + 3.5} ${y + 3}`,
  };
}

function barMarks(box: Box, distanceLabels: LineSpec['distanceTexts']): Mark[] {
  const { x, y, width, height } = box;
  const middleY = y + height / 2;
  const text = distanceLabels.find((distanceLabel) => textWidth(distanceLabel, 15, true) + 46 <= width);
  const contentWidth = text === undefined ? 13 : 13 + 8 + textWidth(text, 15, true);
  const left = x + (width - contentWidth) / 2;
  return [
    { kind: 'path', tone: 'ink', fill: true, d: roundedPath(x, y, width, height, height / 2) },
    arrowMark(left + 6.5, middleY),
    ...(text === undefined ? [] : ([{ kind: 'text', tone: 'halo', bold: true, size: 15, x: left + 21, y: middleY, text }] as const)),
  ];
}

export function lineMarks(line: LineLayout, { query, key, labels, previousPositions, distanceTexts }: LineSpec): Mark[] {
  const { pitch, startPosition, positionCount, y } = line;
  const box = barBox(line, query, key);
  const positionTexts = Array.from({ length: positionCount }, (_, index) => String(startPosition + index).replace('-', '−'));
  const labelSpacing = Math.max(...positionTexts.map((text) => textWidth(text, FONT_SIZE))) + 10;
  const marks: Mark[] = [{ kind: 'line', tone: 'hairline', x1: line.left, x2: line.left + line.width, y1: y, y2: y }];
  for (const labelIndex of selectLabelIndices({ count: positionCount, pitch, minDistance: labelSpacing })) {
    const text = positionTexts[labelIndex] as string;
    const labelX = getPositionX(line, startPosition + labelIndex);
    const halfWidth = textWidth(text, FONT_SIZE) / 2;
    if (labelX + halfWidth > box.x - 4 && labelX - halfWidth < box.x + box.width + 4) continue;
    marks.push({ kind: 'rect', tone: 'halo', x: labelX - halfWidth - 5, y: y - 9, width: 2 * halfWidth + 10, height: 18 });
    marks.push({ kind: 'text', tone: 'muted', size: FONT_SIZE, x: labelX, y, text, anchor: 'middle' });
  }
  for (const name of ['query', 'key'] as const) {
    const [previousPosition, currentPosition] = [previousPositions?.[name], name === 'query' ? query : key];
    if (previousPosition === undefined || Math.abs(previousPosition - currentPosition) < MIN_MARKED_POSITIONS) continue;
    const { x, y: top, width, height } = tileBox(line, name, previousPosition);
    marks.push({ kind: 'path', tone: HAND_TONES[name], opacity: 0.6, dashed: true, stroke: 1.5, d: roundedPath(x, top, width, height, 8) });
  }
  return [
    ...marks,
    ...tileMarks(line, 'query', query, labels.query),
    ...tileMarks(line, 'key', key, labels.key),
    ...barMarks(box, distanceTexts),
  ];
}
