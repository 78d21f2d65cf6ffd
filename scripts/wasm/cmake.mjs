// Configures and builds one CMake tree under build/, quietly and in parallel with others: linking WebAssembly uses one processor. Emscripten is the
// em++ on the PATH.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../root.mjs';
import { runBeside } from '../run.mjs';

/** Debian's Emscripten looks for its JavaScript packages where Debian's own Node would. */
const debianModules = '/usr/share/nodejs';
// npm puts node_modules/.bin first on the PATH. The tools of Binaryen there are of another version than those of Emscripten, which would find them.
const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith(join('node_modules', '.bin')));
export const emscriptenEnvironment = {
  ...process.env,
  PATH: path.join(delimiter),
  ...(existsSync(debianModules) ? { NODE_PATH: [process.env.NODE_PATH, debianModules].filter(Boolean).join(delimiter) } : {}),
};

/**
 * @param {string} name of the tree
 * @param {{ wasm?: boolean, options?: Record<string, string>, targets?: string[], compiler?: string }} how everything is built unless
 * targets are given; the compiler is that of a new tree
 * @returns {Promise<string>} the folder of the tree
 */
export async function configureAndBuild(name, { wasm = false, options = {}, targets = [], compiler = undefined } = {}) {
  const folder = join(root, 'build', name);
  // Set by CXX: as an option, another path to the same compiler would make CMake forget all other options.
  const env = wasm ? emscriptenEnvironment : { ...process.env, ...(compiler ? { CXX: compiler } : {}) };
  const toolchain = wasm ? { CMAKE_TOOLCHAIN_FILE: join(root, 'cmake/emscripten.cmake') } : {};
  const values = Object.entries({ PHASOR_WERROR: 'ON', ...toolchain, ...options }).map(([key, value]) => `-D${key}=${value}`);
  await runBeside('cmake', ['-S', root, '-B', folder, '-G', 'Ninja', ...values], { env });
  await runBeside('cmake', ['--build', folder, ...targets.flatMap((target) => ['--target', target])], { env });
  return folder;
}
