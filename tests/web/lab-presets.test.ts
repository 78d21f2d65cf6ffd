// The presets of Compare, with the real core: each is a valid state, and the figure confirms its expected result.
import { describe, expect, it } from 'vitest';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { passes } from '../../web/figure/contract/kind.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { findMatchingPreset, PRESETS, type Preset, stateFromPreset } from '../../web/lab/presets/presets.ts';
import { parseLink, printLink } from '../../web/lab/state/link.ts';
import { toSharedFields } from '../../web/lab/state/sharing.ts';
import { INITIAL_STATE, type LabState } from '../../web/lab/state/state.ts';
import { context } from './kinds/sentence-means.ts';

const stateOf = (preset: Preset): LabState => ({ ...INITIAL_STATE, ...stateFromPreset(preset, INITIAL_STATE) });
const preset = (id: string): Preset => PRESETS.find((entry) => entry.id === id) as Preset;
const presetRows = PRESETS.map((item) => [item.id, item] as const);

/** The large figure of a preset with its results, as on the page. */
async function figureOf(preset: Preset) {
  const state = stateOf(preset);
  const kind = kinds[preset.view ?? 'compare'];
  if (!kind) throw new Error('no such kind');
  const shared = Object.entries(toSharedFields(state)).filter(
    ([name]) => Object.hasOwn(kind.fields, name) && !(preset.view && name === 'dim'),
  );
  const presetFields = Object.entries(preset.figure ?? {});
  const spec = readSpec(kind, {
    ...Object.fromEntries([...shared, ...presetFields]),
    ...(preset.a ? { nameA: preset.a, nameB: preset.b } : {}),
  });
  const results = await kind.compute(spec, context);
  const tables = kind.tables(results, spec);
  const array = (name: string) => tables.find((table) => table.name === name)?.tensor.data as Float32Array;
  return { kind, spec, results, proof: kind.proof(results, spec), array };
}

describe('presets', () => {
  it.each(presetRows)('%s has its expected result by a clear margin', async (_, preset) => {
    const { proof } = await figureOf(preset);
    if (preset.expected === 'same') expect(proof.residual).toBeLessThan(1e-4);
    // Well above the tolerance, so that the user can see it.
    else expect(proof.residual).toBeGreaterThan(0.02);
    expect(passes(proof), String(proof.residual)).toBe(preset.expected === 'same');
  });

  it.each(presetRows)('%s is recognized from its link', (_, preset) => {
    const state = stateOf(preset);
    expect(findMatchingPreset(state)).toBe(preset);
    const { state: read, problem } = parseLink(printLink(state));
    expect(problem).toBeUndefined();
    expect(findMatchingPreset(read)).toBe(preset);
  });

  it.each(presetRows)('%s has a result of two sentences and names for both sides', (_, preset) => {
    expect(preset.result.split(/(?<=\.) /).length).toBe(2);
    expect(preset.result).toMatch(/\.$/);
    expect((preset.a === undefined) === (preset.view !== undefined) && (preset.b === undefined) === (preset.a === undefined)).toBe(true);
    // Names fit above a panel of 230 px.
    for (const name of [preset.a, preset.b]) expect(name?.length ?? 0).toBeLessThanOrEqual(30);
  });

  it('have unique ids and names, and contiguous groups', () => {
    expect(new Set(PRESETS.map(({ id }) => id)).size).toBe(PRESETS.length);
    expect(new Set(PRESETS.map(({ name }) => name)).size).toBe(PRESETS.length);
    const groups = PRESETS.map(({ group }) => group);
    expect(groups.filter((group, index) => group !== groups[index - 1])).toEqual([...new Set(groups)]);
  });

  it('replace each other completely and keep the fields of other figures', () => {
    let state: LabState = { ...INITIAL_STATE, figures: { 'similarity.length': '40' } };
    for (const preset of [...PRESETS, ...PRESETS.toReversed()]) {
      state = { ...state, ...stateFromPreset(preset, state) };
      expect(findMatchingPreset(state)).toBe(preset);
      expect(state.figures['similarity.length']).toBe('40');
    }
    expect(findMatchingPreset({ ...state, dim: 32 })).toBeUndefined();
    expect(findMatchingPreset({ ...state, question: 'reach' })).toBeUndefined();
  });
});

describe('results of the presets', () => {
  it('RoPE: mixed layouts differ, and channels permuted together agree', async () => {
    const [permutedFigure, reorderedFigure] = [await figureOf(preset('rope_layout')), await figureOf(preset('rope_permuted'))];
    const largest = Math.max(...permutedFigure.array('a').map(Math.abs));
    expect(permutedFigure.proof.residual / largest).toBeGreaterThan(0.05);
    expect(reorderedFigure.proof.residual / largest).toBeLessThan(1e-6);
    expect(reorderedFigure.array('a')).toEqual(permutedFigure.array('a'));
    // Half-split channel t is interleaved channel 2t, channel t + 8 is 2t + 1.
    expect(Array.from(reorderedFigure.array('channels'))).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]);
  });

  it('sinusoids: permuted columns equal those of the other table', async () => {
    const { array } = await figureOf(preset('sinusoidal_permuted'));
    expect(array('b')).toEqual(array('a'));
    expect(Array.from(array('channels'))).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]);
  });

  it('T5: attention is more uniform with 1/√d', async () => {
    const { array } = await figureOf(preset('t5_scale'));
    // The sum of squares of a row of weights is 1 on one key and 1/6 when all six words share it evenly.
    const squares = (name: string) => array(name).reduce((sum, weight) => sum + weight * weight, 0) / 6;
    expect(squares('a')).toBeGreaterThan(squares('b') + 0.05);
  });

  it('bias placement: a bias inside the scaling is divided by 4', async () => {
    const entry = preset('bias_placement');
    const { array } = await figureOf({ ...entry, figure: { ...entry.figure, show: 'bias' } });
    array('b').forEach((value, index) => {
      expect(value).toBeCloseTo((array('a')[index] as number) / 4, 6);
    });
  });

  it('ALiBi: head 5 of six has the slope 1/2 by the authors’ code', async () => {
    const { array } = await figureOf(preset('alibi_heads'));
    expect(array('a')[1]).toBe(-0.5);
    expect(array('b')[1]).toBeCloseTo(-(2 ** (-8 * (5 / 6))), 6);
  });

  it('Shaw: the sign of the distance changes only scores off the diagonal', async () => {
    const { array } = await figureOf(preset('sign_of_distance'));
    for (let row = 0; row < 6; row++) {
      expect(array('difference')[row * 7]).toBe(0);
      if (row > 0) expect(Math.abs(array('difference')[row * 6] as number)).toBeGreaterThan(0.01);
    }
  });

  it('Shaw: the other sign gives the same scores only with a mirrored table', async () => {
    const entry = preset('sign_mirrored');
    const { array } = await figureOf(entry);
    expect(array('b')).toEqual(array('a'));
    const sameEncoding = entry.figure?.other?.replace(/-1,.*/, '0.75,0.5,0,-0.25,-1') as string;
    const unmirrored = await figureOf({ ...entry, figure: { ...entry.figure, other: sameEncoding } });
    expect(unmirrored.proof.residual).toBeGreaterThan(0.02);
  });

  it('normalised index: conventions differ by one step, or increasingly up to one step', async () => {
    const steps = Array.from((await figureOf(preset('index_from_one'))).array('difference'));
    for (const step of steps) expect(step).toBeCloseTo(1 / 9, 6);
    const growing = await figureOf(preset('index_linspace'));
    expect(growing.array('difference')[0]).toBe(0);
    expect(growing.array('difference')[8]).toBeCloseTo(1 / 9, 6);
    expect(growing.array('b')[4]).toBe(0.5);
  });

  it('xPos: the centre of an odd length changes vectors, but not scores', async () => {
    const entry = preset('odd_middle');
    const rotated = (center: 'torchscale' | 'lucidrains') =>
      context.engine.applyRotary(
        { shape: [1, 2, 4], data: new Float32Array(8).fill(1) },
        { encoding: { id: 'xpos', length: 5, center }, positions: [0, 1] },
      );
    expect((await rotated('torchscale')).data).not.toEqual((await rotated('lucidrains')).data);
    expect(passes((await figureOf(entry)).proof)).toBe(true);
  });
});
