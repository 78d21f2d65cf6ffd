// phasor/train: errors of specs, files and arguments, and specs without a PyTorch program.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { locatePackagedFile } from '../../web/engine/package-files.ts';
import { createTrainer, PhasorError, type TrainConfig } from '../../web/engine/train.node.ts';
import './relaxed-simd.ts';
import { refusalsAre, trainersBy } from './trainers.ts';

const refusalOf = refusalsAre(PhasorError);
const smallSpec = { task: 'order', encoding: 'rope', batchSize: 8, seed: 3 } as const;

const trainer = trainersBy(createTrainer);

describe('trainer', () => {
  const manyLetters = Array.from({ length: 6000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
  const rejected: [string, object, RegExp][] = [
    ['an unknown field', { layrs: 2 }, /^layrs is not a field of createTrainer; did you mean layers\?$/],
    ['an unknown task', { task: 'sorting' }, /^task: "sorting" is unknown; expected one of copy, counting, /],
    ['no task', { task: undefined }, /^task: undefined is not a string$/],
    ['an unknown encoding', { encoding: 'rop' }, /"rop"/],
    ['an unknown parameter of the encoding', { encoding: { id: 'rope', bass: 3 } }, /bass/],
    ['heads that do not divide the width', { heads: 3 }, /^heads: 3 does not divide embedDim; expected a divisor of 32$/],
    ['a number out of range', { lr: -1 }, /^lr: -1 is outside 0 to 1,?000$/],
    ['a camel-case field out of range', { dimFeedforward: -1 }, /^dimFeedforward: -1 is outside 0 to 16,?384$/],
    ['a fraction', { steps: 1.5 }, /^steps: 1\.5 is not a whole number$/],
    ['a number of another type', { layers: 'two' }, /^layers: "?two"? is not a number$/],
    ['a flag that is not boolean', { causal: 1 }, /^causal: 1 is not true or false$/],
    ['an unknown choice', { norm: 'batch_norm' }, /^norm: "?batch_norm"? is not one of layer_norm, rms_norm$/],
    ['a minimum length above the length', { minSequenceLength: 17 }, /^minSequenceLength: 17 exceeds sequenceLength 16$/],
    [
      'fewer randomized positions than tokens',
      { randomizedPositions: 8 },
      /^randomizedPositions: 8 is less than the number of tokens per item, 16$/,
    ],
    ['tied word embeddings', { tieWordEmbeddings: true }, /^tieWordEmbeddings: /],
    ['an encoding on two axes', { encoding: 'rope_2d' }, /rope_2d needs 2 coordinates per position/],
    ['an empty corpus', { task: 'text', corpus: '' }, /^corpus: is empty$/],
    ['no corpus', { task: 'text' }, /^corpus: is empty$/],
    ['a short corpus', { task: 'text', corpus: 'abc' }, /^corpus: 3 symbols are too few; /],
    [
      'a corpus with too many symbols',
      { task: 'text', corpus: manyLetters, sequenceLength: 16 },
      /^corpus: has 6000 distinct symbols; expected at most 4096$/,
    ],
    ['a corpus for a task without one', { corpus: 'to be or not to be' }, /^corpus: task order does not use a corpus$/],
    ['an image for a task without one', { image: { shape: [2, 2, 1], data: [0, 1, 1, 0] } }, /^image: task order does not use an image$/],
    ['a corpus that is not a string', { task: 'text', corpus: 3 }, /^corpus: 3 is not a string$/],
    [
      'a step that needs too much memory',
      { batchSize: 65536, sequenceLength: 2048, task: 'copy' },
      /^batchSize: a step of .* needs [\d,.]+ bytes, more than is available$/,
    ],
    ['a portable field that is not boolean', { portable: 'yes' }, /^portable: "yes" is not true or false$/],
  ];
  it.each(rejected)('rejects %s', async (_, fields, message) => {
    const error = await refusalOf(createTrainer({ task: 'order', ...fields } as never));
    expect(error.message).toMatch(message);
  });

  it('rejects a config that is not an object, and a WebAssembly file without training', async () => {
    expect(await refusalOf(createTrainer('order' as never))).toMatchObject({ message: 'config: "order" is not an object' });
    const wasm = readFileSync(locatePackagedFile()[0] as URL);
    expect(await refusalOf(createTrainer(smallSpec, { wasm }))).toMatchObject({ code: 'not_wasm', argument: 'wasm' });
  });

  it('rejects evaluation beyond a learned table, and files of other trainers', async () => {
    const smallTrainer = await trainer({ ...smallSpec, encoding: 'learned' });
    const tooLongError = await refusalOf(smallTrainer.evaluate({ lengths: [32], numSamples: 8 }));
    expect(tooLongError.argument).toBe('lengths');
    expect(tooLongError.message).toMatch(
      /^lengths: 32 tokens exceed the table of learned, whose last row is 15; clamp positions to the last row, or use/,
    );
    // The table has the requested number of rows, but those beyond the training length keep their initial values.
    const longTrainer = await trainer({ ...smallSpec, encoding: { id: 'learned', max_length: 32 } });
    const initialRows = (await longTrainer.weights())['encoding.table']?.data.slice(16 * 32) ?? [];
    await longTrainer.step(2);
    expect(initialRows).toHaveLength(16 * 32);
    expect((await longTrainer.weights())['encoding.table']?.data.slice(16 * 32)).toEqual(initialRows);
    expect((await longTrainer.evaluate({ lengths: [32], numSamples: 8 })).lengths[0]?.length).toBe(32);
    expect((await smallTrainer.evaluate({ lengths: [32], numSamples: 8, outOfRange: 'clamp' })).lengths[0]?.length).toBe(32);
    const initialWeights = await smallTrainer.weights();
    const [weights, checkpoint] = [await smallTrainer.saveWeights(), await (await trainer(smallSpec)).saveCheckpoint()];
    const files: [() => Promise<unknown>, RegExp][] = [
      [() => smallTrainer.loadCheckpoint(new Uint8Array(3)), /3 bytes are too few for a safetensors file/],
      [() => smallTrainer.loadCheckpoint(weights), /^checkpoint: has only weights; expected a trainer checkpoint$/],
      [() => smallTrainer.loadCheckpoint(checkpoint), /^checkpoint: belongs to another training run: /],
      [() => smallTrainer.loadCheckpoint('file' as never), /^checkpoint: "file" is not a Uint8Array or an ArrayBuffer$/],
      [() => smallTrainer.loadWeights(weights.slice(0, -1)), /./],
      [
        () => smallTrainer.loadWeights({ ...initialWeights, more: { shape: [1], data: [0] } }),
        /^weights: more is not a weight of this model$/,
      ],
      [
        () => smallTrainer.loadWeights({ ...initialWeights, 'head.bias': { shape: [1], data: [0] } }),
        /^weights: head\.bias has shape 1; expected 2$/,
      ],
      [() => smallTrainer.loadWeights({}), /^weights: .* is missing$/],
      [() => smallTrainer.loadWeights(3 as never), /^weights: 3 is neither an object of named tensors/],
    ];
    for (const [call, message] of files) expect((await refusalOf(call())).message).toMatch(message);
    expect(await smallTrainer.weights()).toEqual(initialWeights);
  });

  it('rejects invalid arguments of methods', async () => {
    const smallTrainer = await trainer(smallSpec);
    const calls: [() => Promise<unknown>, RegExp][] = [
      [() => smallTrainer.step(0), /^count: 0 is outside 1 to /],
      [() => smallTrainer.step(1.5), /^count: 1\.5 is not a whole number$/],
      [() => smallTrainer.step(1, { onProgres: () => {} } as never), /^onProgres is not an option; expected one of onProgress, signal$/],
      [() => smallTrainer.evaluate({ length: 8 } as never), /^length is not a field of evaluate; did you mean lengths\?$/],
      [() => smallTrainer.evaluate({ onProgress: 3 as never }), /^onProgress: 3 is not a function$/],
      [() => smallTrainer.evaluate({ signal: 'stop' as never }), /^signal: "stop" is not an AbortSignal$/],
      [() => smallTrainer.evaluate({ lengths: [8, 1.5], onProgress: () => {} }), /^lengths: 1\.5 is not a whole number from 0 to /],
      [() => smallTrainer.evaluate({ lengths: [8, 1], onProgress: () => {} }), /^length: 1 is too short for two words$/],
      [
        () => smallTrainer.evaluate({ length: 8, onProgress: () => {} } as never),
        /^length is not a field of evaluate; did you mean lengths\?$/,
      ],
      [() => smallTrainer.evaluate(null as never), /^options: null is not an object$/],
      [() => smallTrainer.evaluate({ outOfRange: 'repeat' as never }), /^outOfRange: "repeat" is not one of error, clamp$/],
      [() => smallTrainer.logits([0, 99]), /^tokens\[1\]: 99 is outside 0 to 19$/],
      [() => smallTrainer.attentionWeights([]), /^tokens: /],
      [() => smallTrainer.tokens('abc'), /^(task|text|tokens): /],
      [() => smallTrainer.saveWeights({ dtype: 'f8' as never }), /^dtype: "f8" is not one of f32, f16$/],
    ];
    for (const [call, message] of calls) expect((await refusalOf(call())).message).toMatch(message);
  });
});

describe('toPyTorch', () => {
  // tests/pytorch trains with these configs.
  it('returns the spec and the weights of the trainer', async () => {
    const { name, config, weights } = await (await trainer(smallSpec)).toPyTorch();
    expect(name).toBe('order_rope');
    expect(JSON.parse(config)).toMatchObject({ ...smallSpec, encoding: { id: 'rope' } });
    expect(weights).toEqual(await (await trainer(smallSpec)).saveWeights());
  });

  it('rejects specs that transformer.py does not support', async () => {
    const refused: [TrainConfig, RegExp][] = [
      [{ ...smallSpec, encoding: 'rope_fourier' }, /^encoding: rope_fourier is not in transformer.py; /],
      [{ task: 'image', image: { shape: [4, 4, 1], data: new Float32Array(16) } }, /^task: transformer.py does not support image tasks; /],
    ];
    for (const [spec, message] of refused) {
      const smallTrainer = await trainer(spec);
      const error = await refusalOf(smallTrainer.toPyTorch());
      expect(error.code).toBe('unsupported');
      expect(error.message).toMatch(message);
    }
  });
});
