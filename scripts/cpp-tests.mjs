// Builds the C++ tests natively with sanitizers and to both WebAssembly variants, and runs each with ctest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { configureAndBuild, root } from './cmake.mjs';
import { buildWasm } from './wasm.mjs';

/** @typedef {{ name: string, folder: string, program: (name: string) => string[] }} TestBuild */

/**
 * Builds every test program in every way.
 * @returns {TestBuild[]} `program(name)` is the command that runs one of them
 */
export function buildTests() {
  const native = configureAndBuild('native-asan', { options: { PHASOR_TESTS: 'ON', PHASOR_SANITIZE: 'ON' } });
  buildWasm({ tests: true });
  return [
    { name: 'native', folder: native, program: (name) => [join(native, 'tests/cpp', name)] },
    ...['simd', 'scalar'].map((variant) => {
      const folder = join(root, `build/wasm-${variant}`);
      return {
        name: `wasm-${variant}`,
        folder,
        // Node 20 has a fetch that the glue of Emscripten 3.1.6 mistakes for a browser's.
        program: (name) => [process.execPath, '--no-experimental-fetch', join(folder, 'tests/cpp', `${name}.cjs`)],
      };
    }),
  ];
}

/**
 * Runs ctest in every build and prints its closing lines, or all it said when a test fails.
 * @param {TestBuild[]} builds
 * @returns {number} how many builds failed
 */
export function runTests(builds) {
  let failed = 0;
  for (const { name, folder } of builds) {
    const result = spawnSync('ctest', ['--test-dir', folder, '--output-on-failure', '--no-tests=error'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const passed = result.status === 0;
    if (!passed) failed += 1;
    const lines = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? ''}`.trimEnd().split('\n');
    const closing = lines.filter((line) => /tests passed|Total Test time|^ *\d+\/\d+ Test/.test(line));
    // A program that dies under Node prints the one long line of its glue.
    const shown = passed ? closing : lines.map((line) => line.slice(0, 400));
    console.log(`C++ tests, ${name}\n${shown.join('\n')}`);
  }
  return failed;
}

/** Builds and runs everything; a failing test ends the script. */
export function runCppTests() {
  if (runTests(buildTests()) > 0) process.exit(1);
}

if (process.argv[1] === import.meta.filename) runCppTests();
