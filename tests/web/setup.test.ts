// scripts/setup on machines with missing programs: a copy of it runs in an empty project, and the PATH has only the programs written by a test.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLocked } from '../../scripts/setup/apt.mjs';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
let folder = '';
const inFolder = (...names: string[]) => join(folder, ...names);
const project = () => inFolder('a project');
/** The logged calls of the programs of a test, in order. */
const calls = () => (existsSync(inFolder('calls')) ? readFileSync(inFolder('calls'), 'utf8').trim().split('\n') : []);

/** A program on the PATH that logs its call and runs a script. */
function program(name: string, script = '') {
  writeFileSync(inFolder('bin', name), `#!/bin/sh\necho "${name} $*" >> "${inFolder('calls')}"\n${script}\n`, { mode: 0o755 });
}

const APT = { succeeds: '', fails: 'exit 100' };
/** The script of an apt-get that installs working programs. */
const installing = (...names: string[]) =>
  `case "$*" in *install*) for name in ${names.join(' ')}; do printf '#!/bin/sh\\n' > "${inFolder('bin')}/$name"; /bin/chmod +x "${inFolder('bin')}/$name"; done;; esac`;

/** Runs the setup, optionally as a user without rights. */
function setup({ purpose = 'build', asUser = false } = {}) {
  const userFields = asUser && isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project(), 'scripts/setup/setup.mjs'), purpose], {
    env: { PATH: inFolder('bin') },
    encoding: 'utf8',
    ...userFields,
  });
  return { status, printed: stdout, refused: stderr };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'phasor-setup-'));
  chmodSync(folder, 0o755);
  for (const name of ['scripts/setup', 'scripts/root.mjs', 'scripts/run.mjs', 'scripts/lock.mjs', 'package.json', 'package-lock.json'])
    cpSync(name, join(project(), name), { recursive: true });
  mkdirSync(inFolder('bin'));
  symlinkSync('/usr/bin/env', inFolder('bin', 'env'));
  // If the tests do not run as root, the setup calls sudo.
  program('sudo', '[ "$1" = --non-interactive ] || exec "$@"');
  program('npm', 'mkdir node_modules');
  symlinkSync('/bin/mkdir', inFolder('bin', 'mkdir'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('setup', () => {
  it('announces and installs missing programs, and does nothing the second time', () => {
    program('cmake');
    program('apt-get', installing('em++', 'ninja'));
    const first = setup();
    expect(first).toMatchObject({ status: 0, refused: '' });
    const line = 'setup: installs emscripten (compiles the core to WebAssembly), ninja-build (runs the build) with apt-get';
    expect(first.printed).toContain(isRoot ? `${line}\n` : `${line}, by sudo\n`);
    const apt = calls().filter((call) => call.startsWith('apt-get'));
    expect(apt.map((call) => call.includes(' update'))).toEqual([true, false]);
    expect(apt[1]).toMatch(/ install --no-install-recommends emscripten ninja-build$/);
    expect(calls().at(-1)).toBe('npm ci --no-audit --no-fund');

    rmSync(inFolder('calls'));
    expect(setup()).toEqual({ status: 0, printed: '', refused: '' });
    expect(calls()).toEqual(['cmake --version']);
  });

  it('repeats a failed installation of npm packages', () => {
    for (const name of ['em++', 'cmake', 'ninja']) program(name);
    program('npm', 'mkdir -p node_modules; exit 1');
    expect(setup()).toMatchObject({ status: 1, refused: expect.stringMatching(/^setup: npm ci: failed .*\n$/) });
    program('npm', 'mkdir -p node_modules');
    expect(setup().status).toBe(0);
    expect(calls().filter((call) => call.startsWith('npm')).length).toBe(2);
  });
});

describe('setup error', () => {
  it('names the missing programs if there is no apt-get and no brew', () => {
    const { status, refused } = setup();
    expect(status).toBe(1);
    expect(refused).toMatch(
      /^setup: missing: em\+\+ \(compiles .*\), cmake .*, ninja .*\. There is no apt-get and no brew here; install them /,
    );
    expect(calls()).toEqual([]);
  });

  it('contains the command to run if the user may not install packages', () => {
    program('apt-get', installing('em++', 'cmake', 'ninja'));
    program('sudo', 'exit 1');
    if (isRoot) chownSync(project(), NOBODY, NOBODY);
    chmodSync(folder, 0o777);
    const { status, refused } = setup({ asUser: true });
    expect(status).toBe(1);
    expect(refused).toMatch(/This user may not install packages; run this, then the same command again:\n {2}sudo apt-get update && sudo /);
    expect(refused).toMatch(/ install --no-install-recommends emscripten cmake ninja-build\n$/);
    expect(calls().some((call) => /^(apt-get|npm)/.test(call))).toBe(false);
  });

  it('reports a failure of apt-get', () => {
    program('apt-get', APT.fails);
    const { status, refused } = setup();
    expect(status).toBe(1);
    expect(refused).toMatch(
      /^setup: apt-get: could not install emscripten, cmake, ninja-build \(its messages are above\); check the network/,
    );
    expect(calls().some((call) => call.startsWith('npm'))).toBe(false);
  });

  it('names a program that is still missing after apt-get succeeded', () => {
    program('apt-get', installing('em++', 'cmake'));
    expect(setup()).toMatchObject({
      status: 1,
      refused: expect.stringMatching(/^setup: ninja: still missing after apt-get installed ninja-build;/),
    });
  });

  it('names an em++ on the PATH that does not run', () => {
    program('em++', 'exit 3');
    program('apt-get', APT.succeeds);
    const { status, refused } = setup();
    expect(status).toBe(1);
    expect(refused).toBe(
      `setup: ${inFolder('bin/em++')}: "${inFolder('bin/em++')} --version" does not succeed; ` +
        'repair the program, or remove it from the PATH to let setup install another\n',
    );
    expect(calls().some((call) => call.startsWith('apt-get'))).toBe(false);
  });

  it('names a project folder that the user cannot write into', () => {
    chmodSync(project(), 0o555);
    const { status, refused } = setup({ asUser: true });
    chmodSync(project(), 0o755);
    expect({ status, refused }).toEqual({
      status: 1,
      refused: `setup: ${project()}: this user cannot write into the folder; expected a clone that belongs to the user, on a disk that is not read-only\n`,
    });
  });

  it('names an unknown purpose', () => {
    expect(setup({ purpose: 'fun' })).toMatchObject({
      status: 1,
      refused: expect.stringMatching(/^setup: fun: is not a purpose; expected build, /),
    });
  });
});

it.runIf(process.platform === 'linux')('isLocked detects a file that another process has locked', async () => {
  const file = inFolder('lock');
  const lockScript =
    'import fcntl, sys\nf = open(sys.argv[1], "w")\nfcntl.lockf(f, fcntl.LOCK_EX)\nprint("held", flush=True)\nsys.stdin.read()';
  expect(isLocked(file)).toBe(false);
  const child = spawn('python3', ['-c', lockScript, file]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(isLocked(file)).toBe(true);
  expect(isLocked(inFolder('calls'))).toBe(false);
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  expect(isLocked(file)).toBe(false);
});
