// Golden cases of encodings published from 2024 to 2026, and of positions in videos.

import type { AttentionRequest, Params, Tensor } from '../../engine/types/api.ts';
import type { AnyEncoding, DynamicRequest } from '../any-phasor.ts';
import {
  ATTENTION_TOLERANCE,
  type Case,
  consecutiveIntegers,
  GRADIENT_TOLERANCE,
  type Methods,
  type Runner,
  TABLE_TOLERANCE,
} from './case.ts';
import { readInputs, readMask, readScale } from './request.ts';

type Engine = Parameters<Runner>[1];

/**
 * Compares the weights and the output of attention. The output is computed both in whole rows and in tiles. Also compares the bias if the
 * case has one.
 */
export async function expectAttention(c: Case, phasor: Engine, request: DynamicRequest<AttentionRequest>): Promise<void> {
  const actual = await phasor.attention({ ...request, outputs: ['weights', 'bias'] });
  if (c.hasOutput('bias')) c.expect('bias', actual.bias, ATTENTION_TOLERANCE);
  c.expect('weights', actual.weights, ATTENTION_TOLERANCE, 'weights');
  c.expect('out', actual.output, ATTENTION_TOLERANCE);
  c.expect('out', (await phasor.attention(request)).output, ATTENTION_TOLERANCE);
}

/** Reads the request fields that all attention cases have in common. */
function readRequest(c: Case, encoding: AnyEncoding) {
  const { q, k, v } = readInputs(c);
  const positionOffset = c.has('q_offset') ? { positionOffset: c.number('q_offset') } : {};
  return { q, k, v, encoding, ...readMask(c), ...readScale(c, q.shape[2] ?? 0), ...positionOffset };
}

const grapeA: Runner = async (c, phasor) => {
  const providedTensors = Object.fromEntries(['omega', 'u', 'r'].filter((name) => c.hasInput(name)).map((name) => [name, c.tensor(name)]));
  const hasDefaultScale = c.param('gate_scale') === '1/sqrt(d)';
  const encoding = {
    id: 'grape_a',
    gate: c.text('gate'),
    ...providedTensors,
    ...(hasDefaultScale ? {} : { gate_scale: c.number('gate_scale') }),
  };
  await expectAttention(c, phasor, readRequest(c, encoding));
};

const createPopeEncoding = (c: Case, phase: Tensor) => ({ id: 'pope', base: c.number('base'), phase });

const repeatHeads = ({ shape, data }: Tensor, heads: number): Tensor => {
  const [sourceHeads = 1, tokens = 0, width = 0] = shape;
  const size = tokens * width;
  const sourceHeadIndices = consecutiveIntegers(heads).map((head) => Math.floor(head / (heads / sourceHeads)));
  return {
    shape: [heads, tokens, width],
    data: Float32Array.from(sourceHeadIndices.flatMap((head) => [...data.subarray(head * size, (head + 1) * size)])),
  };
};

/**
 * The reference applies the phase to keys, with a separate key per query head. The package applies it to queries, with the opposite sign.
 */
async function expectRotated(c: Case, phasor: Engine, q: Tensor, k: Tensor): Promise<void> {
  const phase = c.tensor('phase', 2);
  const zeroPhase = { shape: phase.shape, data: new Float32Array(phase.data.length) };
  const queries = consecutiveIntegers(q.shape[1] ?? 0, c.number('q_offset'));
  c.expect('q_rotated', await phasor.applyRotary(q, { encoding: createPopeEncoding(c, zeroPhase), positions: queries }), TABLE_TOLERANCE);
  const fullRotation = 2 * Math.PI;
  const oppositePhase = { shape: phase.shape, data: phase.data.map((x) => -fullRotation - Math.min(Math.max(x, -fullRotation), 0)) };
  const keys = consecutiveIntegers(k.shape[1] ?? 0);
  c.expect(
    'k_rotated',
    await phasor.applyRotary(repeatHeads(k, q.shape[0] ?? 1), { encoding: createPopeEncoding(c, oppositePhase), positions: keys }),
    TABLE_TOLERANCE,
  );
}

const pope: Runner = async (c, phasor) => {
  const { keyMask, ...request } = readRequest(c, createPopeEncoding(c, c.tensor('phase')));
  await expectRotated(c, phasor, request.q, request.k);
  // The reference scores are unmasked.
  c.expect('scores', (await phasor.attention({ ...request, mask: 'none', outputs: ['scores'] })).scores, ATTENTION_TOLERANCE);
  await expectAttention(c, phasor, { ...request, ...(keyMask ? { keyMask } : {}) });
};

const gradPope: Runner = async (c, phasor) => {
  const request = readRequest(c, createPopeEncoding(c, c.tensor('phase')));
  const { dq, dk, dv, parameters } = await phasor.attentionBackward({ ...request, dOutput: c.tensor('dout', 3) });
  c.expect('out', (await phasor.attention(request)).output, ATTENTION_TOLERANCE);
  c.expect('dq', dq, GRADIENT_TOLERANCE);
  c.expect('dk', dk, GRADIENT_TOLERANCE);
  c.expect('dv', dv, GRADIENT_TOLERANCE);
  c.expect('dphase', parameters.phase as Tensor, GRADIENT_TOLERANCE);
};

/** Compares the cosine and sine of each pair in each head. They are measured by rotating unit vectors. */
async function expectWaves(c: Case, phasor: Engine, encoding: AnyEncoding, positions: readonly number[], shape: readonly number[]) {
  const [heads = 0, tokens = 0, width = 0] = shape;
  const pairs = width / 2;
  const [cosine, sine] = [new Float32Array(heads * tokens * pairs), new Float32Array(heads * tokens * pairs)];
  for (let m = 0; m < pairs; m += 1) {
    const x = { shape: [heads, tokens, width], data: new Float32Array(heads * tokens * width).map((_, at) => (at % width === m ? 1 : 0)) };
    const { data } = await phasor.applyRotary(x, { encoding, positions: [...positions] });
    for (let row = 0; row < heads * tokens; row += 1) {
      cosine[row * pairs + m] = data[row * width + m] ?? Number.NaN;
      sine[row * pairs + m] = data[row * width + m + pairs] ?? Number.NaN;
    }
  }
  c.expect('cos', { shape: [heads, tokens, pairs], data: cosine }, TABLE_TOLERANCE);
  c.expect('sin', { shape: [heads, tokens, pairs], data: sine }, TABLE_TOLERANCE);
}

const fourier: Runner = async (c, phasor) => {
  const [q, k] = [c.tensor('q', 3), c.tensor('k', 3)];
  c.expectParam('layout', 'half_split');
  c.expectParam('heads', q.shape[0]);
  c.expectParam('n', q.shape[1]);
  c.expectParam('d', q.shape[2]);
  const base = c.number('base');
  const floorLength = c.numberOr('floor_length', undefined);
  const encoding = {
    id: 'rope_fourier',
    base,
    rest: c.text('rest'),
    pairs: c.integer('pairs'),
    sin_weight: c.tensor('sin_weight', 3),
    cos_weight: c.tensor('cos_weight', 3),
    ...(floorLength === undefined ? {} : { floor_length: floorLength }),
  };
  const positions = [...c.input('positions').data];
  // The case lists only the frequencies above the floor, which come first.
  const { data } = await phasor.rotaryAngles({ encoding: { id: 'rope', base }, positions: [1], dim: q.shape[2] ?? 0 });
  const keptCount = c.integer('kept');
  c.expect('frequencies', { shape: [keptCount], data: data.slice(0, keptCount) }, 1e-6, 'relative');
  await expectWaves(c, phasor, encoding, positions, q.shape);
  c.expect('q', await phasor.applyRotary(q, { encoding, positions }), TABLE_TOLERANCE);
  c.expect('k', await phasor.applyRotary(k, { encoding, positions, role: 'key' }), TABLE_TOLERANCE);
};

const expectSizes = (c: Case, { shape }: Tensor): void => {
  c.expectParam('heads', shape[0]);
  c.expectParam('n', shape[1]);
  c.expectParam('d', shape[2]);
};

const liere: Runner = async (c, phasor) => {
  const x = c.tensor('x', 3);
  expectSizes(c, x);
  const { shape, data } = c.input('coordinates');
  const encoding: { id: string } & Params = {
    id: 'liere',
    block: c.integer('block'),
    axes: c.integer('axes'),
    generators: c.tensor('generators', 5),
  };
  c.expect('out', await phasor.applyRotary(x, { encoding, positions: { shape: [...shape], data: [...data] } }), TABLE_TOLERANCE);
};

const video: Runner = async (c, phasor) => {
  const x = c.tensor('x', 3);
  expectSizes(c, x);
  const positions = await phasor.videoPositions({
    before: c.integer('text_before'),
    grid: c.numbers('grid') as [number, number, number],
    after: c.integer('text_after'),
    frameStep: c.number('frame_step'),
  });
  c.expect('positions', positions, 0);
  const width = x.shape[2] ?? 0;
  const encoding = {
    id: 'mrope',
    arrangement: 'video',
    layout: c.text('layout'),
    base: c.number('base'),
    temporal_pairs: c.integer('temporal_pairs'),
  };
  // The coordinate that rotates each pair, determined with positions that have only one nonzero coordinate.
  const axisByPair = new Array<number>(width / 2).fill(-1);
  for (const axis of [0, 1, 2]) {
    const position = { shape: [1, 3], data: [0, 1, 2].map((coordinate) => (coordinate === axis ? 1 : 0)) };
    const { data } = await phasor.rotaryAngles({ encoding, positions: position, dim: width });
    for (const [pair, angle] of data.entries()) if (angle !== 0) axisByPair[pair] = axis;
  }
  c.expect('axis', { shape: [axisByPair.length], data: axisByPair }, 0);
  c.expect('out', await phasor.applyRotary(x, { encoding, positions }), TABLE_TOLERANCE);
};

export const frontierEncodings: Methods = {
  attention_grape_a: grapeA,
  attention_pope: pope,
  grad_attention_pope: gradPope,
  rope_fourier: fourier,
  liere,
  mrope_video: video,
};
