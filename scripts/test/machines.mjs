// `npm run test:machines [-- bookworm | trixie] [start]`: runs the two commands of the README on clean Debian machines. Each machine is a root of
// debootstrap below build/machines with nodejs, npm, git and ca-certificates. It needs Linux, root and debootstrap, takes up to an hour for each
// machine, and is not part of `npm test`. Machines use the mirror, certificates and configuration of apt and npm of this one. Programs of a machine
// run in separate mount and process namespaces, which end with this script however it ends.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { chromium } from 'playwright';
import { root } from '../root.mjs';
import { run } from '../run.mjs';
import { withSection } from '../sections.mjs';
import { chromiumOptions } from '../setup/browsers.mjs';

/** @typedef {{ release: string, title: string, node?: string }} Machine node: the command that installs a newer Node than Debian's */
/** @type {Machine[]} */
const MACHINES = [
  { release: 'bookworm', title: 'Debian 12, with Node from `npm install -g node@20`', node: 'npm install -g node@20' },
  { release: 'trixie', title: 'Debian 13' },
];
const PAGES = ['', 'lab/', 'book/rotation/', 'gallery/similarity/'];
const HEAD =
  '| machine | date | `npm start` | pages | `npm test` | Node | em++ | g++ | clang++ | Chromium |\n|---|---|---|---|---|---|---|---|---|---|\n';
const DOCUMENT = join(root, 'docs/reliability.md');
const MACHINES_FOLDER = join(root, 'build/machines');
const MINUTE = 60_000;
/** The home folder of the user inside a machine. */
const HOME = '/root';
/** Mounts what browsers and sanitizers need, then runs a shell command in a folder of a machine. */
const ENTER = `mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/dev/shm" &&
chroot "$1" sh -c 'cd "$1" && eval "$2"' sh "$2" "$3"`;
/** Runs a command that ends with this process, including everything that it has started and mounted. */
const CONTAINED = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child'];

/** Opens the pages at an address until each has computed a figure; runs inside the machine. @param {string} address */
async function openPages(address) {
  const browser = await chromium.launch(chromiumOptions());
  for (const path of PAGES) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    /** @type {string[]} */
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    const response = await page.goto(address + path, { timeout: 2 * MINUTE });
    if (response?.status() !== 200) throw new Error(`/${path}: has status ${response?.status()}; expected 200`);
    // Figures of the book are computed after the first event of a user.
    await page.mouse.move(8, 8);
    const figure = page.locator('phasor-figure:is([data-state="ready"], [data-state="failed"])').first();
    await figure.waitFor({ state: 'attached', timeout: 2 * MINUTE });
    if ((await figure.getAttribute('data-state')) === 'failed') errors.push(await figure.innerText());
    if (errors.length > 0) throw new Error(`/${path}: has errors; expected a figure\n${errors.join('\n')}`);
    console.log(`/${path} has a computed figure`);
    await page.close();
  }
  await browser.close();
}

/** Environment variables of this machine that apt and npm need to reach their registries, and npm's configuration files. */
function settings() {
  const names = [
    'NODE_EXTRA_CA_CERTS',
    'npm_config_registry',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
  ];
  const provided = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const files = ['userconfig', 'globalconfig'].map((key) => [`npm_config_${key}`, run('npm', ['config', 'get', key]).trim()]);
  return Object.fromEntries([...provided, ...files].filter(([, value]) => value));
}

/** A machine below build/machines, whose commands print into a log. */
class Root {
  /** @param {string} release */
  constructor(release) {
    this.path = join(MACHINES_FOLDER, release);
    this.logPath = `${this.path}.log`;
    rmSync(this.path, { recursive: true, force: true });
    mkdirSync(this.path, { recursive: true });
    rmSync(this.logPath, { force: true });
    // Opened for appending, because several programs write to it.
    this.log = openSync(this.logPath, 'a');
    this.settings = settings();
    this.env = { HOME, PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...this.settings };
  }

  /** The arguments of setpriv that run a shell command in a folder of the machine. @param {string} folder @param {string} command */
  entering(folder, command) {
    return [...CONTAINED, 'sh', '-c', ENTER, 'sh', this.path, folder, command];
  }

  /**
   * @param {string[]} args of setpriv
   * @param {number} minutes
   * @returns {{ passed: boolean, seconds: number }}
   */
  try(args, minutes) {
    const begin = performance.now();
    const { status } = spawnSync('setpriv', args, {
      stdio: ['ignore', this.log, this.log],
      env: this.env,
      timeout: minutes * MINUTE,
      killSignal: 'SIGKILL',
    });
    return { passed: status === 0, seconds: Math.round((performance.now() - begin) / 1000) };
  }

  /** Runs a shell command that has to succeed. @param {string} command @param {string} folder */
  do(command, folder = HOME) {
    if (!this.try(this.entering(folder, command), 15).passed)
      throw new Error(`${command}: failed on the machine; its messages end ${this.logPath}`);
  }

  /** The output of a command on the machine, or a dash if it fails. @param {string} command */
  version(command) {
    const { status, stdout } = spawnSync('setpriv', this.entering(HOME, command), { env: this.env, encoding: 'utf8', timeout: MINUTE });
    return status === 0 ? stdout.trim() : '–';
  }

  /** Copies a file or folder of this machine to the same place. @param {string} path */
  copy(path) {
    if (existsSync(path)) cpSync(path, join(this.path, path), { recursive: true, dereference: true });
  }
}

/** Creates a machine with Node, npm and git. @param {Machine} machine */
function make({ release, node }) {
  const machine = new Root(release);
  // The mirror is the first repository of this machine's own release, in the order of apt.
  const here = run('sh', ['-c', '. /etc/os-release && echo "$VERSION_CODENAME"']).trim();
  const [mirror = ''] = run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Identifier: Packages', `Release: ${here}`]).split('\n');
  const bootstrap = machine.try([...CONTAINED, 'debootstrap', '--variant=minbase', release, machine.path, mirror], 15);
  if (!bootstrap.passed) throw new Error(`debootstrap ${release}: failed; its messages end ${machine.logPath}`);
  for (const path of ['/etc/apt/sources.list', '/etc/apt/sources.list.d', '/etc/apt/apt.conf.d', '/etc/resolv.conf', '/etc/hosts'])
    machine.copy(path);
  for (const path of ['/usr/local/share/ca-certificates', ...Object.values(machine.settings)]) if (path.startsWith('/')) machine.copy(path);
  const lists = join(machine.path, 'etc/apt/sources.list.d');
  for (const file of [join(machine.path, 'etc/apt/sources.list'), ...readdirSync(lists).map((name) => join(lists, name))])
    if (existsSync(file)) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(here, release));
  machine.env = { ...machine.env, DEBIAN_FRONTEND: 'noninteractive' };
  machine.do('apt-get update && apt-get install --yes --no-install-recommends nodejs npm git ca-certificates');
  if (node) machine.do(node);
  return machine;
}

/** A clone of HEAD on a machine. @param {Root} machine @param {string} name */
function clone(machine, name) {
  run('git', ['clone', '--quiet', '--no-local', root, join(machine.path, HOME, name)]);
  return join(HOME, name);
}

/** Runs `npm start` until its pages are checked. @param {Root} machine */
async function tryStart(machine) {
  const folder = clone(machine, 'start');
  const begin = performance.now();
  const child = spawn('setpriv', machine.entering(folder, 'npm start'), { env: machine.env, stdio: ['ignore', 'pipe', machine.log] });
  let [printed, address] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    appendFileSync(machine.logPath, text);
    printed += text;
    // Vite colours the address.
    address ||= stripVTControlCharacters(printed).match(/http:\/\/localhost:\d+\/(?=\s)/)?.[0] ?? '';
  });
  const closed = once(child, 'close');
  try {
    while (!address && child.exitCode === null && child.signalCode === null && performance.now() - begin < 30 * MINUTE)
      await setTimeout(200);
    if (!address) return { start: 'failed', pages: '–' };
    const start = `${Math.round((performance.now() - begin) / 1000)} s`;
    machine.do('apt-get install --yes --no-install-recommends chromium');
    const { passed } = machine.try(machine.entering(folder, `node scripts/test/machines.mjs pages ${address}`), 15);
    return { start, pages: passed ? 'computed' : 'failed' };
  } finally {
    // The processes of the machine end with it (--kill-child).
    child.kill('SIGKILL');
    await closed;
  }
}

/** Writes the row of a machine into the document, and keeps those of other machines. @param {Machine} machine @param {string} row */
function write({ title }, row) {
  const document = readFileSync(DOCUMENT, 'utf8');
  const rows = MACHINES.flatMap((one) =>
    one.title === title ? row : (document.split('\n').find((line) => line.startsWith(`| ${one.title} |`)) ?? []),
  );
  writeFileSync(DOCUMENT, withSection(document, 'machines', HEAD + rows.join('\n'), 'docs/reliability.md'));
}

/** @param {Machine} described @param {boolean} startOnly @returns {Promise<boolean>} whether everything passed */
async function tryMachine(described, startOnly) {
  console.log(`${described.release}: its messages are in build/machines/${described.release}.log`);
  const machine = make(described);
  const { start, pages } = await tryStart(machine);
  console.log(`${described.release}: npm start ${start}, pages ${pages}`);
  const tests = startOnly ? undefined : machine.try(machine.entering(clone(machine, 'test'), 'npm test'), 120);
  const tested = tests ? `${tests.passed ? 'passed' : 'failed'}, ${tests.seconds} s` : 'not run';
  // Emscripten of Debian 13 installs clang++-19 and no clang++.
  const compilers = ['em++ -dumpversion', 'g++ -dumpfullversion', '"$(ls /usr/bin/clang++* | tail -n 1)" -dumpversion'];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a format of dpkg-query that prints only the version
  const browser = "dpkg-query --show --showformat '${source:Upstream-Version}' chromium";
  const versions = ['node --version', ...compilers, browser].map((command) => machine.version(command));
  const row = `| ${[described.title, new Date().toISOString().slice(0, 10), start, pages, tested, ...versions].join(' | ')} |`;
  console.log(HEAD + row);
  write(described, row);
  const passed = pages === 'computed' && tests?.passed !== false;
  // The machine is kept after a failure.
  if (passed) rmSync(machine.path, { recursive: true });
  return passed;
}

const words = process.argv.slice(2);
if (words[0] === 'pages') await openPages(words[1] ?? '');
else {
  const known = ['start', ...MACHINES.map(({ release }) => release)];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new Error(`${unknown}: is not a machine; expected ${known.join(', ')}`);
  const requested = MACHINES.filter(({ release }) => words.every((word) => word === 'start') || words.includes(release));
  const results = [];
  for (const machine of requested) results.push(await tryMachine(machine, words.includes('start')));
  process.exitCode = results.every(Boolean) ? 0 : 1;
}
