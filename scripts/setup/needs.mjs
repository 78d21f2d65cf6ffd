// The programs and libraries outside npm that the project needs, with their names in the package managers. A program is present if it runs, and a
// library if its header is in a usual prefix. This module uses only Node's built-in modules, because setup.mjs runs before packages are installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onPath } from '../run.mjs';
import { chromiumPath, firefoxPath } from './browsers.mjs';
import { clang, gcc } from './compilers.mjs';

/** Each purpose includes the ones before it. */
export const PURPOSES = ['build', 'train', 'test', 'bench', 'aarch64'];

/**
 * @typedef {object} Need
 * @property {string} for the first purpose that needs it
 * @property {string} name
 * @property {string} why it is needed: "<name>, which <why>"
 * @property {() => boolean} works
 * @property {string} apt the package in Debian and Ubuntu
 * @property {string} [brew] the Homebrew package (untested); omitted if only Linux needs it
 */

const runs = (/** @type {string} */ program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
const hasHeader = (/** @type {string} */ path) =>
  ['/usr', '/usr/local', '/opt/homebrew'].some((prefix) => existsSync(join(prefix, 'include', path)));

function hasSanitizers() {
  const compiler = clang();
  if (!compiler) return false;
  const folder = mkdtempSync(join(tmpdir(), 'phasor-'));
  const words = ['-fsanitize=thread', '-x', 'c++', '-', '-o', join(folder, 'program')];
  const { status } = spawnSync(compiler, words, { input: 'int main() {}' });
  rmSync(folder, { recursive: true });
  return status === 0;
}

/** @type {Need[]} */
const NEEDS = [
  { for: 'build', name: 'em++', why: 'compiles the core to WebAssembly', works: () => runs('em++'), apt: 'emscripten', brew: 'emscripten' },
  { for: 'build', name: 'cmake', why: 'configures the build', works: () => runs('cmake'), apt: 'cmake', brew: 'cmake' },
  { for: 'build', name: 'ninja', why: 'runs the build', works: () => runs('ninja'), apt: 'ninja-build', brew: 'ninja' },
  {
    for: 'build',
    name: 'Eigen',
    why: 'computes the linear algebra of the core',
    works: () => hasHeader('eigen3/Eigen/Core'),
    apt: 'libeigen3-dev',
    brew: 'eigen',
  },
  {
    for: 'train',
    name: 'GCC 12 or Clang 14, or newer',
    why: 'compiles the core for this machine',
    works: () => (gcc() ?? clang()) !== undefined,
    apt: 'g++',
    brew: 'llvm',
  },
  { for: 'test', name: 'GCC 12 or newer', why: 'compiles the C++ tests', works: () => gcc() !== undefined, apt: 'g++', brew: 'gcc' },
  {
    for: 'test',
    name: 'Clang 14 or newer',
    why: 'compiles the C++ tests with sanitizers',
    works: () => clang() !== undefined,
    apt: 'clang',
    brew: 'llvm',
  },
  // In Debian, Clang only recommends this package, and setup.mjs does not install recommended packages.
  {
    for: 'test',
    name: 'the sanitizer runtime of Clang',
    why: 'finds memory errors in the C++ tests',
    works: hasSanitizers,
    apt: 'libclang-rt-dev',
    brew: 'llvm',
  },
  {
    for: 'test',
    name: 'GoogleTest with its sources',
    why: 'runs the C++ tests',
    works: () => existsSync('/usr/src/googletest/googletest/src/gtest-all.cc'),
    apt: 'libgtest-dev',
    brew: 'googletest',
  },
  {
    for: 'test',
    name: 'nlohmann JSON',
    why: 'reads golden files in C++',
    works: () => hasHeader('nlohmann/json.hpp'),
    apt: 'nlohmann-json3-dev',
    brew: 'nlohmann-json',
  },
  {
    for: 'test',
    name: 'clang-format',
    why: 'checks the format of C++',
    works: () => runs('clang-format'),
    apt: 'clang-format',
    brew: 'clang-format',
  },
  {
    for: 'test',
    name: 'Python with NumPy',
    why: 'runs exported NumPy programs',
    works: () => ['python3', '/usr/bin/python3'].some((name) => spawnSync(name, ['-c', 'import numpy']).status === 0),
    apt: 'python3-numpy',
    brew: 'numpy',
  },
  {
    for: 'test',
    name: 'Chromium',
    why: 'runs browser tests',
    works: () => chromiumPath() !== undefined,
    apt: 'chromium',
    brew: 'chromium',
  },
  {
    for: 'test',
    name: 'Firefox',
    why: 'runs browser tests',
    works: () => firefoxPath() !== undefined,
    apt: 'firefox-esr',
    brew: 'firefox',
  },
  {
    for: 'bench',
    name: 'Google Benchmark',
    why: 'measures the core',
    works: () => hasHeader('benchmark/benchmark.h'),
    apt: 'libbenchmark-dev',
    brew: 'google-benchmark',
  },
  {
    for: 'aarch64',
    name: 'GCC for AArch64',
    why: 'compiles the C++ tests for 64-bit ARM',
    works: () => runs('aarch64-linux-gnu-g++'),
    apt: 'g++-aarch64-linux-gnu',
  },
  {
    for: 'aarch64',
    name: 'QEMU',
    why: 'runs programs of 64-bit ARM',
    works: () => onPath('qemu-aarch64', 'qemu-aarch64-static') !== undefined,
    apt: 'qemu-user',
  },
];

/**
 * The missing needs of a purpose, at most one for each apt package.
 * @param {string} purpose
 * @returns {Need[]}
 */
export function missingNeeds(purpose) {
  const missing = NEEDS.filter((need) => PURPOSES.indexOf(need.for) <= PURPOSES.indexOf(purpose) && !need.works());
  return missing.filter((need, index) => missing.findIndex(({ apt }) => apt === need.apt) === index);
}
