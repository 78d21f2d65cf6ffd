// A bar chart with one bar per layer. A bar's length is the number of keys that a query can attend to, on a logarithmic
// axis.

import { translateMark } from '../../../charts/compose.ts';
import { logScale } from '../../../charts/curve/axis-scale.ts';
import { formatGroupedDecimal } from '../../../charts/english.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { selectLabelIndices } from '../../../charts/heatmap/labels.ts';
import type { Box, Mark, Tone } from '../../../charts/picture.ts';
import { type Frame, type Scene, stepIndex } from '../../../charts/scene.ts';
import { shorten, textWidth } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import type { ConfigLayer } from '../../../engine/index.ts';
import { isLowHeight } from '../../contract/kind.ts';
import { hasEncoding, type LayerGroup, type LayerResults } from './compute.ts';
import { strings } from './strings.ts';
import { formatHeadline, summarizeLayers } from './summary.ts';

const [MAX_LAYER_HEIGHT, MIN_LAYER_HEIGHT] = [15, 5];
/** Maximum height of the stacked bars, px. Exceeded only if all layers have the minimum height. */
const STACK_HEIGHT = 520;
const SWATCH_WIDTH = 30;
const MAX_GROUPS = 6;
const TEXT_SIZE = 13;
const AXIS_HEIGHT = 40;
/** Ratio of the width of bold text to the width that wrapText measures for regular text. */
const BOLD_RATIO = 1.18;

/** The colour of layers without an encoding. Encodings use the other colours, in order of first occurrence. */
const UNENCODED_TONE: Tone = 'series-2';
const ENCODING_TONES: readonly Tone[] = ['series-1', 'series-3', 'series-4', 'series-5', 'series-6'];

function assignTones(groups: readonly LayerGroup[]): readonly Tone[] {
  const encodings = [...new Set(groups.filter(({ layer }) => hasEncoding(layer)).map(({ layer }) => JSON.stringify(layer.encoding)))];
  return groups.map(({ layer }) =>
    hasEncoding(layer)
      ? (ENCODING_TONES[encodings.indexOf(JSON.stringify(layer.encoding)) % ENCODING_TONES.length] as Tone)
      : UNENCODED_TONE,
  );
}

interface DotColumn {
  readonly label: string;
  appliesTo(layer: ConfigLayer): boolean;
}

function createDotColumns(groups: readonly LayerGroup[]): readonly DotColumn[] {
  const softcaps = [...new Set(groups.flatMap(({ layer }) => layer.softcap ?? []))];
  const allColumns: readonly DotColumn[] = [
    { label: strings.dotLabels.sinks, appliesTo: ({ sinks }) => sinks === true },
    ...softcaps.map((cap): DotColumn => ({ label: strings.dotLabels.softcap(cap), appliesTo: ({ softcap }) => softcap === cap })),
    { label: strings.dotLabels.qkNorm, appliesTo: ({ qkNorm }) => qkNorm !== undefined },
    { label: strings.dotLabels.temperature, appliesTo: ({ temperature }) => temperature !== undefined },
  ];
  return allColumns.filter(({ appliesTo }) => groups.some(({ layer }) => appliesTo(layer)));
}

const createBarMarks = (box: Box, tone: Tone): readonly Mark[] =>
  tone === UNENCODED_TONE
    ? [
        { kind: 'rect', tone, opacity: 0.25, ...box },
        { kind: 'rect', tone, outline: true, x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1, height: Math.max(0.5, box.height - 1) },
      ]
    : [{ kind: 'rect', tone, ...box }];

function createLegend(results: LayerResults, tones: readonly Tone[], computeShare: (tokens: number) => number, width: number) {
  const { groups, context } = results;
  const marks: Mark[] = [];
  let y = 0;
  groups.slice(0, MAX_GROUPS).forEach(({ layer, maxVisibleKeys, count }, index) => {
    const text = wrapText([strings.groupLabel(layer, context, count)], width - SWATCH_WIDTH - 10, TEXT_SIZE, 'ink');
    marks.push(
      ...createBarMarks(
        { x: 0, y: y + 4, width: Math.max(5, SWATCH_WIDTH * computeShare(maxVisibleKeys)), height: 10 },
        tones[index] as Tone,
      ),
    );
    marks.push(...text.marks.map((mark) => translateMark(mark, SWATCH_WIDTH + 10, y)));
    y += text.height;
  });
  if (groups.length > MAX_GROUPS) {
    const text = wrapText([strings.otherGroups(groups.length - MAX_GROUPS)], width - SWATCH_WIDTH - 10, TEXT_SIZE, 'muted');
    marks.push(...text.marks.map((mark) => translateMark(mark, SWATCH_WIDTH + 10, y)));
    y += text.height;
  }
  return { marks, height: y };
}

/**
 * Draws ticks with bold labels at the ends of the bars, and other ticks at powers of ten. Omits a tick if its label
 * would overlap an earlier one.
 */
function axisMarks(results: LayerResults, xOfTokens: (tokens: number) => number, axisStart: number, plot: Box): Mark[] {
  const bottom = plot.y + plot.height;
  const barEnds = [...new Set(results.groups.map(({ maxVisibleKeys }) => maxVisibleKeys))].sort((a, b) => b - a);
  const powers = Array.from({ length: 12 }, (_, power) => 10 ** power).filter((power) => power >= axisStart && power <= results.context);
  const occupiedRanges: (readonly [number, number])[] = [];
  const marks: Mark[] = [];
  for (const value of [...barEnds, ...powers]) {
    const isBarEnd = barEnds.includes(value);
    const text = formatGroupedDecimal(value);
    const halfWidth = textWidth(text, TEXT_SIZE, isBarEnd) / 2;
    const x = xOfTokens(value);
    // Keeps the last tick label inside the figure.
    const labelX = Math.min(x, plot.x + plot.width + 14 - halfWidth);
    if (occupiedRanges.some(([left, right]) => labelX + halfWidth + 8 > left && labelX - halfWidth - 8 < right)) continue;
    occupiedRanges.push([labelX - halfWidth, labelX + halfWidth]);
    marks.push({ kind: 'line', tone: 'hairline', x1: x, y1: plot.y, x2: x, y2: bottom + 4 });
    marks.push({
      kind: 'text',
      tone: isBarEnd ? 'ink' : 'muted',
      bold: isBarEnd,
      size: TEXT_SIZE,
      x: labelX,
      y: bottom + 14,
      text,
      anchor: 'middle',
    });
  }
  const title = shorten(`${strings.axisTitle} →`, plot.x + plot.width);
  return [...marks, { kind: 'text', tone: 'muted', x: plot.x + plot.width, y: bottom + 32, text: title, anchor: 'end' }];
}

export function layersScene(results: LayerResults, notes: readonly string[], { width, maxHeight }: Frame): Scene {
  const { layers, groups, groupIndices, context } = results;
  const layerCount = layers.length;
  const tones = assignTones(groups);
  const columns = createDotColumns(groups);
  // The axis starts at a power of ten below the shortest bar.
  const minVisibleKeys = Math.min(...groups.map(({ maxVisibleKeys }) => maxVisibleKeys));
  const axisStart = Math.max(1, 10 ** (Math.ceil(Math.log10(minVisibleKeys)) - 2));
  const computeShare = (tokens: number): number => logScale([axisStart, Math.max(context, axisStart + 1)], [0, 1])(tokens);
  const isShort = isLowHeight(maxHeight);
  const heading = wrapText([formatHeadline(results)], width / BOLD_RATIO, 14, 'ink');
  const legend = createLegend(results, tones, computeShare, width);
  const notesText = wrapText(isShort ? [] : notes, width, 12, 'muted');
  const legendTop = heading.height + 4;
  const notesTop = legendTop + legend.height + 2;
  const left = Math.ceil(textWidth(String(layerCount - 1))) + 14;
  const columnWidths = columns.map(({ label }) => Math.ceil(textWidth(label)) + 14);
  const right = columnWidths.reduce((sum, columnWidth) => sum + columnWidth, 16);
  const top = notesTop + notesText.height + (columns.length > 0 ? 30 : 14);
  const availableHeight = maxHeight === undefined ? STACK_HEIGHT : Math.max(40, Math.min(STACK_HEIGHT, maxHeight - top - AXIS_HEIGHT));
  const pitch = Math.max(
    maxHeight === undefined ? MIN_LAYER_HEIGHT : 1,
    Math.min(MAX_LAYER_HEIGHT, Math.floor((availableHeight / layerCount) * 2) / 2),
  );
  const gap = pitch > 10 ? 3 : pitch > 6 ? 2 : pitch > 3 ? 1 : pitch / 3;
  const plot: Box = { x: left, y: top, width: Math.max(20, width - left - right), height: pitch * layerCount };
  const xOfTokens = (tokens: number): number => plot.x + plot.width * computeShare(tokens);
  const yOfLayer = (layer: number): number => plot.y + layer * pitch;
  const columnCentres = columnWidths.map(
    (columnPitch, column) =>
      plot.x + plot.width + 16 + columnWidths.slice(0, column).reduce((sum, previousWidth) => sum + previousWidth, 0) + columnPitch / 2,
  );

  const bars = groupIndices.flatMap((group, layer) => {
    const box = {
      x: plot.x,
      y: yOfLayer(layer),
      width: xOfTokens((groups[group] as LayerGroup).maxVisibleKeys) - plot.x,
      height: pitch - gap,
    };
    return createBarMarks(box, tones[group] as Tone);
  });
  const dots = columns.flatMap(({ appliesTo }, column) =>
    layers.flatMap((layer, index): Mark[] =>
      appliesTo(layer)
        ? [
            {
              kind: 'circle',
              tone: 'ink',
              cx: entryAt(columnCentres, column),
              cy: yOfLayer(index) + (pitch - gap) / 2,
              r: Math.min(3, pitch / 3),
            },
          ]
        : [],
    ),
  );
  const columnLabels = columns.map(
    ({ label }, column): Mark => ({
      kind: 'text',
      tone: 'muted',
      x: entryAt(columnCentres, column),
      y: top - 12,
      text: label,
      anchor: 'middle',
    }),
  );
  const createLayerNumber = (layer: number, tone: Tone): Mark => ({
    kind: 'text',
    tone,
    bold: tone === 'ink',
    x: plot.x - 7,
    y: yOfLayer(layer) + (pitch - gap) / 2,
    text: String(layer),
    anchor: 'end',
  });
  return {
    picture: {
      width,
      height: Math.ceil(plot.y + plot.height + AXIS_HEIGHT),
      title: strings.question,
      description: summarizeLayers(results),
      rasters: [],
      marks: [
        ...heading.marks.map((mark) => ({ ...mark, bold: true })),
        ...legend.marks.map((mark) => translateMark(mark, 0, legendTop)),
        ...notesText.marks.map((mark) => translateMark(mark, 0, notesTop)),
        ...axisMarks(results, xOfTokens, axisStart, plot),
        ...columnLabels,
        ...bars,
        ...dots,
        ...selectLabelIndices({ count: layerCount, pitch, minDistance: 15 }).map((layer) => createLayerNumber(layer, 'muted')),
      ],
    },
    overlay({ layer }) {
      if (layer === undefined || !Number.isInteger(layer) || layer < 0 || layer >= layerCount) return [];
      const y = yOfLayer(layer) - gap / 2 - 0.5;
      return [
        { kind: 'rect', tone: 'cursor', outline: true, stroke: 2, x: plot.x - 2, y, width: width - plot.x + 1, height: pitch + 1 },
        { kind: 'rect', tone: 'halo', x: 0, y: yOfLayer(layer) - 9, width: plot.x - 4, height: 18 + pitch - gap },
        createLayerNumber(layer, 'ink'),
      ];
    },
    hit(x, y) {
      if (x < 0 || x > width || y < plot.y || y >= plot.y + plot.height) return undefined;
      return { layer: Math.min(layerCount - 1, Math.floor((y - plot.y) / pitch)) };
    },
    step: (cursor, byColumn, byRow) => ({ ...cursor, layer: stepIndex(cursor.layer, byRow || byColumn, layerCount) }),
  };
}
