// Rotated pairs of channels as planes: one large with its numbers, all of them small, and tracks on which the positions of the query and the key are
// chosen. Pairs are the axis `pair` of the cursor, the tracks its axes `query` and `key`.

import { shownLabels } from '../../../views/labels.ts';
import type { Mark, Tone } from '../../../views/picture.ts';
import { type Cursor, type Scene, stepped } from '../../../views/scene.ts';
import { shorten, textWidth } from '../../../views/text-metrics.ts';
import { type FormulaPart, fittedFormula } from './formula-marks.ts';
import { type PairLayout, pairLayout } from './pair-layout.ts';
import { planeMarks, type Turned } from './pair-plane.ts';

/** What is shown: a pair, and the places of query and key on their tracks; undefined where they stand at positions of their own. */
export interface PairState {
  readonly pair: number;
  readonly query: number | undefined;
  readonly key: number | undefined;
}

export interface PairDetail {
  readonly title: string;
  /** Names of the axes of the large plane. */
  readonly axes: string;
  /** A line for each vector. */
  readonly legend: readonly { readonly tone: Tone; readonly text: string }[];
  readonly forms: readonly { readonly heading: string; readonly parts: readonly FormulaPart[] }[];
}

export interface PairSceneSpec {
  readonly width: number;
  readonly title: string;
  readonly description: string;
  readonly pairs: number;
  /** Names of the pairs: the full ones where they fit, else the short ones. */
  readonly labels: readonly string[];
  /** Over the small planes, whether the full names fit or not. */
  heading(hasNames: boolean): string;
  /** For each pair, the length of vectors that reaches its dial. */
  readonly reaches: readonly number[];
  readonly initial: PairState;
  readonly tracks: readonly { readonly axis: 'query' | 'key'; readonly name: string; readonly tone: Tone }[];
  /** The height of a picture that has to be low, CSS px: without formulas. */
  readonly lowHeight?: number | undefined;
  /** Positions on the tracks. */
  readonly places: readonly string[];
  vectors(state: PairState, pair: number): readonly Turned[];
  detail(state: PairState): PairDetail;
}

/** From one formula to the next, with its heading. */
const FORMULA_GAP = 36;
const SIZES = [13, 12, 11, 10, 9];

export function pairScene(spec: PairSceneSpec): Scene {
  const { pairs, initial, places } = spec;
  const layout = pairLayout(spec.width, pairs, spec.labels, spec.lowHeight);
  let latest: Cursor = {};
  const within = (index: number | undefined, count: number): number | undefined =>
    index !== undefined && index >= 0 && index < count ? index : undefined;
  const stateOf = ({ pair, query, key }: Cursor): PairState => ({
    pair: within(pair, pairs) ?? initial.pair,
    query: within(query, places.length) ?? initial.query,
    key: within(key, places.length) ?? initial.key,
  });
  const { width, height, grid } = layout;
  const picture = {
    width,
    height,
    title: spec.title,
    description: spec.description,
    rasters: [],
    marks: [...detailMarks(spec, layout, initial), ...trackMarks(spec, layout, initial, false), ...gridMarks(spec, layout, initial)],
  };
  return {
    picture,
    overlay(cursor) {
      latest = cursor;
      const state = stateOf(cursor);
      const isMoved = state.query !== initial.query || state.key !== initial.key;
      if (!isMoved && within(cursor.pair, pairs) === undefined) return [];
      const cover = (y: number, tall: number): Mark => ({ kind: 'rect', tone: 'halo', x: 0, y, width, height: tall });
      const cell = cellOf(layout, state.pair);
      const around = { x: cell.x + 1, y: cell.y, width: grid.cell - 2, height: grid.rowHeight };
      return [
        cover(0, layout.tracks.y),
        ...(layout.formulas ? [] : [{ ...cover(layout.tracks.y, height - layout.tracks.y), width: grid.x } as Mark]),
        ...detailMarks(spec, layout, state),
        ...(isMoved
          ? [
              { ...cover(layout.tracks.y, height - layout.tracks.y), x: grid.x } as Mark,
              ...trackMarks(spec, layout, state, true),
              ...gridMarks(spec, layout, state),
            ]
          : []),
        { kind: 'rect', tone: 'cursor', outline: true, stroke: 2, ...around },
      ];
    },
    hit(x, y) {
      const track = spec.tracks.findIndex((_, index) => Math.abs(y - trackY(layout, index)) <= layout.tracks.rowHeight / 2);
      const place = Math.floor(((x - layout.tracks.x) / layout.tracks.width) * places.length);
      if (track >= 0 && within(place, places.length) !== undefined) return { ...latest, [spec.tracks[track]?.axis as string]: place };
      const column = Math.floor((x - grid.x) / grid.cell);
      const row = Math.floor((y - grid.y) / grid.rowHeight);
      const pair = row * grid.columns + column;
      return row >= 0 && column >= 0 && column < grid.columns && pair < pairs ? { ...latest, pair } : undefined;
    },
    step(cursor, right, down) {
      const place = within(cursor.query, places.length) ?? initial.query;
      return {
        ...cursor,
        pair: right === 0 && cursor.pair === undefined ? initial.pair : stepped(cursor.pair, right, pairs),
        ...(down === 0 ? {} : { query: stepped(place, down, places.length) }),
      };
    },
  };
}

const trackY = ({ tracks }: PairLayout, index: number): number => tracks.y + (index + 0.5) * tracks.rowHeight;

const cellOf = ({ grid }: PairLayout, pair: number): { x: number; y: number } => ({
  x: grid.x + (pair % grid.columns) * grid.cell,
  y: grid.y + Math.floor(pair / grid.columns) * grid.rowHeight,
});

function detailMarks(spec: PairSceneSpec, layout: PairLayout, state: PairState): Mark[] {
  const { title, legend, forms, axes } = spec.detail(state);
  const { plane, formulas } = layout;
  const marks: Mark[] = [{ kind: 'text', tone: 'ink', bold: true, size: 13, x: 0, y: 9, text: shorten(title, layout.width, 13, true) }];
  legend.forEach(({ tone, text }, index) => {
    marks.push({ kind: 'text', tone, size: 12, x: 0, y: 31 + 18 * index, text: shorten(text, layout.width, 12) });
  });
  marks.push(...planeMarks(spec.vectors(state, state.pair), { ...plane, reach: spec.reaches[state.pair] ?? 0, axes }));
  if (!formulas) return marks;
  let y = formulas.y;
  forms.forEach(({ heading, parts }) => {
    marks.push({ kind: 'text', tone: 'muted', x: formulas.x, y: y + 7, text: shorten(heading, formulas.width) });
    const made = fittedFormula(parts, formulas.x, y + 17, formulas.width, SIZES);
    marks.push(...made.marks);
    y += made.height + FORMULA_GAP;
  });
  return marks;
}

/** A line of positions for each vector with the one at which it stands. */
function trackMarks(spec: PairSceneSpec, layout: PairLayout, state: PairState, isCursor: boolean): Mark[] {
  const { tracks } = layout;
  const pitch = tracks.width / spec.places.length;
  const at = (place: number): number => tracks.x + (place + 0.5) * pitch;
  const gap = Math.max(...spec.places.map((text) => textWidth(text))) + 10;
  return spec.tracks.flatMap(({ axis, name, tone }, index): Mark[] => {
    const y = trackY(layout, index);
    const lit = state[axis];
    const shown = shownLabels({ count: spec.places.length, pitch, gap, cursor: lit });
    return [
      { kind: 'text', tone, bold: true, size: 13, x: tracks.x - 24, y, text: name },
      ...shown
        .filter((place) => place !== lit)
        .map((place): Mark => ({ kind: 'text', tone: 'muted', x: at(place), y, text: spec.places[place] ?? '', anchor: 'middle' })),
      ...(lit === undefined
        ? []
        : ([
            {
              kind: 'circle',
              tone: isCursor ? 'cursor' : tone,
              outline: true,
              stroke: 1.5,
              cx: at(lit),
              cy: y,
              r: Math.max(9, gap / 2 - 2),
            },
            { kind: 'text', tone, bold: true, x: at(lit), y, text: spec.places[lit] ?? '', anchor: 'middle' },
          ] as const)),
    ];
  });
}

function gridMarks(spec: PairSceneSpec, layout: PairLayout, state: PairState): Mark[] {
  const { grid } = layout;
  const marks: Mark[] = [
    { kind: 'text', tone: 'ink', x: grid.x, y: grid.y - 14, text: shorten(spec.heading(grid.hasNames), layout.width - grid.x) },
  ];
  for (let pair = 0; pair < spec.pairs; pair++) {
    const { x, y } = cellOf(layout, pair);
    const centre = { cx: x + grid.cell / 2, cy: y + grid.cell / 2 };
    marks.push(...planeMarks(spec.vectors(state, pair), { ...centre, radius: grid.cell / 2 - 6, reach: spec.reaches[pair] ?? 0 }));
    const text = grid.hasNames ? (spec.labels[pair] ?? '') : String(pair);
    marks.push({ kind: 'text', tone: 'muted', x: centre.cx, y: y + grid.cell + 4, text, anchor: 'middle' });
  }
  return marks;
}
