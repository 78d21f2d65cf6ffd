// The text, with each token shaded by its attention weight for the selected query.
import { isIndex } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { strings } from './strings.ts';

export interface SentenceSceneSpec {
  readonly labels: readonly string[];
  readonly token: number;
  /** [tokens]: the attention weights of the selected query. */
  readonly weights: Float32Array;
  readonly title: string;
  readonly width: number;
}

const TEXT_SIZE = 17;
const TOKEN_HEIGHT = 30;
const GAP = 4;
const HEADING_HEIGHT = 26;
/** For long texts, the number of lines shown before and after the line with the selected token. */
const [LINES_BEFORE, LINES_AFTER] = [5, 1];

export function sentenceScene({ labels, token, weights, title, width }: SentenceSceneSpec): Scene {
  let [x, line] = [0, 0];
  const boxes = labels.map((label) => {
    const text = shorten(label, width - 16, TEXT_SIZE);
    const boxWidth = Math.max(22, Math.ceil(textWidth(text, TEXT_SIZE)) + 10);
    if (x > 0 && x + boxWidth > width) [x, line] = [0, line + 1];
    const box = { x, line, width: boxWidth, text };
    x += boxWidth + GAP;
    return box;
  });
  const tokenLine = boxes[token]?.line ?? 0;
  const firstLine = Math.max(0, Math.min(tokenLine - LINES_BEFORE, line - LINES_BEFORE - LINES_AFTER));
  const lastLine = Math.min(line, Math.max(tokenLine + LINES_AFTER, firstLine + LINES_BEFORE + LINES_AFTER));
  const visibleBoxes = boxes
    .map((box, index) => ({ ...box, index, y: HEADING_HEIGHT + (box.line - firstLine) * (TOKEN_HEIGHT + GAP) }))
    .filter((box) => box.line >= firstLine && box.line <= lastLine);
  const maxWeight = weights.reduce((largest, weight) => Math.max(largest, weight), 0) || 1;
  const createOutlines = (index: number | undefined, tone: 'ink' | 'cursor', stroke: number): Mark[] =>
    visibleBoxes
      .filter((box) => box.index === index)
      .map((box) => ({
        kind: 'rect',
        tone,
        outline: true,
        stroke,
        x: box.x + stroke / 2,
        y: box.y + stroke / 2,
        width: box.width - stroke,
        height: TOKEN_HEIGHT - stroke,
      }));
  const bars = visibleBoxes.flatMap((box): Mark[] => {
    const relativeWeight = (weights[box.index] as number) / maxWeight;
    return [
      { kind: 'rect', tone: 'accent', opacity: 0.7 * relativeWeight, x: box.x, y: box.y, width: box.width, height: TOKEN_HEIGHT },
      {
        kind: 'text',
        tone: 'ink',
        size: TEXT_SIZE,
        serif: true,
        anchor: 'middle',
        bold: box.index === token,
        x: box.x + box.width / 2,
        y: box.y + TOKEN_HEIGHT / 2,
        text: box.text,
      },
    ];
  });
  return {
    picture: {
      width,
      height: HEADING_HEIGHT + (lastLine - firstLine + 1) * (TOKEN_HEIGHT + GAP),
      title,
      description: strings.sentenceDescription(labels.length),
      rasters: [],
      marks: [
        { kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(title, width, LABEL_SIZE) },
        ...bars,
        ...createOutlines(token, 'ink', 2),
      ],
    },
    overlay: ({ query, key }) => [
      ...(isIndex(query, labels.length) ? createOutlines(query, 'cursor', 2) : []),
      ...createOutlines(key, 'cursor', 2),
    ],
    hit(px, py) {
      const pointedBox = visibleBoxes.find((box) => px >= box.x && px < box.x + box.width && py >= box.y && py < box.y + TOKEN_HEIGHT);
      return pointedBox && { query: token, key: pointedBox.index };
    },
    step({ key }, right, down) {
      const cursorToken = isIndex(key, labels.length) ? key : undefined;
      if (cursorToken === undefined || down === 0) return { query: token, key: stepIndex(cursorToken, right, labels.length) };
      const { line: currentLine, x: left } = boxes[cursorToken] as (typeof boxes)[number];
      const otherBoxes = boxes
        .map((box, index) => ({ index, distance: Math.abs(box.x - left), line: box.line }))
        .filter((box) => box.line === currentLine + Math.sign(down));
      return { query: token, key: otherBoxes.sort((a, b) => a.distance - b.distance)[0]?.index ?? cursorToken };
    },
  };
}
