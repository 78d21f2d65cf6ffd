// The controls of an encoding, derived from its declaration in the real core.

import { describe, expect, it } from 'vitest';
import { encodingDescriptions } from '../../web/encodings/description.ts';
import { createPhasor, type EncodingInfo, type ParamInfo } from '../../web/engine/node.ts';
import type { Control } from '../../web/figure/contract/fields.ts';
import { createParamControl, selectUsedParams } from '../../web/figure/contract/parameters.ts';
import { Disclosure } from '../../web/lab/page/disclosure.ts';
import { checkLinkedParams } from '../../web/lab/state/link-params.ts';
import { chooseSlider, describeTensors, groupParams } from '../../web/lab/state/params.ts';

const { encodings } = await createPhasor();
const encodingById = (id: string) => encodings.find((entry) => entry.id === id) as EncodingInfo;
const names = (params: readonly ParamInfo[]) => params.map(({ name }) => name);

describe('parameter controls', () => {
  it.each(encodings.map(({ id }) => id))('show at most four parameters of %s at once and no tensors', (id) => {
    const { initialParams, moreParams, tensors } = groupParams(encodingById(id), {});
    expect(initialParams.length).toBeLessThanOrEqual(4);
    expect(moreParams.length).not.toBe(1);
    for (const { kind } of [...initialParams, ...moreParams]) expect(kind).not.toBe('tensor');
    expect(describeTensors(encodingById(id), {}, tensors) === undefined).toBe(tensors.length === 0);
  });

  it('include the parameters that apply, main ones first', () => {
    const rope = encodingById('rope');
    const first = ['base', 'scaling', 'factor'];
    expect(names(groupParams(rope, {}, first).initialParams)).toEqual(['base', 'scaling']);
    const yarn = groupParams(rope, { scaling: 'yarn' }, first);
    expect(names(yarn.initialParams)).toEqual(first);
    expect(names(yarn.moreParams)).toContain('beta_fast');
    expect(names(yarn.moreParams)).not.toContain('low_freq_factor');
    expect(yarn.tensors).toEqual([]);
    expect(names(groupParams(rope, { scaling: 'longrope' }, first).tensors)).toEqual(['short_factor', 'long_factor']);
  });

  it('have sliders only for usable ranges', () => {
    const param = (id: string, name: string) =>
      createParamControl(encodingById(id).params.find((entry) => entry.name === name) as ParamInfo) as Control & { kind: 'number' };
    expect(chooseSlider(param('rope', 'base'))).toMatchObject({ logarithmic: true });
    expect(chooseSlider(param('t5', 'num_buckets'))).toMatchObject({ min: 2, logarithmic: true });
    expect(chooseSlider(param('rope', 'rotary_fraction'))).toMatchObject({ logarithmic: false });
    expect(chooseSlider(param('t5', 'seed'))).toBeUndefined();
    expect(chooseSlider(param('t5', 'init_std'))).toBeUndefined();
  });
});

describe('parameters', () => {
  it('are omitted if they do not apply, but kept if they are unknown', () => {
    expect(selectUsedParams({ form: 'causal', right_factor: 2, bias_max: 4, nonsense: 1 }, encodingById('alibi'))).toEqual({
      form: 'causal',
      bias_max: 4,
      nonsense: 1,
    });
    expect(selectUsedParams({ right_factor: 2 }, encodingById('alibi'))).toEqual({ right_factor: 2 });
  });

  it('are checked against the encoding if they come from a link, and reported if invalid', () => {
    const valid = { layout: 'half_split', base: 500000, rotary_fraction: 2 };
    expect(checkLinkedParams(valid, encodingById('rope'))).toEqual({ params: valid });
    const read = checkLinkedParams(
      { layout: 'diagonal', base: 'many', short_factor: 'three', nonsense: 1, max_period: 9 },
      encodingById('rope'),
    );
    expect(read.params).toEqual({});
    expect(read.problem).toContain('In this link layout is “diagonal”, which is not interleaved or half_split; the default is');
    expect(read.problem).toContain('In this link base is “many”, which is not a number; the default is used instead.');
    expect(read.problem).toContain('In this link short_factor is “three”, which is not a list of numbers like 0.5;0.25;');
    expect(read.problem).toContain('In this link nonsense is not a parameter of rope; it is ignored.');
    const list = { shape: [2], data: Float32Array.of(0.5, 0.25) };
    expect(checkLinkedParams({ slopes: list }, encodingById('alibi'))).toEqual({ params: { slopes: list } });
    expect(checkLinkedParams({ slopes: 0.5 }, encodingById('alibi')).params.slopes).toEqual({ shape: [1], data: Float32Array.of(0.5) });
    expect(checkLinkedParams({ base: list }, encodingById('rope')).problem).toContain('In this link base is “');
    expect(checkLinkedParams({ include_input: 1 }, encodingById('nerf')).problem).toContain('“1”, which is neither true nor false');
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('do not include %s, a property of every object', (name) => {
    expect(encodingDescriptions[name]).toBeUndefined();
    const linked = Object.fromEntries([[name, 1]]);
    expect(checkLinkedParams(linked, encodingById('rope'))).toEqual({
      params: {},
      problem: `In this link ${name} is not a parameter of rope; it is ignored.`,
    });
  });

  it('have a description of how tensors are initialized', () => {
    const line = (id: string) => describeTensors(encodingById(id), { seed: 7 }, groupParams(encodingById(id), {}).tensors);
    expect(line('learned')).toBe('Untrained: table has random initial values, drawn with seed 7. The API accepts trained tensors.');
    expect(line('shaw')).toMatch(/^Untrained: table_k and table_v have random initial values, drawn with seed 7\./);
    expect(line('mrope')).toBe('Computed here: sections. The API also accepts your own tensors.');
  });
});

describe('Disclosure', () => {
  const toggle = (open: boolean) => ({ target: { open } }) as unknown as Event;

  it('stays open while a parameter in it goes back to its default', () => {
    const section = new Disclosure();
    expect(section.openFor([]).isOpen).toBe(false);
    section.onToggle(toggle(true));
    expect(section.openFor(['set beta_fast']).isOpen).toBe(true);
    expect(section.openFor([]).isOpen).toBe(true);
  });

  it('stays closed until it has a new reason to open', () => {
    const section = new Disclosure();
    expect(section.openFor(['set beta_fast']).isOpen).toBe(true);
    section.onToggle(toggle(false));
    expect(section.openFor(['set beta_fast']).isOpen).toBe(false);
    expect(section.openFor(['set beta_fast', 'wrong beta_fast']).isOpen).toBe(true);
  });
});
