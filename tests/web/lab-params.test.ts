// Which controls an encoding gets, decided from what the real core says about it.
import { describe, expect, it } from 'vitest';
import type * as Package from '../../web/engine/node.ts';
import { usedParams } from '../../web/figure/parameters.ts';
import { arraysLine, sliderOf, sorted } from '../../web/lab/params.ts';

const { createPhasor }: typeof Package = await import('../../dist/npm/node.js' as string);
const { encodings } = await createPhasor();
const named = (id: string) => encodings.find((one) => one.id === id) as Package.EncodingInfo;
const names = (params: readonly Package.ParamInfo[]) => params.map(({ name }) => name);

describe('controls', () => {
  it.each(encodings.map(({ id }) => id))('of %s: few at once, every array without one', (id) => {
    const { first, rest, arrays } = sorted(named(id), {});
    expect(first.length).toBeLessThanOrEqual(4);
    expect(rest.length).not.toBe(1);
    for (const { kind } of [...first, ...rest]) expect(kind).not.toBe('tensor');
    expect(arraysLine(named(id), {}, arrays) === undefined).toBe(arrays.length === 0);
  });

  it('are those that the chosen words use, in the order the words of the page ask for', () => {
    const rope = named('rope');
    const first = ['base', 'scaling', 'factor'];
    expect(names(sorted(rope, {}, first).first)).toEqual(['base', 'scaling']);
    const yarn = sorted(rope, { scaling: 'yarn' }, first);
    expect(names(yarn.first)).toEqual(first);
    expect(names(yarn.rest)).toContain('beta_fast');
    expect(names(yarn.rest)).not.toContain('low_freq_factor');
    expect(yarn.arrays).toEqual([]);
    expect(names(sorted(rope, { scaling: 'longrope' }, first).arrays)).toEqual(['short_factor', 'long_factor']);
  });

  it('have sliders where one can be set with them', () => {
    const param = (id: string, name: string) => named(id).params.find((one) => one.name === name) as Package.ParamInfo;
    expect(sliderOf(param('rope', 'base'))).toMatchObject({ logarithmic: true });
    expect(sliderOf(param('t5', 'num_buckets'))).toMatchObject({ min: 2, logarithmic: true });
    expect(sliderOf(param('rope', 'rotary_fraction'))).toMatchObject({ logarithmic: false });
    expect(sliderOf(param('t5', 'seed'))).toBeUndefined();
    expect(sliderOf(param('t5', 'init_std'))).toBeUndefined();
  });
});

describe('parameters', () => {
  it('that have no effect are not sent, unknown ones are', () => {
    expect(usedParams({ form: 'causal', right_factor: 2, bias_max: 4, nonsense: 1 }, named('alibi'))).toEqual({
      form: 'causal',
      bias_max: 4,
      nonsense: 1,
    });
    expect(usedParams({ right_factor: 2 }, named('alibi'))).toEqual({ right_factor: 2 });
  });

  it('say where arrays come from', () => {
    const line = (id: string) => arraysLine(named(id), { seed: 7 }, sorted(named(id), {}).arrays);
    expect(line('learned')).toBe('Nothing is trained here: numbers are as before training, drawn from seed 7. A program can give table.');
    expect(line('shaw')).toMatch(/A program can give table_k and table_v\.$/);
    expect(line('mrope')).toBe('A program can give sections; without it, it is computed.');
  });
});
