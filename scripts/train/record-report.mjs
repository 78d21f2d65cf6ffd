// Runs the training program with three seeds and reads its report.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { runProgram } from './program.mjs';

export const SEEDS = 3;
const folder = join(root, 'build/recorded');

/** @import { Report } from './program.mjs' */

/** Rounds to four digits; further digits are below the spread of three seeds. @param {number} value */
export const short = (value) => Number(value.toPrecision(4));

/**
 * @param {string} program
 * @param {string[]} words
 * @param {string} name of the file that it writes
 * @returns {Promise<Report>} the program's report
 */
export async function reportOf(program, words, name) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  const code = await runProgram(program, [...words, '--seeds', String(SEEDS), '--out', file], { cwd: root, stdio: 'ignore' });
  if (code !== 0) throw new Error(`phasor_train ${words.join(' ')} ended with ${code}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
