// A lock between processes of one clone. It uses Node's built-in modules only, because setup.mjs needs it before packages are installed.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL = 500; // ms

/** @param {number} pid @returns {boolean} */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return /** @type {NodeJS.ErrnoException} */ (thrown).code === 'EPERM'; // it belongs to somebody else
  }
}

/** @param {string} file @returns {boolean} whether this process holds the lock now */
function take(file) {
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (thrown) {
    if (/** @type {NodeJS.ErrnoException} */ (thrown).code !== 'EEXIST') throw thrown;
    return false;
  }
}

/** @param {string} file @returns {number | undefined} the process that holds the lock; undefined between creating the file and writing it */
function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs a task while no other process runs one with the same lock. A lock whose process has died is removed.
 * @template T
 * @param {string} file the lock
 * @param {string} name the prefix of messages
 * @param {() => Promise<T>} task
 * @returns {Promise<T>}
 */
export async function withLock(file, name, task) {
  mkdirSync(dirname(file), { recursive: true });
  let isWaiting = false;
  while (!take(file)) {
    const holder = holderOf(file);
    if (holder !== undefined && !isRunning(holder)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!isWaiting) console.log(`${name}: waiting for process ${holder ?? ''}, which does the same`);
    isWaiting = true;
    await sleep(INTERVAL);
  }
  try {
    return await task();
  } finally {
    rmSync(file, { force: true });
  }
}
