// Prepares a machine that has only Node and git: `node scripts/setup/setup.mjs [build|train|test|bench|aarch64]`. It installs missing
// packages and changes nothing else. It uses only Node's built-in modules, because it runs before packages are installed. With prebuilt WebAssembly
// (PHASOR_WASM, see scripts/wasm/wasm.mjs), the site and the npm package need no compilers.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../lock.mjs';
import { root } from '../root.mjs';
import { onPath } from '../run.mjs';
import { aptGet, becomeRoot } from './apt.mjs';
import { missingNeeds, PURPOSES } from './needs.mjs';

const purpose = process.argv[2] ?? 'test';

/** @returns {never} */
function stop(/** @type {string[]} */ ...lines) {
  console.error(`setup: ${lines.join('\n  ')}`);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  stop(
    `Node: ${process.version} is not supported; expected 20.19 or newer, 22.12 or newer, or 24 or newer (https://nodejs.org/en/download)`,
  );
}

function checkFolders() {
  for (const folder of [root, join(root, 'node_modules'), join(root, 'build')].filter((path) => existsSync(path))) {
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      stop(`${folder}: this user cannot write into the folder; expected a clone that belongs to the user, on a disk that is not read-only`);
    }
  }
}

const described = (/** @type {import('./needs.mjs').Need[]} */ needs) => needs.map(({ apt, why }) => `${apt} (${why})`).join(', ');

/** Prints the commands that install the packages by hand, and exits. @param {import('./needs.mjs').Need[]} missing @returns {never} */
function stopWithCommands(missing) {
  const apt = `sudo apt-get update && sudo apt-get install --no-install-recommends ${missing.map((need) => need.apt).join(' ')}`;
  const brew = `brew install ${missing.flatMap((need) => need.brew ?? []).join(' ')}`;
  const requested = missing.map(({ name, why }) => `${name} (${why})`).join(', ');
  if (onPath('apt-get')) stop(`missing: ${requested}. This user may not install packages; run this, then the same command again:`, apt);
  if (onPath('brew')) stop(`missing: ${requested}. Run this, then the same command again:`, brew);
  stop(
    `missing: ${requested}. There is no apt-get and no brew here; install them with the package manager of this system, then run the same command again.`,
    'Emscripten for any system: https://emscripten.org/docs/getting_started/downloads.html',
  );
}

async function installSystemPackages() {
  if (purpose === 'build' && process.env.PHASOR_WASM) return;
  const missing = missingNeeds(purpose);
  if (missing.length === 0) return;
  const shadow = missing.map(({ name }) => onPath(name)).find((path) => path && !path.startsWith('/usr/bin/'));
  if (shadow)
    stop(`${shadow}: "${shadow} --version" does not succeed; repair the program, or remove it from the PATH to let setup install another`);
  if (!onPath('apt-get')) stopWithCommands(missing);
  const prefix = becomeRoot(`setup: installs ${described(missing)} with apt-get`);
  if (!prefix) stopWithCommands(missing);
  // Outdated package lists may suffice, so a failed update is an error only if apt is locked.
  const updated = await aptGet(prefix, ['update']);
  // chromium-headless-shell halves the processor time of browser tests, but not every system has it.
  const tests = PURPOSES.indexOf(purpose) >= PURPOSES.indexOf('test');
  const shell = tests && !onPath('chromium-headless-shell') && spawnSync('apt-cache', ['show', 'chromium-headless-shell']).status === 0;
  const packages = [...missing.map((need) => need.apt), ...(shell ? ['chromium-headless-shell'] : [])];
  const installed = updated === 'locked' ? updated : await aptGet(prefix, ['install', '--no-install-recommends', ...packages]);
  if (installed === 'locked')
    stop('apt-get: another program still holds a lock of apt after two minutes; wait until it ends, then run the same command again');
  if (installed === 'failed')
    stop(
      `apt-get: could not install ${packages.join(', ')} (its messages are above); check the network and the free space, then run the same command again`,
    );
  for (const { name, apt } of missingNeeds(purpose))
    stop(`${name}: still missing after apt-get installed ${apt}; install it by hand, then run the same command again`);
}

/** @param {string} folder with a package.json and its lock file */
async function installNodePackages(folder) {
  // npm ci removes node_modules first, and the stamp is written last, so an incomplete installation has no stamp. The lock prevents concurrent runs
  // from removing each other's packages.
  const stamp = join(folder, 'node_modules', '.phasor-lock');
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).update(process.version).digest('hex');
  const isCurrent = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (isCurrent()) return;
  const installed = await withLock(join(root, 'build/npm-ci.lock'), 'setup', async () => {
    if (isCurrent()) return true;
    console.log('setup: installs the packages of package-lock.json with npm ci');
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
    if (status === 0) writeFileSync(stamp, hash);
    return status === 0;
  });
  if (!installed) stop('npm ci: failed (its messages are above); check the network and the free space, then run the same command again');
}

if (!PURPOSES.includes(purpose)) stop(`${purpose}: is not a purpose; expected ${PURPOSES.join(', ')}`);
checkNode();
checkFolders();
await installSystemPackages();
await installNodePackages(root);
if (purpose === 'bench') await installNodePackages(join(root, 'tests/bench'));
