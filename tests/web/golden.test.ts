// Runs the golden cases on the built package, and checks that they detect errors.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPhasor, type Phasor } from '../../web/engine/node.ts';
import type { GoldenEntry, GoldenFile } from '../../web/self-test/golden/case.ts';
import { families, goldenCases, onlyInCpp } from './golden.contract.ts';
import './relaxed-simd.ts';

const read = (family: string): GoldenFile => JSON.parse(readFileSync(`tests/golden/${family}.json`, 'utf8'));
const variants = ['relaxed', 'simd'] as const;
const created = await Promise.all(variants.map(async (variant) => [variant, await createPhasor({ variant })] as const));
const phasor = Object.fromEntries(created) as Record<(typeof variants)[number], Phasor>;

for (const variant of variants) {
  describe.each(families)(`%s, ${variant}`, (family) => {
    it.each([...goldenCases(read(family))])('$name', ({ run }) => run(phasor[variant]));
  });
}

it('skips exactly the methods listed as C++ only', () => {
  const entries = families.flatMap((family) => read(family).cases);
  const skipped = entries.filter(({ method }) => method in onlyInCpp);
  expect([...new Set(skipped.map(({ method }) => method))].sort()).toEqual(Object.keys(onlyInCpp).sort());
  const run = families.flatMap((family) => goldenCases(read(family)));
  expect(run.length + skipped.length).toBe(entries.length);
});

describe('golden case', () => {
  const [entry] = read('simple').cases.filter(({ method }) => method === 'sin_cos_pair') as [GoldenEntry];
  const expectFailure = async (fields: object, pattern: RegExp) => {
    const [only] = goldenCases({ schema: 'phasor-golden-1', cases: [{ ...entry, ...fields }] });
    await expect(only?.run(phasor.simd)).rejects.toThrow(pattern);
  };
  const pe = entry.outputs?.pe as { shape: number[]; dtype: string; data: number[] };

  it('rejects an unknown method', () => expectFailure({ method: 'sin_cos_triple' }, /^unknown method sin_cos_triple$/));
  it('rejects an unknown param', () => expectFailure({ params: { ...entry.params, phase: 1 } }, /^unknown param phase$/));
  it('rejects an unknown input', () => expectFailure({ inputs: { x: pe } }, /^unknown input x$/));
  it('rejects an unknown output', () => expectFailure({ outputs: { pe, more: pe } }, /^unknown output more$/));
  it('rejects an unknown field', () => expectFailure({ remark: '' }, /^unknown field remark$/));
  it('rejects missing params', () => expectFailure({ params: {} }, /^params lack /));
  it('fails if a value differs', () =>
    expectFailure(
      { outputs: { pe: { ...pe, data: pe.data.map((x, i) => (i === 1 ? x + 1e-5 : x)) } } },
      /^pe\[1\]: got .*, allowed 0.000001$/,
    ));
  it('fails if the shape differs', () => expectFailure({ outputs: { pe: { ...pe, shape: [pe.data.length] } } }, /^pe has shape/));
});
