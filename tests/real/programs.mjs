// Checks that the programs of docs/models.md, unchanged, print the results of transformers.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { configureAndBuild } from '../../scripts/wasm/cmake.mjs';
import { Differences } from './differences.mjs';
import { reference } from './references.mjs';

/** The tolerance of the printed values of a hidden state. */
const MOST = 2e-5;

/** Returns the first code block of a language that contains these words. @param {string} language @param {string} words */
function blockWith(language, words) {
  const [, section = ''] = readFileSync(join(root, 'docs/models.md'), 'utf8').split('## Run published models');
  const blocks = [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  const [, , block] = blocks.find(([, blockLanguage, text = '']) => blockLanguage === language && text.includes(words)) ?? [];
  if (block === undefined) throw new Error(`docs/models.md: the page has no block of ${language || 'JavaScript'} with ${words}`);
  return block;
}

/** @param {string} minilm the folder @param {string} gemma the folder of the GGUF file */
export async function comparePrograms(minilm, gemma) {
  const tree = await configureAndBuild('real', { options: { PHASOR_REAL: 'ON' }, targets: ['phasor'] });
  const folder = join(tree, 'programs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(root, 'dist/npm'), join(folder, 'node_modules/phasor'));
  symlinkSync(minilm, join(folder, 'all-MiniLM-L6-v2'));
  symlinkSync(join(gemma, 'gemma-3-270m-q4_k_m.gguf'), join(folder, 'gemma-3-270m-q4_k_m.gguf'));
  writeFileSync(join(folder, 'main.mjs'), blockWith('', 'openModel'));
  writeFileSync(join(folder, 'main.cpp'), blockWith('cpp', 'open_model'));
  /** @param {string} command @param {...string} words */
  const runProgram = (command, ...words) => execFileSync(command, words, { cwd: folder, encoding: 'utf8' }).trim().split(/\s+/).map(Number);
  const includes = ['-I', join(root, 'cpp/include'), '-I', join(tree, 'generated')];
  runProgram(process.env.CXX ?? 'c++', '-std=c++20', ...includes, 'main.cpp', join(tree, 'libphasor.a'), '-pthread', '-o', 'main');
  const [[expected]] = [reference('minilm').cases[0].hidden.first8];
  const [{ continuation }] = reference('gemma').greedy;
  return Object.fromEntries(
    Object.entries({ natively: runProgram('./main'), simd: runProgram('node', 'main.mjs') }).map(([way, values]) => {
      const differences = new Differences();
      differences.compare('programs of this page', MOST, values, [...expected.slice(0, 3), ...continuation.slice(0, 5)]);
      return [way, differences.rows()];
    }),
  );
}
