// What every engine does, whether it runs on the calling thread or in a worker, in Node or in a browser. The cases know no
// test runner: tests/web/engine.test.ts runs them under Vitest, tests/browser/engine.spec.ts inside Chromium.

import type { Tensor } from '../../web/engine/types.ts';
import { attentionCases } from './attention.contract.ts';
import { type AnyPhasor, at, type ContractCase, check, close, failure } from './contract-checks.ts';

export type { AnyPhasor, ContractCase } from './contract-checks.ts';

const cases: [string, (phasor: AnyPhasor) => Promise<void>][] = [
  [
    'lists the encodings with parameters that describe themselves',
    async (phasor) => {
      const rope = phasor.encodings.find((encoding) => encoding.id === 'rope');
      check(rope?.injection === 'query_key' && rope.relative && !rope.learned, 'rope enters at query_key');
      const base = rope.params.find((param) => param.name === 'base');
      check(base?.kind === 'real' && base.default === 10000 && base.logarithmic, 'base is a real number, 10000 by default');
      const layout = rope.params.find((param) => param.name === 'layout');
      check(layout?.choices.join() === 'interleaved,half_split' && layout.default === 'interleaved', 'layout has its two choices');
      check(/^\d+\.\d+\.\d+/.test(phasor.version), `the version is ${phasor.version}`);
    },
  ],
  [
    'computes the sinusoidal table, exact at far positions',
    async (phasor) => {
      const table = await phasor.table({ encoding: 'sinusoidal', length: 3, width: 6 });
      check(table.shape.join() === '3,6', `its shape is ${table.shape.join()}`);
      close(at(table, 1, 0), Math.sin(1), 1e-7, 'sin 1');
      close(at(table, 2, 1), Math.cos(2), 1e-7, 'cos 2');
      close(at(table, 1, 2), Math.sin(10000 ** (-2 / 6)), 1e-7, 'the second frequency');
      const far = await phasor.table({ encoding: 'sinusoidal', length: 1, width: 4, offset: 1_000_000 });
      close(at(far, 0, 0), Math.sin(1_000_000), 1e-6, 'sin 1000000');
    },
  ],
  [
    'adds the ALiBi bias after scaling',
    async (phasor) => {
      const bias = await phasor.bias({ encoding: 'alibi', heads: 6, queries: 2, keys: 5 });
      check(bias.shape.join() === '6,2,5', `its shape is ${bias.shape.join()}`);
      close(at(bias, 0, 0, 0), -3 / 4, 1e-7, 'the first query stands at position 3');
      close(at(bias, 4, 1, 0), -4 / 2, 1e-7, 'head 5 of 6 has slope 1/2');
    },
  ],
  [
    'turns queries by their positions',
    async (phasor) => {
      const x = { shape: [1, 2, 2], data: new Float32Array([1, 0, 1, 0]) };
      const turned = await phasor.rotate(x, { encoding: 'rope', positions: [0.5, 3] });
      close(at(turned, 0, 0, 0), Math.cos(0.5), 1e-6, 'cos 0.5');
      close(at(turned, 0, 1, 1), Math.sin(3), 1e-6, 'sin 3');
      check(x.data[2] === 1, 'the argument is left as it was');
      const angles = await phasor.angles({ encoding: 'rope', length: 4, width: 8, base: 100 });
      check(angles.shape.join() === '4,4', `its shape is ${angles.shape.join()}`);
      close(at(angles, 3, 2), 3 * 100 ** (-4 / 8), 1e-6, 'the third angle of position 3');
    },
  ],
  [
    'attends: weights are a softmax, the output their mean of the values',
    async (phasor) => {
      const q = { shape: [1, 2, 1], data: new Float32Array([1, 2]) };
      const k = { shape: [1, 2, 1], data: new Float32Array([0, Math.LN2]) };
      const v = { shape: [1, 2, 1], data: new Float32Array([3, 6]) };
      const free = await phasor.attention({ q, k, v, scale: 1, want: ['weights', 'scores', 'bias'] });
      close(at(free.weights!, 0, 0, 1), 2 / 3, 1e-6, 'the weight of the second key');
      close(at(free.output, 0, 0, 0), 5, 1e-6, 'the output');
      close(at(free.scores!, 0, 1, 1), 2 * Math.LN2, 1e-6, 'the score');
      check(at(free.bias!, 0, 1, 0) === 0, 'no encoding adds nothing');
      const causal = await phasor.attention({ q, k, v, scale: 1, mask: 'causal', want: ['weights'] });
      check(at(causal.weights!, 0, 0, 1) === 0 && at(causal.output, 0, 0, 0) === 3, 'the first query sees itself only');
      const hidden = await phasor.attention({ q, k, v, keyMask: [0, 0], want: ['weights'] });
      check(
        [...hidden.weights!.data, ...hidden.output.data].every((value) => value === 0),
        'a row without a visible key is zero',
      );
      check(!('weights' in (await phasor.attention({ q, k, v }))), 'weights are returned only when wanted');
    },
  ],
  [
    'shows that attention without positions does not notice order',
    async (phasor) => {
      const length = 9;
      const width = 16;
      const x = await phasor.gaussian({ seed: 7, shape: [length, width] });
      const order = [3, 1, 4, 0, 5, 8, 2, 6, 7];
      const moved = { shape: x.shape, data: Float32Array.from(order.flatMap((p) => [...x.data.subarray(p * width, (p + 1) * width)])) };
      const error = async (options: object) => {
        const before = (await phasor.layer({ x, heads: 4, projections: 'orthogonal', seed: 3, ...options })).output;
        const after = (await phasor.layer({ x: moved, heads: 4, projections: 'orthogonal', seed: 3, ...options })).output;
        return (await phasor.permutationError({ before, after, order })).largest;
      };
      const none = await error({});
      check(none < 2e-6, `outputs only move: ${none}`);
      for (const options of [{ encoding: 'sinusoidal' }, { encoding: 'rope' }, { encoding: 'alibi' }, { mask: 'causal' }]) {
        const largest = await error(options);
        check(largest > 0.01, `order matters with ${JSON.stringify(options)}: ${largest}`);
      }
    },
  ],
  [
    'measures similarity and draws the same numbers for the same seed',
    async (phasor) => {
      const table = await phasor.table({ encoding: 'sinusoidal', length: 5, width: 8 });
      const cosine = await phasor.similarity({ table });
      close(at(cosine, 2, 2), 1, 1e-6, 'a row is like itself');
      close(at(cosine, 0, 1), at(cosine, 3, 4) ?? Number.NaN, 1e-6, 'similarity depends on the distance');
      const first = await phasor.gaussian({ seed: 5, shape: [2, 3] });
      const again = await phasor.gaussian({ seed: 5, shape: [2, 3] });
      check(
        first.data.every((value, i) => value === again.data[i]),
        'the same seed, the same numbers',
      );
    },
  ],
  [
    'adds a bias at any positions, as padded batches have them',
    async (phasor) => {
      const visible = [0, 0, 1, 1, 1];
      const ids = await phasor.positionIds({ visible, how: 'bloom' });
      check(ids.shape.join() === '5' && ids.data.join() === '0,0,0,1,2', `the positions are ${ids.data.join()}`);
      check((await phasor.positionIds({ visible })).data.join() === '1,1,2,3,4', 'fairseq counts from the padding token, 1');
      const later = await phasor.positionIds({ visible: [1, 0, 1], how: 'opt', past: 3 });
      check(later.data.join() === '3,-1,4', `the positions are ${later.data.join()}`);
      const bias = await phasor.bias({ encoding: 'alibi', heads: 2, queryPositions: [2], keyPositions: ids });
      check(bias.shape.join() === '2,1,5', `its shape is ${bias.shape.join()}`);
      close(at(bias, 0, 0, 3), -1 / 16, 1e-7, 'the key before the last, head 1 of 2');
      close(at(bias, 1, 0, 0), -2 / 256, 1e-7, 'padding stands at 0');
      const b = { shape: [3], data: new Float32Array([1, 2, 3]) };
      const inside = await phasor.bias({
        encoding: 'relative_bias',
        max_length: 2,
        b,
        placement: 'inside',
        heads: 1,
        queries: 2,
        keys: 2,
        width: 4,
      });
      close(at(inside, 0, 0, 0), 2 / Math.sqrt(4), 1e-7, 'a bias inside the fraction is divided by the root of the width');
    },
  ],
  [
    'writes rotations and shifts as matrices',
    async (phasor) => {
      const turn = await phasor.rotationMatrix({ encoding: 'rope', position: 0.5, width: 4, layout: 'half_split' });
      check(turn.shape.join() === '4,4', `its shape is ${turn.shape.join()}`);
      close(at(turn, 0, 0), Math.cos(0.5), 1e-6, 'cos 0.5');
      close(at(turn, 2, 0), Math.sin(0.5), 1e-6, 'sin 0.5, half a head further');
      const patch = await phasor.rotationMatrix({ encoding: 'rope_2d', position: [0, 0], width: 4 });
      check(
        patch.data.every((value, i) => value === (i % 5 === 0 ? 1 : 0)),
        'the origin turns nothing',
      );
      const frequencies = [1, 0.01];
      const shift = await phasor.shiftMatrix({ frequencies, k: 3 });
      close(at(shift, 0, 1), Math.sin(3), 1e-6, 'sin 3');
      const table = await phasor.table({ encoding: 'sinusoidal', length: 9, width: 4 });
      check((await phasor.shiftResidual({ table, shift, k: 3 })).largest < 1e-6, 'three rows further is the matrix times the row');
      check((await phasor.shiftResidual({ table, shift, k: 2 })).largest > 0.1, 'two rows further is not');
      const halves = await phasor.shiftMatrix({ frequencies, k: 3, layout: 'concatenated' });
      close(at(halves, 0, 2), Math.sin(3), 1e-6, 'the cosine of the first frequency stands after all sines');
    },
  ],
  [
    'measures how much of a rotation depends on more than differences',
    async (phasor) => {
      const q = await phasor.gaussian({ seed: 1, shape: [2, 8] });
      const k = await phasor.gaussian({ seed: 2, shape: [2, 8] });
      const positions = [0, 3, 10, 500];
      check((await phasor.rotationResidual({ encoding: 'rope', q, k, positions })).largest < 1e-5, 'rope sees differences');
      const grid = { id: 'rope_2d', columns: 4 };
      check((await phasor.rotationResidual({ encoding: grid, q, k, positions })).largest > 0.1, 'patches are counted row by row');
      check((await phasor.rotationResidual({ encoding: grid, q, k, positions: [0, 4, 40] })).largest < 1e-5, 'whole rows apart');
    },
  ],
  [
    'moves the rows of a table by one matrix, with the frequencies of the encoding',
    async (phasor) => {
      const encodings = [
        { id: 'sinusoidal' },
        { id: 'sinusoidal', layout: 'concatenated', frequencies: 'tensor2tensor', max_timescale: 500 },
        { id: 'sinusoidal', base: 100, scaled: true },
        { id: 'multi_frequency' },
        { id: 'fourier', order: 'sin_cos' },
        { id: 'nerf' },
      ] as const;
      for (const encoding of encodings) {
        const { id, ...params } = encoding;
        const width = 8;
        const k = 3;
        const shift = await phasor.shiftMatrix({ encoding, width, k });
        const table = await phasor.table({ encoding: id, ...params, length: 12, width });
        const channels = table.shape[1] ?? 0;
        check(shift.shape.join() === `${channels},${channels}`, `${id}: its shape is ${shift.shape.join()}`);
        for (let p = 0; p + k < 12; p += 1) {
          for (let c = 0; c < channels; c += 1) {
            let moved = 0;
            for (let i = 0; i < channels; i += 1) moved += (at(shift, c, i) ?? 0) * (at(table, p, i) ?? 0);
            close(moved, at(table, p + k, c) ?? Number.NaN, 1e-6, `${id} position ${p + k} channel ${c}`);
          }
        }
        check((await phasor.shiftResidual({ table, shift, k: 2 })).largest > 1e-3, `${id}: two rows further is another matrix`);
      }
      const byHand = await phasor.shiftMatrix({ frequencies: [1, 0.01], k: 3 });
      const same = await phasor.shiftMatrix({ encoding: 'sinusoidal', width: 4, k: 3 });
      check(same.data.join() === byHand.data.join(), 'the frequencies of a sinusoidal table 4 wide are 1 and 0.01');
    },
  ],
  [
    'adds a table to embeddings, or puts it beside them',
    async (phasor) => {
      const x = { shape: [2, 2], data: new Float32Array([1, 2, 3, 4]) };
      const table = { shape: [2, 2], data: new Float32Array([10, 20, 30, 40]) };
      check((await phasor.combine({ x, table })).data.join() === '11,22,33,44', 'added');
      const beside = await phasor.combine({ x, table, how: 'concatenate' });
      check(beside.shape.join() === '2,4' && beside.data.join() === '1,2,10,20,3,4,30,40', `beside: ${beside.data.join()}`);
    },
  ],
  [
    'reads the rotary encoding of a model and tells its frequencies',
    async (phasor) => {
      const llama = {
        architectures: ['LlamaForCausalLM'],
        attention_bias: false,
        bos_token_id: null,
        rope_theta: 500000,
        max_position_embeddings: 131072,
        rope_scaling: { factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192, rope_type: 'llama3' },
      };
      const encoding = await phasor.ropeModel(llama);
      check(encoding.id === 'rope' && encoding.base === 500000 && encoding.layout === 'half_split', `it is ${JSON.stringify(encoding)}`);
      check(encoding.scaling === 'llama3' && encoding.factor === 8 && encoding.original_length === 8192, 'with its scaling');
      const { inverse, attentionFactor } = await phasor.ropeFrequencies({ encoding, width: 128 });
      check(inverse.shape.join() === '64' && attentionFactor === 1, `there are ${inverse.shape.join()} pairs`);
      close(inverse.data[1], 500000 ** (-2 / 128), 1e-7, 'fast pairs keep their frequency');
      close((inverse.data[63] ?? 0) * 1e6, (500000 ** (-126 / 128) / 8) * 1e6, 1e-6, 'the slowest is slowed by the factor');
      const q = { shape: [1, 2, 128], data: new Float32Array(256).fill(1) };
      check((await phasor.attention({ q, k: q, v: q, encoding })).output.data[0] === 1, 'what was read is an encoding as requests take it');

      const yarn = await phasor.ropeModel({ rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32768 });
      const stretched = await phasor.ropeFrequencies({ encoding: yarn, width: 128 });
      close(stretched.attentionFactor, 0.1 * Math.log(4) + 1, 1e-12, 'the attention factor of YaRN');
      const gemma = {
        rope_parameters: {
          full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1e6 },
          sliding_attention: { rope_type: 'default', rope_theta: 1e4 },
        },
      };
      check((await phasor.ropeModel(gemma, { layerType: 'sliding_attention' })).base === 1e4, 'layers may differ');
      const phi = {
        original_max_position_embeddings: 4096,
        max_position_embeddings: 131072,
        rope_scaling: { type: 'longrope', short_factor: [1, 1.5], long_factor: [2, 64] },
      };
      const long = await phasor.ropeModel(phi, { sequenceLength: 8192 });
      close((await phasor.ropeFrequencies({ encoding: long, width: 4 })).inverse.data[1], 0.01 / 64, 1e-7, 'a factor for each pair');
      const qwen = await phasor.ropeModel({ rope_scaling: { type: 'mrope', mrope_section: [16, 24, 24] } });
      check(qwen.id === 'mrope' && (qwen.sections as Tensor).data.join() === '16,24,24', 'sections make it mrope');
    },
  ],
  [
    'answers bad input with one sentence and goes on working',
    async (phasor) => {
      const x = { shape: [1, 1, 7], data: new Float32Array(7) };
      const square = { shape: [2, 2], data: new Float32Array(4) };
      const expected: [() => unknown, string, RegExp][] = [
        [() => phasor.rotate(x, { encoding: 'rope' }), 'invalid_argument', /^width: 7 is odd/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 4, width: 4, base: 0 }), 'invalid_argument', /^base: 0 is outside/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 4, width: 4, base: -2 }), 'invalid_argument', /^base: -2 is outside/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 4, width: 4, base: Number.NaN }), 'invalid_argument', /^base: NaN/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 0, width: 4 }), 'invalid_argument', /^length: 0 is outside 1 to/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 1.5, width: 4 }), 'invalid_argument', /^length: 1.5 is not a whole number/],
        [
          () => phasor.table({ encoding: 'sinusoidal', length: 1, width: 4, offset: 2 ** 31 }),
          'invalid_argument',
          /^offset: 2147483648 is/,
        ],
        [() => phasor.table({ encoding: 'sinusoidal', length: 1, width: 4, bass: 3 }), 'unknown_name', /^bass: sinusoidal has no such/],
        [() => phasor.table({ encoding: 'nothing', length: 1, width: 4 }), 'unknown_name', /^encoding: "nothing" is unknown; there are/],
        [() => phasor.table({ encoding: 'rope', length: 1, width: 4 }), 'invalid_argument', /^encoding: rope has no table/],
        [() => phasor.rotate(x, { encoding: 'rope', positions: [1, 2] }), 'invalid_argument', /^width: 7 is odd|^positions: there are 2/],
        [() => phasor.layer({ x: { shape: [2, 6], data: new Float32Array(12) }, heads: 4 }), 'invalid_argument', /^heads: 4 do not divide/],
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
          /^v: it has 2 tokens, but k has 1/,
        ],
        [
          () => phasor.attention({ q: x, k: x, v: { shape: [2, 7], data: new Float32Array(13) } }),
          'invalid_argument',
          /^v\.data: "?13 numbers"? is not as long/,
        ],
        [() => phasor.bias({ encoding: 'alibi', heads: 64, queries: 100000, keys: 100000 }), 'resource_exhausted', /^bias: .* MiB/],
        [() => (phasor.table as (request?: unknown) => unknown)(), 'invalid_argument', /^table: argument 1 is undefined/],
        [
          () => phasor.bias({ encoding: 'alibi', heads: 1, queryPositions: [1] } as never),
          'invalid_argument',
          /^keyPositions: undefined is not an array/,
        ],
        [
          () => phasor.bias({ encoding: 'alibi', heads: 1, queries: 2, queryPositions: [1], keyPositions: [1] }),
          'invalid_argument',
          /^queries: it is given beside queryPositions/,
        ],
        [
          () => phasor.bias({ encoding: 'alibi', heads: 1, queryPositions: [1], keyPositions: [2 ** 31] }),
          'invalid_argument',
          /^positions\[0\]: 2147483648 is outside/,
        ],
        [
          () => phasor.bias({ encoding: 'alibi', heads: 1, queryPositions: [], keyPositions: [1] }),
          'invalid_argument',
          /^queries: 0 is outside/,
        ],
        [() => phasor.bias({ encoding: 'rope', heads: 1, queries: 1, keys: 1 }), 'invalid_argument', /^encoding: rope has no bias/],
        [
          () => phasor.rotationMatrix({ encoding: 'rope', position: [], width: 4 }),
          'invalid_argument',
          /^position: .* is not a number or its coordinates/,
        ],
        [
          () => phasor.rotationMatrix({ encoding: 'rope', position: [1, 2], width: 4 }),
          'invalid_argument',
          /^positions: they have 2 coordinates/,
        ],
        [() => phasor.rotationMatrix({ encoding: 'rope', position: 1, width: 5 }), 'invalid_argument', /^width: 5 is odd/],
        [
          () => phasor.rotationMatrix({ encoding: 'rope', position: 1, width: 4, role: 'value' as never }),
          'invalid_argument',
          /^role: "value" is not one of query, key/,
        ],
        [() => phasor.shiftMatrix({ frequencies: [], k: 1 }), 'invalid_argument', /^frequencies: there are none/],
        [
          () => phasor.shiftMatrix({ encoding: 'sinusoidal', width: 4, k: 1, frequencies: [1] } as never),
          'invalid_argument',
          /^frequencies: it is given beside encoding, which already says it/,
        ],
        [
          () => phasor.shiftMatrix({ encoding: 'learned', width: 4, k: 1 }),
          'invalid_argument',
          /^encoding: channel 0 of learned at width 4 is not a sine or cosine/,
        ],
        [() => phasor.shiftMatrix({ encoding: 'sinusoidal', k: 1 } as never), 'invalid_argument', /^width: undefined is not a number/],
        [() => phasor.ropeModel({}), 'invalid_argument', /^rope_parameters: the key is missing/],
        [() => phasor.ropeModel([]), 'invalid_argument', /^config: a list of 0 numbers is not an object/],
        [() => phasor.shiftMatrix({ frequencies: [1], k: Number.NaN }), 'invalid_argument', /^k: NaN is not a finite number/],
        [
          () => phasor.shiftMatrix({ frequencies: [1], k: 1, layout: 'halves' as never }),
          'invalid_argument',
          /^layout: "halves" is not one of/,
        ],
        [() => phasor.shiftResidual({ table: square, shift: square, k: 0.5 }), 'invalid_argument', /^k: 0.5 is not a whole number/],
        [() => phasor.shiftResidual({ table: square, shift: square, k: 2 }), 'invalid_argument', /^k: 2 is outside -1 to 1/],
        [() => phasor.shiftResidual({ table: x, shift: square, k: 0 }), 'invalid_argument', /^table: its shape is/],
        [
          () => phasor.combine({ x: square, table: { shape: [2, 1], data: new Float32Array(2) } }),
          'invalid_argument',
          /^table: its width 1 cannot be/,
        ],
        [
          () => phasor.combine({ x: square, table: square, how: 'mix' as never }),
          'invalid_argument',
          /^how: "mix" is not one of add, concatenate/,
        ],
        [() => phasor.positionIds({ visible: [] }), 'invalid_argument', /^visible: 0 is outside/],
        [() => phasor.positionIds({ visible: [1], paddingIdx: -1 }), 'invalid_argument', /^paddingIdx: -1 is outside/],
        [() => phasor.positionIds({ visible: [1], past: 1.5 }), 'invalid_argument', /^past: 1.5 is not a whole number/],
        [() => phasor.ropeFrequencies({ encoding: 'xpos', width: 4 }), 'invalid_argument', /^encoding: xpos has no scaling of frequencies/],
        [() => phasor.ropeFrequencies({ encoding: 'alibi', width: 4 }), 'invalid_argument', /^encoding: alibi has no frequencies/],
        [
          () => phasor.ropeFrequencies({ encoding: { id: 'rope', factor: 0.5 }, width: 4 }),
          'invalid_argument',
          /^factor: 0.5 is outside 1 to/,
        ],
        [() => phasor.ropeModel({ rope_scaling: { factor: 2 } }), 'invalid_argument', /^rope_scaling\.rope_type: the key is missing/],
        [
          () => phasor.ropeModel({ rope_scaling: { type: 'linear' } }),
          'invalid_argument',
          /^rope_scaling\.factor: the key is missing; linear/,
        ],
        [
          () => phasor.ropeModel({ rope_scaling: { type: 'linear', factor: '2' } }),
          'invalid_argument',
          /^rope_scaling\.factor: "2" is not a number/,
        ],
        [
          () => phasor.ropeModel({ rope_scaling: { type: 'linear', factor: 2, beta: [1] } }),
          'unknown_name',
          /^rope_scaling\.beta: linear has no such key, here a list of 1 numbers/,
        ],
        [
          () => phasor.ropeModel({ rope_scaling: { type: 'longrope', short_factor: ['a'], long_factor: [1] } }),
          'invalid_argument',
          /^rope_scaling\.short_factor: "a" is not a list of numbers/,
        ],
        [() => phasor.ropeModel({ rope_scaling: 'linear' }), 'invalid_argument', /^rope_scaling: "linear" is not an object/],
        [
          () => phasor.ropeModel({ rope_parameters: { full: { rope_type: 'default' } } }),
          'invalid_argument',
          /^layerType: it is not given, but layers differ; there are full/,
        ],
        [
          () => phasor.ropeModel({ rope_parameters: { full: { rope_type: 'default' } } }, { layerType: 'window' }),
          'unknown_name',
          /^layerType: "window" is unknown/,
        ],
        [() => phasor.ropeModel('config.json' as never), 'invalid_argument', /^config: "config\.json" is not an object/],
      ];
      for (const [run, code, sentence] of expected) {
        const error = await failure(run);
        check(
          error.name === 'PhasorError' && error.code === code && sentence.test(error.message),
          `${sentence}: ${error.code} ${error.message}`,
        );
      }
      check((await phasor.table({ encoding: 'sinusoidal', length: 1, width: 2 })).data[1] === 1, 'it goes on working');
    },
  ],
  [
    'keeps an answer intact while memory grows under it',
    async (phasor) => {
      const first = await phasor.gaussian({ seed: 1, shape: [64] });
      const copy = first.data.slice();
      check(first.data.buffer.byteLength === 256, 'an answer owns its buffer and nothing more');
      await phasor.gaussian({ seed: 2, shape: [8000, 1000] });
      check(first.data.length === 64 && first.data.every((value, i) => value === copy[i]), 'the first answer is as it was');
    },
  ],
];

export const contract: readonly ContractCase[] = [...cases, ...attentionCases].map(([name, run]) => ({ name, run }));
