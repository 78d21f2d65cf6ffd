// Runs the JavaScript of both READMEs; the blocks of a page form one program.
import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { chooseVariant } from '../../web/engine/load/simd.ts';
import type * as Package from '../../web/engine/node.ts';
import type { Tensor } from '../../web/engine/types/api.ts';

const phasorPackage: typeof Package = await import('../../dist/npm/node.js' as string);
const phasorAnalysis = await import('../../dist/npm/analysis.js' as string);
const phasorWorkers = await import('../../dist/npm/workers.node.js' as string);
const phasorTrain = await import('../../dist/npm/train.node.js' as string);
const phasorModel = await import('../../dist/npm/model.node.js' as string);
const phasorDoctor = await import('../../dist/npm/doctor.node.js' as string);
const phasorRender = await import('../../dist/npm/render.js' as string);

/** Runs the program of a page and returns the final values of the named variables. */
function run<Names extends string>(page: string, ...names: Names[]): Promise<Record<Names, Tensor>> {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map((block) => block[1]);
  expect(blocks.length, page).toBeGreaterThan(0);
  const code = blocks
    .join('\n')
    .replaceAll(/^import (\{.*\}) from 'phasor';$/gm, 'const $1 = phasorPackage;')
    .replaceAll(/^import (\{.*\}) from 'phasor\/analysis';$/gm, 'const $1 = phasorAnalysis;')
    .replaceAll(/^import (\{.*\}) from 'phasor\/worker';$/gm, 'const $1 = phasorWorkers;')
    .replaceAll(/^import (\{.*\}) from 'phasor\/train';$/gm, 'const $1 = phasorTrain;')
    .replaceAll(/^import (\{.*\}) from 'phasor\/model';$/gm, 'const $1 = phasorModel;')
    .replaceAll(/^import (\{.*\}) from 'phasor\/doctor';$/gm, 'const $1 = phasorDoctor;')
    .replaceAll("'path/to/a/llama'", "'tests/golden-models/llama-gqa'")
    // Bundlers replace the import of a file by its URL.
    .replaceAll(/^import (\w+) from 'phasor\/(.*\.wasm)';$/gm, "const $1 = 'dist/npm/$2';")
    .replaceAll(/^import (\{.*\}) from 'phasor\/render';.*$/gm, 'const $1 = phasorRender;');
  return new Function(
    'phasorPackage',
    'phasorAnalysis',
    'phasorWorkers',
    'phasorRender',
    'phasorTrain',
    'phasorModel',
    'phasorDoctor',
    `return (async () => {\n${code}\nreturn { ${names.join()} };\n})();`,
  )(phasorPackage, phasorAnalysis, phasorWorkers, phasorRender, phasorTrain, phasorModel, phasorDoctor);
}

it('runs the examples of README.md', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { table, output, weights } = await run('README.md', 'table', 'output', 'weights');
  expect(table.shape).toEqual([50, 128]);
  expect(output.shape).toEqual([8, 512, 64]);
  expect(weights.shape).toEqual([8, 512, 512]);
  expect(log.mock.calls[0]?.[0]).toContain('rope: query_key');
  log.mockRestore();
});

it('runs the examples of the package README', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const page = await run(
    'web/engine/README.md',
    'phasor',
    'step',
    'pooledWeights',
    'parameters',
    'x',
    'batch',
    'bloom',
    'remoteTable',
    'bundled',
    'cosines',
    'steps',
  );
  expect(log.mock.calls[0]).toEqual([[50, 128], Math.fround(Math.sin(1))]);
  expect(page.step).toMatchObject({ output: { shape: [8, 1, 64] } });
  expect(page.pooledWeights).toMatchObject({ mean: { shape: [8, 64, 64] } });
  expect(page.parameters).toMatchObject({ table: { shape: [32, 8] } });
  expect(page.cosines.shape).toEqual([50, 50]);
  expect(page.steps).toMatchObject({ names: ['distance', 'bucket', 'entry', 'bias'] });
  expect(page.remoteTable.shape).toEqual([50, 128]);
  expect(page.bundled).toMatchObject({ variant: chooseVariant() });
  expect(page.bloom).toMatchObject({ encoding: { id: 'alibi', form: 'row_shifted' }, sourceKeys: { n_head: 8 } });
  log.mockRestore();

  // Padding does not change the output of the text.
  const phasor = page.phasor as unknown as Package.Phasor;
  const { shape, data } = page.x;
  const text = { shape: [8, 3, 64], data: data.slice(0, 8 * 4 * 64).filter((_, i) => Math.floor(i / 64) % 4 > 0) };
  const expected = phasor.attention({ q: text, k: text, v: text, mask: 'causal', encoding: { id: 'rope', layout: 'half_split' } });
  const actual = page.batch.data.slice(0, 8 * 4 * 64).filter((_, i) => Math.floor(i / 64) % 4 > 0);
  expect(shape).toEqual([2, 8, 4, 64]);
  actual.forEach((value, i) => {
    expect(Math.abs(value - expected.output.data[i]!), `number ${i}`).toBeLessThan(1e-5);
  });
});
