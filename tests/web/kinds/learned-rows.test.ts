// The position table of a published BERT in four kinds, compared with values that NumPy computed from the same 512 rows.
import { describe, expect, it } from 'vitest';
import * as analysis from '../../../web/engine/analysis.ts';
import type { Tensor } from '../../../web/engine/index.ts';
import { formatUntrainedNote } from '../../../web/figure/contract/untrained.ts';
import { kind as distance } from '../../../web/figure/kinds/distance/index.ts';
import { kind as pca } from '../../../web/figure/kinds/pca/index.ts';
import { kind as similarity } from '../../../web/figure/kinds/similarity/index.ts';
import { kind as table } from '../../../web/figure/kinds/table/index.ts';
import { ShippedModels } from '../../../web/figure/runtime/shipped-models.ts';
import { runPython } from '../python/run.ts';
import { expectAnswering, figureOf, phasor, runProgram } from './table-figures.ts';

const fullTable = { encoding: 'learned', rows: 'bert', length: 512, dim: 384 };
const partialTable = { encoding: 'learned', rows: 'bert', length: 12, dim: 6 };
const kinds = { table, similarity, distance, pca };

describe('rows of BERT', () => {
  it('have the values of the published model', async () => {
    const { results } = await figureOf(table, fullTable);
    const { shape, data }: Tensor = results.table;
    expect(shape).toEqual([512, 384]);
    const published = [-0.08555417, -0.03291567, -0.01702809, 0.1041585, 0.01936813, -0.0003538224, 0.02883738, -0.009048297];
    published.forEach((value, channel) => {
      expect(Math.abs(data[channel]! - value)).toBeLessThan(7.5e-5);
    });
    const norms = Array.from({ length: 512 }, (_, row) => Math.hypot(...data.subarray(384 * row, 384 * (row + 1))));
    for (const [row, norm] of Object.entries({ 0: 2.3618, 1: 0.49106, 100: 0.41677, 511: 0.96958 }))
      expect(norms[Number(row)]).toBeCloseTo(norm, 3);
  });

  it('are visible in a table despite outliers', async () => {
    const figure = await figureOf(table, fullTable);
    expect(figure.readout()).toMatch(/ Colours are clipped at ±0\.2; 7 values are outside this range\.$/);
    const shiftedFigure = await figureOf(table, { ...fullTable, length: 511, positionOffset: 1 });
    expect(shiftedFigure.readout()).not.toContain('colours');
    const tickLabels = (figure: typeof shiftedFigure) =>
      JSON.stringify(
        figure
          .scene()
          .picture.marks.filter((mark) => mark.kind === 'text')
          .slice(-4),
      );
    expect(tickLabels(figure)).toBe(tickLabels(shiftedFigure));
  });

  it('have the recorded similarities by distance', async () => {
    const { results } = await figureOf(distance, { ...fullTable, metric: 'cosine' });
    const recordedMeans = {
      1: 0.851,
      2: 0.5924,
      3: 0.4401,
      4: 0.5038,
      5: 0.6588,
      6: 0.6905,
      8: 0.2945,
      16: 0.4318,
      64: 0.1373,
      256: -0.03081,
      511: 0.1477,
    };
    for (const [distance, mean] of Object.entries(recordedMeans)) expect(results.mean.data[511 + Number(distance)]).toBeCloseTo(mean, 3);
    const { results: pairs } = await figureOf(similarity, fullTable);
    expect(pairs.similarity.data[1]).toBeCloseTo(0.2757, 4);
    expect(pairs.similarity.data[512 + 2]).toBeCloseTo(0.8159, 4);
  });

  it('have nearly all of their variance in sixteen components', async () => {
    const { results } = await figureOf(pca, fullTable);
    expect(results.explainedVarianceRatio.data[0]).toBeCloseTo(0.1235, 3);
    const { table: rows } = (await figureOf(table, fullTable)).results;
    const { explainedVarianceRatio: ratio } = await analysis.principalComponents(phasor, { table: rows, components: 16 });
    for (const [count, share] of Object.entries({ 2: 0.2451, 4: 0.4333, 8: 0.747, 16: 0.9768 }))
      expect(ratio.data.subarray(0, Number(count)).reduce((sum, value) => sum + value, 0)).toBeCloseTo(share, 3);
  });

  it.each(Object.entries(kinds))('are shown by %s without the note of untrained tables', async (_, kind) => {
    const figure = await figureOf(kind, partialTable);
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    expect(formatUntrainedNote(kind as never, figure.spec, phasor.encodings)).toBeUndefined();
    expect(formatUntrainedNote(kind as never, { ...figure.spec, rows: 'drawn' }, phasor.encodings)).toContain('Untrained');
    expect(figure.readout()).toContain('Only the first 6 of 384 channels are shown.');
    expect((await figureOf(kind, { ...partialTable, rows: 'drawn' })).readout()).not.toContain('channels are shown');
  });

  it.each(Object.entries(kinds))('are shown by an action of %s for learned tables, and hidden by another', async (_, kind) => {
    const actions = async (input: object, previousFields?: object) => {
      const { results, spec } = await figureOf(kind, { length: 8, dim: 4, ...input });
      return (kind.actions as never as (...args: unknown[]) => { label: string; fields(): object }[])(results, spec, previousFields);
    };
    expect(await actions({ encoding: 'sinusoidal' })).toEqual([]);
    const [show] = await actions({ encoding: 'learned' });
    expect(show?.label).toBe('BERT’s table');
    expect(show?.fields()).toEqual({ ...fullTable, positionOffset: 0 });
    const [backAction] = await actions({ encoding: 'learned', rows: 'bert' }, { length: 64, rows: 'drawn' });
    expect(backAction?.label).toBe('Random table');
    expect(backAction?.fields()).toEqual({ length: 64, rows: 'drawn' });
  });

  it.each(Object.entries(kinds))('are read from a file by the programs of %s', async (_, kind) => {
    const figure = await figureOf(kind, { ...partialTable, positionOffset: 3 });
    const { phasor: source, python, data } = await figure.code();
    const rows = data['learned_table.npy'] as Tensor;
    expect(rows.shape).toEqual([512, 6]);
    const tables = figure.tables();
    const names = tables.map(({ name }) => name);
    const variables = await runProgram(source, names, { learned_table: rows });
    const [result] = runPython([{ program: python, files: data, want: names }]);
    expect(result?.error).toBeUndefined();
    for (const { name, tensor } of tables) {
      expect(Array.from((variables[name] as Tensor).data)).toEqual(Array.from(tensor.data));
      Array.from(result!.arrays[name]!.data).forEach((value, index) => {
        expect(Math.abs(value - tensor.data[index]!)).toBeLessThan(2e-5);
      });
    }
  });

  it('are rejected with the name of the field if they do not fit', async () => {
    await expect(figureOf(table, { rows: 'bert' })).rejects.toThrow(
      /^rows: 'bert' requires the encoding 'learned', but the encoding is 'sinusoidal'; expected 'drawn'$/,
    );
    await expect(figureOf(table, { ...fullTable, rows: 'gpt2' })).rejects.toThrow(/^rows: “gpt2” is not drawn or bert$/);
    await expect(figureOf(pca, { ...fullTable, dim: 385 })).rejects.toThrow(
      /^dim: 385 exceeds the width of the trained rows; expected at most 384$/,
    );
    await expect(figureOf(similarity, { ...fullTable, length: 513 })).rejects.toThrow(/512/);
    await expect(figureOf(distance, { ...fullTable, positionOffset: 1 })).rejects.toThrow(/512/);
    await expect(figureOf(table, { ...fullTable, encoding: 'learned max_length=16' })).rejects.toThrow(/max_length/);
  });

  it('are rejected if the page has none or their file is invalid', async () => {
    const spec = { encoding: { id: 'learned' }, rows: 'bert', length: 4, dim: 4, positionOffset: 0 } as const;
    await expect(table.compute(spec as never, { engine: phasor } as never)).rejects.toThrow(
      /^rows: this page has no trained table; expected 'drawn'$/,
    );
    const index = '{"text":{},"models":[]}';
    const shipped = (rows: string, status = 200) =>
      new ShippedModels(
        'https://example.org/models/index.json',
        () => Promise.reject(new Error('no trainer')),
        async (address) => (String(address).endsWith('.json') ? new Response(index) : new Response(rows, { status })),
      );
    const computed = (models: ShippedModels) => table.compute(spec as never, { engine: phasor, models: async () => models } as never);
    await expect(computed(shipped('too short'))).rejects.toThrow(
      /minilm-positions-512x384\.f16 could not be loaded \(9 bytes instead of 393216\)/,
    );
    await expect(computed(shipped('', 404))).rejects.toThrow(/could not be loaded \(404\)/);
  });
});
