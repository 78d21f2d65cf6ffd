// Builds the C++ tests natively by both compilers, once more for ThreadSanitizer, and those of the kernels to both WebAssembly variants, and runs
// each with ctest. Their trees are their own: tests are compiled for quick compilation, and what ships is not compiled again because of them.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { clang, gcc } from '../setup/compilers.mjs';
import { configureAndBuild } from '../wasm/cmake.mjs';

/** @typedef {{ name: string, folder: string, program: (name: string) => string[] }} TestBuild */

/**
 * @param {string} name
 * @param {{ compiler?: string, targets: string[], sanitize?: string, trains?: string, from?: string }} how
 * @returns {Promise<TestBuild>} `program(name)` is the command that runs one of them
 */
async function buildNative(name, { compiler, targets, sanitize = 'OFF', trains = 'OFF', from = '' }) {
  if (!compiler) throw new Error('The C++ tests need GCC and Clang, and one of them was not found: node scripts/setup/setup.mjs test');
  const values = { PHASOR_TESTS: 'ON', PHASOR_SANITIZE: sanitize, PHASOR_TRAIN: trains, PHASOR_TESTS_FROM: from };
  const folder = await configureAndBuild(`test-${name}`, { compiler, options: values, targets });
  return { name, folder, program: (program) => [join(folder, 'tests/cpp', program)] };
}

/** With sanitizers by Clang, which compiles code with them twice as fast as GCC; all test programs unless targets are given. */
export const buildNativeTests = (targets = []) => buildNative('clang', { compiler: clang(), targets, sanitize: 'ON' });

/**
 * By GCC, without sanitizers; with the program behind `npm run train`, of which ctest asks what it refuses. The tests are those that Clang has
 * compiled, so that all of them meet a library of the other compiler; GCC reads their text, which takes a third of the time.
 */
export const buildGccTests = (targets = []) =>
  buildNative('gcc', { compiler: gcc(), targets, trains: 'ON', from: join(root, 'build/test-clang') });

/**
 * To WebAssembly; it differs from this machine in its kernels and its memory.
 * @param {'simd' | 'scalar'} variant
 * @param {'ON' | 'kernels'} tests
 * @returns {Promise<TestBuild>}
 */
async function buildWasmTests(variant, tests, targets = []) {
  const values = { PHASOR_TESTS: tests, PHASOR_WASM_SIMD: variant === 'simd' ? 'ON' : 'OFF' };
  const folder = await configureAndBuild(`${tests === 'ON' ? 'test' : tests}-wasm-${variant}`, { wasm: true, options: values, targets });
  // Node 20 has a fetch that the glue of Emscripten 3.1.6 mistakes for a browser's.
  const program = (name) => [process.execPath, '--no-experimental-fetch', join(folder, 'tests/cpp', `${name}.cjs`)];
  return { name: `wasm-${variant}`, folder, program };
}

/** The whole suite as WebAssembly with SIMD, for `npm run golden`. In `npm test` golden cases run on WebAssembly as it ships (tests/web/golden.test.ts). */
export const buildWholeWasmTests = (targets = []) => buildWasmTests('simd', 'ON', targets);

/** The whole suite, by both compilers. */
export const buildNativeSuites = async (targets = []) => [await buildNativeTests(targets), await buildGccTests(targets)];

/** All that ctest runs: these, the kernels as WebAssembly, and the test of what threads may share, with ThreadSanitizer. */
async function buildSuites() {
  const kernels = Promise.all([buildWasmTests('simd', 'kernels'), buildWasmTests('scalar', 'kernels')]);
  const [native, wasm] = await Promise.all([buildNativeSuites(), kernels]);
  return [...native, ...wasm, await buildNative('threads', { compiler: clang(), targets: [], sanitize: 'thread' })];
}

/**
 * Runs ctest in every build and prints its closing lines, or all it said when a test fails.
 * @param {TestBuild[]} builds
 * @returns {number} how many builds failed
 */
export function runTests(builds) {
  let failed = 0;
  for (const { name, folder } of builds) {
    const words = ['--test-dir', folder, '--output-on-failure', '--no-tests=error', '-j', String(availableParallelism())];
    const result = spawnSync('ctest', words, { encoding: 'utf8', maxBuffer: 1 << 28 });
    const passed = result.status === 0;
    if (!passed) failed += 1;
    const lines = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? ''}`.trimEnd().split('\n');
    const closing = lines.filter((line) => /tests passed|Total Test time/.test(line));
    // A program that dies under Node prints the one long line of its glue.
    const told = lines.filter((line) => !/ Passed +[\d.]+ sec$|^ *Start +\d+: /.test(line)).map((line) => line.slice(0, 400));
    console.log(`C++ tests, ${name}\n${(passed ? closing : told).join('\n')}`);
  }
  return failed;
}

if (process.argv[1] === import.meta.filename) process.exitCode = runTests(await buildSuites()) === 0 ? 0 : 1;
