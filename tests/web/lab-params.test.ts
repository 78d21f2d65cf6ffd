// Which controls an encoding gets, decided from what the real core says about it.
import { describe, expect, it } from 'vitest';
import { encodingWords } from '../../web/encodings/words.ts';
import type * as Package from '../../web/engine/node.ts';
import { usedParams } from '../../web/figure/parameters.ts';
import { Fold } from '../../web/lab/fold.ts';
import { linkedParams } from '../../web/lab/link-params.ts';
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

  it('of a link are those that the encoding can take, and the page says which are not', () => {
    const good = { layout: 'half_split', base: 500000, rotary_fraction: 2 };
    expect(linkedParams(good, named('rope'))).toEqual({ params: good });
    const read = linkedParams({ layout: 'diagonal', base: 'many', short_factor: 3, nonsense: 1, max_period: 9 }, named('rope'));
    expect(read.params).toEqual({});
    expect(read.problem).toContain('In this link layout is “diagonal”, which is none of interleaved, half_split; the usual value is');
    expect(read.problem).toContain('In this link base is “many”, which is not a number; the usual value is used instead.');
    expect(read.problem).toContain('In this link short_factor is an array, which only a program can give;');
    expect(read.problem).toContain('In this link nonsense is not a parameter of rope; it is left out.');
    expect(linkedParams({ include_input: 1 }, named('nerf')).problem).toContain('“1”, which is neither true nor false');
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'and words are not found under %s, which every object has',
    (name) => {
      expect(encodingWords[name]).toBeUndefined();
      const linked = Object.fromEntries([[name, 1]]);
      expect(linkedParams(linked, named('rope'))).toEqual({
        params: {},
        problem: `In this link ${name} is not a parameter of rope; it is left out.`,
      });
    },
  );

  it('say where arrays come from', () => {
    const line = (id: string) => arraysLine(named(id), { seed: 7 }, sorted(named(id), {}).arrays);
    expect(line('learned')).toBe('Nothing is trained here: numbers are as before training, drawn from seed 7. A program can give table.');
    expect(line('shaw')).toMatch(/A program can give table_k and table_v\.$/);
    expect(line('mrope')).toBe('A program can give sections; without it, it is computed.');
  });
});

describe('what is folded away', () => {
  const toggle = (open: boolean) => ({ target: { open } }) as unknown as Event;

  it('stays open while a parameter in it goes back to its default', () => {
    const fold = new Fold();
    expect(fold.because([]).open).toBe(false);
    fold.toggled(toggle(true));
    expect(fold.because(['set beta_fast']).open).toBe(true);
    expect(fold.because([]).open).toBe(true);
  });

  it('stays closed until it has a new reason to open', () => {
    const fold = new Fold();
    expect(fold.because(['set beta_fast']).open).toBe(true);
    fold.toggled(toggle(false));
    expect(fold.because(['set beta_fast']).open).toBe(false);
    expect(fold.because(['set beta_fast', 'wrong beta_fast']).open).toBe(true);
  });
});
