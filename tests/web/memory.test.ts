// Out of memory, and other exceptions inside WebAssembly: the call fails with one sentence, and the engine gets a new instance. Uses the
// WebAssembly with its maximum memory changed to 24 MiB.

import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { tableStatistics } from '../../web/engine/analysis.ts';
import { createPhasor } from '../../web/engine/node.ts';
import { locatePackagedFile } from '../../web/engine/package-files.ts';
import { createPhasorPool, createPhasorWorker } from '../../web/engine/workers.node.ts';

/** An unsigned LEB128 number of WebAssembly's binary format, and its end. */
function readLeb128(bytes: Uint8Array, offset: number): { value: number; end: number } {
  let value = 0;
  let end = offset;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++] as number;
    value |= (byte & 127) << shift;
    if (byte < 128) return { value, end };
  }
}

/** The same program with a memory of at most `pages` of 64 KiB, a number that must take 3 bytes like the old one. */
function confined(path: URL, pages: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(readFileSync(path));
  for (let offset = 8; offset < bytes.length; ) {
    const size = readLeb128(bytes, offset + 1);
    if (bytes[offset] === 5) {
      const largest = readLeb128(bytes, readLeb128(bytes, size.end + 2).end); // after the count, the flags and the minimum
      if (largest.value !== 32768 || largest.end !== size.end + size.value) throw new Error(`the largest memory is ${largest.value} pages`);
      bytes.set([(pages & 127) | 128, ((pages >> 7) & 127) | 128, pages >> 14], largest.end - 3);
      return bytes;
    }
    offset = size.end + size.value;
  }
  throw new Error('there is no memory');
}

const wasm = confined(locatePackagedFile()[0] as URL, 24 * 16);
const options = { wasm, variant: 'simd' as const };
const largeRequest = { seed: 1, shape: [9000, 1000] };
const smallRequest = { seed: 1, shape: [4] };
/** Only large allocations are checked in advance; these smaller ones exhaust the instance. */
const lists = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`list${i}`, new Float32Array(1e6)]));
/** Waits for the new instance, which is created asynchronously. */
const restarted = () => new Promise((resolve) => setTimeout(resolve, 500));
const exhausted = (message: RegExp) => expect.objectContaining({ code: 'resource_exhausted', message: expect.stringMatching(message) });

describe('engine without enough memory', () => {
  it('reports the error to the caller and prints nothing', async () => {
    const print = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const phasor = await createPhasor(options);
    expect(() => phasor.ropeFromConfig(lists)).toThrow(exhausted(/^ropeFromConfig: out of memory/));
    expect([...print.mock.calls, ...error.mock.calls]).toEqual([]);
    vi.restoreAllMocks();
  });

  it('reports the error on this thread and keeps working', async () => {
    const phasor = await createPhasor(options);
    const expected = phasor.randomNormal(smallRequest);
    for (let round = 0; round < 3; round += 1) {
      expect(() => phasor.randomNormal(largeRequest)).toThrow(exhausted(/^shape: .* more than is available/));
      const list = new Array(4e6).fill(1);
      expect(() => phasor.randomNormal({ seed: 1, shape: list })).toThrow(
        exhausted(/^randomNormal: the values in its lists need 30 MiB, more than is available/),
      );
      expect(phasor.randomNormal(smallRequest)).toEqual(expected);
      expect(() => phasor.ropeFromConfig(lists)).toThrow(exhausted(/^ropeFromConfig: out of memory/));
      expect(phasor.randomNormal(smallRequest)).toEqual(expected);
      await restarted();
    }
  });

  it('rejects calls on this thread after two interrupted ones until it has restarted', async () => {
    const phasor = await createPhasor(options);
    const expected = phasor.randomNormal(smallRequest);
    for (let round = 0; round < 2; round += 1) {
      for (let call = 0; call < 2; call += 1)
        expect(() => phasor.ropeFromConfig(lists)).toThrow(exhausted(/^ropeFromConfig: out of memory/));
      expect(() => phasor.randomNormal(smallRequest)).toThrow(exhausted(/^randomNormal: the engine is restarting after interrupted calls/));
      await restarted();
      expect(phasor.randomNormal(smallRequest)).toEqual(expected);
      await restarted();
    }
  });

  it('keeps a cache unchanged when new tokens do not fit', async () => {
    const phasor = await createPhasor(options);
    const heads = 16;
    const width = 64; // with wide values, 1024 tokens take 8 MiB
    const cache = phasor.createCache({ heads, headDim: width, maxLength: 65536, encoding: 'rope' });
    const decode = (count: number) => {
      const x = phasor.randomNormal({ seed: 1, shape: [heads, count, width] });
      return cache.decode({ q: x, k: x, v: x });
    };
    for (let length = 100; length <= 1000; length += 100) expect(decode(100).length).toBe(length);
    expect(() => decode(100)).toThrow(exhausted(/^k: 100 more tokens need 9 MiB, more than is available/));
    expect(decode(24).length).toBe(1024);
    cache.dispose();
  });

  it('rejects tensors that do not fit and keeps the existing ones', async () => {
    const phasor = await createPhasor(options);
    const one = phasor.createTensor(phasor.randomNormal({ seed: 1, shape: [1000, 1000] }));
    const bigTensor = { shape: [4500, 1000], data: new Float32Array(4.5e6) };
    for (let round = 0; round < 3; round += 1) {
      expect(() => phasor.createTensor(bigTensor)).toThrow(exhausted(/^tensor\.data: its values need 17 MiB, more than is available/));
      expect(() => phasor.applyRotary({ shape: [1, 4500, 1000], data: bigTensor.data }, { encoding: 'rope' })).toThrow(
        exhausted(/^x\.data: /),
      );
      expect(tableStatistics(phasor, { table: one }).maxAbs).toBeGreaterThan(4);
    }
    one.dispose();
  });

  it('rejects a fork of a cache without memory for the copy', async () => {
    const phasor = await createPhasor(options);
    const cache = phasor.createCache({ heads: 16, headDim: 64, maxLength: 4096 });
    const x = phasor.randomNormal({ seed: 1, shape: [16, 10, 64] });
    cache.decode({ q: x, k: x, v: x });
    expect(() => cache.fork()).toThrow(exhausted(/^cache: a copy needs 9 MiB, more than is available/));
    expect(cache.decode({ q: x, k: x, v: x }).length).toBe(20);
    cache.dispose();
  });

  it('computes or rejects calls that need much more memory than their result', async () => {
    const phasor = await createPhasor(options);
    const one = phasor.createTensor(phasor.randomNormal({ seed: 1, shape: [100, 100] }));
    const zeros = (...shape: number[]) => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)) });
    const scattered = Array.from({ length: 1000 }, (_, i) => i + Math.floor(i / 5));
    const maxDim = 1 << 20;
    const keys = zeros(1, 20_000, 16);
    const calls: [() => unknown, RegExp | undefined][] = [
      [() => phasor.createEncoding({ encoding: 'rope_mixed', length: 1, dim: maxDim, heads: maxDim }), /^dim: .* is not available$/],
      [() => phasor.positionTable({ encoding: 'sinusoidal', dim: maxDim, positions: [1] }), /^dim: .* is not available$/],
      [() => phasor.positionTable({ encoding: 'sinusoidal', dim: 1 << 16, positions: [1] }), undefined],
      // Every pair has a different distance, and not all fit into memory.
      [() => phasor.attentionBias({ encoding: 'fire', heads: 1, queryPositions: scattered, keyPositions: scattered }), undefined],
      [() => phasor.attentionBias({ encoding: 't5', heads: 1, queryPositions: scattered, keyPositions: scattered }), undefined],
      [
        () => phasor.attention({ q: zeros(1, 4, 16), k: keys, v: keys, encoding: 'transformer_xl', outputs: ['weights'] }),
        /^(q|encoding): .* is not available$/,
      ],
    ];
    for (const [call, rejected] of calls) {
      if (rejected) expect(call).toThrow(exhausted(rejected));
      else expect(call).not.toThrow();
      expect(tableStatistics(phasor, { table: one }).maxAbs).toBeGreaterThan(2); // still the first instance
    }
  });

  it('frees the memory of disposed handles', async () => {
    const phasor = await createPhasor(options);
    const rows = { shape: [100, 100], data: new Float32Array(10_000).fill(0.5) };
    const one = { shape: [1, 1, 2], data: new Float32Array(2) };
    const last = phasor.createTensor(rows);
    for (let round = 0; round < 10_000; round += 1) {
      const tensorHandle = phasor.createTensor(rows);
      const created = phasor.createEncoding({ encoding: { id: 'learned', table: tensorHandle }, length: 100, dim: 100 });
      const cache = phasor.createCache({ heads: 1, headDim: 2, maxLength: 4 });
      cache.decode({ q: one, k: one, v: one });
      for (const handle of [tensorHandle, created, cache.fork(), cache]) handle.dispose();
    }
    // Still the first instance: it never ran out of memory.
    expect(tableStatistics(phasor, { table: last }).maxAbs).toBe(0.5);
  });

  it('reports the error in a worker and in a pool and keeps working', async () => {
    const remote = await createPhasorWorker(options);
    const pool = await createPhasorPool({ ...options, workers: 2 });
    for (const phasor of [remote, pool]) {
      await expect(phasor.ropeFromConfig(lists)).rejects.toThrow(exhausted(/^ropeFromConfig: out of memory/));
      expect((await phasor.randomNormal(smallRequest)).data.length).toBe(4);
    }
    const x = { shape: [6, 1024, 32], data: new Float32Array(6 * 1024 * 32) };
    await expect(pool.attention({ q: x, k: x, v: x, outputs: ['weights', 'scores'] })).rejects.toThrow(exhausted(/more than is available/));
    expect((await pool.attention({ q: x, k: x, v: x })).output.shape).toEqual(x.shape);
    remote.dispose();
    pool.dispose();
  });
});

it('replaces the instance after any exception thrown through WebAssembly', async () => {
  const phasor = await createPhasor();
  const hostileRequest = {
    encoding: 'sinusoidal',
    length: 2,
    get dim(): number {
      throw new Error('no width today');
    },
  };
  expect(() => phasor.positionTable(hostileRequest)).toThrow('dim: cannot be read (no width today)');
  const { set } = Float32Array.prototype;
  Float32Array.prototype.set = () => {
    throw new TypeError('no copies today');
  };
  try {
    const x = { shape: [2, 2], data: new Float32Array(4) };
    expect(() => phasor.combine({ x, table: x })).toThrow('combine: the computation stopped (no copies today)');
  } finally {
    Float32Array.prototype.set = set;
  }
  expect(phasor.positionTable({ encoding: 'sinusoidal', length: 1, dim: 2 }).data[1]).toBe(1);
});
