// Builds the C++ tests natively with both compilers, the thread test with ThreadSanitizer, and the kernel tests as WebAssembly, and runs each build
// with ctest. Build trees are separate from those of the presets and of the shipped WebAssembly.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { bothCompilers } from '../setup/compilers.mjs';
import { configureAndBuild } from '../wasm/cmake.mjs';

/** @typedef {{ name: string, folder: string, program: (name: string) => string[] }} TestBuild `program(name)` is the command that runs a test program */

/**
 * @param {string} name
 * @param {string} compiler
 * @param {string[]} targets empty: all
 * @param {Record<string, string>} options of CMake
 * @returns {Promise<TestBuild>}
 */
async function buildNative(name, compiler, targets, options) {
  const folder = await configureAndBuild(`tests/${name}`, { compiler, options: { PHASOR_TESTS: 'ON', ...options }, targets });
  return { name, folder, program: (program) => [join(folder, 'tests/cpp', program)] };
}

/** Builds with sanitizers and Clang, which compiles them twice as fast as GCC. No targets: all test programs. @param {string[]} targets */
export const buildNativeTests = (targets = []) => buildNative('clang', bothCompilers().clang, targets, { PHASOR_SANITIZE: 'ON' });

/**
 * Builds with GCC and without sanitizers, including the program of `npm run train`, whose errors ctest checks. The test programs are linked from the
 * objects of Clang (build those targets first), so that all tests run against a library of the other compiler. GCC only checks the syntax of the
 * tests, which takes a third of the time.
 * @param {string[]} targets
 */
export const buildGccTests = (targets = []) =>
  buildNative('gcc', bothCompilers().gcc, targets, { PHASOR_TRAIN: 'ON', PHASOR_TESTS_FROM: join(root, 'build/tests/clang') });

/**
 * Builds WebAssembly, which differs from the native builds in its kernels and its memory.
 * @param {'all' | 'kernels'} tests
 * @param {string[]} targets
 * @returns {Promise<TestBuild>}
 */
async function buildWasmTests(tests, targets = []) {
  const name = `${tests}-wasm`;
  const options = { PHASOR_TESTS: tests === 'all' ? 'ON' : 'kernels' };
  const folder = await configureAndBuild(`tests/${name}`, { wasm: true, options, targets });
  // Because Node 20 has fetch, the glue of Emscripten 3.1.6 mistakes it for a browser.
  return { name, folder, program: (program) => [process.execPath, '--no-experimental-fetch', join(folder, 'tests/cpp', `${program}.cjs`)] };
}

/**
 * The whole suite as WebAssembly. In `npm test`, golden cases run on the shipped WebAssembly (tests/web/golden.test.ts).
 * @param {string[]} targets
 */
export const buildWholeWasmTests = (targets = []) => buildWasmTests('all', targets);

/** The whole suite, or these targets, with both compilers. @param {string[]} targets */
export const buildNativeSuites = async (targets = []) => [await buildNativeTests(targets), await buildGccTests(targets)];

/** All builds of `npm test`. */
async function buildSuites() {
  const [native, kernels] = await Promise.all([buildNativeSuites(), buildWasmTests('kernels')]);
  return [...native, kernels, await buildNative('threads', bothCompilers().clang, [], { PHASOR_SANITIZE: 'thread' })];
}

/**
 * Runs ctest in every build and prints its closing lines, or its whole output if a test fails.
 * @param {{ name: string, folder: string }[]} builds
 * @returns {number} the number of failed builds
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
    // A program that crashes under Node prints the one long line of its glue.
    const details = lines.filter((line) => !/ Passed +[\d.]+ sec$|^ *Start +\d+: /.test(line)).map((line) => line.slice(0, 400));
    console.log(`C++ tests, ${name}\n${(passed ? closing : details).join('\n')}`);
  }
  return failed;
}

if (process.argv[1] === import.meta.filename) process.exitCode = runTests(await buildSuites()) === 0 ? 0 : 1;
