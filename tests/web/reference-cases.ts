// Calls of the references in public/reference with every value of every choice, and the results of the core.

import type { EncodingInfo, Tensor } from '../../web/engine/index.ts';
import { createPhasor } from '../../web/engine/node.ts';
import type { EncodingSpec } from '../../web/figure/contract/fields.ts';
import type { EncodingDims } from '../../web/figure/export/drawn-parameters.ts';
import { createEncodingCall } from '../../web/figure/export/encoding-call.ts';
import { specsOf } from './python/encoding-specs.ts';
import type { Job, Result } from './python/run.ts';

export const phasor = await createPhasor();

export interface Case {
  readonly name: string;
  readonly job: Job;
  /** The engine's results, by the names of the program's variables. */
  readonly expected: { readonly [name: string]: Tensor };
}

/** With 11 heads, ALiBi's slopes are not all powers of two. */
const headsOf = (id: string): number => (id === 'alibi' ? 11 : 3);
const gaussian = (seed: number, ...shape: number[]): Tensor => phasor.randomNormal({ seed, shape });
const locations = (count: number, start: number, step = 1): Tensor => ({
  shape: [count],
  data: Float32Array.from({ length: count }, (_, i) => start + step * i),
});
/** Patches, or frames of patches, in a permuted order. */
const coordinates = (axes: number): Tensor => ({ shape: [7, axes], data: Float32Array.from({ length: 7 * axes }, (_, i) => (i * 5) % 7) });

const positionsOf = ({ id }: EncodingInfo): Tensor[] => {
  const severalAxes: { readonly [id: string]: readonly number[] } = {
    fourier: [2, 3],
    nerf: [2, 3],
    sinusoidal_grid: [2],
    rope_2d: [2],
    rope_mixed: [2],
    mrope: [3],
    liere: [2],
  };
  return [locations(9, 0), locations(6, 5), locations(1, 3), ...(severalAxes[id] ?? []).map(coordinates)];
};

/** A program that creates the encoding as `encoding`, and runs `lines`. */
function jobOf(spec: EncodingSpec, dims: EncodingDims, lines: string, inputs: Job['given'], outputs: readonly string[]): Job {
  const { importLine, expression, data } = createEncodingCall(spec, phasor.encodings, dims);
  return {
    program: `import numpy as np\n\n${importLine}\n\nencoding = ${expression}\n${lines}`,
    given: inputs ?? {},
    files: data,
    want: outputs,
  };
}

const RESULT = 'scores, weights, output = result.scores, result.weights, result.output\n';

const nameOf = (spec: EncodingSpec): string =>
  Object.entries(spec)
    .map(([name, value]) => (name === 'id' ? value : `${name}=${typeof value === 'object' ? 'given' : value}`))
    .join(' ');

function inputCases(info: EncodingInfo, spec: EncodingSpec): Case[] {
  const evenOnly = ['multi_frequency', 'learned'].includes(info.id) || spec.frequency_matrix !== undefined;
  const gridShape = spec.convention === 'interleaved' || spec.convention === 'tensor2tensor' ? [8, 10] : [8];
  return (info.id === 'sinusoidal_grid' ? gridShape : evenOnly ? [8] : [8, 7, 2]).flatMap((width) =>
    positionsOf(info).flatMap((positions) => {
      if (width === 2 && (spec.frequencies === 'fairseq' || positions.shape.length > 1)) return [];
      if (width === 7 && spec.odd_width === 'rounded_up' && spec.frequencies && spec.frequencies !== 'paper') return [];
      if (spec.frequency_matrix && positions.shape[1] !== 2) return [];
      if (spec.amplitudes && (positions.shape[1] ?? 1) !== 1) return [];
      const dims = { embedDim: width, axes: positions.shape[1] ?? 1 };
      return [
        {
          name: `${nameOf(spec)}, width ${width}, positions ${positions.shape} from ${positions.data[0]}`,
          expected: { table: phasor.positionTable({ encoding: spec, dim: width, positions }) },
          job: jobOf(spec, dims, `table = encoding.position_table(positions, ${width})\n`, { positions }, ['table']),
        },
      ];
    }),
  );
}

function rotaryCases(info: EncodingInfo, spec: EncodingSpec): Case[] {
  const isRotation = info.rotates;
  const phases = 'phases = encoding.rotary_angles(positions, 16)\n';
  return positionsOf(info).map((positions) => {
    const x = gaussian(5, headsOf(info.id), positions.shape[0] as number, 16);
    const rotateBoth = "queries, keys = encoding.apply_rotary(x, positions), encoding.apply_rotary(x, positions, role='key')\n";
    const dims = { heads: headsOf(info.id), headDim: 16 };
    return {
      name: `${nameOf(spec)}, positions ${positions.shape} from ${positions.data[0]}`,
      expected: {
        queries: phasor.applyRotary(x, { encoding: spec, positions }),
        keys: phasor.applyRotary(x, { encoding: spec, positions, role: 'key' }),
        ...(isRotation ? { phases: phasor.rotaryAngles({ encoding: spec, dim: 16, positions }) } : {}),
      },
      job: jobOf(spec, dims, `${rotateBoth}${isRotation ? phases : ''}`, { x, positions }, [
        'queries',
        'keys',
        ...(isRotation ? ['phases'] : []),
      ]),
    };
  });
}

/** Scores, weights and output of attention; for score encodings also the bias alone. */
function attentionCases({ id, injection }: EncodingInfo, spec: EncodingSpec): Case[] {
  return [
    { queries: locations(6, 3), keys: locations(9, 0) },
    { queries: locations(5, 40, 30), keys: locations(8, 0, 25) },
    // DeBERTa's buckets require integer distances.
    id === 'deberta'
      ? { queries: locations(4, 0, 700), keys: locations(6, 0, 390) }
      : { queries: locations(4, 0.25, 700), keys: locations(5, 0, 400.125) },
  ].flatMap(({ queries, keys: keyPositions }) => {
    // Provided tables of distances or keys are for 9 keys.
    if ((spec.gate_key || (id === 'relative_bias' && spec.beyond !== 'clip')) && keyPositions.shape[0] !== 9) return [];
    // The sinusoids of Transformer-XL fill the next even width.
    const width = id === 'transformer_xl' && !spec.u ? 7 : 8;
    const heads = headsOf(id);
    const [q, k, v] = [
      gaussian(1, heads, queries.data.length, width),
      gaussian(2, heads, keyPositions.data.length, width),
      gaussian(3, heads, keyPositions.data.length, width),
    ];
    const common = { queryPositions: queries, keyPositions };
    const mask = id === 'cope' || spec.seed !== undefined ? 'causal' : 'none';
    const { scores, weights, output } = phasor.attention({ q, k, v, encoding: spec, mask, ...common, outputs: ['scores', 'weights'] });
    const biasOutput = injection === 'score' ? { alone: phasor.attentionBias({ encoding: spec, heads, headDim: width, ...common }) } : {};
    // The core scales a bias that is inside the fraction.
    const scale = spec.placement === 'inside' ? `${width} ** -0.5 * ` : '';
    const call = `result = attention(q, k, v, encoding, mask='${mask}', query_positions=queries, key_positions=keys)\n${RESULT}`;
    const bias = injection === 'score' ? `alone = ${scale}encoding.attention_bias(${heads}, queries, keys)\n` : '';
    return [
      {
        name: `${nameOf(spec)}, ${mask}, queries from ${queries.data[0]}`,
        expected: { scores, weights, output, ...biasOutput },
        job: jobOf(
          spec,
          { heads, headDim: width },
          `from attention import attention\n\n${call}${bias}`,
          { q, k, v, queries, keys: keyPositions },
          [...['scores', 'weights', 'output', 'alone']],
        ),
      },
    ];
  });
}

/** Ranges of token tensors: log gates are at most 0, betas of path are between 0 and 2. */
const ALLOWED: { readonly [name: string]: (value: number) => number } = {
  log_gates: (value) => -Math.abs(value),
  beta: (value) => 1 + Math.sin(value),
};

function tokensOf(info: EncodingInfo, sizes: { readonly [axis: string]: number }): { readonly [name: string]: Tensor } {
  return Object.fromEntries(
    info.tokens.map(({ name, shape }, index) => {
      const value = gaussian(20 + index, ...shape.split(', ').map((axis) => sizes[axis] as number));
      return [name, { shape: value.shape, data: value.data.map(ALLOWED[name] ?? Number) }];
    }),
  );
}

/** Causal attention with queries at the last keys, with and without optional token tensors. */
function backwardCases(info: EncodingInfo, spec: EncodingSpec): Case[] {
  const [heads, width] = [3, 8];
  return [
    [9, 9],
    [2, 12],
  ].flatMap(([queries = 0, keys = 0]) => {
    const [q, k, v] = [gaussian(1, heads, queries, width), gaussian(2, heads, keys, width), gaussian(3, heads, keys, width)];
    const allTensors = tokensOf(info, { heads, kv_heads: heads, tokens: keys, dim: width, pairs: width / 2 });
    const requiredTensors = Object.fromEntries(
      Object.entries(allTensors).filter(([name]) => !info.tokens.find((entry) => entry.name === name)?.optional),
    );
    return (Object.keys(requiredTensors).length < Object.keys(allTensors).length ? [requiredTensors, allTensors] : [allTensors]).map(
      (tokenTensors): Case => {
        const input = { q, k, v, queries: locations(queries, keys - queries), keys: locations(keys, 0), ...tokenTensors };
        const { scores, weights, output } = phasor.attention({
          ...{ q, k, v, encoding: spec, mask: 'causal', outputs: ['scores', 'weights'] },
          ...(info.tokens.length > 0 ? { tokenTensors } : {}),
        });
        return {
          name: `${nameOf(spec)}, ${queries} queries, ${Object.keys(tokenTensors)}`,
          expected: { scores: scores as Tensor, weights: weights as Tensor, output },
          job: jobOf(
            spec,
            { heads, headDim: width },
            `from attention import attention\n\nresult = attention(q, k, v, encoding, mask='causal', query_positions=queries, key_positions=keys${Object.keys(
              tokenTensors,
            )
              .map((name) => `, ${name}=${name}`)
              .join('')})\n${RESULT}`,
            input,
            ['scores', 'weights', 'output'],
          ),
        };
      },
    );
  });
}

/** A layer computes the token tensors of the encoding from its embeddings. */
function layerCases(info: EncodingInfo, spec: EncodingSpec): Case[] {
  const [heads, width] = [3, 12];
  return [spec, ...(info.id === 'rope_selective' ? [{ ...spec, biased: true, gated: true }] : [])].map((encoding): Case => {
    const x = gaussian(30, 7, width);
    const { scores, weights, output } = phasor.selfAttention({ x, encoding, heads, mask: 'causal', outputs: ['scores', 'weights'] });
    return {
      name: `${nameOf(encoding)}, a layer`,
      expected: { scores, weights, output },
      job: jobOf(
        encoding,
        { heads, headDim: width / heads },
        `from attention import self_attention\n\nresult = self_attention(x, encoding, heads=${heads}, mask='causal')\n${RESULT}`,
        { x },
        ['scores', 'weights', 'output'],
      ),
    };
  });
}

export function casesOf(info: EncodingInfo): Case[] {
  return specsOf(info, gaussian).flatMap((spec) => {
    if (info.injection === 'input') return inputCases(info, spec);
    if (info.tokens.length > 0) return [...backwardCases(info, spec), ...layerCases(info, spec)];
    if (info.injection === 'query_key') {
      return [...rotaryCases(info, spec), ...((spec.remap ?? 'none') === 'none' ? [] : backwardCases(info, spec))];
    }
    return attentionCases(info, spec);
  });
}

/** Relative to the largest value, for float32 sums of some dozen products. */
export const TOLERANCE = 4e-6;

export function difference({ arrays, error }: Result, expected: Case['expected'], tolerance: number): string | undefined {
  if (error !== undefined) return error;
  for (const [name, { shape, data }] of Object.entries(expected)) {
    const actual = arrays[name];
    if (!actual) return `${name} is missing`;
    if (String(actual.shape) !== String(shape)) return `${name} has the shape ${actual.shape}, not ${shape}`;
    const largest = data.reduce((size, value) => (Number.isFinite(value) ? Math.max(size, Math.abs(value)) : size), 1);
    const mismatchIndex = data.findIndex((value, index) => {
      const actualValue = actual.data[index] as number;
      return Number.isFinite(value) ? !(Math.abs(actualValue - value) <= tolerance * largest) : actualValue !== value;
    });
    if (mismatchIndex >= 0) return `${name}[${mismatchIndex}] is ${actual.data[mismatchIndex]}, not ${data[mismatchIndex]}`;
  }
  return undefined;
}
