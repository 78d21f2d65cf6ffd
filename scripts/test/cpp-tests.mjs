// Builds the C++ tests natively with both compilers, the test of threads with ThreadSanitizer, and the tests of the kernels to WebAssembly, and runs each
// build with ctest. The trees are separate from those of the presets and of the WebAssembly that ships.
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
  const folder = await configureAndBuild(`tests/${name}`, { compiler, options: values, targets });
  return { name, folder, program: (program) => [join(folder, 'tests/cpp', program)] };
}

/** With sanitizers by Clang, which compiles code with them twice as fast as GCC; all test programs unless targets are given. */
export const buildNativeTests = (targets = []) => buildNative('clang', { compiler: clang(), targets, sanitize: 'ON' });

/**
 * With GCC, without sanitizers; with the program of `npm run train`, whose refusals ctest checks. The test programs are linked from the objects that Clang
 * has compiled (build those targets first), so that all tests run against a library of the other compiler. GCC only checks the syntax of the tests, which
 * takes a third of the time.
 */
export const buildGccTests = (targets = []) =>
  buildNative('gcc', { compiler: gcc(), targets, trains: 'ON', from: join(root, 'build/tests/clang') });

/**
 * To WebAssembly, which differs from the native builds in its kernels and its memory.
 * @param {'ON' | 'kernels'} tests
 * @returns {Promise<TestBuild>}
 */
async function buildWasmTests(tests, targets = []) {
  const name = `${tests === 'ON' ? 'all' : tests}-wasm-simd`;
  const folder = await configureAndBuild(`tests/${name}`, { wasm: true, options: { PHASOR_TESTS: tests }, targets });
  // Node 20 has a fetch that the glue of Emscripten 3.1.6 mistakes for a browser's.
  const program = (name) => [process.execPath, '--no-experimental-fetch', join(folder, 'tests/cpp', `${name}.cjs`)];
  return { name, folder, program };
}

/** The whole suite as WebAssembly. In `npm test` golden cases run on the WebAssembly that ships (tests/web/golden.test.ts). */
export const buildWholeWasmTests = (targets = []) => buildWasmTests('ON', targets);

/** The whole suite with both compilers, or these targets of it. */
export const buildNativeSuites = async (targets = []) => [await buildNativeTests(targets), await buildGccTests(targets)];

/** All builds of `npm test`. */
async function buildSuites() {
  const [native, kernels] = await Promise.all([buildNativeSuites(), buildWasmTests('kernels')]);
  return [...native, kernels, await buildNative('threads', { compiler: clang(), targets: [], sanitize: 'thread' })];
}

/**
 * Runs ctest in every build and prints its closing lines, or all that it printed when a test fails.
 * @param {{ name: string, folder: string }[]} builds
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
