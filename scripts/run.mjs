// Programs that scripts run.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './root.mjs';

/** Whether a file is there that can be executed. @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The whole path of the first of these programs that is on the PATH. @param {...string} names */
export function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/**
 * Ends the script with what a failing command printed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} words
 * @returns {never}
 */
export function fail(command, args, words) {
  console.error(`${command} ${args.join(' ')}\n${words}`);
  process.exit(1);
}

/**
 * Runs quietly; the output of a failing command is printed, and the script ends.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} options
 * @returns {string} what it printed
 */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, maxBuffer: 1 << 28, ...options, encoding: 'utf8' });
  if (result.status !== 0) fail(command, args, `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? result.signal ?? ''}`);
  return result.stdout ?? '';
}

/**
 * The same beside others.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<string>} what it printed
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
