// Installs packages on Debian and Ubuntu. It does not parse the output of apt: it reads locks from the kernel and results from exit statuses.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { onPath } from '../run.mjs';

const LOCKS = ['/var/lib/dpkg/lock-frontend', '/var/lib/dpkg/lock', '/var/lib/apt/lists/lock', '/var/cache/apt/archives/lock'];
const MINUTES = 2;

/**
 * Whether another process holds a fcntl lock on a file. In each line of /proc/locks (man proc_locks) the second field is the kind of a lock, and the
 * sixth is the device and inode of its file. False without /proc/locks; apt itself then reports that it is locked.
 * @param {string} file
 */
export function isLocked(file) {
  if (!existsSync('/proc/locks') || !existsSync(file)) return false;
  const inode = `:${statSync(file).ino}`;
  const locks = readFileSync('/proc/locks', 'utf8').split('\n');
  return locks.map((line) => line.split(/\s+/)).some(([, kind, , , , position]) => kind !== 'FLOCK' && position?.endsWith(inode));
}

/**
 * Prints a sentence, then gets the permission to run programs as root.
 * @param {string} sentence about the program that will be run
 * @returns {string[] | undefined} the prefix of its command; undefined without permission
 */
export function becomeRoot(sentence) {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && !onPath('sudo')) return undefined;
  console.log(`${sentence}${isRoot ? '' : ', by sudo'}`);
  if (isRoot) return [];
  // sudo may prompt for a password only in a terminal.
  const { status } = process.stdin.isTTY
    ? spawnSync('sudo', ['--validate'], { stdio: 'inherit' })
    : spawnSync('sudo', ['--non-interactive', 'true'], { stdio: 'ignore' });
  return status === 0 ? ['sudo'] : undefined;
}

/**
 * Runs apt-get. While another program holds a lock of apt it waits, at most two minutes. DPkg::Lock::Timeout is not sufficient: it covers the locks of
 * dpkg, but not that of the package lists, which `apt-get update` takes (apt 2.6 and 3.0).
 * @param {string[]} prefix the result of becomeRoot
 * @param {string[]} words arguments of apt-get
 * @returns {Promise<'done' | 'failed' | 'locked'>}
 */
export async function aptGet(prefix, words) {
  const [program = '', ...args] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '--quiet', '--yes'];
  const isAnyLocked = () => LOCKS.some(isLocked);
  const end = Date.now() + MINUTES * 60_000;
  const left = () => Math.max(0, end - Date.now());
  for (;;) {
    if (isAnyLocked()) console.log(`setup: another program uses apt; waiting until it ends, at most ${Math.ceil(left() / 1000)} seconds`);
    while (isAnyLocked() && left() > 0) await setTimeout(1000);
    const timeout = ['-o', `DPkg::Lock::Timeout=${Math.ceil(left() / 1000)}`];
    const { status } = spawnSync(program, [...args, ...timeout, ...words], {
      stdio: ['ignore', process.env.CI ? 'ignore' : 'inherit', 'inherit'],
    });
    if (status === 0) return 'done';
    // Another program can take a lock between the check and the start.
    if (!isAnyLocked()) return 'failed';
    if (left() === 0) return 'locked';
  }
}
