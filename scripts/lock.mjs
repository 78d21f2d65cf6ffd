// A lock file between processes. It uses only Node's built-in modules, because setup.mjs needs it before packages are installed.
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
    return /** @type {NodeJS.ErrnoException} */ (thrown).code === 'EPERM'; // it runs as another user
  }
}

/** Tries to take the lock. @param {string} file @returns {boolean} whether this process holds it now */
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
 * Runs a task while holding a lock. The lock of a process that no longer runs is removed.
 * @template T
 * @param {string} file the lock file
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
    if (!isWaiting) console.log(`${name}: waiting for process ${holder ?? ''}, which holds ${file}`);
    isWaiting = true;
    await sleep(INTERVAL);
  }
  try {
    return await task();
  } finally {
    rmSync(file, { force: true });
  }
}
