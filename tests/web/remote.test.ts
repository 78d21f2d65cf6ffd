// The engine in a worker as an object: it can be printed and serialized, has no unexpected properties, and separates call options from
// requests.

import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { similarity } from '../../web/engine/analysis.ts';
import { createPhasor, PhasorError } from '../../web/engine/node.ts';
import { createPhasorPool, createPhasorWorker } from '../../web/engine/workers.node.ts';

const direct = await createPhasor();
const worker = await createPhasorWorker();
const pool = await createPhasorPool({ workers: 12 });
afterAll(() => {
  worker.dispose();
  pool.dispose();
});

const request = { encoding: 'sinusoidal', length: 1, dim: 2 };
const strayRejections: unknown[] = [];
const warnings: Error[] = [];
const collectWarning = (warning: Error) => warnings.push(warning);
const collectRejection = (reason: unknown) => strayRejections.push(reason);
beforeEach(() => {
  process.on('unhandledRejection', collectRejection);
  process.on('warning', collectWarning);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', collectRejection);
  process.off('warning', collectWarning);
  expect(strayRejections.splice(0)).toEqual([]);
  expect(warnings.splice(0)).toEqual([]);
});

describe.each([
  ['a worker', worker],
  ['a pool', pool],
])('%s', (_, remote) => {
  it('can be printed and awaited, and has no unexpected properties', async () => {
    expect(JSON.parse(JSON.stringify(remote)).version).toBe(direct.version);
    expect(`${remote}`).toBe('[object Object]');
    expect(inspect(remote)).toContain('attention');
    const untypedRemote = remote as unknown as Record<string, unknown>;
    for (const name of ['then', 'toJSON', 'inspect', 'atention']) expect(untypedRemote[name]).toBeUndefined();
    expect('positionTable' in remote && Object.keys(remote).includes('positionTable')).toBe(true);
    expect(await remote).toBe(remote);
  });

  it('has the methods of an engine and no others', () => {
    const methods = (engine: object) =>
      Object.entries(engine)
        .filter(([, value]) => typeof value === 'function')
        .map(([name]) => name);
    const ownMethods = methods(remote).filter((name) => name !== 'dispose');
    expect(ownMethods.sort()).toEqual(methods(direct).sort());
  });

  it('is accepted by phasor/analysis, with call options after the request', async () => {
    const isSameResult = { table: { shape: [2, 1], data: [1, 2] }, metric: 'dot' } as const;
    expect(await similarity(remote, isSameResult)).toEqual(similarity(direct, isSameResult));
    const aborted = AbortSignal.abort();
    await expect(similarity(remote, isSameResult, { signal: aborted })).rejects.toMatchObject({ code: 'cancelled' });
    const rejected: [() => unknown, RegExp][] = [
      [() => similarity(remote, isSameResult, { signl: aborted } as never), /^similarity: signl is not a call option/],
      [() => similarity(remote, undefined as never), /^similarity: argument 2 is undefined; expected an object$/],
      [
        () => similarity(direct, isSameResult, ...([{}] as never[] as [])),
        /^similarity: argument 3 is an object; an engine on the calling thread accepts no call options/,
      ],
      [
        () => similarity(undefined as unknown as typeof direct, isSameResult),
        /^similarity: argument 1 is not an engine; expected the result of createPhasor/,
      ],
      [() => similarity(isSameResult as unknown as typeof direct, isSameResult), /^similarity: argument 1 is not an engine/],
    ];
    for (const [call, sentence] of rejected) await expect((async () => call())()).rejects.toThrow(sentence);
  });

  it('accepts call options only after the request', async () => {
    const table = await direct.positionTable(request);
    expect(await remote.positionTable({ ...request, signal: undefined } as never)).toEqual(table);
    expect(await remote.positionTable(request, undefined)).toEqual(table);
    expect(await remote.positionTable(request, {})).toEqual(table);
    expect(await remote.positionTable(request, { signal: undefined })).toEqual(table);
    const { signal } = new AbortController();
    expect(await remote.positionTable(request, { signal })).toEqual(table);
    const refused: [() => Promise<unknown>, RegExp][] = [
      [() => remote.positionTable({ ...request, signal } as never), /^signal is not a field of positionTable/],
      [() => remote.selfAttention({ x: table, heads: 1, signal } as never), /^signal is not a field of selfAttention/],
      [() => remote.ropeFromConfig({ rope_theta: 1 }, { signal } as never), /^signal is not a field of ropeFromConfig/],
      [() => remote.positionTable(request, { signl: signal } as never), /^positionTable: signl is not a call option; expected signal$/],
      [() => remote.positionTable(request, { signal: 5 as never }), /^positionTable: signal: 5 is not an AbortSignal$/],
      [() => remote.positionTable(request, 5 as never), /^positionTable: argument 2 is 5; expected call options \{signal\}$/],
      [
        () => (remote.positionTable as (...args: unknown[]) => Promise<unknown>)(request, {}, 5),
        /^positionTable: argument 3 is 5; .* takes no further arguments$/,
      ],
    ];
    for (const [call, sentence] of refused) {
      await expect(call()).rejects.toThrow(sentence);
      await expect(call()).rejects.toThrow(PhasorError);
    }
  });

  it('adds a single listener to a signal of many calls', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 30 }, () => remote.positionTable(request, { signal }));
    await Promise.all(calls);
    const x = { shape: [8, 600, 64], data: new Float32Array(8 * 600 * 64) };
    await remote.attention({ q: x, k: x, v: x }, { signal });
    const pendingCalls = Array.from({ length: 30 }, () => remote.positionTable(request, { signal }));
    controller.abort();
    for (const result of await Promise.allSettled(pendingCalls)) expect(result).toMatchObject({ reason: { code: 'cancelled' } });
    await expect(remote.positionTable(request, { signal })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('an engine on the calling thread', () => {
  it('rejects extra arguments', () => {
    const table = direct.positionTable as (...args: unknown[]) => unknown;
    expect(() => table(request, { signal: new AbortController().signal })).toThrow(
      /^positionTable: argument 2 is \[object AbortSignal\]|^positionTable: argument 2 is an object/,
    );
    expect(table(request, undefined)).toEqual(direct.positionTable(request));
  });
});
