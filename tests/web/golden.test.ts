// The golden cases on the built package, and errors that a case must detect.

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

it('leaves out exactly what it says it leaves out', () => {
  const all = families.flatMap((family) => read(family).cases);
  const skipped = all.filter(({ method }) => method in onlyInCpp);
  expect([...new Set(skipped.map(({ method }) => method))].sort()).toEqual(Object.keys(onlyInCpp).sort());
  const run = families.flatMap((family) => goldenCases(read(family)));
  expect(run.length + skipped.length).toBe(all.length);
});

describe('a case fails', () => {
  const [entry] = read('simple').cases.filter(({ method }) => method === 'sin_cos_pair') as [GoldenEntry];
  const fails = async (changed: object, why: RegExp) => {
    const [only] = goldenCases({ schema: 'phasor-golden-1', cases: [{ ...entry, ...changed }] });
    await expect(only?.run(phasor.simd)).rejects.toThrow(why);
  };
  const pe = entry.outputs?.pe as { shape: number[]; dtype: string; data: number[] };

  it('when its method is unknown', () => fails({ method: 'sin_cos_triple' }, /^unknown method sin_cos_triple$/));
  it('when a param is unknown', () => fails({ params: { ...entry.params, phase: 1 } }, /^unknown param phase$/));
  it('when an input is unknown', () => fails({ inputs: { x: pe } }, /^unknown input x$/));
  it('when an output is unknown', () => fails({ outputs: { pe, more: pe } }, /^unknown output more$/));
  it('when a field is unknown', () => fails({ remark: '' }, /^unknown field remark$/));
  it('when a param is missing', () => fails({ params: {} }, /^params lack /));
  it('when a number differs', () =>
    fails({ outputs: { pe: { ...pe, data: pe.data.map((x, i) => (i === 1 ? x + 1e-5 : x)) } } }, /^pe\[1\]: got .*, allowed 0.000001$/));
  it('when the shape differs', () => fails({ outputs: { pe: { ...pe, shape: [pe.data.length] } } }, /^pe has shape/));
});
