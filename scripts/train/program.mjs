// Builds and runs the native training program, with the data that a task reads from public/data.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { decode } from '../site/png.mjs';
import { configureAndBuild } from '../wasm/cmake.mjs';

/** @typedef {{ mean: number, deviation: number }} Spread */
/**
 * The score of one seed at one length; `accuracy_at`: by position, if a task has several targets.
 * @typedef {{ length: number, loss: number, score: number, accuracy_at: number[] }} LengthScore
 */
/** @typedef {{ step: number, loss: number, score: number }} CurvePoint */
/**
 * The program's report of one seed (cpp/cli/report.cpp).
 * @typedef {{ seed: number, seconds: number, curve: CurvePoint[], lengths: LengthScore[] }} Run
 */
/**
 * The program's report of all seeds. `score`: the unit of scores; `chance`: the score of guessing; `lengths` and `metrics`: statistics over seeds.
 * @typedef {object} Report
 * @property {string} score
 * @property {number} chance
 * @property {number} steps
 * @property {(Spread & { length: number })[]} lengths
 * @property {Record<string, Spread>} metrics
 * @property {Run[]} runs
 */

/** @returns {Promise<string>} the path of the program */
export async function buildProgram() {
  const options = { CMAKE_BUILD_TYPE: 'Release', PHASOR_TRAIN: 'ON' };
  const folder = await configureAndBuild('train', { options, targets: ['phasor_train'] });
  return join(folder, 'cpp/cli', 'phasor_train');
}

/** @param {string} name */
const data = (name) => join(root, 'public/data', name);

/** A photograph for the program: a binary PPM, scaled down to `side`. @param {string} name @param {number} side */
function photograph(name, side) {
  const { width, height, pixels } = decode(readFileSync(data(`${name}-128.png`)));
  const step = width / side;
  const out = Buffer.alloc(side * (height / step) * 3);
  for (let at = 0; at < out.length; at += 1) {
    const row = Math.floor(at / 3 / side);
    const column = Math.floor(at / 3) % side;
    const channel = at % 3;
    let sum = 0;
    for (let down = 0; down < step; down += 1) {
      for (let across = 0; across < step; across += 1)
        sum += pixels[((step * row + down) * width + step * column + across) * 3 + channel] ?? 0;
    }
    out[at] = Math.round(sum / step ** 2);
  }
  const folder = join(root, 'build/train');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}-${side}.ppm`);
  writeFileSync(file, Buffer.concat([Buffer.from(`P6 ${side} ${out.length / 3 / side} 255\n`), out]));
  return file;
}

/** The arguments of a command, with the data file of its task. @param {string[]} words */
export function withData(words) {
  const task = words.find((word) => !word.startsWith('--'));
  if (['text', 'masked_text', 'probe'].includes(task ?? '') && !words.includes('--corpus'))
    return [...words, '--corpus', data('pride-and-prejudice.txt')];
  if (task === 'image' && !words.includes('--image')) return [...words, '--image', photograph('astronaut', 64)];
  return words;
}

/**
 * @param {string} program
 * @param {string[]} words
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(text: string) => void} [heard] receives progress messages if `stdio` has a pipe for them
 * @returns {Promise<number>} its exit code
 */
export const runProgram = (program, words, options, heard = () => {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, withData(words), options);
    child.stderr?.setEncoding('utf8').on('data', heard);
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
