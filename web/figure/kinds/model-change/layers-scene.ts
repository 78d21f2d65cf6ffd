// A bar chart of how much the loss increases when positions are removed from one layer at a time.
import { isIndex } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { strings } from './strings.ts';

export interface LayersSceneSpec {
  /** [layers]: increase in the loss when positions are removed from this layer only. */
  readonly layerCosts: readonly number[];
  readonly totalCost: number;
  readonly chosenLayer: number | undefined;
  readonly width: number;
  readonly height: number;
}

const HEADING_HEIGHT = 26;
const [MIN_ROW_HEIGHT, MAX_ROW_HEIGHT] = [15, 36];

export function layersScene({ layerCosts, totalCost, chosenLayer, width, height }: LayersSceneSpec): Scene {
  const rows = [totalCost, ...layerCosts];
  const labels = [strings.allLayers, ...layerCosts.map((_, layer) => strings.layerLabel(layer))];
  const pitch = Math.max(MIN_ROW_HEIGHT, Math.min(MAX_ROW_HEIGHT, (height - HEADING_HEIGHT) / rows.length));
  const left = Math.ceil(maxTextWidth(labels)) + 10;
  const finiteCosts = rows.filter(Number.isFinite);
  const [minCost, maxCost] = [Math.min(0, ...finiteCosts), Math.max(0.01, ...finiteCosts)];
  const costText = (cost: number): string => (Number.isFinite(cost) ? strings.formatSigned(cost) : '');
  const rightMargin = Math.ceil(maxTextWidth(rows.map(costText))) + 8;
  const scale = Math.max(10, width - left - rightMargin) / (maxCost - minCost);
  const zeroX = left - minCost * scale;
  const middleY = (row: number): number => HEADING_HEIGHT + (row + 0.5) * pitch;
  const barSpan = (row: number): { readonly x: number; readonly width: number } => {
    const cost = rows[row] as number;
    return { x: zeroX + Math.min(0, cost) * scale, width: Math.max(1, Math.abs(cost) * scale) };
  };
  const barHeight = Math.min(18, pitch - 4);
  const marks = rows.flatMap((cost, row): Mark[] => {
    const isChosen = row - 1 === chosenLayer;
    const label: Mark = {
      kind: 'text',
      tone: isChosen ? 'ink' : 'muted',
      bold: isChosen,
      anchor: 'end',
      x: left - 8,
      y: middleY(row),
      text: labels[row] as string,
    };
    if (!Number.isFinite(cost)) return [label];
    const { x, width: length } = barSpan(row);
    return [
      label,
      {
        kind: 'rect',
        tone: row === 0 ? 'series-2' : isChosen ? 'accent' : 'muted',
        opacity: row === 0 || isChosen ? 1 : 0.6,
        x,
        y: middleY(row) - barHeight / 2,
        width: length,
        height: barHeight,
      },
      { kind: 'text', tone: 'ink', x: Math.max(zeroX, x + length) + 6, y: middleY(row), text: costText(cost) },
    ];
  });
  return {
    picture: {
      width,
      height: Math.ceil(HEADING_HEIGHT + rows.length * pitch),
      title: strings.layersTitle,
      description: rows.map((cost, row) => `${labels[row]} ${costText(cost)}`).join(', '),
      rasters: [],
      marks: [
        { kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(strings.layersTitle, width, LABEL_SIZE) },
        { kind: 'line', tone: 'muted', x1: zeroX, y1: HEADING_HEIGHT, x2: zeroX, y2: HEADING_HEIGHT + rows.length * pitch },
        ...marks,
      ],
    },
    overlay({ layer }) {
      if (!isIndex(layer, layerCosts.length)) return [];
      const text = labels[layer + 1] as string;
      const x = left - 11 - textWidth(text, LABEL_SIZE, true);
      return [
        {
          kind: 'rect',
          tone: 'cursor',
          outline: true,
          stroke: 2,
          x,
          y: middleY(layer + 1) - pitch / 2 + 1,
          width: width - x - 2,
          height: pitch - 2,
        },
      ];
    },
    hit(x, y) {
      const layer = Math.floor((y - HEADING_HEIGHT) / pitch) - 1;
      return x >= 0 && x <= width && isIndex(layer, layerCosts.length) ? { layer } : undefined;
    },
    step(cursor, right, down) {
      const layer = isIndex(cursor.layer, layerCosts.length) ? cursor.layer : undefined;
      return { layer: stepIndex(layer, right + down, layerCosts.length) };
    },
  };
}
