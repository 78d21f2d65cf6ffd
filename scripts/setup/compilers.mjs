// Finds GCC and Clang on this machine. The tests need both, because they use a library compiled by one in programs compiled by the other.
// The environment variable CXX names the preferred compiler. On macOS, g++ is an alias of Clang, so compilers are identified by their macros.
import { spawnSync } from 'node:child_process';

/** Whether a command compiles C++20 with a standard library and satisfies a preprocessor condition. */
const compiles = (/** @type {string} */ name, /** @type {string} */ condition) =>
  spawnSync(name, ['-std=c++20', '-fsyntax-only', '-x', 'c++', '-'], { input: `#include <version>\n#if !(${condition})\n#error\n#endif\n` })
    .status === 0;

const first = (/** @type {string} */ condition, /** @type {string[]} */ names) =>
  [process.env.CXX ?? '', ...names].find((name) => name && compiles(name, condition));

const versions = (/** @type {string} */ name, /** @type {number[]} */ ...all) => [name, ...all.map((version) => `${name}-${version}`)];

/** The command of GCC 12 or newer, or undefined if there is none. */
export const gcc = () => first('__GNUC__ >= 12 && !defined(__clang__)', versions('g++', 16, 15, 14, 13, 12));

/** The command of Clang 14 or newer, or undefined if there is none. */
export const clang = () => first('__clang_major__ >= 14', versions('clang++', 22, 21, 20, 19, 18, 17, 16, 15, 14));

/** Returns both commands, and throws if one is missing. @returns {{ gcc: string, clang: string }} */
export function bothCompilers() {
  const both = { gcc: gcc(), clang: clang() };
  if (!both.gcc || !both.clang)
    throw new Error('C++ tests: GCC 12 or Clang 14 was not found; expected both, or newer ones (node scripts/setup/setup.mjs test)');
  return { gcc: both.gcc, clang: both.clang };
}
