// The golden cases of the self-test cover all encodings and fail for a wrong engine.

import { beforeAll, describe, expect, it } from 'vitest';
import { createPhasor } from '../../web/engine/node.ts';
import type { AnyPhasor } from '../../web/self-test/any-phasor.ts';
import { createGoldenCases, type GoldenFile } from '../../web/self-test/cases.ts';

const { selection }: { selection: () => GoldenFile } = await import('../../scripts/site/golden-selection.mjs' as string);

/** Adds the encodings and masks of a request to `names`. */
function collectNames(value: unknown, names: Set<string>, depth = 0): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth > 3) return;
  for (const [name, part] of Object.entries(value)) {
    if (name === 'encoding') names.add(typeof part === 'string' ? part : String((part as { id?: string }).id));
    if (name === 'mask') names.add(`mask ${part}`);
    if (name === 'keyMask' || name === 'window') names.add(name);
    collectNames(part, names, depth + 1);
  }
}

/** Wraps an engine: `call` receives every request and returns the result to use. */
const interceptCalls = (phasor: AnyPhasor, call: (name: string, request: unknown, result: unknown) => unknown): AnyPhasor =>
  new Proxy(phasor, {
    get(target, name) {
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? (...args: unknown[]) => call(String(name), args, Reflect.apply(member, target, args)) : member;
    },
  });

let phasor: AnyPhasor & { readonly encodings: readonly { readonly id: string }[] };
beforeAll(async () => {
  phasor = await createPhasor();
});

describe('golden selection', () => {
  it('covers every encoding, attention, its gradients and masks, and passes', async () => {
    const names = new Set<string>();
    const cases = createGoldenCases(selection());
    expect(cases.length).toBeGreaterThan(200);
    for (const { run } of cases)
      await run(
        interceptCalls(phasor, (name, request, response) => {
          names.add(name);
          collectNames(request, names);
          return response;
        }),
      );
    for (const entry of [
      ...phasor.encodings.map(({ id }) => id),
      'attention',
      'attentionBackward',
      'selfAttention',
      'mask causal',
      'mask none',
      'keyMask',
    ])
      expect([...names], entry).toContain(entry);
  });

  it('fails if one value of a result is wrong', async () => {
    // Above the float32 tolerance, which is both relative and absolute.
    const wrongPhasor = interceptCalls(phasor, (name, _, answer) => {
      if (name !== 'positionTable') return answer;
      const { shape, data } = answer as { shape: number[]; data: Float32Array };
      return { shape, data: data.map((value, index) => (index === data.length - 1 ? value + 1e-4 * (1 + Math.abs(value)) : value)) };
    });
    const [tables, otherNames] = [new Set<string>(), new Set<string>()];
    for (const { name, run } of createGoldenCases(selection())) {
      let asks = false;
      await run(
        interceptCalls(phasor, (method, _, answer) => {
          asks ||= method === 'positionTable';
          return answer;
        }),
      );
      const failed = await run(wrongPhasor).then(
        () => false,
        () => true,
      );
      if (asks && !failed) tables.add(name);
      if (!asks && failed) otherNames.add(name);
    }
    expect([...tables]).toEqual([]);
    expect([...otherNames]).toEqual([]);
  });

  it('fails if one reference value is changed', async () => {
    const file = selection();
    const wrongCases = file.cases.map((entry) => {
      const [[name, output]] = Object.entries(entry.outputs ?? {}) as [[string, { data: number[]; dtype: string }]];
      if (typeof output !== 'object' || typeof output.data?.[0] !== 'number') return undefined;
      const data = [output.data[0] + 0.01 * (1 + Math.abs(output.data[0])), ...output.data.slice(1)];
      return { ...entry, outputs: { ...entry.outputs, [name]: { ...output, data } } };
    });
    const cases = createGoldenCases({ ...file, cases: wrongCases.filter((entry) => entry !== undefined) });
    expect(cases.length).toBeGreaterThan(200);
    for (const { name, run } of cases) await expect(run(phasor), name).rejects.toThrow();
  });
});
