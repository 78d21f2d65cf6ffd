// Draws one value per channel pair, such as its wavelength, on a logarithmic axis, with one line per scaling and a shaded area. The cursor
// selects a pair.

import { linearScale, logScale } from '../../../charts/curve/axis-scale.ts';
import { axisPointerMarks, spreadLabels } from '../../../charts/curve/line-labels.ts';
import { areaPath, linePath } from '../../../charts/curve/line-path.ts';
import { wholeNumber } from '../../../charts/english.ts';
import { entryAt, lastEntry } from '../../../charts/entry-at.ts';
import { formatNumber, formatPowerOfTen } from '../../../charts/number.ts';
import type { Box, Mark, Picture, Tone } from '../../../charts/picture.ts';
import { type Cursor, type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { type AxisRows, axisRowMarks, computeRowsHeight } from './axis-rows.ts';

export interface PairLine {
  readonly name: string;
  /** Used as the label if the picture is too narrow for `name`. */
  readonly shortName?: string | undefined;
  /** One value per pair. A value that is not positive and finite leaves a gap in the line. */
  readonly values: ArrayLike<number>;
  readonly tone: Tone;
  readonly stroke: number;
  readonly dashed?: boolean;
}

export interface WavelengthSceneSpec {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly description: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly lines: readonly PairLine[];
  /** For each pair, the area from the bottom up to this value is shaded. Infinity shades the full height. */
  readonly shade: { readonly upperLimits: ArrayLike<number>; readonly label: string };
  /** Dashed horizontal lines. */
  readonly rules: readonly { readonly value: number; readonly label: string }[];
  readonly rows?: AxisRows | undefined;
}

const isDrawable = (value: number | undefined): value is number => value !== undefined && value > 0 && Number.isFinite(value);

/** '0.01', '1,000', '10⁶' */
function formatTick(value: number): string {
  const exponent = Math.round(Math.log10(value));
  return exponent >= 6 || exponent < -2
    ? formatPowerOfTen(exponent)
    : exponent >= 0
      ? wholeNumber.format(10 ** exponent)
      : formatNumber(value, { short: true });
}

function findEnclosingPowers(values: readonly number[]): readonly [number, number] {
  const drawableValues = values.filter(isDrawable);
  if (drawableValues.length === 0) return [1, 10];
  const low = Math.floor(Math.log10(Math.min(...drawableValues)) + 1e-9);
  return [10 ** low, 10 ** Math.max(low + 1, Math.ceil(Math.log10(Math.max(...drawableValues)) - 1e-9))];
}

export function wavelengthScene(spec: WavelengthSceneSpec): Scene {
  const { lines, shade, width } = spec;
  const pairCount = Math.max(0, ...lines.map(({ values }) => values.length));
  const [low, high] = findEnclosingPowers([...lines.flatMap(({ values }) => Array.from(values)), ...spec.rules.map(({ value }) => value)]);
  const powers = Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, index) => low * 10 ** index);
  const maxNameWidth = width * 0.26;
  const names = lines.map(({ name, shortName = name }) => (textWidth(name) <= maxNameWidth ? name : shorten(shortName, maxNameWidth)));
  const isWide = width >= 560;
  const left = Math.ceil(maxTextWidth([...powers.map(formatTick), ...(spec.rows?.names ?? [])])) + 12;
  const right = Math.ceil(maxTextWidth(names, LABEL_SIZE, true)) + (isWide ? 78 : 16);
  const plot: Box = {
    x: left,
    y: 40,
    width: Math.max(10, width - left - right),
    height: Math.max(10, spec.height - 40 - 40 - computeRowsHeight(spec.rows)),
  };
  const xOfPair = linearScale([0, Math.max(1, pairCount - 1)], [plot.x, plot.x + plot.width]);
  const yOfValue = logScale([low, high], [plot.y + plot.height, plot.y]).clamped();
  const scales = { xOfPair, yOfValue, plot, powers };

  const lineEnds = lines.map(({ values }) => {
    for (let pair = values.length - 1; pair >= 0; pair--) if (isDrawable(values[pair])) return yOfValue(entryAt(values, pair));
    return plot.y + plot.height;
  });
  const labelHeights = spreadLabels(lineEnds, plot.y + 4, plot.y + plot.height - 4);
  const createNameMark = (index: number, text: string, bold: boolean): Mark => ({
    kind: 'text',
    tone: lines[index]?.tone ?? 'ink',
    bold,
    x: plot.x + plot.width + 8,
    y: entryAt(labelHeights, index),
    text,
  });
  const picture: Picture = {
    width,
    height: spec.height,
    title: spec.title,
    description: spec.description,
    rasters: [],
    marks: [
      { kind: 'text', tone: 'ink', bold: true, size: 13, x: 0, y: 8, text: shorten(spec.title, width, 13, true) },
      { kind: 'text', tone: 'muted', x: 0, y: 26, text: shorten(`${spec.yTitle} ↑`, width) },
      ...shadedMarks(shade.upperLimits, scales),
      ...axisMarks(spec, pairCount, scales),
      ...(spec.rows ? axisRowMarks(spec.rows, xOfPair, plot, plot.y + plot.height + 22) : []),
      {
        kind: 'text',
        tone: 'muted',
        x: plot.x + plot.width - 6,
        y: plot.y + plot.height - 10,
        anchor: 'end',
        text: shorten(shade.label, plot.width - 12),
      },
      ...lines.flatMap((line) => lineMarks(line, scales)),
      ...ruleMarks(spec, scales),
      ...lines.map((_, index) => createNameMark(index, names[index] as string, index === 0)),
    ],
  };
  return {
    picture,
    overlay({ pair }: Cursor) {
      if (pair === undefined || pair < 0 || pair >= pairCount) return [];
      const x = xOfPair(pair);
      const texts = lines.map(({ values }, index) => {
        const value = isDrawable(values[pair]) ? formatNumber(entryAt(values, pair)) : '–';
        return isWide ? `${names[index]} ${value}` : value;
      });
      return [
        { kind: 'line', tone: 'cursor', x1: x, y1: plot.y, x2: x, y2: plot.y + plot.height },
        ...lines.flatMap(({ values, tone }): Mark[] =>
          isDrawable(values[pair]) ? [{ kind: 'circle', tone, cx: x, cy: yOfValue(entryAt(values, pair)), r: 3.5 }] : [],
        ),
        { kind: 'rect', tone: 'halo', x: plot.x + plot.width + 5, y: plot.y - 4, width: right - 5, height: plot.height + 10 },
        ...texts.map((text, index) => createNameMark(index, text, true)),
        ...axisPointerMarks(x, plot.y + plot.height + 6, pair, picture.marks),
      ];
    },
    hit(x, y) {
      if (pairCount === 0 || x < plot.x - 6 || x > plot.x + plot.width + 6 || y < plot.y || y > plot.y + plot.height + 20) return undefined;
      return { pair: Math.max(0, Math.min(pairCount - 1, Math.round(xOfPair.invert(x)))) };
    },
    step: (cursor, columns) => (pairCount === 0 ? cursor : { ...cursor, pair: stepIndex(cursor.pair, columns, pairCount) }),
  };
}

interface Scales {
  readonly xOfPair: (pair: number) => number;
  readonly yOfValue: (value: number) => number;
  readonly plot: Box;
  readonly powers: readonly number[];
}

function shadedMarks(upperLimits: ArrayLike<number>, { xOfPair, yOfValue, plot }: Scales): Mark[] {
  const bottom = plot.y + plot.height;
  const top = (value: number): number => (value === Number.POSITIVE_INFINITY ? plot.y : value > 0 ? yOfValue(value) : bottom);
  const d = areaPath(Array.from(upperLimits, (value, pair) => ({ x: xOfPair(pair), low: bottom, high: top(value) })));
  return d ? [{ kind: 'path', tone: 'hairline', opacity: 0.45, fill: true, d }] : [];
}

/** Draws dashed rules. A background behind each label hides the lines that cross it. */
function ruleMarks({ rules }: WavelengthSceneSpec, { yOfValue, plot, powers }: Scales): Mark[] {
  const [low, high] = [entryAt(powers, 0), lastEntry(powers)];
  return rules
    .filter(({ value }) => value >= low && value <= high)
    .flatMap(({ value, label }): Mark[] => {
      const y = yOfValue(value);
      const text = shorten(label, plot.width - 12);
      return [
        { kind: 'line', tone: 'muted', dashed: true, x1: plot.x, y1: y, x2: plot.x + plot.width, y2: y },
        { kind: 'rect', tone: 'halo', opacity: 0.85, x: plot.x + 3, y: y - 15, width: textWidth(text) + 4, height: 13 },
        { kind: 'text', tone: 'muted', x: plot.x + 5, y: y - 8, text },
      ];
    });
}

function axisMarks({ xTitle, rows }: WavelengthSceneSpec, pairCount: number, { xOfPair, yOfValue, plot, powers }: Scales): Mark[] {
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height];
  const tickInterval = Math.max(1, Math.ceil(powers.length / Math.max(2, plot.height / 26)));
  const marks: Mark[] = powers
    .filter((_, index) => index % tickInterval === 0)
    .flatMap((value): Mark[] => [
      { kind: 'line', tone: 'hairline', x1: plot.x, y1: yOfValue(value), x2: right, y2: yOfValue(value) },
      { kind: 'text', tone: 'muted', x: plot.x - 7, y: yOfValue(value), text: formatTick(value), anchor: 'end' },
    ]);
  const ticks = linearScale([0, Math.max(1, pairCount - 1)], [0, 1]).ticks(Math.max(2, Math.min(8, plot.width / 50)));
  for (const pair of ticks.filter((tick) => Number.isInteger(tick) && tick < pairCount)) {
    marks.push({ kind: 'line', tone: 'muted', x1: xOfPair(pair), y1: bottom, x2: xOfPair(pair), y2: bottom + 4 });
    marks.push({ kind: 'text', tone: 'muted', x: xOfPair(pair), y: bottom + 13, text: String(pair), anchor: 'middle' });
  }
  return [
    ...marks,
    { kind: 'text', tone: 'muted', x: right, y: bottom + 30 + computeRowsHeight(rows), text: shorten(`${xTitle} →`, right), anchor: 'end' },
  ];
}

/** Draws a line, or a dot if only one value can be drawn. */
function lineMarks({ values, tone, stroke, dashed = false }: PairLine, { xOfPair, yOfValue }: Scales): Mark[] {
  const d = linePath(Array.from(values, (value, pair) => (isDrawable(value) ? { x: xOfPair(pair), y: yOfValue(value) } : undefined)));
  const isolatedPair = Array.from(values).filter(isDrawable).length === 1 ? Array.from(values).findIndex(isDrawable) : -1;
  return [
    ...(d ? [{ kind: 'path', tone, d, stroke, dashed } as const] : []),
    ...(isolatedPair >= 0
      ? [{ kind: 'circle', tone, cx: xOfPair(isolatedPair), cy: yOfValue(entryAt(values, isolatedPair)), r: 3 } as const]
      : []),
  ];
}
