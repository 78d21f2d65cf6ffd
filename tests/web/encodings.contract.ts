// Encodings outside attention in every engine: declaration, table, bias and rotation.

import { assertClose, assertErrors, type Contract, catchError, check, valueAt } from './contract-checks.ts';

export const encodingCases: Contract = [
  [
    'lists the encodings with their parameters',
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
    'computes the sinusoidal table accurately at large positions',
    async (phasor) => {
      const table = await phasor.positionTable({ encoding: 'sinusoidal', length: 3, dim: 6 });
      check(table.shape.join() === '3,6', `its shape is ${table.shape.join()}`);
      assertClose(valueAt(table, 1, 0), Math.sin(1), 1e-7, 'sin 1');
      assertClose(valueAt(table, 2, 1), Math.cos(2), 1e-7, 'cos 2');
      assertClose(valueAt(table, 1, 2), Math.sin(10000 ** (-2 / 6)), 1e-7, 'the second frequency');
      const farRow = await phasor.positionTable({ encoding: 'sinusoidal', length: 1, dim: 4, positionOffset: 1_000_000 });
      assertClose(valueAt(farRow, 0, 0), Math.sin(1_000_000), 1e-6, 'sin 1000000');
    },
  ],
  [
    'names a method that accepts an encoding without a table',
    async (phasor) => {
      const calledIds = new Set<string>();
      for (const { id, injection, axes, tokens } of phasor.encodings) {
        if (injection === 'input') continue;
        const positions = { shape: [2, axes], data: Array.from({ length: 2 * axes }, (_, index) => index) };
        const dim = 12;
        const { message } = await catchError(() => phasor.positionTable({ encoding: id, positions, dim }));
        const [, text = ''] = /^encoding: \w+ has no table; (?:its injection is \w+, so call (.+)|expected a positional encoding)$/.exec(
          message,
        ) ?? [undefined, 'none'];
        check(text !== 'none', message);
        const x = { shape: [1, 2, dim], data: new Float32Array(2 * dim).fill(1) };
        for (const method of text.split(' or ').filter(Boolean)) {
          calledIds.add(method);
          if (method === 'rotaryAngles') await phasor.rotaryAngles({ encoding: id, positions, dim });
          else if (method === 'applyRotary') await phasor.applyRotary(x, { encoding: id, positions });
          else if (method === 'attentionBias') await phasor.attentionBias({ encoding: id, heads: 1, queries: 2, keys: 2 });
          else check(method === 'attention' && (tokens.length > 0 || /score_content|key_value/.test(injection)), `${id}: ${method}`);
        }
      }
      check([...calledIds].sort().join() === 'applyRotary,attention,attentionBias,rotaryAngles', `called: ${[...calledIds]}`);
    },
  ],
  [
    'computes the cosines and sines of RoPE in one call',
    async (phasor) => {
      const [length, dim] = [3000, 4];
      const pairs = { shape: [1, length, dim], data: Float32Array.from({ length: length * dim }, (_, index) => 1 - (index % 2)) };
      const table = await phasor.applyRotary(pairs, { encoding: { id: 'rope', base: 500 } });
      for (const position of [0, 1, 2999]) {
        for (const pair of [0, 1]) {
          const angle = position * 500 ** (-pair / 2);
          assertClose(valueAt(table, 0, position, 2 * pair), Math.cos(angle), 1e-7, `cos ${angle}`);
          assertClose(valueAt(table, 0, position, 2 * pair + 1), Math.sin(angle), 1e-7, `sin ${angle}`);
        }
      }
    },
  ],
  [
    'adds the ALiBi bias after scaling',
    async (phasor) => {
      const bias = await phasor.attentionBias({ encoding: 'alibi', heads: 6, queries: 2, keys: 5 });
      check(bias.shape.join() === '6,2,5', `its shape is ${bias.shape.join()}`);
      assertClose(valueAt(bias, 0, 0, 0), -3 / 4, 1e-7, 'the first query is at position 3');
      assertClose(valueAt(bias, 4, 1, 0), -4 / 2, 1e-7, 'head 5 of 6 has slope 1/2');
    },
  ],
  [
    'computes the positions of the tokens of a video',
    async (phasor) => {
      const { shape, data } = await phasor.videoPositions({ before: 1, grid: [2, 1, 3], after: 1, frameStep: 1.5 });
      check(shape.join() === '8,3', `the shape is ${shape}`);
      check(
        data.join() === '0,0,0,1,1,0,1,1,1,1,1,2,2.5,2.5,1.5,2.5,2.5,2.5,2.5,2.5,3.5,3.5,3.5,3.5',
        `frames are centred on their time: ${data}`,
      );
      await assertErrors([
        [
          () => phasor.videoPositions({ grid: [1, 2] as never }),
          'invalid_argument',
          /^grid: has 2 values; expected three: frames, rows and columns/,
        ],
        [() => phasor.videoPositions({ grid: [1, 0, 2] }), 'invalid_argument', /^grid: 1 x 0 x 2 has no patches/],
        [() => phasor.videoPositions({}), 'invalid_argument', /^tokens: 0 is outside/],
      ]);
    },
  ],
  [
    'computes a bias at arbitrary positions, as in padded batches',
    async (phasor) => {
      const attentionMask = [0, 0, 1, 1, 1] as const;
      const ids = await phasor.positionIds({ attentionMask, mode: 'bloom' });
      check(ids.shape.join() === '5' && ids.data.join() === '0,0,0,1,2', `the positions are ${ids.data.join()}`);
      check((await phasor.positionIds({ attentionMask })).data.join() === '1,1,2,3,4', 'fairseq counts from the padding token, 1');
      const nextIds = await phasor.positionIds({ attentionMask: [1, 0, 1], mode: 'opt', pastLength: 3 });
      check(nextIds.data.join() === '3,-1,4', `the positions are ${nextIds.data.join()}`);
      const bias = await phasor.attentionBias({ encoding: 'alibi', heads: 2, queryPositions: [2], keyPositions: ids });
      check(bias.shape.join() === '2,1,5', `its shape is ${bias.shape.join()}`);
      assertClose(valueAt(bias, 0, 0, 3), -1 / 16, 1e-7, 'the key before the last, head 1 of 2');
      assertClose(valueAt(bias, 1, 0, 0), -2 / 256, 1e-7, 'padding is at position 0');
      const inside = await phasor.attentionBias({
        encoding: { id: 'relative_bias', max_length: 2, b: [1, 2, 3], placement: 'inside' },
        heads: 1,
        queries: 2,
        keys: 2,
        headDim: 4,
      });
      assertClose(valueAt(inside, 0, 0, 0), 2 / Math.sqrt(4), 1e-7, 'a bias inside the fraction is divided by the root of the width');
    },
  ],
  [
    'rotates queries by their positions',
    async (phasor) => {
      const x = { shape: [1, 2, 2], data: new Float32Array([1, 0, 1, 0]) };
      const rotated = await phasor.applyRotary(x, { encoding: 'rope', positions: [0.5, 3] });
      assertClose(valueAt(rotated, 0, 0, 0), Math.cos(0.5), 1e-6, 'cos 0.5');
      assertClose(valueAt(rotated, 0, 1, 1), Math.sin(3), 1e-6, 'sin 3');
      check(x.data[2] === 1, 'the argument is not modified');
      const angles = await phasor.rotaryAngles({ encoding: { id: 'rope', base: 100 }, length: 4, dim: 8 });
      check(angles.shape.join() === '4,4', `its shape is ${angles.shape.join()}`);
      assertClose(valueAt(angles, 3, 2), 3 * 100 ** (-4 / 8), 1e-6, 'the third angle of position 3');
    },
  ],
  [
    'adds a table to embeddings, or concatenates it',
    async (phasor) => {
      const x = { shape: [2, 2], data: new Float32Array([1, 2, 3, 4]) };
      const table = { shape: [2, 2], data: new Float32Array([10, 20, 30, 40]) };
      check((await phasor.combine({ x, table })).data.join() === '11,22,33,44', 'added');
      const concatenated = await phasor.combine({ x, table, mode: 'concatenate' });
      check(
        concatenated.shape.join() === '2,4' && concatenated.data.join() === '1,2,10,20,3,4,30,40',
        `concatenated: ${concatenated.data.join()}`,
      );
    },
  ],
];
