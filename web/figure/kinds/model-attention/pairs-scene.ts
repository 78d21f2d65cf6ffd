// A bar chart of each channel pair's contribution to the scores of attended keys. Fast pairs are on the left.
import { isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Mark } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { strings } from './strings.ts';

export interface PairsSceneSpec {
  readonly lift: Float32Array;
  readonly wavelengths: readonly number[];
  readonly width: number;
  readonly height: number;
}

const HEADING_HEIGHT = 26;
const FOOTER_HEIGHT = 38;

export function pairsScene({ lift, wavelengths, width, height }: PairsSceneSpec): Scene {
  const count = lift.length;
  const [minLift, maxLift] = [lift.reduce((a, b) => Math.min(a, b), 0), lift.reduce((a, b) => Math.max(a, b), 0.01)];
  const label = (value: number): string => formatNumber(value, { short: true, digits: 2 });
  const left = Math.ceil(Math.max(textWidth(label(maxLift)), textWidth(label(minLift)))) + 10;
  const plotHeight = height - HEADING_HEIGHT - FOOTER_HEIGHT;
  const y = (value: number): number => HEADING_HEIGHT + ((maxLift - value) / (maxLift - minLift)) * plotHeight;
  const pitch = (width - left) / count;
  const columnWidth = Math.max(1, pitch - Math.min(4, pitch / 4));
  const bestPair = lift.indexOf(maxLift);
  const columns = Array.from(lift, (value, pair): Mark => {
    const top = Math.min(y(value), y(0));
    return {
      kind: 'rect',
      tone: pair === bestPair ? 'accent' : 'muted',
      x: left + pair * pitch + (pitch - columnWidth) / 2,
      y: top,
      width: columnWidth,
      height: Math.max(1, Math.abs(y(value) - y(0))),
    };
  });
  const tickTexts = wavelengths.map((tokens) => (Number.isFinite(tokens) ? label(tokens) : '∞'));
  const tickInterval = Math.max(1, Math.ceil((Math.max(...tickTexts.map((text) => textWidth(text))) + 10) / pitch));
  const ticks = tickTexts.flatMap((text, pair): Mark[] =>
    pair % tickInterval === 0
      ? [{ kind: 'text', tone: 'muted', anchor: 'middle', x: left + (pair + 0.5) * pitch, y: height - FOOTER_HEIGHT + 12, text }]
      : [],
  );
  const createValueMark = (value: number): Mark => ({
    kind: 'text',
    tone: 'muted',
    anchor: 'end',
    x: left - 7,
    y: y(value),
    text: label(value),
  });
  return {
    picture: {
      width,
      height,
      title: strings.pairsTitle,
      description: Array.from(lift, (pairLift, pair) => strings.pairReadout(pair, wavelengths[pair] as number, pairLift)).join('; '),
      rasters: [],
      marks: [
        { kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(strings.pairsTitle, width, LABEL_SIZE) },
        { kind: 'line', tone: 'muted', x1: left, y1: y(0), x2: width, y2: y(0) },
        createValueMark(maxLift),
        ...(y(0) - y(maxLift) > 14 ? [createValueMark(0)] : []),
        ...(y(minLift) - y(0) > 14 ? [createValueMark(minLift)] : []),
        ...columns,
        ...ticks,
        { kind: 'text', tone: 'ink', anchor: 'end', x: width, y: height - 8, text: `${strings.pairsAxis} →` },
      ],
    },
    overlay({ pair }) {
      if (!isIndex(pair, count)) return [];
      return [
        {
          kind: 'rect',
          tone: 'cursor',
          outline: true,
          stroke: 2,
          x: left + pair * pitch,
          y: HEADING_HEIGHT - 2,
          width: pitch,
          height: plotHeight + 4,
        },
      ];
    },
    hit(px, py) {
      const pair = Math.floor((px - left) / pitch);
      return py >= HEADING_HEIGHT - 4 && py < height && isIndex(pair, count) ? { pair } : undefined;
    },
    step: ({ pair }, right) => ({ pair: stepIndex(isIndex(pair, count) ? pair : undefined, right, count) }),
  };
}
