import { decimal } from '../../../views/english.ts';
import { extent } from '../../../views/grid.ts';
import { formatCount, formatNumber, formatRange } from '../../../views/number.ts';
import type { Cursor } from '../../../views/scene.ts';
import { choice, count, encoding, number, type SpecOf } from '../../contract/fields.ts';
import { defineKind, isLow, measured } from '../../contract/kind.ts';
import { usedEncoding } from '../../contract/parameters.ts';
import { type Rotation, rotationNumbers } from '../../numbers/rotation-numbers.ts';
import { isCut, type Turned } from './pair-plane.ts';
import { type PairState, pairScene } from './pair-scene.ts';
import { words } from './words.ts';

const fields = {
  encoding: encoding('rope', 'rotation'),
  width: count(16, 1, 256),
  query: number(5, -1e6, 1e6),
  key: number(2, -1e6, 1e6),
  pair: count(1, 0, 127),
  vector: choice('query', 'key'),
  vectors: choice('random', 'ones'),
  seed: number(4, 0, 2 ** 32 - 1, { whole: true }),
  length: count(16, 1, 128),
};
export type Spec = SpecOf<typeof fields>;

/** Positions as they are said: '5', '−2', '0.25', '100000'. */
const said = (position: number): string => decimal(position).replace('-', '−');

/** What is shown without a cursor. A place of a track is the position of that number. */
function initialState({ channels }: Rotation, { pair, query, key, length }: Spec): PairState {
  const placeOf = (position: number): number | undefined =>
    Number.isInteger(position) && position >= 0 && position < length ? position : undefined;
  return { pair: Math.min(pair, channels.length - 1), query: placeOf(query), key: placeOf(key) };
}

function stateAt(rotation: Rotation, spec: Spec, { pair, query, key }: Cursor): PairState {
  const initial = initialState(rotation, spec);
  const within = (index: number | undefined, count: number): index is number => index !== undefined && index >= 0 && index < count;
  return {
    pair: within(pair, rotation.channels.length) ? pair : initial.pair,
    query: within(query, spec.length) ? query : initial.query,
    key: within(key, spec.length) ? key : initial.key,
  };
}

/** The row of the numbers for a place: the first one is that of the spec's position. */
const rowOf = (place: number | undefined): number => (place === undefined ? 0 : place + 1);

const at = (tensor: { readonly shape: readonly number[]; readonly data: Float32Array }, row: number, column: number): number =>
  tensor.data[row * (tensor.shape.at(-1) as number) + column] as number;

/** What the picture and its sentences say of one state. */
function look(rotation: Rotation, spec: Spec, state: PairState) {
  const [a, b] = rotation.channels[state.pair] as readonly [number, number];
  const query = { ...rotation.query, row: rowOf(state.query), position: said(state.query ?? spec.query) };
  const key = { ...rotation.key, row: rowOf(state.key), position: said(state.key ?? spec.key) };
  return { a, b, query, key, score: formatNumber(at(rotation.scores, query.row, key.row)) };
}

function vectorsOf(rotation: Rotation, state: PairState, pair: number): readonly Turned[] {
  const [a, b] = rotation.channels[pair] as readonly [number, number];
  const one = (name: 'query' | 'key', place: number | undefined): Turned => {
    const { own, rotated, angles } = rotation[name];
    const row = rowOf(place);
    return {
      name: name === 'query' ? 'q' : 'k',
      tone: name === 'query' ? 'series-1' : 'series-2',
      from: [own[a] as number, own[b] as number],
      to: [at(rotated, row, a), at(rotated, row, b)],
      angle: at(angles, row, pair),
    };
  };
  return [one('query', state.query), one('key', state.key)];
}

const sign = (value: number): string => (value < 0 ? '−' : '+');
const complex = (re: number, im: number): string => `(${formatNumber(re)} ${sign(im)} ${formatNumber(im).replace('−', '')}i)`;

/** The same rotation of one pair three times, with its digits. The core's matrix maps (1, 0) to (cos, sin) and (0, 1) to (−sin, cos). */
function formsOf(rotation: Rotation, { vector }: Spec, state: PairState) {
  const { a, b, ...both } = look(rotation, { query: 0, key: 0 } as Spec, state);
  const { own, rotated, first, second, row } = both[vector];
  const [x, y] = [own[a] as number, own[b] as number];
  const [cos, sin] = [at(first, row, a), at(first, row, b)];
  const after = [at(rotated, row, a), at(rotated, row, b)] as const;
  const tone = vector === 'query' ? 'series-1' : 'series-2';
  const column = (top: number, bottom: number) => ({ rows: [[top], [bottom]] });
  const result = { rows: [[after[0]], [after[1]]], tone } as const;
  return [
    {
      heading: words.complex(rotation.isScaled),
      parts: [
        { text: complex(x, y), tone: 'ink' },
        { text: '·' },
        { text: complex(cos, sin), tone: 'ink' },
        { text: '=' },
        { text: complex(...after), tone },
      ],
    },
    {
      heading: words.matrix(rotation.isScaled),
      parts: [
        {
          rows: [
            [cos, at(second, row, a)],
            [sin, at(second, row, b)],
          ],
        },
        column(x, y),
        { text: '=' },
        result,
      ],
    },
    {
      heading: words.efficient[rotation.pairing],
      parts: [
        column(x, y),
        { text: '⊙' },
        column(cos, cos),
        { text: '+' },
        column(-y, x),
        { text: '⊙' },
        column(sin, sin),
        { text: '=' },
        result,
      ],
    },
  ] as const;
}

export const kind = defineKind({
  id: 'rotation',
  question: words.question,
  caption: words.caption,
  labels: words.labels,
  help: words.help,
  fields,
  aspect: 0.7,
  compute: (spec, { engine }) => rotationNumbers({ ...spec, encoding: usedEncoding(spec.encoding, engine.encodings) }, engine),
  scene(rotation, spec, frame) {
    const initial = initialState(rotation, spec);
    const { query, key, score } = look(rotation, spec, initial);
    const pairs = formatCount(rotation.channels.length, 'pair');
    return pairScene({
      width: frame.width,
      lowHeight: isLow(frame.maxHeight) ? frame.maxHeight : undefined,
      title: words.question,
      description: words.description(pairs, words.pairing[rotation.pairing], rangeOf(query), rangeOf(key), score),
      pairs: rotation.channels.length,
      labels: rotation.channels.map(([a, b]) => words.channels(a, b)),
      heading: (hasNames) => words.grid(rotation.channels.length, hasNames),
      reaches: rotation.reaches,
      initial,
      tracks: [
        { axis: 'query', name: 'q', tone: 'series-1' },
        { axis: 'key', name: 'k', tone: 'series-2' },
      ],
      places: Array.from({ length: spec.length }, (_, place) => String(place)),
      vectors: (state, pair) => vectorsOf(rotation, state, pair),
      detail(state) {
        const shown = look(rotation, spec, state);
        const line = (name: string, { angles, row, position }: typeof shown.query): string => {
          const angle = at(angles, row, state.pair);
          return words.rotated(name, position, formatNumber(angle), rotation.isLine, isCut(angle));
        };
        return {
          axes: words.axes(shown.a, shown.b, formatNumber(rotation.reaches[state.pair] as number)),
          title: words.title(state.pair, shown.a, shown.b, words.pairing[rotation.pairing]),
          legend: [
            { tone: 'series-1', text: line('q', shown.query) },
            { tone: 'series-2', text: line('k', shown.key) },
          ],
          forms: formsOf(rotation, spec, state),
        };
      },
    });
  },
  readout(rotation, spec, cursor) {
    const state = stateAt(rotation, spec, cursor);
    const { a, b, query, key, score } = look(rotation, spec, state);
    if (cursor.pair === undefined) {
      const pairs = formatCount(rotation.channels.length, 'pair');
      return words.range(pairs, query.position, rangeOf(query), key.position, rangeOf(key), score);
    }
    const angle = (of: typeof query): string => formatNumber(at(of.angles, of.row, state.pair));
    return words.at(state.pair, a, b, query.position, angle(query), key.position, angle(key), score);
  },
  proof({ residual, tolerance, isLine, startTokens }) {
    const amber = !isLine
      ? words.proof.patches
      : startTokens > 0
        ? words.proof.start(formatCount(startTokens, 'token'))
        : words.proof.amber;
    return measured({ ...words.proof, amber }, residual, tolerance);
  },
  tables({ query, key, scores, channels }, spec) {
    const { width, length } = spec;
    const rows = [words.row('q', said(spec.query)), words.row('k', said(spec.key))];
    const both = (a: Float32Array, b: Float32Array, columns: number) => {
      const data = new Float32Array(2 * columns);
      data.set(a.subarray(0, columns));
      data.set(b.subarray(0, columns), columns);
      return { shape: [2, columns], data };
    };
    const square = new Float32Array(length * length);
    for (let row = 0; row < length; row++) {
      const from = (row + 1) * (length + 1) + 1;
      square.set(scores.data.subarray(from, from + length), row * length);
    }
    const vector = (name: 'q' | 'k', data: Float32Array) => ({
      name,
      title: words.tables.own(name),
      tensor: { shape: [width], data },
      rowTitle: words.channel,
      columnTitle: name,
    });
    return [
      vector('q', query.own),
      vector('k', key.own),
      {
        name: 'rotated',
        title: words.tables.rotated,
        tensor: both(query.rotated.data, key.rotated.data, width),
        rowTitle: words.vector,
        columnTitle: words.channel,
        rows,
      },
      {
        name: 'phases',
        title: words.tables.phases,
        tensor: both(query.angles.data, key.angles.data, channels.length),
        rowTitle: words.vector,
        columnTitle: words.pair,
        rows,
      },
      {
        name: 'scores',
        title: words.tables.scores,
        tensor: { shape: [length, length], data: square },
        rowTitle: words.query,
        columnTitle: words.key,
      },
    ];
  },
  code: () => import('./code.ts'),
});

function anglesOf({ shape, data }: { readonly shape: readonly number[]; readonly data: Float32Array }, row: number): [number, number] {
  const pairs = shape[1] as number;
  const { min, max } = extent(data.subarray(row * pairs, (row + 1) * pairs));
  return [min, max];
}

/** 'between 0.00158 and 5.00 rad'; '5.00 rad' for a single pair. */
function rangeOf({ angles, row }: { readonly angles: Parameters<typeof anglesOf>[0]; readonly row: number }): string {
  const [min, max] = anglesOf(angles, row);
  return min === max ? words.angle(formatNumber(min)) : formatRange(min, max, 'rad');
}
