// Configures and builds one CMake tree under build/. Emscripten is whatever em++ is on the PATH.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Debian's Emscripten looks for its JavaScript packages where Debian's own Node would. */
const debianModules = '/usr/share/nodejs';
export const emscriptenEnvironment = {
  ...process.env,
  ...(existsSync(debianModules) ? { NODE_PATH: [process.env.NODE_PATH, debianModules].filter(Boolean).join(':') } : {}),
};

/** Runs quietly; what a failing command printed is shown and ends the script. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  if (result.status !== 0) {
    console.error(`${command} ${args.join(' ')}\n${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? ''}`);
    process.exit(1);
  }
  return result.stdout ?? '';
}

/** @returns {string} the folder of the tree */
export function configureAndBuild(name, { wasm = false, options = {} } = {}) {
  const folder = join(root, 'build', name);
  const env = wasm ? emscriptenEnvironment : process.env;
  const toolchain = wasm
    ? [
        `-DCMAKE_TOOLCHAIN_FILE=${execFileSync('em-config', ['EMSCRIPTEN_ROOT'], { encoding: 'utf8' }).trim()}/cmake/Modules/Platform/Emscripten.cmake`,
      ]
    : [];
  const values = Object.entries(options).map(([key, value]) => `-D${key}=${value}`);
  run('cmake', ['-S', root, '-B', folder, '-G', 'Ninja', ...toolchain, ...values], { env });
  run('cmake', ['--build', folder], { env });
  return folder;
}
