// Concurrent equal requests of figures are computed once.
import { describe, expect, it, vi } from 'vitest';
import { permutationTest } from '../../web/engine/analysis.ts';
import { CALL } from '../../web/engine/call/call-key.ts';
import type { PermutationTestRequest, RemotePhasor } from '../../web/engine/types/api.ts';
import { dedupe, dedupeEngine } from '../../web/figure/runtime/services.ts';

interface Request {
  readonly x: { readonly shape: readonly number[]; readonly data: Float32Array };
  readonly order?: readonly number[];
  readonly encoding: { readonly id: string; readonly base?: number };
}

const request = (part: Partial<Request> = {}): Request => ({
  x: { shape: [2, 1], data: new Float32Array([1, Number.NaN]) },
  order: [1, 0],
  encoding: { id: 'rope', base: 10 },
  ...part,
});

/** Requests stay pending until the test resolves or rejects them. */
function fixture() {
  const pending: { resolve(): void; reject(reason: unknown): void }[] = [];
  const send = dedupe(
    ({ x }: Request) =>
      new Promise<{ data: Float32Array }>((resolve, reject) => {
        pending.push({ resolve: () => resolve({ data: x.data.slice() }), reject });
      }),
  );
  return { send, pending };
}

describe('dedupe', () => {
  it('computes equal concurrent requests once, and returns separate copies', async () => {
    const { send, pending } = fixture();
    const promises = [send(request()), send(request())];
    expect(pending).toHaveLength(1);
    pending[0]?.resolve();
    const [a, b] = await Promise.all(promises);
    expect(b).toEqual(a);
    (a as { data: Float32Array }).data[0] = 7;
    expect(b?.data[0]).toBe(1);
  });

  it.each<[string, Partial<Request>]>([
    ['a number of an array', { x: { shape: [2, 1], data: new Float32Array([2, Number.NaN]) } }],
    ['the sign of zero', { encoding: { id: 'rope', base: -0 } }],
    ['another length', { order: [0] }],
    ['a parameter', { encoding: { id: 'rope', base: 11 } }],
    ['a parameter that is not there', { encoding: { id: 'rope' } }],
    ['an object in place of an array', { order: { 0: 1, 1: 0 } as never }],
    ['an array of another type', { order: new Float32Array([1, 0]) as never }],
  ])('computes requests that differ in %s separately', (_, part) => {
    const { send, pending } = fixture();
    const base = 'encoding' in part && Object.is(part.encoding?.base, -0) ? { encoding: { id: 'rope', base: 0 } } : {};
    void send(request(base));
    void send(request(part));
    expect(pending).toHaveLength(2);
  });

  it('compares requests as submitted, even if their arrays change later', () => {
    const { send, pending } = fixture();
    const mutated = request();
    void send(mutated);
    mutated.x.data[0] = 5;
    void send(mutated);
    expect(pending).toHaveLength(2);
  });

  it('rejects equal requests together, and computes again once they are settled', async () => {
    const { send, pending } = fixture();
    const promises = [send(request()), send(request())];
    pending[0]?.reject(new Error('no memory'));
    for (const result of promises) await expect(result).rejects.toThrow('no memory');
    const retry = send(request());
    expect(pending).toHaveLength(2);
    pending[1]?.resolve();
    await expect(retry).resolves.toBeDefined();
    void send(request());
    expect(pending).toHaveLength(3);
  });
});

describe('dedupeEngine', () => {
  const payload = { x: { shape: [2, 1], data: new Float32Array([1, 2]) }, heads: 1, encoding: 'none', order: [1, 0] };

  it.each<[string, object, number]>([
    ['the same reordered sentence', { order: [1, 0], encoding: 'none', heads: 1, x: payload.x }, 1],
    ['matrices besides', { ...payload, head: 0, outputs: ['weights'] }, 2],
    ['another order', { ...payload, order: [0, 1] }, 2],
  ])('makes the expected calls for a reordered sentence and then %s', (_, second, calls) => {
    const call = vi.fn(() => new Promise(() => {}));
    const engine = dedupeEngine({ [CALL]: call } as unknown as RemotePhasor);
    for (const request of [payload, second]) void permutationTest(engine, request as PermutationTestRequest);
    expect(call).toHaveBeenCalledTimes(calls);
  });
});
