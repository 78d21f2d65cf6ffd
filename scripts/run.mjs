// Runs programs.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './root.mjs';

/** Whether a path is an executable file. @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The full path of the first of these programs that is on the PATH; undefined if none is. @param {...string} names */
export function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/**
 * Prints a failed command with its output and exits.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} words the output
 * @returns {never}
 */
export function fail(command, args, words) {
  console.error(`${command} ${args.join(' ')}\n${words}`);
  process.exit(1);
}

/**
 * Runs a command quietly. If it fails, prints its output and exits.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} options
 * @returns {string} the standard output
 */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, maxBuffer: 1 << 28, ...options, encoding: 'utf8' });
  if (result.status !== 0) fail(command, args, `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? result.signal ?? ''}`);
  return result.stdout ?? '';
}

/**
 * Like `run`, asynchronously.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<string>} the standard output
 */
export function runBeside(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let [printed, words] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text) => (printed += text));
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (words += text));
    child.on('error', (error) => fail(command, args, String(error)));
    child.on('close', (status, signal) => (status === 0 ? resolve(printed) : fail(command, args, `${words}${signal ?? ''}`)));
  });
}
