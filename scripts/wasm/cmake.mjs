// Configures and builds one CMake tree under build/, quietly and in parallel with others, because linking WebAssembly uses one processor. Emscripten
// is the em++ on the PATH.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../root.mjs';
import { runBeside } from '../run.mjs';

/** Debian's Emscripten looks for its JavaScript packages in the module folder of Debian's Node. */
const debianModules = '/usr/share/nodejs';
// npm puts node_modules/.bin first on the PATH, where Emscripten would find the tools of another version of Binaryen.
const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith(join('node_modules', '.bin')));
export const emscriptenEnvironment = {
  ...process.env,
  PATH: path.join(delimiter),
  ...(existsSync(debianModules) ? { NODE_PATH: [process.env.NODE_PATH, debianModules].filter(Boolean).join(delimiter) } : {}),
};

/**
 * @param {string} name of the tree
 * @param {{ wasm?: boolean, options?: Record<string, string>, targets?: string[], compiler?: string }} options of
 * the build. Without targets, everything is built. The compiler applies to new trees only.
 * @returns {Promise<string>} the folder of the tree
 */
export async function configureAndBuild(name, { wasm = false, options = {}, targets = [], compiler = undefined } = {}) {
  const folder = join(root, 'build', name);
  // The compiler is passed in CXX. As an option, another path to the same compiler would make CMake discard all other options.
  const env = wasm ? emscriptenEnvironment : { ...process.env, ...(compiler ? { CXX: compiler } : {}) };
  const toolchain = wasm ? { CMAKE_TOOLCHAIN_FILE: join(root, 'cmake/emscripten.cmake') } : {};
  const values = Object.entries({ PHASOR_WERROR: 'ON', ...toolchain, ...options }).map(([key, value]) => `-D${key}=${value}`);
  await runBeside('cmake', ['-S', root, '-B', folder, '-G', 'Ninja', ...values], { env });
  await runBeside('cmake', ['--build', folder, ...targets.flatMap((target) => ['--target', target])], { env });
  return folder;
}
