// phasor/train: against the native program, saved and gone on from, cancelled, two at a time, in a worker, and refusing by name.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type * as Train from '../../web/engine/train.node.ts';
import './relaxed-simd.ts';
import { losses, trainersBy } from './trainers.ts';

const { createTrainer, createTrainerWorker, PhasorError }: typeof Train = await import('../../dist/npm/train.node.js' as string);

const small = { task: 'order', encoding: 'rope', batch: 8, seed: 3 } as const;
const [trainer, worker] = [trainersBy(createTrainer), trainersBy(createTrainerWorker)];

async function refusalOf(promise: Promise<unknown>): Promise<Train.PhasorError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PhasorError);
  return error as Train.PhasorError;
}

/** `npm run train -- order --encoding rope --steps 10 --every 1 --out FILE`, with GCC 12 on x86. */
const NATIVE = [
  0.730186469, 0.689714909, 0.688093699, 0.728071917, 0.706793063, 0.701129052, 0.707655421, 0.700978938, 0.721160131, 0.714858223,
];

it.each(['relaxed', 'simd', 'scalar'] as const)('takes the ten first steps of the native program, by %s', async (variant) => {
  const one = await trainer({ task: 'order', encoding: 'rope', steps: 10 }, { variant });
  expect(one.variant).toBe(variant);
  const found = await losses(one, 10);
  found.forEach((loss, step) => {
    expect(Math.abs(loss - (NATIVE[step] as number)), `step ${step + 1}`).toBeLessThan(1e-4);
  });
  expect(one.stepsDone).toBe(10);
});

it('gives the same bits everywhere where asked to: without relaxed SIMD', async () => {
  const spec = { ...small, portable: true };
  const [portable, simd] = [await trainer(spec), await trainer(small, { variant: 'simd' })];
  expect(portable.variant).toBe('simd');
  expect(await losses(portable, 3)).toEqual(await losses(simd, 3));
});

it('learns what a model without positions cannot', async () => {
  const accuracy = async (encoding: string) => {
    const one = await trainer({ task: 'order', encoding, width: 16, heads: 2, length: 8, batch: 32, lr: 0.01, steps: 150 });
    await one.step(150);
    return (await one.evaluate({ items: 256 })).lengths[0]!.score;
  };
  expect(await accuracy('rope')).toBeGreaterThan(0.95);
  expect(Math.abs((await accuracy('none')) - 0.5)).toBeLessThan(0.1);
});

describe('going on', () => {
  it('from what was saved is the same as not stopping, to the bit', async () => {
    const [whole, first] = [await trainer(small), await trainer(small)];
    const expected = await losses(whole, 8);
    await first.step(4);
    const saved = await first.save();
    first.dispose();
    const second = await trainer(small);
    await second.load(saved);
    expect(second.stepsDone).toBe(4);
    expect(await losses(second, 4)).toEqual(expected.slice(4));
    expect(await second.weights()).toEqual(await whole.weights());
    expect(await second.save()).toEqual(await whole.save());
  });

  it('after an abort is possible: the steps that were made stay made', async () => {
    const one = await trainer(small);
    const controller = new AbortController();
    const error = await refusalOf(one.step(100, { signal: controller.signal, onProgress: ({ step }) => step === 3 && controller.abort() }));
    expect(error).toMatchObject({ code: 'cancelled', message: 'step: it was cancelled after 3 of 100 steps' });
    expect(one.stepsDone).toBe(3);
    const other = await trainer(small);
    await other.step(3);
    expect(await losses(one, 2)).toEqual(await losses(other, 2));
  });

  it('after a timer aborts on the calling thread, whose turn comes between steps', async () => {
    const one = await trainer(small);
    expect(await refusalOf(one.step(100_000, { signal: AbortSignal.timeout(50) }))).toMatchObject({ code: 'cancelled' });
    expect((await one.step()).step).toBe(one.stepsDone);
  });

  it('after a divergence: the last good weights are kept', async () => {
    const one = await trainer({ ...small, lr: 1000, optimizer: 'sgd', maxGradNorm: 0, warmupSteps: 0, finalLr: 1, norm: 'rms_norm' });
    const error = await refusalOf(one.step(200));
    expect(error.message).toMatch(/^step: \d+ has a \w+ that is not finite; the weights of step \d+ are kept/);
    for (const { data } of Object.values(await one.weights())) expect(data.every(Number.isFinite)).toBe(true);
  });
});

it('keeps two trainers apart', async () => {
  const alone = await losses(await trainer(small), 4);
  const [one, other] = [await trainer(small), await trainer({ ...small, encoding: 'alibi', seed: 4 })];
  const [both] = await Promise.all([losses(one, 4), losses(other, 4)]);
  expect(both).toEqual(alone);
});

it('does the same in a worker, a call at a time', async () => {
  const [here, there] = [await trainer(small), await worker(small)];
  expect(there).toMatchObject({ thread: 'worker', variant: here.variant, spec: here.spec });
  expect(await losses(there, 4)).toEqual(await losses(here, 4));
  expect(await there.evaluate({ lengths: [8, 16], items: 32 })).toEqual(await here.evaluate({ lengths: [8, 16], items: 32 }));
  expect(await there.weights()).toEqual(await here.weights());
  expect(await there.save()).toEqual(await here.save());
  const [maps, logits] = [await there.attentionMaps([0, 5, 1]), await there.logits([0, 5, 1])];
  expect(maps.shape).toEqual([2, 4, 3, 3]);
  expect(maps).toEqual(await here.attentionMaps([0, 5, 1]));
  expect(logits).toEqual(await here.logits([0, 5, 1]));
  const controller = new AbortController();
  const stopped = there.step(100_000, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  expect(await refusalOf(stopped)).toMatchObject({ code: 'cancelled' });
  expect((await there.step()).step).toBe(there.stepsDone);
});

describe.each([
  ['on this thread', trainer],
  ['in a worker', worker],
])('an evaluation %s', (_, make) => {
  const asked = { lengths: [8, 16, 24], items: 16 };

  it('is the same length by length, and tells of each', async () => {
    const one = await make(small);
    const whole = await one.evaluate(asked);
    const heard: Train.LengthScore[] = [];
    expect(await one.evaluate({ ...asked, onProgress: (score) => heard.push(score) })).toEqual(whole);
    expect(heard).toEqual(whole.lengths);
    expect(await one.evaluate({ ...asked, signal: new AbortController().signal })).toEqual(whole);
    const alone: Train.LengthScore[] = [];
    expect((await one.evaluate({ items: 16, onProgress: (score) => alone.push(score) })).lengths).toEqual(alone);
  });

  it('ends between two lengths where it is aborted, and the trainer goes on', async () => {
    const one = await make(small);
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = ({ length }: Train.LengthScore) => length === 16 && controller.abort();
    expect(await refusalOf(one.evaluate({ ...asked, signal, onProgress }))).toMatchObject({
      code: 'cancelled',
      message: 'evaluate: it was cancelled after 2 of 3 lengths',
    });
    expect(await refusalOf(one.evaluate({ items: 16, signal }))).toMatchObject({
      code: 'cancelled',
      message: 'evaluate: it was cancelled after 0 of 1 lengths',
    });
    expect((await one.step()).step).toBe(1);
  });

  it('is of one model: a step that is asked for meanwhile comes after it', async () => {
    const [one, other] = [await make(small), await make(small)];
    const evaluation = one.evaluate({ ...asked, onProgress: () => {} });
    const second = one.evaluate({ ...asked, onProgress: () => {} });
    const step = one.step();
    expect(await evaluation).toEqual(await other.evaluate(asked));
    expect((await second).step).toBe(0);
    expect((await step).step).toBe(1);
  });

  it('says what it measures beside the lengths once, with the last', async () => {
    const one = await make({ task: 'geometry_1d', encoding: 'learned' });
    const whole = await one.evaluate({ lengths: [32, 64], items: 1 });
    expect(Object.keys(whole.observed)).toContain('cosine_1');
    expect(await one.evaluate({ lengths: [32, 64], items: 1, onProgress: () => {} })).toEqual(whole);
    expect((await one.evaluate({ lengths: [32, 64], items: 1, observe: false, onProgress: () => {} })).observed).toEqual({});
  });
});

it('reads a text, and gives and takes weights', async () => {
  const corpus = readFileSync('public/data/pride-and-prejudice.txt', 'utf8').slice(0, 20_000);
  const spec = { task: 'text', encoding: 't5', corpus, length: 16, batch: 4 };
  const [one, other] = [await trainer(spec), await trainer({ ...spec, seed: 2 })];
  await one.step(2);
  const tokens = await one.tokens('Mr. Bennet');
  expect(tokens).toHaveLength(10);
  const expected = await one.logits(tokens);
  expect(expected.shape[0]).toBe(10);
  await other.loadWeights(await one.weights());
  expect(await other.logits(tokens)).toEqual(expected);
  const third = await trainer({ ...spec, seed: 3 });
  await third.loadWeights(await one.saveWeights());
  expect(await third.logits(tokens)).toEqual(expected);
  const half = await one.saveWeights({ stored: 'f16' });
  expect(half.length).toBeLessThan(0.6 * (await one.saveWeights()).length);
  await third.loadWeights(half);
  const near = await third.logits(tokens);
  near.data.forEach((value, at) => {
    expect(Math.abs(value - (expected.data[at] as number))).toBeLessThan(0.02);
  });
});

it('refuses the symbols, weights and snapshots of another text, and goes on', async () => {
  const corpus = readFileSync('public/data/pride-and-prejudice.txt', 'utf8').slice(0, 20_000);
  const spec = { task: 'text', encoding: 'rope', corpus, length: 16, batch: 4, width: 16, heads: 2 };
  const [one, more, shorter] = [
    await trainer(spec),
    await trainer({ ...spec, corpus: `${corpus}${'\u0436\u0449'.repeat(20)}` }),
    await trainer({ ...spec, corpus: corpus.slice(0, -1000) }),
  ];
  const before = await one.save();
  const calls: [() => Promise<unknown>, RegExp][] = [
    [() => one.tokens('Mr. \u0436'), /^text: symbol number 4 does not occur in the corpus$/],
    [
      async () => one.loadWeights(await more.weights()),
      /^weights: embedding\.weight has the shape (\d+) x 16, but (?!\1)\d+ x 16 is needed$/,
    ],
    [async () => one.load(await shorter.save()), /^snapshot: it is of another training: "data \d+" there, "data \d+" here$/],
    [() => one.evaluate({ lengths: [5000] }), /^length: 5000 is more than the 993 symbols of the corpus that are kept from training give$/],
  ];
  for (const [call, message] of calls) expect((await refusalOf(call())).message).toMatch(message);
  expect(await one.save()).toEqual(before);
  expect((await one.step()).step).toBe(1);
});

it('is disposed of once, twice, and by the end of a block', async () => {
  const one = await createTrainer(small);
  one.dispose();
  one.dispose();
  expect(one.disposed).toBe(true);
  for (const call of [() => one.step(), () => one.evaluate(), () => one.weights(), () => one.save(), () => one.logits([1])])
    expect(await refusalOf(call())).toMatchObject({ code: 'invalid_argument', message: 'trainer: it is disposed', path: 'trainer' });
  const other = await createTrainerWorker(small);
  (other as unknown as { [Symbol.dispose](): void })[Symbol.dispose]();
  expect(other.disposed).toBe(true);
  expect(await refusalOf(other.step())).toMatchObject({ message: 'trainer: it is disposed' });
});

describe('a spec is refused by name', () => {
  const many = Array.from({ length: 4000 }, (_, at) => String.fromCodePoint(0x4e00 + (at % 200))).join('');
  const refused: [string, object, RegExp][] = [
    ['a field', { layrs: 2 }, /^layrs is not a field of createTrainer; did you mean layers\?$/],
    ['a task', { task: 'sorting' }, /^task: "sorting" is unknown; there are copy, counting, /],
    ['no task', { task: undefined }, /^task: undefined is not a word$/],
    ['an encoding', { encoding: 'rop' }, /"rop"/],
    ['its parameter', { encoding: { id: 'rope', bass: 3 } }, /bass/],
    ['heads', { heads: 3 }, /^heads: 3 do not divide the width 32$/],
    ['a range', { lr: -1 }, /^lr: -1 is outside 0 to 1,?000$/],
    ['camel case', { feedForward: -1 }, /^feedForward: -1 is outside 0 to 16,?384$/],
    ['a fraction', { steps: 1.5 }, /^steps: 1\.5 is not a whole number$/],
    ['a kind', { layers: 'two' }, /^layers: "?two"? is not a number$/],
    ['a flag', { causal: 1 }, /^causal: 1 is not true or false$/],
    ['a choice', { norm: 'batch_norm' }, /^norm: "?batch_norm"? is not one of layer_norm, rms_norm$/],
    ['lengths', { shortestLength: 17 }, /^shortestLength: 17 is more than the length 16$/],
    ['positions', { randomizedPositions: 8 }, /^randomizedPositions: 8 are fewer than the 16 tokens of an item$/],
    ['the head', { tiedHead: true }, /^tiedHead: /],
    ['axes', { encoding: 'rope_2d' }, /rope_2d needs positions of 2 coordinates/],
    ['an empty corpus', { task: 'text', corpus: '' }, /^corpus: it is empty$/],
    ['no corpus', { task: 'text' }, /^corpus: it is empty$/],
    ['a short corpus', { task: 'text', corpus: 'abc' }, /^corpus: 3 symbols are too few; /],
    ['many symbols', { task: 'text', corpus: many, length: 16 }, /^corpus: it has 200 different symbols; at most 96 are allowed$/],
    ['a corpus that nothing reads', { corpus: 'to be or not to be' }, /^corpus: the task order reads none$/],
    ['an image that nothing draws', { image: { shape: [2, 2, 1], data: [0, 1, 1, 0] } }, /^image: the task order draws none$/],
    ['a corpus that is none', { task: 'text', corpus: 3 }, /^corpus: 3 is not a word$/],
    [
      'memory',
      { batch: 65536, length: 2048, task: 'copy' },
      /^batch: a step of .* needs [\d,.]+ bytes, which are not left in this memory$/,
    ],
    ['portable', { portable: 'yes' }, /^portable: "yes" is not true or false$/],
  ];
  it.each(refused)('%s', async (_, fields, message) => {
    const error = await refusalOf(createTrainer({ task: 'order', ...fields } as never));
    expect(error.message).toMatch(message);
  });

  it('what is no spec, and a WebAssembly that does not train', async () => {
    expect(await refusalOf(createTrainer('order' as never))).toMatchObject({ message: 'spec: "order" is not an object' });
    const wasm = readFileSync('dist/npm/phasor-simd.wasm');
    expect(await refusalOf(createTrainer(small, { wasm }))).toMatchObject({ code: 'not_wasm', path: 'wasm' });
  });

  it('a table that is shorter than the test, and files of others', async () => {
    const one = await trainer({ ...small, encoding: 'learned' });
    const tooLong = await refusalOf(one.evaluate({ lengths: [32], items: 8 }));
    expect(tooLong.path).toBe('lengths');
    expect(tooLong.message).toMatch(
      /^lengths: 32 tokens are more than the table of learned has rows, whose last is 15; clamp positions to it, or give/,
    );
    // Its rows are as many as were asked for, but those beyond the texts of training stay as they were drawn.
    const longer = await trainer({ ...small, encoding: { id: 'learned', max_length: 32 } });
    const drawn = (await longer.weights())['encoding.table']?.data.slice(16 * 32) ?? [];
    await longer.step(2);
    expect(drawn).toHaveLength(16 * 32);
    expect((await longer.weights())['encoding.table']?.data.slice(16 * 32)).toEqual(drawn);
    expect((await longer.evaluate({ lengths: [32], items: 8 })).lengths[0]?.length).toBe(32);
    expect((await one.evaluate({ lengths: [32], items: 8, beyond: 'clamp' })).lengths[0]?.length).toBe(32);
    const before = await one.weights();
    const [weights, other] = [await one.saveWeights(), await (await trainer(small)).save()];
    const files: [() => Promise<unknown>, RegExp][] = [
      [() => one.load(new Uint8Array(3)), /3 bytes are no safetensors file/],
      [() => one.load(weights), /^snapshot: it is a file of weights, not of a training$/],
      [() => one.load(other), /^snapshot: it is of another training: /],
      [() => one.load('file' as never), /^snapshot: "file" is not a Uint8Array or an ArrayBuffer$/],
      [() => one.loadWeights(weights.slice(0, -1)), /./],
      [() => one.loadWeights({ ...before, more: { shape: [1], data: [0] } }), /^weights: more is not a weight of this model$/],
      [() => one.loadWeights({ ...before, 'head.bias': { shape: [1], data: [0] } }), /^weights: head\.bias has the shape /],
      [() => one.loadWeights({}), /^weights: .* is missing$/],
      [() => one.loadWeights(3 as never), /^weights: 3 is not tensors by their names/],
    ];
    for (const [call, message] of files) expect((await refusalOf(call())).message).toMatch(message);
    expect(await one.weights()).toEqual(before);
  });

  it('arguments of methods', async () => {
    const one = await trainer(small);
    const calls: [() => Promise<unknown>, RegExp][] = [
      [() => one.step(0), /^count: 0 is outside 1 to /],
      [() => one.step(1.5), /^count: 1\.5 is not a whole number$/],
      [() => one.step(1, { onProgres: () => {} } as never), /^onProgres is not an option; there are onProgress, signal$/],
      [() => one.evaluate({ length: 8 } as never), /^length is not a field of evaluate; did you mean lengths\?$/],
      [() => one.evaluate({ onProgress: 3 as never }), /^onProgress: 3 is not a function$/],
      [() => one.evaluate({ signal: 'stop' as never }), /^signal: "stop" is not an AbortSignal$/],
      [() => one.evaluate({ lengths: [8, 1.5], onProgress: () => {} }), /^lengths: 1\.5 is not a whole number from 0 to /],
      [() => one.evaluate({ lengths: [8, 1], onProgress: () => {} }), /^length: 1 has no room for two words$/],
      [() => one.evaluate({ length: 8, onProgress: () => {} } as never), /^length is not a field of evaluate; did you mean lengths\?$/],
      [() => one.evaluate(null as never), /^options: null is not an object$/],
      [() => one.evaluate({ beyond: 'repeat' as never }), /^beyond: "repeat" is not one of refuse, clamp$/],
      [() => one.logits([0, 99]), /^tokens\[1\]: 99 is outside 0 to 19$/],
      [() => one.attentionMaps([]), /^tokens: /],
      [() => one.tokens('abc'), /^(task|text|tokens): /],
      [() => one.saveWeights({ stored: 'f8' as never }), /^stored: "f8" is not one of f32, f16$/],
    ];
    for (const [call, message] of calls) expect((await refusalOf(call())).message).toMatch(message);
  });
});

describe('a PyTorch program', () => {
  // tests/pytorch runs them.
  it('has what its spec needs, and nothing else', async () => {
    const { name, program, weights } = await (await trainer(small)).toPyTorch();
    expect(name).toBe('order_rope');
    expect(program).toContain('def rotate(x, positions)');
    expect(program).not.toMatch(/class Encoding|undefined|NaN|\[object|corpus/);
    expect(weights).toEqual(await (await trainer(small)).saveWeights());
    const t5 = await (await trainer({ ...small, encoding: 't5' })).toPyTorch();
    expect(t5.program).toContain('class Encoding(nn.Module)');
    expect(t5.program).not.toContain('rotate');
  });

  it('is refused by name where it would be another model', async () => {
    const refused: [Train.TrainSpec, RegExp][] = [
      [{ ...small, encoding: 'fourier' }, /^encoding: fourier cannot be exported to PyTorch; /],
      [{ ...small, encoding: { id: 'rope', scaling: 'yarn' } }, /^scaling: "yarn" cannot be exported to PyTorch$/],
      [{ ...small, encoding: { id: 'alibi', form: 'mpt' } }, /^form: "mpt" cannot be exported to PyTorch$/],
      [{ ...small, encoding: { id: 'learned', scaled: true } }, /^scaled: this parameter of learned cannot be exported/],
      [{ task: 'image', image: { shape: [4, 4, 1], data: new Float32Array(16) } }, /^task: image cannot be exported to PyTorch; order, /],
    ];
    for (const [spec, message] of refused) {
      const one = await trainer(spec);
      const error = await refusalOf(one.toPyTorch());
      expect(error.code).toBe('unsupported');
      expect(error.message).toMatch(message);
    }
  });
});
