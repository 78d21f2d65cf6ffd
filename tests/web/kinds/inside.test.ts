// The inside of trained models: errors, and models that a page lacks.
import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { kind } from '../../../web/figure/kinds/inside/index.ts';
import { models } from './shipped.ts';
import { figureOf, phasor } from './table-figures.ts';

describe('inside figure', () => {
  it.each([
    [{ text: '“…”' }, /^text: contains no character of the model’s vocabulary/],
    [{ show: 'table' }, /^show: rope has no learned table or bias/],
    [{ show: 'table', encoding: 'learned', seed: 2 }, /^seed: only seed 1 was recorded/],
    [{ show: 'table', encoding: 'learned', run: 'live' }, /^run: live: training is unavailable on this page/],
    [{ run: 'live' }, /^run: live: training is unavailable on this page/],
    [{ seed: 2 }, /^seed: only seed 1 was recorded/],
  ])('rejects %j with one sentence', async (fields, sentence) => {
    await expect(figureOf(kind, fields)).rejects.toThrow(sentence);
  });

  it('is rejected on pages without models', async () => {
    const spec = readSpec(kind as never, {});
    await expect(kind.compute(spec as never, { engine: phasor } as never)).rejects.toThrow(
      /^encoding: this page includes no trained models/,
    );
  });

  it('offers the heads of a learned table only if the page has the model', async () => {
    const spec = readSpec(kind as never, { encoding: 'learned', show: 'table' });
    const allModels = await models();
    // ShippedModels with two models in its index.
    const fewModels = Object.assign(Object.create(allModels), {
      list: async () => (await allModels.list()).filter(({ id }) => id.startsWith('geometry_')),
    });
    const labels = async (modelSource: unknown) => {
      const results = await kind.compute(spec as never, { engine: phasor, models: async () => modelSource } as never);
      return kind.actions?.(results, spec as never).map(({ label }) => label);
    };
    expect(await labels(allModels)).toContain('Show attention');
    expect(await labels(fewModels)).not.toContain('Show attention');
    const heads = readSpec(kind as never, { encoding: 'learned' });
    await expect(kind.compute(heads as never, { engine: phasor, models: async () => fewModels } as never)).rejects.toThrow(
      /^models: no model has the id "text-learned"; expected geometry_1d-learned, geometry_2d-learned \(the phasor-models package contains all models\)$/,
    );
  });

  it('states that the model does not have the selected parameters', async () => {
    const described = async (encoding: string) => (await figureOf(kind, { encoding })).scene().picture.description;
    expect(await described('rope base=500000')).toContain('with its own parameters instead of the selected ones');
    expect(await described('rope')).not.toContain('parameters of its own');
  });
});
