import type { Tensor } from '../../engine/index.ts';
import { curveScene } from '../../views/curve-scene.ts';
import { extent } from '../../views/grid.ts';
import { formatNumber, formatRange } from '../../views/number.ts';
import { BIASED, biasOf, biasRequest } from '../bias-numbers.ts';
import { count, encoding } from '../fields.ts';
import { defineKind } from '../kind.ts';
import { biasCode } from '../take-away/bias-code.ts';
import { matrixOf } from '../tensor.ts';
import { words } from './curve-words.ts';

/** Of the largest bias: rounding of float32. */
const TOLERANCE = 1e-5;
/** Values of more heads would not fit into a sentence. */
const MOST_SPOKEN = 6;

interface Numbers {
  /** [heads, keys], of the query in the middle */
  readonly curves: Tensor;
  readonly query: number;
  readonly spread: number;
}

const row = ({ curves }: Numbers, head: number): Float32Array => {
  const keys = curves.shape[1] as number;
  return curves.data.subarray(head * keys, (head + 1) * keys);
};

export const kind = defineKind({
  id: 'curve',
  question: words.question,
  caption: words.caption,
  fields: {
    encoding: encoding('alibi', { injections: BIASED }),
    length: count(64, 1, 256),
    heads: count(4, 1, 16),
    width: count(16, 1, 256),
    seed: count(1, 0, 2 ** 32 - 1),
  },
  aspect: 0.5,
  async compute(spec, { engine }): Promise<Numbers> {
    const { heads, length } = spec;
    const bias = await biasOf(await biasRequest(spec, engine), engine);
    const query = Math.floor(length / 2);
    const data = new Float32Array(heads * length);
    let spread = 0;
    for (let head = 0; head < heads; head++) {
      const matrix = matrixOf(bias, head);
      data.set(matrix.data.subarray(query * length, (query + 1) * length), head * length);
      spread = Math.max(spread, (await engine.distanceProfile({ matrix })).spread);
    }
    return { curves: { shape: [heads, length], data }, query, spread };
  },
  scene(numbers, { heads, length }, frame) {
    return curveScene({
      ...frame,
      x: Array.from({ length }, (_, key) => key - numbers.query),
      first: -numbers.query,
      axis: 'distance',
      seriesAxis: 'head',
      series: Array.from({ length: heads }, (_, head) => ({ name: words.head(head + 1), id: head, y: row(numbers, head) })),
      title: words.question,
      xTitle: words.distance,
      yTitle: words.bias,
    });
  },
  readout(numbers, { heads, length }, { distance, head }) {
    const key = distance === undefined ? -1 : distance + numbers.query;
    if (!Number.isInteger(key) || key < 0 || key >= length) {
      const { min, max } = extent(numbers.curves.data);
      return words.range(numbers.query, formatRange(min, max));
    }
    const one =
      head !== undefined && head >= 0 && head < heads ? [head] : Array.from({ length: Math.min(heads, MOST_SPOKEN) }, (_, h) => h);
    const values = one.map((h) => words.value(words.head(h + 1), formatNumber(row(numbers, h)[key] as number)));
    return words.at(formatNumber(distance as number, { short: true, digits: 6 }), values.join(', '));
  },
  proof({ curves, spread: residual }) {
    const { min, max } = extent(curves.data);
    const tolerance = TOLERANCE * Math.max(1, Math.abs(min), Math.abs(max));
    const { what, source, holds, amber } = words.proof;
    return { what, residual, tolerance, source, meaning: residual <= tolerance ? holds : amber };
  },
  tables({ curves, query }, { heads, length }) {
    return [
      {
        name: 'curves',
        title: words.bias,
        tensor: curves,
        rowTitle: words.bias,
        columnTitle: words.distance,
        rows: Array.from({ length: heads }, (_, head) => words.head(head + 1)),
        columns: Array.from({ length }, (_, key) => String(key - query)),
      },
    ];
  },
  code(spec, encodings) {
    const { numpy, pytorch, phasor } = biasCode(spec, encodings);
    const { heads, length } = spec;
    const query = Math.floor(length / 2);
    return {
      numpy: `${numpy}curves = biases[:, ${query}]\n`,
      pytorch: `${pytorch}curves = biases[:, ${query}]\n`,
      phasor: `${phasor}const rows = Array.from({ length: ${heads} }, (_, head) => {
  const start = (head * ${length} + ${query}) * ${length};
  return [...biases.data.slice(start, start + ${length})];
});
const curves = { shape: [${heads}, ${length}], data: Float32Array.from(rows.flat()) };
`,
    };
  },
});
