// Builds the C++ tests natively with sanitizers and to both WebAssembly variants, and runs each with ctest. Their trees are their own:
// tests are compiled for quick compilation, and what ships is not compiled again because of them.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configureAndBuild, firstOnPath } from './cmake.mjs';

/** @typedef {{ name: string, folder: string, program: (name: string) => string[] }} TestBuild */

const options = { PHASOR_TESTS: 'ON' };

/**
 * @param {string[]} targets what is built; all test programs unless given
 * @returns {Promise<TestBuild>} `program(name)` is the command that runs one of them
 */
export async function buildNativeTests(targets = []) {
  // Clang, which Emscripten brings along, compiles code with sanitizers twice as fast as GCC.
  const compiler = process.env.CXX ?? firstOnPath('clang++', 'clang++-14');
  const folder = await configureAndBuild('test-native', { compiler, options: { ...options, PHASOR_SANITIZE: 'ON' }, targets });
  return { name: 'native', folder, program: (name) => [join(folder, 'tests/cpp', name)] };
}

/** The same, and both WebAssembly variants. */
export async function buildTests(targets = []) {
  const builds = [await buildNativeTests(targets)];
  for (const variant of ['simd', 'scalar']) {
    const simd = { PHASOR_WASM_SIMD: variant === 'simd' ? 'ON' : 'OFF' };
    const folder = await configureAndBuild(`test-wasm-${variant}`, { wasm: true, options: { ...options, ...simd }, targets });
    // Node 20 has a fetch that the glue of Emscripten 3.1.6 mistakes for a browser's.
    const program = (name) => [process.execPath, '--no-experimental-fetch', join(folder, 'tests/cpp', `${name}.cjs`)];
    builds.push({ name: `wasm-${variant}`, folder, program });
  }
  return builds;
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
