// Draws a string for each pair, from its pitch in training at the top to its current pitch at the bottom.
import { logScale } from '../../../charts/curve/axis-scale.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import type { Frame, Mark } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, textWidth } from '../../../charts/text-metrics.ts';
import type { Tones } from './compute.ts';
import { findNearestNote, isAudible, MIN_AUDIBLE_HERTZ } from './pitch.ts';
import { strings } from './strings.ts';

const [MAX_HEIGHT, MIN_HEIGHT] = [230, 130];
const TOP_MARGIN = 40;
const BOTTOM_MARGIN = 44;
const SIDE_MARGIN = 16;
const HIT_DISTANCE = 14;

export function tonesScene(results: Tones, description: string, { width, maxHeight }: Frame): Scene {
  const { trainedFrequencies, heardFrequencies } = results;
  const pairCount = heardFrequencies.length;
  const height = Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, maxHeight ?? MAX_HEIGHT));
  const positiveFrequencies = [...trainedFrequencies, ...heardFrequencies].filter((value) => value > 0);
  const [minHertz, maxHertz] = [Math.min(MIN_AUDIBLE_HERTZ, ...positiveFrequencies), Math.max(100, ...positiveFrequencies)];
  const scale = logScale([minHertz / 1.3, maxHertz * 1.3], [SIDE_MARGIN, width - SIDE_MARGIN]);
  /** Pairs that do not rotate are drawn at the left end. */
  const scaleX = (hertz: number): number => (hertz > 0 ? scale(hertz) : SIDE_MARGIN);
  const [topY, bottomY] = [TOP_MARGIN, height - BOTTOM_MARGIN];
  const isShifted = heardFrequencies.some((value, pair) => Math.abs(value - entryAt(trainedFrequencies, pair)) > 1e-4 * value);
  const getStartX = (pair: number): number => scaleX(entryAt(isShifted ? trainedFrequencies : heardFrequencies, pair));
  const getEndX = (pair: number): number => scaleX(entryAt(heardFrequencies, pair));

  function stringMarks(pair: number, tone: 'accent' | 'muted' | 'cursor', stroke: number): Mark[] {
    const [x1, x2] = [getStartX(pair), getEndX(pair)];
    return [
      { kind: 'line', tone, x1, x2, y1: topY, y2: bottomY, stroke },
      { kind: 'circle', tone, cx: x2, cy: bottomY, r: stroke + 2.5 },
      ...(isShifted ? ([{ kind: 'circle', tone, cx: x1, cy: topY, r: 3.5, outline: true, stroke: 1.5 }] as const) : []),
    ];
  }
  function noteMarks(): Mark[] {
    const marks: Mark[] = [];
    let nextFreeX = Number.POSITIVE_INFINITY;
    for (let pair = 0; pair < pairCount; pair++) {
      const hertz = entryAt(heardFrequencies, pair);
      if (!isAudible(hertz)) continue;
      const text = findNearestNote(hertz);
      const x = getEndX(pair);
      const halfWidth = textWidth(text) / 2 + 2;
      if (x + halfWidth > nextFreeX) continue;
      nextFreeX = x - halfWidth;
      marks.push({ kind: 'text', tone: 'ink', x, y: bottomY + 18, text, anchor: 'middle' });
    }
    return marks;
  }
  const minAudibleX = scale(MIN_AUDIBLE_HERTZ);
  const axisText = strings.axisTitle;
  const ticks = scale.ticks(Math.max(2, Math.floor(width / 110))).filter((tick) => Number.isInteger(Math.log10(tick)));
  const axisMarks: Mark[] = [
    { kind: 'rect', tone: 'hairline', opacity: 0.35, x: 0, y: topY - 8, width: Math.max(0, minAudibleX), height: bottomY - topY + 16 },
    ...(minAudibleX > textWidth(strings.tooSlow) + 8
      ? ([{ kind: 'text', tone: 'muted', x: minAudibleX - 6, y: topY - 20, text: strings.tooSlow, anchor: 'end' }] as const)
      : []),
    { kind: 'line', tone: 'hairline', x1: 0, x2: width, y1: bottomY, y2: bottomY },
    ...(isShifted
      ? ([
          { kind: 'line', tone: 'hairline', x1: 0, x2: width, y1: topY, y2: topY },
          { kind: 'text', tone: 'muted', x: width, y: topY - 20, text: strings.trainedLabel, anchor: 'end' },
        ] as const)
      : []),
    ...ticks.map((tick): Mark => {
      const text = strings.tickLabel(tick);
      const x = Math.min(Math.max(scale(tick), textWidth(text) / 2), width - textWidth(text) / 2);
      return { kind: 'text', tone: 'muted', x, y: bottomY + 36, text, anchor: 'middle' };
    }),
  ];
  return {
    picture: {
      ...{ width, height, title: strings.question, description: `${description}. ${axisText}.`, rasters: [] },
      marks: [
        ...axisMarks,
        ...Array.from({ length: pairCount }, (_, index) => {
          // Slow pairs are drawn first, so that the audible fast pairs are on top.
          const pair = pairCount - 1 - index;
          return stringMarks(pair, isAudible(entryAt(heardFrequencies, pair)) ? 'accent' : 'muted', pairCount > 80 ? 1 : 2);
        }).flat(),
        ...noteMarks(),
      ],
    },
    overlay({ pair }) {
      if (!isIndex(pair, pairCount)) return [];
      const hertz = entryAt(heardFrequencies, pair);
      const text = isAudible(hertz) ? findNearestNote(hertz) : '';
      const x = getEndX(pair);
      const halfWidth = textWidth(text, LABEL_SIZE, true) / 2 + 3;
      return [
        ...stringMarks(pair, 'cursor', 4),
        { kind: 'rect', tone: 'halo', x: x - halfWidth, y: bottomY + 10, width: 2 * halfWidth, height: 16 },
        { kind: 'text', tone: 'cursor', bold: true, x, y: bottomY + 18, text, anchor: 'middle' },
      ];
    },
    hit(x, y) {
      if (y < topY - 10 || y > bottomY + 26) return undefined;
      const fraction = Math.max(0, Math.min(1, (y - topY) / (bottomY - topY)));
      const getDistance = (pair: number): number => Math.abs(getStartX(pair) + (getEndX(pair) - getStartX(pair)) * fraction - x);
      const pair = Array.from({ length: pairCount }, (_, index) => index).reduce(
        (best, candidate) => (getDistance(candidate) < getDistance(best) ? candidate : best),
        0,
      );
      return getDistance(pair) <= HIT_DISTANCE ? { pair } : undefined;
    },
    // Fast pairs are on the right, so moving right decreases the index.
    step: (cursor, columns, rows) => ({ ...cursor, pair: stepIndex(cursor.pair, rows - columns, pairCount) }),
  };
}
