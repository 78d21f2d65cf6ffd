// Compares the PyTorch programs of the page of all models with the NumPy references, for every distinct layer of every entry.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { familiesJson } from '../../scripts/book/models-page.mjs';
import { loadMeans } from '../../scripts/book/web-modules.mjs';
import { root } from '../../scripts/root.mjs';

/** Encodings whose parameters are in no entry, but in files of models. */
const OTHERS = [
  { id: 'rope', layout: 'half_split', base: 1000000, scaling: 'linear', factor: 8 },
  { id: 'rope', scaling: 'linear', factor: 2, attention_factor: 1.5 },
  { id: 'rope', base: 10000, scaling: 'yarn', factor: 40, original_length: 4096, mscale: 1, mscale_all_dim: 0.5 },
  { id: 'rope', scaling: 'yarn', factor: 4, beta_fast: 16, beta_slow: 2, attention_factor: 1.25 },
  { id: 'rope', scaling: 'llama3', factor: 8, original_length: 8192, attention_factor: 2 },
  { id: 'mrope', sections: [16, 24, 24] },
  { id: 'sinusoidal' },
  { id: 'alibi' },
];

/** @param {string} python @param {string} folder where the cases are written @returns {Promise<string>} a report; throws if a program differs */
export async function comparePrograms(python, folder) {
  const { modules, phasor } = await loadMeans();
  const { atlasOf, positionProgram } = modules;
  const layers = [
    ...atlasOf(JSON.parse(familiesJson()), phasor).flatMap(({ distinct }) => distinct),
    ...OTHERS.map((encoding) => ({ type: 'full_attention', encoding: /** @type {any} */ (encoding) })),
  ];
  const cases = new Map(layers.map((layer) => [positionProgram([layer]), layer]));
  const path = join(folder, 'positions.json');
  const plain = (/** @type {string} */ _, /** @type {unknown} */ value) =>
    typeof value === 'object' && value !== null && 'data' in value ? Array.from(/** @type {Float32Array} */ (value.data)) : value;
  writeFileSync(
    path,
    JSON.stringify(
      Array.from(cases, ([program, layer]) => ({ program, layer })),
      plain,
    ),
  );
  const { status, stdout, stderr } = spawnSync(python, [join(root, 'tests/pytorch/position_programs.py'), path], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: join(root, 'public/reference'), PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (status !== 0) throw new Error(`a program of the page of all models: ${stderr}`);
  const { cases: count, worst } = JSON.parse(stdout);
  return `${count} programs of the page of all models agree within ${worst.toExponential(1)}`;
}
