// Rotations of queries and keys for images (part of the golden family pos2d).

import type { Positions, Tensor } from '../../engine/types/api.ts';
import { type Case, consecutiveIntegers, type Methods, type Runner, TABLE_TOLERANCE } from './case.ts';
import { baseParam, roleOf } from './rotations.ts';
import { createGridPositions } from './tables.ts';

function expectWaves(c: Case, angles: Tensor): void {
  if (c.hasOutput('cos')) c.expect('cos', { ...angles, data: angles.data.map(Math.cos) }, TABLE_TOLERANCE);
  if (c.hasOutput('sin')) c.expect('sin', { ...angles, data: angles.data.map(Math.sin) }, TABLE_TOLERANCE);
}

const ropeVit: Runner = async (c, phasor) => {
  const request = {
    encoding: { id: 'rope_2d', convention: 'rope_vit', ...(c.has('theta') ? { base: c.number('theta') } : {}) },
    positions: createGridPositions([c.integer('end_y'), c.integer('end_x')]),
  };
  expectWaves(c, await phasor.rotaryAngles({ ...request, dim: c.integer('dh') }));
  for (const name of ['q', 'k'].filter((name) => c.hasInput(name))) {
    const x = c.tensor(name, 3);
    c.expectParam('dh', x.shape[2]);
    c.expectParam('heads', x.shape[0]);
    c.expect(`${name}_rot`, await phasor.applyRotary(x, { ...request, role: roleOf(name) }), TABLE_TOLERANCE);
  }
};

/**
 * Permutes the rows of `x` so that each is rotated by the reference's angle, or reverts this. rope-vit's stand-alone file computes angles
 * as (heads, tokens), but indexes them as (tokens, heads): row (h, n) is rotated like head floor(m / N) and token m % N, where N is the
 * number of tokens and m = n * heads + h.
 */
function exchangeRows(x: Tensor, isInverse: boolean): Tensor {
  const [heads = 0, tokens = 0, width = 0] = x.shape;
  const data = new Float32Array(x.data.length);
  for (let h = 0; h < heads; h += 1) {
    for (let n = 0; n < tokens; n += 1) {
      const [ownRow, angleRow] = [h * tokens + n, n * heads + h];
      const [from, to] = isInverse ? [angleRow, ownRow] : [ownRow, angleRow];
      data.set(x.data.subarray(from * width, (from + 1) * width), to * width);
    }
  }
  return { shape: x.shape, data };
}

const mixedRotation: Runner = async (c, phasor) => {
  const request = {
    encoding: { id: 'rope_mixed', frequencies: c.tensor('freqs') },
    positions: createGridPositions([c.integer('end_y'), c.integer('end_x')]),
  };
  for (const name of ['q', 'k']) {
    const x = c.tensor(name, 3);
    c.expectParam('dh', x.shape[2]);
    c.expectParam('heads', x.shape[0]);
    c.expect(
      `${name}_rot`,
      exchangeRows(await phasor.applyRotary(exchangeRows(x, false), { ...request, role: roleOf(name) }), true),
      TABLE_TOLERANCE,
    );
  }
};

/** The last token is the class token, which is not rotated. */
const classToken: Runner = async (c, phasor) => {
  c.expectParam('cls', 'last token, unrotated');
  c.expectParam('position_start', 1);
  const grid = c.integer('grid');
  const x = c.tensor('x', 2);
  c.expectParam('dh', x.shape[1]);
  const positions = { shape: [grid * grid + 1, 2], data: [...createGridPositions([grid, grid]).data, -1, -1] };
  const rotatedTensor = await phasor.applyRotary(
    { ...x, shape: [1, ...x.shape] },
    { encoding: { id: 'rope_2d', convention: 'llama4', ...baseParam(c) }, positions },
  );
  c.expect('x_rot', { ...rotatedTensor, shape: x.shape }, TABLE_TOLERANCE);
};

/** The reference lists cosines and sines per channel. The two channels of a pair have the same angle. */
const pixtral: Runner = async (c, phasor) => {
  const [grid, width] = [c.integer('grid'), c.integer('dh')];
  const { shape, data } = await phasor.rotaryAngles({
    encoding: { id: 'rope_2d', convention: 'pixtral', ...baseParam(c) },
    dim: width,
    positions: createGridPositions([grid, grid]),
  });
  const [patches = 0, pairs = 0] = shape;
  const channelAngles = consecutiveIntegers(patches).flatMap((p) =>
    [...Array(2)].flatMap(() => [...data.subarray(p * pairs, (p + 1) * pairs)]),
  );
  expectWaves(c, { shape: [patches, width], data: Float32Array.from(channelAngles) });
};

const pixelRotation: Runner = async (c, phasor) => {
  const [rows = 0, columns = 0] = c.numbers('grid');
  const rotaryDim = 2 * c.integer('dim');
  const x = c.tensor('x');
  const width = x.shape.at(-1) ?? 0;
  const request = {
    encoding: { id: 'rope_2d', convention: 'pixel', rows, columns, max_freq: c.number('max_freq'), rotary_dim: rotaryDim },
    positions: createGridPositions([rows, columns]) as Positions,
  };
  const actual = await phasor.applyRotary({ ...x, shape: [1, rows * columns, width] }, request);
  c.expect('x_rot', { ...actual, shape: x.shape }, TABLE_TOLERANCE);
  const { data } = await phasor.rotaryAngles({ ...request, dim: width });
  const channels = [...data].flatMap((angle) => [angle, angle]);
  c.expect('freqs', { shape: [rows, columns, rotaryDim], data: channels }, TABLE_TOLERANCE);
};

export const imageRotations: Methods = {
  rope2d_axial_interleaved: ropeVit,
  rope2d_mixed_interleaved: mixedRotation,
  rope2d_axial_interleaved_cls: classToken,
  rope2d_axial_half: pixtral,
  rope2d_axial_interleaved_pixel: pixelRotation,
};
