// GCC and Clang. What one of them takes for granted the other may refuse, and a library by the one is used by programs of the other, so
// the tests need both. CXX in the environment is the one of its kind; on macOS g++ is another name of Clang.
import { spawnSync } from 'node:child_process';

function first(clang, names) {
  return [process.env.CXX, ...names].find((name) => {
    if (!name) return false;
    const { status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8' });
    return status === 0 && /clang/i.test(stdout) === clang;
  });
}
const versions = (name, ...all) => [name, ...all.map((version) => `${name}-${version}`)];

/** Their commands, or undefined where there is none. */
export const gcc = () => first(false, versions('g++', 15, 14, 13, 12));
export const clang = () => first(true, versions('clang++', 20, 19, 18, 17, 16, 15, 14));
