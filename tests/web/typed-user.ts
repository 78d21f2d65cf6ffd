// Tests of the types. Nothing here runs: tsc checks it, here and in tests/shipped/package.test.ts against the package.

import { linearProbe, permutationTest, rotationMatrix, shiftMatrix, similarity } from '../../web/engine/analysis.ts';
import type {
  AttentionOutput,
  AttentionRequest,
  AttentionResult,
  DynamicId,
  EncodingHandle,
  EncodingId,
  EncodingInput,
  EncodingSpec,
  EncodingWithParams,
  KvCache,
  Params,
  Phasor,
  PhasorPool,
  PooledWeights,
  RemoteKvCache,
  RemotePhasor,
  SelfAttentionResult,
  splitQkv,
  Tensor,
  TensorHandle,
  TensorInput,
  TensorView,
} from '../../web/engine/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if the two types are identical. */
declare function expectSame<A, B>(same: Same<A, B>): void;

declare const phasor: Phasor;
declare const remote: RemotePhasor;
declare const pool: PhasorPool;
declare const q: Tensor;
declare const someOutputs: readonly AttentionOutput[];
declare const oneOutput: AttentionOutput;
declare const absent: undefined;
declare const name: string;
declare const params: Params;

export async function wanted() {
  const plainResult = phasor.attention({ q, k: q, v: q });
  expectSame<typeof plainResult.output, Tensor>(true);
  // @ts-expect-error: weights are not requested
  plainResult.weights;

  const twoOutputs = phasor.attention({ q, k: q, v: q, outputs: ['weights', 'pooledWeights'] });
  expectSame<typeof twoOutputs.weights, Tensor>(true);
  expectSame<typeof twoOutputs.pooledWeights, PooledWeights>(true);
  // @ts-expect-error: scores are not requested
  twoOutputs.scores;
  const biasRequest = { q, k: q, v: q, outputs: ['bias'] } as const;
  expectSame<Tensor, (typeof biasResult)['bias']>(true);
  const biasResult = phasor.attention(biasRequest);

  const anyResult = phasor.attention({ q, k: q, v: q, outputs: someOutputs });
  expectSame<typeof anyResult.weights, Tensor | undefined>(true);
  const either = phasor.attention({ q, k: q, v: q, outputs: ['pooledWeights', oneOutput] });
  expectSame<typeof either.pooledWeights, PooledWeights>(true);
  expectSame<typeof either.bias, Tensor | undefined>(true);
  const request: AttentionRequest = { q, k: q, v: q };
  const result: AttentionResult = phasor.attention(request);
  expectSame<typeof result.weights, Tensor | undefined>(true);
  // @ts-expect-error: no such result
  phasor.attention({ q, k: q, v: q, outputs: ['image'] });

  const [layer, layerResult] = [
    phasor.selfAttention({ x: q, heads: 1, outputs: ['weights'] }),
    permutationTest(phasor, { x: q, heads: 1, order: [0], outputs: ['scores'] }),
  ];
  expectSame<typeof layer.weights, Tensor>(true);
  expectSame<typeof layerResult.scores, Tensor>(true);
  expectSame<typeof layerResult.before, Tensor>(true);

  const far = await remote.attention({ q, k: q, v: q, outputs: ['weights'] }, { signal: absent });
  expectSame<typeof far.weights, Tensor>(true);
  expectSame<Tensor, Awaited<ReturnType<typeof inPool>>['scores']>(true);
  const inPool = () => pool.attention({ q, k: q, v: q, outputs: ['scores'] });
  expectSame<Tensor, Awaited<ReturnType<typeof remote.positionTable>>>(true);
}

export function encodings() {
  const choices: EncodingSpec[] = ['rope', { id: 'rope' }, { id: 'rope', base: 5e5, layout: 'half_split' }, { id: 'alibi', slopes: [0.5] }];
  for (const encoding of choices) {
    phasor.positionTable({ encoding, length: 2, dim: 4 });
    phasor.attentionBias({ encoding, heads: 1, queries: 1, keys: 1 });
    phasor.applyRotary(q, { encoding });
    phasor.attention({ q, k: q, v: q, encoding });
  }
  phasor.attentionBias({ encoding: { id: 'alibi', slopes: [0.5, 0.25] }, heads: 2, queries: 1, keys: 1 });
  phasor.attentionBias({ encoding: { id: 'alibi', slopes: Float64Array.of(0.5), form: absent }, heads: 1, queries: 1, keys: 1 });
  phasor.attention({ q, k: q, v: q, encoding: phasor.ropeFromConfig({}) });
  expectSame<EncodingId, keyof { [One in EncodingWithParams as One['id']]: 0 }>(true);
  const take = (encoding: EncodingInput) => phasor.attention({ q, k: q, v: q, encoding });
  take({ id: 'none' });
  // Ids and parameters that are known only at run time.
  const [firstEncoding] = phasor.encodings;
  take(firstEncoding?.id ?? 'none');
  take({ id: name as DynamicId, ...params });
  const fromModel = phasor.encodingFromConfig({ model_type: 'llama' }).encoding;
  take(fromModel);
  expectSame<typeof fromModel.id, DynamicId>(true);
  // @ts-expect-error: rope has no such parameter
  take({ id: 'rope', theta: 1 });
  // @ts-expect-error: base is a parameter of rope
  take({ id: 'alibi', base: 1 });
  // @ts-expect-error: none has no parameters
  take({ id: 'none', base: 1 });
  // @ts-expect-error: a base is a number
  take({ id: 'rope', base: '1' });
  // @ts-expect-error: layouts are interleaved and half_split
  take({ id: 'rope', layout: 'halves' });
  // @ts-expect-error: there is no such encoding
  take({ id: 'rop' });
  // @ts-expect-error: a string that is known only at run time requires DynamicId
  take({ id: name, ...params });
  // @ts-expect-error: parameters belong in the encoding
  phasor.positionTable({ encoding: 'sinusoidal', length: 2, dim: 4, base: 100 });
  // @ts-expect-error: an encoding has an id
  phasor.positionTable({ encoding: { base: 100 }, length: 2, dim: 4 });
  // @ts-expect-error: a parameter is not a function
  phasor.positionTable({ encoding: { id: 'sinusoidal', base: () => 1 }, length: 2, dim: 4 });
}

export function numbers() {
  const arrays: TensorInput[] = [
    { shape: [2], data: [1, 2] },
    { shape: [2], data: Float64Array.of(1, 2) },
    { shape: [2], data: Int32Array.of(1, 2) },
    { shape: [2], data: Uint8Array.of(1, 2) },
    q,
  ];
  for (const x of arrays) phasor.combine({ x, table: x });
  shiftMatrix(phasor, { frequencies: phasor.ropeFrequencies({ encoding: 'rope', dim: 4 }).invFreq, k: 1 });
  // @ts-expect-error: BigInts are not supported
  similarity(phasor, { table: { shape: [1], data: BigInt64Array.of(1n) } });
  // @ts-expect-error: strings are not numbers
  similarity(phasor, { table: { shape: [1], data: ['1'] } });
}

export async function handles() {
  using handle = phasor.createTensor(q);
  expectSame<typeof handle, TensorHandle>(true);
  const created: EncodingHandle = phasor.createEncoding({ encoding: { id: 'learned', table: handle }, length: 2, dim: 4, heads: absent });
  const cache: KvCache = phasor.createCache({ heads: 1, headDim: 4, maxLength: 2, encoding: created });
  const remoteResult: RemoteKvCache = await remote.createCache({ heads: 1, headDim: 4, maxLength: 2 });
  phasor.positionTable({ encoding: created, positions: [1] });
  phasor.attentionBias({ encoding: created, queries: 1, keys: 1 });
  rotationMatrix(phasor, { encoding: created, position: 1 });
  phasor.attention({ q: handle, k: handle, v: q, encoding: created });
  const step = cache.decode({ q: handle, k: q, v: q, outputs: ['weights'], keyMask: [1] });
  expectSame<typeof step.weights, Tensor>(true);
  // @ts-expect-error: scores are not requested
  step.scores;
  const distant = await remoteResult.decode({ q, k: q, v: q, outputs: ['weights'] }, { signal: absent });
  expectSame<typeof distant.weights, Tensor>(true);
  expectSame<Awaited<ReturnType<typeof remoteResult.fork>>, RemoteKvCache>(true);
  expectSame<Awaited<ReturnType<typeof pool.createCache>>, RemoteKvCache>(true);
  expectSame<number, typeof cache.length>(true);
  const inputs: TensorInput[] = [handle, q];
  similarity(phasor, { table: inputs[0] ?? handle });
  // @ts-expect-error: a tensor handle does not expose its values
  handle.data;
  // @ts-expect-error: positions are not rounded to float32, so a tensor handle is not allowed
  phasor.applyRotary(q, { encoding: created, positions: handle });
  // @ts-expect-error: a cache is not a tensor
  similarity(phasor, { table: cache });
  // @ts-expect-error: a tensor is not an encoding
  phasor.attention({ q, k: q, v: q, encoding: handle });
  // @ts-expect-error: a layer creates its encoding itself
  phasor.selfAttention({ x: q, heads: 1, encoding: created });
  // @ts-expect-error: the length is read-only
  cache.length = 1;
  // @ts-expect-error: a cache is not an argument of its methods
  cache.decode({ cache, q, k: q, v: q });
  // @ts-expect-error: without an encoding handle a width is needed
  phasor.positionTable({ encoding: 'rope', positions: [1] });
  cache.dispose();
}

export function omitted() {
  const { weights } = phasor.selfAttention({ x: q, heads: 1, outputs: ['weights'], computeOutput: false });
  expectSame<typeof weights, Tensor>(true);
  // @ts-expect-error: the output is omitted
  phasor.selfAttention({ x: q, heads: 1, outputs: ['weights'], computeOutput: false }).output;
  // @ts-expect-error: scores are not requested
  phasor.selfAttention({ x: q, heads: 1, outputs: ['weights'], computeOutput: false }).scores;
  expectSame<SelfAttentionResult['output'], Tensor>(true);
  // @ts-expect-error: the field is computeOutput
  phasor.selfAttention({ x: q, heads: 1, output: false });
}

/** Every optional field, under exactOptionalPropertyTypes. */
export function absences() {
  const shared = {
    encoding: absent,
    mask: absent,
    window: absent,
    offset: absent,
    scale: absent,
    sinks: absent,
    softcap: absent,
    capIncludesBias: absent,
    qkNorm: absent,
    sinkTokens: absent,
    numbering: absent,
  };
  const rows = { rows: absent, columns: absent, size: absent, cellSize: absent };
  phasor.attention({ ...shared, q, k: q, v: q, keyMask: absent, outputs: absent, head: absent, pooling: absent });
  phasor.attention({ q, k: q, v: q, pooling: rows });
  phasor.attentionBackward({ ...shared, q, k: q, v: q, dOutput: q, keyMask: absent });
  const layer = { ...shared, x: q, heads: 1, projections: absent, seed: absent };
  phasor.selfAttention({ ...layer, outputs: absent, head: absent, computeOutput: absent });
  permutationTest(phasor, { ...layer, order: [0], outputs: absent, head: absent });
  phasor.selfAttentionBackward({ ...layer, dOutput: q });
  phasor.createCache({
    heads: 1,
    kvHeads: absent,
    headDim: 1,
    vHeadDim: absent,
    maxLength: 1,
    encoding: absent,
    window: absent,
    scale: absent,
    sinks: absent,
    softcap: absent,
    capIncludesBias: absent,
    qkNorm: absent,
    sinkTokens: absent,
    sinkPositions: absent,
  });
  const cache = phasor.createCache({ heads: 1, headDim: 1, maxLength: 1 });
  cache.decode({ q, k: q, v: q, keyMask: absent, outputs: absent, head: absent });
  phasor.createEncoding({
    encoding: 'rope',
    length: 1,
    dim: 2,
    heads: absent,
    kvHeads: absent,
    vHeadDim: absent,
    axes: absent,
    scale: absent,
  });
  phasor.positionTable({ encoding: 'sinusoidal', length: 1, dim: 2, positionOffset: absent });
  phasor.attentionBias({ encoding: 'alibi', heads: 1, queries: 1, keys: 1, positionOffset: absent, headDim: absent });
  phasor.applyRotary(q, { encoding: 'rope', positions: absent, role: absent });
  rotationMatrix(phasor, { encoding: 'rope', position: 1, dim: 2, role: absent });
  phasor.ropeFromConfig({}, { layerType: absent, sequenceLength: absent });
  phasor.combine({ x: q, table: q, mode: absent });
  phasor.positionIds({ attentionMask: [1], mode: absent, paddingIdx: absent, pastLength: absent });
  phasor.segmentIds({ cuSeqlens: [0, 1], out: absent });
  similarity(phasor, { table: q, metric: absent });
  linearProbe(phasor, { table: q, ridge: absent });
  shiftMatrix(phasor, { frequencies: [1], k: 1, layout: absent });
}

export function layouts(split: typeof splitQkv, view: TensorView) {
  const views = split(q, { heads: 2, layout: 'qkv_heads_dim', kvHeads: absent });
  expectSame<typeof views.q, TensorView>(true);
  phasor.attention({ ...views, outputLayout: 'token_major' });
  phasor.applyRotary(view, { encoding: 'rope' });
  similarity(phasor, { table: { shape: [1, 2], data: [1, 2], strides: absent, offset: absent } });
  // @ts-expect-error: the layout is required, because codebases disagree
  split(q, { heads: 2 });
  // @ts-expect-error: no such output layout
  phasor.attention({ ...views, outputLayout: 'heads' });
  const tensor: TensorInput = view;
  return tensor;
}
