// Draws one square per head, in rows by layer or sorted by value. Rows are wrapped if they do not fit at the minimum
// square size.

import { type ColorScale, chooseReadableInk, colorIndex, paint } from '../../../charts/color.ts';
import { isIndex } from '../../../charts/entry-at.ts';
import { colorBar } from '../../../charts/heatmap/color-bar.ts';
import type { Box, Mark, Theme } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { strings } from './strings.ts';

export interface BoardSceneSpec {
  readonly data: Float32Array;
  readonly layers: number;
  readonly heads: number;
  /** Indices of all heads in descending order of value. Undefined if the rows are layers. */
  readonly rankedHeads: readonly number[] | undefined;
  readonly scale: ColorScale;
  readonly chosenHead: number;
  readonly title: string;
  readonly width: number;
  readonly theme: Theme;
}

/** Minimum and maximum side of a square plus the gap, px. The minimum is large enough to touch. */
const [MIN_PITCH, MAX_PITCH] = [26, 44];
const GAP = 2;
const HEADING_HEIGHT = 24;
const HEAD_LABEL_HEIGHT = 18;
const COLOR_BAR_HEIGHT = 44;
const FONT_SIZE = 11;

type LayerLabel = (layer: number) => string;
const shortLayerLabel: LayerLabel = (layer) => String(layer + 1);

export function boardScene({ data, layers, heads, rankedHeads, scale, chosenHead, title, width, theme }: BoardSceneSpec): Scene {
  const measureLabelWidth = (label: LayerLabel): number => Math.ceil(textWidth(label(layers - 1))) + 8;
  const countLines = (label: LayerLabel): number =>
    Math.ceil(heads / Math.max(1, Math.floor((width - measureLabelWidth(label) - 2) / MIN_PITCH)));
  // Omits the word “layer” from row labels if this reduces the number of lines per layer.
  const formatLayerLabel = countLines(shortLayerLabel) < countLines(strings.layerLabel) ? shortLayerLabel : strings.layerLabel;
  const left = rankedHeads ? 0 : measureLabelWidth(formatLayerLabel);
  const availableWidth = width - left - 2;
  const idealColumns = rankedHeads ? Math.ceil(Math.sqrt(data.length * 2)) : heads;
  const maxColumns = Math.max(1, Math.min(idealColumns, Math.floor(availableWidth / MIN_PITCH)));
  const linesPerLayer = Math.ceil(heads / maxColumns);
  // Wraps a layer's heads into lines of nearly equal length.
  const columns = rankedHeads ? maxColumns : Math.ceil(heads / linesPerLayer);
  const pitch = Math.min(MAX_PITCH, Math.floor(availableWidth / maxColumns));
  const top = HEADING_HEIGHT + (rankedHeads ? 0 : HEAD_LABEL_HEIGHT);
  const side = pitch - GAP;
  const order = rankedHeads ?? Array.from(data.keys());
  const squareByHead = new Map<number, number>(order.map((head, square) => [head, square]));
  const getSquareBox = (head: number): Box => {
    const square = squareByHead.get(head) as number;
    const row = rankedHeads
      ? Math.floor(square / columns)
      : Math.floor(head / heads) * linesPerLayer + Math.floor((head % heads) / columns);
    const column = rankedHeads ? square % columns : (head % heads) % columns;
    return { x: left + column * pitch + 1, y: top + row * pitch + 1, width: side, height: side };
  };
  const rowCount = rankedHeads ? Math.ceil(data.length / columns) : layers * linesPerLayer;
  const createOutline = ({ x, y }: Box, tone: 'accent' | 'cursor' | 'halo', stroke: number): Mark => ({
    kind: 'rect',
    tone,
    x: x - stroke / 2,
    y: y - stroke / 2,
    width: side + stroke,
    height: side + stroke,
    outline: true,
    stroke,
  });
  const legendBar = colorBar({
    scale,
    theme,
    x: left + 1,
    y: top + rowCount * pitch + 12,
    width: Math.min(220, Math.max(96, availableWidth * 0.6)),
    caption: '',
    isHighlighted: false,
  });
  const hasNames = rankedHeads !== undefined && textWidth('10.10', FONT_SIZE) <= side;
  const headNames = order.flatMap((head): Mark[] => {
    if (!hasNames) return [];
    const { x, y } = getSquareBox(head);
    const colorOffset = 3 * colorIndex(scale, data[head] as number);
    const text = strings.shortHeadName(Math.floor(head / heads), head % heads);
    const color = chooseReadableInk(scale.table.subarray(colorOffset, colorOffset + 3));
    return [{ kind: 'text', tone: 'ink', color, size: FONT_SIZE, anchor: 'middle', x: x + side / 2, y: y + side / 2, text }];
  });
  const labels: Mark[] = rankedHeads
    ? []
    : [
        ...Array.from(
          { length: columns },
          (_, head): Mark => ({
            kind: 'text',
            tone: 'muted',
            anchor: 'middle',
            x: left + head * pitch + pitch / 2,
            y: HEADING_HEIGHT + HEAD_LABEL_HEIGHT / 2,
            text: linesPerLayer > 1 ? '' : strings.headLabel(head),
          }),
        ),
        ...Array.from(
          { length: layers },
          (_, layer): Mark => ({
            kind: 'text',
            tone: 'muted',
            anchor: 'end',
            x: left - 6,
            y: top + layer * linesPerLayer * pitch + pitch / 2,
            text: formatLayerLabel(layer),
          }),
        ),
      ];
  return {
    picture: {
      width,
      height: top + rowCount * pitch + COLOR_BAR_HEIGHT,
      title,
      description: strings.boardDescription(data.length, layers),
      rasters: [
        ...order.map((head) => ({
          key: `square-${head}`,
          ...getSquareBox(head),
          columns: 1,
          rows: 1,
          rgba: paint({ rows: 1, columns: 1, data: data.subarray(head, head + 1) }, scale, theme),
        })),
        ...legendBar.rasters,
      ],
      marks: [
        { kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(title, width, LABEL_SIZE) },
        ...labels.filter((mark) => mark.kind !== 'text' || mark.text !== ''),
        ...headNames,
        createOutline(getSquareBox(chosenHead), 'accent', 2.5),
        ...legendBar.marks.filter((mark) => mark.kind !== 'text' || mark.text !== ''),
      ],
    },
    overlay({ head }) {
      return isIndex(head, data.length)
        ? [createOutline(getSquareBox(head), 'halo', 4), createOutline(getSquareBox(head), 'cursor', 2.5)]
        : [];
    },
    hit(x, y) {
      const head = order.find((head) => {
        const box = getSquareBox(head);
        return x >= box.x - 1 && x < box.x + side + 1 && y >= box.y - 1 && y < box.y + side + 1;
      });
      return head === undefined ? undefined : { head };
    },
    step(cursor, right, down) {
      const square = isIndex(cursor.head, data.length) ? (squareByHead.get(cursor.head) as number) : undefined;
      return { head: order[stepIndex(square, right + down * (rankedHeads ? columns : heads), data.length)] as number };
    },
  };
}
