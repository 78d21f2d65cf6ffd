// The legend of a colour scale: a bar with ticks at its ends and in between.

import { type ColorScale, MASKED_COLORS, paint, TABLE_SIZE } from '../color.ts';
import { linearScale } from '../curve/axis-scale.ts';
import { formatNumber } from '../number.ts';
import type { Mark, Raster, Theme } from '../picture.ts';
import { LABEL_SIZE, textWidth } from '../text-metrics.ts';

export interface ColorBarSpec {
  readonly scale: ColorScale;
  readonly theme: Theme;
  /** Top left corner and width of the bar in CSS px. The bar is 8 px high, and the numbers take 18 px below it. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Text to the right of the bar: quantity and unit. */
  readonly caption: string;
  readonly isHighlighted: boolean;
  /** The value at the cursor, which is marked on the bar. */
  readonly value?: number | undefined;
  readonly maskedLabel?: string | undefined;
}

export interface ColorBar {
  readonly rasters: Raster[];
  readonly marks: Mark[];
}

const BAR_HEIGHT = 8;

/** The label of a tick. If the scale spans 0 to 2π, the label is a multiple of π. */
function tickText(scale: ColorScale, value: number): string {
  if (scale.kind !== 'cyclic' || scale.domain[1] !== 2 * Math.PI) return formatNumber(value);
  return value === 0 ? '0' : value === Math.PI ? 'π' : '2π';
}

/** Tick values between the ends, in descending priority. */
function innerTicks({ kind, domain: [lo, hi] }: ColorScale): number[] {
  if (kind === 'diverging' || kind === 'cyclic') return [(lo + hi) / 2];
  return linearScale([lo, hi], [0, 1])
    .ticks(3)
    .filter((tick) => tick > lo && tick < hi);
}

function ticks(spec: ColorBarSpec): Mark[] {
  const { scale, x, y, width } = spec;
  const [lo, hi] = scale.domain;
  const labelY = y + BAR_HEIGHT + 10;
  const label = (value: number, at: number, anchor: 'start' | 'middle' | 'end'): Mark => ({
    kind: 'text',
    tone: 'muted',
    x: at,
    y: labelY,
    text: tickText(scale, value),
    anchor,
  });
  const tickMark = (at: number): Mark => ({ kind: 'line', tone: 'muted', x1: at, y1: y + BAR_HEIGHT, x2: at, y2: y + BAR_HEIGHT + 3 });
  if (!(hi > lo)) return [tickMark(x + width / 2), label(lo, x + width / 2, 'middle')];
  const marks = [tickMark(x), label(lo, x, 'start'), tickMark(x + width), label(hi, x + width, 'end')];
  let nextFreeX = x + textWidth(tickText(scale, lo)) + 10;
  const lastTickLeft = x + width - textWidth(tickText(scale, hi)) - 10;
  for (const value of innerTicks(scale)) {
    const tickX = x + (width * (value - lo)) / (hi - lo);
    const halfWidth = textWidth(tickText(scale, value)) / 2;
    if (tickX - halfWidth < nextFreeX || tickX + halfWidth > lastTickLeft) continue;
    marks.push(tickMark(tickX), label(value, tickX, 'middle'));
    nextFreeX = tickX + halfWidth + 10;
  }
  return marks;
}

export function colorBar(spec: ColorBarSpec): ColorBar {
  const { scale, theme, x, y, width } = spec;
  const [lo, hi] = scale.domain;
  const columns = hi > lo ? TABLE_SIZE : 1;
  const barValues = Float32Array.from({ length: columns }, (_, i) => lo + ((hi - lo) * (i + 0.5)) / columns);
  const pixels = paint({ rows: 1, columns, data: barValues }, scale, theme);
  const rasters: Raster[] = [{ x, y, width, height: BAR_HEIGHT, columns, rows: 1, rgba: pixels }];
  const marks: Mark[] = [
    { kind: 'rect', tone: 'hairline', x, y, width, height: BAR_HEIGHT, outline: true },
    ...ticks(spec),
    {
      kind: 'text',
      tone: spec.isHighlighted ? 'ink' : 'muted',
      x: x + width + 12,
      y: y + BAR_HEIGHT / 2,
      text: spec.caption,
      bold: spec.isHighlighted,
    },
  ];
  if (spec.maskedLabel) {
    const swatchX = x + width + 12;
    const [red, green, blue] = MASKED_COLORS[theme];
    const rgba = new Uint8ClampedArray([red, green, blue, 255]);
    const top = y + BAR_HEIGHT + 10 - LABEL_SIZE / 2 + 1;
    rasters.push({ x: swatchX, y: top, width: 10, height: 10, columns: 1, rows: 1, rgba });
    marks.push(
      { kind: 'path', tone: 'hatch', d: `M${swatchX},${top + 10}l10,-10` },
      { kind: 'text', tone: 'muted', x: swatchX + 15, y: y + BAR_HEIGHT + 10, text: spec.maskedLabel },
    );
  }
  if (spec.value !== undefined && Number.isFinite(spec.value)) {
    const t = !(hi > lo) ? 0.5 : (spec.value - lo) / (hi - lo);
    const markerX = x + width * Math.min(1, Math.max(0, scale.kind === 'cyclic' ? t - Math.floor(t) : t));
    marks.push({
      kind: 'path',
      tone: 'cursor',
      fill: true,
      key: 'bar-value',
      d: `M${markerX},${y + 1}L${markerX - 4},${y - 6}L${markerX + 4},${y - 6}Z`,
    });
  }
  return { rasters, marks };
}
