import { formatToFit } from '../fitted-number.ts';
import { formatNumber } from '../number.ts';
import { LABEL_SIZE, maxTextWidth } from '../text-metrics.ts';
import type { ChainSceneSpec } from './chain-scene.ts';

/** Formats a number for a cell. Integers, such as distances and row numbers, have no trailing zeros. */
export const formatCellNumber = (value: number): string => formatNumber(value, Number.isInteger(value) ? { short: true, digits: 5 } : {});

export const CELL_HEIGHT = 30;
const MAX_PITCH = 46;
const MIN_GAP = 9;
export const CHAIN_TOP = 56;
/** The maximum width of a cell in px. In wider cells, the digits would be too far apart. */
const MAX_CELL_WIDTH = 110;

export interface ChainLayout {
  readonly width: number;
  readonly height: number;
  readonly columnCount: number;
  readonly cellWidth: number;
  readonly left: number;
  readonly hasNamesAbove: boolean;
  readonly hasDigits: boolean;
  lineY(stage: number): number;
  columnCentre(column: number): number;
  formatValue(value: number): string;
}

export function chainLayout(spec: ChainSceneSpec): ChainLayout {
  const { rows, row, columnLabels } = spec;
  const stages = rows[row] ?? [];
  const width = Math.max(1, spec.width);
  const columnCount = columnLabels.length;
  const allStages = rows.flatMap((rowStages) => rowStages ?? []);
  const nameWidth =
    Math.max(
      maxTextWidth(
        allStages.map(({ name }) => name),
        LABEL_SIZE,
        true,
      ),
      maxTextWidth(allStages.map(({ note }) => note)),
    ) + 18;
  // Stage names are beside the cells, or above them if they would take up too much of the width.
  const hasNamesAbove = nameWidth > width * 0.34;
  const left = hasNamesAbove ? 0 : Math.ceil(nameWidth);
  const nameHeight = hasNamesAbove ? 12 : 0;
  const stageRoom = Math.floor(((spec.maxHeight ?? Number.POSITIVE_INFINITY) - CHAIN_TOP) / Math.max(1, stages.length));
  const pitch = Math.max(CELL_HEIGHT + MIN_GAP + nameHeight, Math.min(MAX_PITCH + nameHeight, stageRoom));
  const cellWidth = Math.min(MAX_CELL_WIDTH, (width - left - 1) / Math.max(1, columnCount));
  const height = CHAIN_TOP + stages.length * pitch;
  const lineY = (stage: number): number => CHAIN_TOP + stage * pitch + (hasNamesAbove ? 18 : 0);
  const formatValue = (value: number): string => (Number.isInteger(value) ? formatCellNumber(value) : formatToFit(value, cellWidth - 6, 1));
  const texts = allStages.flatMap(({ data }) => Array.from(data, (value) => (Number.isFinite(value) ? formatValue(value) : '')));
  const hasDigits = cellWidth >= 30 && maxTextWidth(texts) <= cellWidth - 4;
  const columnCentre = (column: number): number => left + (column + 0.5) * cellWidth;
  return { width, height, columnCount, cellWidth, left, hasNamesAbove, hasDigits, lineY, columnCentre, formatValue };
}
