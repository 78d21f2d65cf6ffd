// The reliability of every engine: invalid input is rejected with an error, and results are never modified later.

import { rotationMatrix, shiftError, shiftMatrix } from '../../web/engine/analysis.ts';
import { assertErrors, type Contract, check } from './contract-checks.ts';

export const reliabilityCases: Contract = [
  [
    'rejects invalid input with an error and keeps working',
    async (phasor) => {
      const x = { shape: [1, 1, 7], data: new Float32Array(7) };
      const squareTensor = { shape: [2, 2], data: new Float32Array(4) };
      await assertErrors([
        [() => phasor.applyRotary(x, { encoding: 'rope' }), 'invalid_argument', /^dim: 7 is odd/],
        [
          () => phasor.positionTable({ encoding: { id: 'sinusoidal', base: 0 }, length: 4, dim: 4 }),
          'invalid_argument',
          /^base: 0 is outside/,
        ],
        [
          () => phasor.positionTable({ encoding: { id: 'sinusoidal', base: -2 }, length: 4, dim: 4 }),
          'invalid_argument',
          /^base: -2 is outside/,
        ],
        [
          () => phasor.positionTable({ encoding: { id: 'sinusoidal', base: Number.NaN }, length: 4, dim: 4 }),
          'invalid_argument',
          /^base: NaN/,
        ],
        [() => phasor.positionTable({ encoding: 'sinusoidal', length: 0, dim: 4 }), 'invalid_argument', /^length: 0 is outside 1 to/],
        [
          () => phasor.positionTable({ encoding: 'sinusoidal', length: 1.5, dim: 4 }),
          'invalid_argument',
          /^length: 1.5 is not a whole number/,
        ],
        [
          () => phasor.positionTable({ encoding: 'sinusoidal', length: 1, dim: 4, positionOffset: 2 ** 31 }),
          'invalid_argument',
          /^positionOffset: 2147483648 is/,
        ],
        [
          () => phasor.positionTable({ encoding: { id: 'sinusoidal', bass: 3 }, length: 1, dim: 4 }),
          'unknown_name',
          /^bass: is not a parameter of sinusoidal/,
        ],
        [
          () => phasor.positionTable({ encoding: 'nothing', length: 1, dim: 4 }),
          'unknown_name',
          /^encoding: "nothing" is unknown; expected one of/,
        ],
        [() => phasor.positionTable({ encoding: 'rope', length: 1, dim: 4 }), 'invalid_argument', /^encoding: rope has no table/],
        [() => phasor.applyRotary(x, { encoding: 'rope', positions: [1, 2] }), 'invalid_argument', /^dim: 7 is odd|^positions: has 2/],
        [
          () => phasor.selfAttention({ x: { shape: [2, 6], data: new Float32Array(12) }, heads: 4 }),
          'invalid_argument',
          /^heads: 4 does not divide/,
        ],
        [
          () =>
            phasor.attention({
              q: { shape: [1, 1, 2], data: new Float32Array([1, Number.NaN]) },
              k: { shape: [1, 1, 2], data: new Float32Array(2) },
              v: { shape: [1, 1, 2], data: new Float32Array(2) },
            }),
          'invalid_argument',
          /^q\[1\]: NaN is not a finite/,
        ],
        [
          () => phasor.attention({ q: x, k: x, v: { shape: [1, 2, 7], data: new Float32Array(14) } }),
          'invalid_argument',
          /^v: has 2 tokens, but k has 1/,
        ],
        [
          () => phasor.attention({ q: x, k: x, v: { shape: [2, 7], data: new Float32Array(13) } }),
          'invalid_argument',
          /^v\.data: "?13 values"? do not match its shape/,
        ],
        [
          () => phasor.attentionBias({ encoding: 'alibi', heads: 64, queries: 100000, keys: 100000 }),
          'resource_exhausted',
          /^heads: a bias of .* MiB/,
        ],
        [() => (phasor.positionTable as (request?: unknown) => unknown)(), 'invalid_argument', /^positionTable: argument 1 is undefined/],
        [
          () => phasor.attentionBias({ encoding: 'alibi', heads: 1, queryPositions: [1] } as never),
          'invalid_argument',
          /^keyPositions: undefined is not an array/,
        ],
        [
          () => phasor.attentionBias({ encoding: 'alibi', heads: 1, queries: 2, queryPositions: [1], keyPositions: [1] }),
          'invalid_argument',
          /^queries: cannot be combined with queryPositions/,
        ],
        [
          () => phasor.attentionBias({ encoding: 'alibi', heads: 1, queryPositions: [1], keyPositions: [2 ** 31] }),
          'invalid_argument',
          /^positions\[0\]: 2147483648 is outside/,
        ],
        [
          () => phasor.attentionBias({ encoding: 'alibi', heads: 1, queryPositions: [], keyPositions: [1] }),
          'invalid_argument',
          /^queries: 0 is outside/,
        ],
        [
          () => phasor.attentionBias({ encoding: 'rope', heads: 1, queries: 1, keys: 1 }),
          'invalid_argument',
          /^encoding: rope has no bias/,
        ],
        [
          () => rotationMatrix(phasor, { encoding: 'rope', position: [], dim: 4 }),
          'invalid_argument',
          /^position: .* is not a number or a list of coordinates/,
        ],
        [
          () => rotationMatrix(phasor, { encoding: 'rope', position: [1, 2], dim: 4 }),
          'invalid_argument',
          /^positions: have 2 coordinates/,
        ],
        [() => rotationMatrix(phasor, { encoding: 'rope', position: 1, dim: 5 }), 'invalid_argument', /^dim: 5 is odd/],
        [
          () => rotationMatrix(phasor, { encoding: 'rope', position: 1, dim: 4, role: 'value' as never }),
          'invalid_argument',
          /^role: "value" is not one of query, key/,
        ],
        [
          () => shiftMatrix(phasor, { frequencies: [], k: 1 }),
          'invalid_argument',
          /^frequencies: the list is empty; expected at least one/,
        ],
        [
          () => shiftMatrix(phasor, { encoding: 'sinusoidal', dim: 4, k: 1, frequencies: [1] } as never),
          'invalid_argument',
          /^frequencies: cannot be combined with encoding/,
        ],
        [
          () => shiftMatrix(phasor, { encoding: 'learned', dim: 4, k: 1 }),
          'invalid_argument',
          /^encoding: channel 0 of learned at dim 4 is not in a sine-cosine pair/,
        ],
        [() => shiftMatrix(phasor, { encoding: 'sinusoidal', k: 1 } as never), 'invalid_argument', /^dim: undefined is not a number/],
        [() => shiftMatrix(phasor, { frequencies: [1], k: Number.NaN }), 'invalid_argument', /^k: NaN is not a finite number/],
        [
          () => shiftMatrix(phasor, { frequencies: [1], k: 1, layout: 'halves' as never }),
          'invalid_argument',
          /^layout: "halves" is not one of/,
        ],
        [
          () => shiftError(phasor, { table: squareTensor, shift: squareTensor, k: 0.5 }),
          'invalid_argument',
          /^k: 0.5 is not a whole number/,
        ],
        [() => shiftError(phasor, { table: squareTensor, shift: squareTensor, k: 2 }), 'invalid_argument', /^k: 2 is outside -1 to 1/],
        [() => shiftError(phasor, { table: x, shift: squareTensor, k: 0 }), 'invalid_argument', /^table: has shape/],
        [
          () => phasor.combine({ x: squareTensor, table: { shape: [2, 1], data: new Float32Array(2) } }),
          'invalid_argument',
          /^table: has dim 1; expected 2, the dim of x$/,
        ],
        [
          () => phasor.combine({ x: squareTensor, table: squareTensor, mode: 'mix' as never }),
          'invalid_argument',
          /^mode: "mix" is not one of add, concatenate/,
        ],
        [
          () => phasor.combine({ x: squareTensor, table: { shape: [2, 2], data: new Float32Array([1, 2, Number.NaN, 4]) } }),
          'invalid_argument',
          /^table\[2\]: NaN is not a finite/,
        ],
        [() => phasor.positionIds({ attentionMask: [] }), 'invalid_argument', /^attentionMask: 0 is outside 1 to 1048576$/],
        [() => phasor.positionIds({ attentionMask: [1], paddingIdx: -1 }), 'invalid_argument', /^paddingIdx: -1 is outside/],
        [() => phasor.positionIds({ attentionMask: [1], pastLength: 1.5 }), 'invalid_argument', /^pastLength: 1.5 is not a whole number/],
      ]);
      check((await phasor.positionTable({ encoding: 'sinusoidal', length: 1, dim: 2 })).data[1] === 1, 'it goes on working');
    },
  ],
  [
    'names arguments in camel case as in JavaScript, and parameters of encodings in snake case',
    async (phasor) => {
      const x = { shape: [4, 2, 2], data: new Float32Array(16) };
      const squareTensor = { shape: [2, 2], data: new Float32Array(4) };
      const fewTokens = { shape: [2, 2, 2], data: new Float32Array(8) };
      const cache = { heads: 4, headDim: 2, maxLength: 4 };
      await assertErrors([
        [() => phasor.attention({ q: x, k: x, v: x, keyMask: [1] }), 'invalid_argument', /^keyMask: has 1 entries/],
        [() => phasor.attentionBackward({ q: x, k: x, v: x, dOutput: fewTokens }), 'invalid_argument', /^dOutput: has shape 2 x 2 x 2/],
        [
          () =>
            phasor.selfAttentionBackward({
              x: squareTensor,
              heads: 1,
              dOutput: { shape: [2, 2], data: new Float32Array(4).fill(Number.NaN) },
            }),
          'invalid_argument',
          /^dOutput\[0\]: NaN is not/,
        ],
        [
          () => phasor.createCache({ ...cache, kvHeads: 3 }),
          'invalid_argument',
          /^kvHeads: 3 does not divide heads; expected a divisor of 4/,
        ],
        // 0 is a default in C++, but not in JavaScript.
        [() => phasor.createCache({ ...cache, kvHeads: 0 }), 'invalid_argument', /^kvHeads: 0 is outside 1 to 4$/],
        [() => phasor.createCache({ ...cache, vHeadDim: 0 }), 'invalid_argument', /^vHeadDim: 0 is outside/],
        [() => phasor.createCache({ ...cache, vHeadDim: -1 }), 'invalid_argument', /^vHeadDim: -1 is outside/],
        [() => phasor.createCache({ ...cache, maxLength: 0 }), 'invalid_argument', /^maxLength: 0 is outside 1 to 1048576/],
        [
          () => phasor.createCache({ ...cache, encoding: { id: 'relative_bias', max_length: 0 } }),
          'invalid_argument',
          /^max_length: 0 is outside 1 to 65536/,
        ],
        [
          () => phasor.attention({ q: x, k: fewTokens, v: fewTokens, encoding: 'rope_mixed' }),
          'invalid_argument',
          /^encoding: rope_mixed has frequencies for each head, so 4 query heads cannot share 2 kv heads/,
        ],
        [
          () => phasor.attentionBias({ encoding: 'alibi', heads: 1, queries: -2147483647, keys: 2147483647 }),
          'invalid_argument',
          /^queries: -2147483647/,
        ],
      ]);
    },
  ],
  [
    'keeps results intact when memory grows',
    async (phasor) => {
      const first = await phasor.randomNormal({ seed: 1, shape: [64] });
      const copy = first.data.slice();
      check(first.data.buffer.byteLength === 256, 'an answer owns its buffer and nothing more');
      await phasor.randomNormal({ seed: 2, shape: [8000, 1000] });
      check(first.data.length === 64 && first.data.every((value, i) => value === copy[i]), 'the first answer is as it was');
    },
  ],
];
