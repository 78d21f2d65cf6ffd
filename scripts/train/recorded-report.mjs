// One recorded training: the program's report of some words, three seeds each.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { runProgram } from './program.mjs';

export const SEEDS = 3;
const folder = join(root, 'build/recorded');

/** Four digits are more than three seeds say. */
export const short = (value) => Number(value.toPrecision(4));

/** @returns what the program reports of these words, with the curve every so many steps where `every` is given */
export async function reportOf(program, words, name) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  const options = { cwd: root, stdio: 'ignore' };
  const code = await runProgram(program, [...words, '--seeds', String(SEEDS), '--out', file], options);
  if (code !== 0) throw new Error(`phasor_train ${words.join(' ')} ended with ${code}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
