// A project of a user: a folder below build/ with the packed packages of dist and tools of the npm registry, which are kept for the next run.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/root.mjs';

const folder = join(root, 'build/consumers');
const PATIENCE = 300_000; // ms, for one command

/** @import { Step } from './steps.mjs' */

/** @type {Record<string, string>} */
const PACKAGES = { phasor: 'dist/npm', 'phasor-models': 'dist/npm-models', 'phasor-anywidget': 'dist/npm-anywidget' };

/** @type {Map<string, string>} */
const tarballs = new Map();

/** Packs a package at most once, and returns the path of its tarball. */
function tarballOf(/** @type {string} */ name) {
  const known = tarballs.get(name);
  if (known) return known;
  const source = PACKAGES[name];
  if (!source) throw new Error(`${name}: is not a package of this project; expected one of ${Object.keys(PACKAGES).join(', ')}`);
  const args = ['pack', '--silent', '--pack-destination', folder];
  const stdout = execFileSync('npm', args, { cwd: join(root, source), encoding: 'utf8' });
  const tarball = join(folder, stdout.trim());
  tarballs.set(name, tarball);
  return tarball;
}

/**
 * A project: packages of the npm registry, further fields of its package.json, and files by path.
 * @typedef {object} Consumer
 * @property {string} name
 * @property {string[]} [packages] of the npm registry
 * @property {string[]} [own] the packages of this project; default: phasor
 * @property {Record<string, unknown>} [manifest]
 * @property {Record<string, string>} [files]
 * @property {Step[]} steps
 */

export class Project {
  /**
   * @param {Omit<Consumer, 'steps'>} consumer
   * @param {string} [before] a date: tools are installed in the versions of that day; default: the newest versions
   */
  constructor({ name, packages = [], own = ['phasor'], manifest = {}, files = {} }, before) {
    this.path = join(folder, name.replaceAll(/[^\w.-]+/g, '-'));
    const requested = JSON.stringify(before ? [before, ...packages] : packages);
    const stamp = join(this.path, 'node_modules/.consumer');
    if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== requested) {
      rmSync(this.path, { recursive: true, force: true });
      mkdirSync(join(this.path, 'node_modules'), { recursive: true });
      writeFileSync(join(this.path, 'package.json'), JSON.stringify({ private: true }));
      if (packages.length > 0) {
        execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...(before ? [`--before=${before}`] : []), ...packages], {
          cwd: this.path,
          stdio: ['ignore', 'ignore', 'inherit'],
        });
      }
      writeFileSync(stamp, requested);
    }
    // Has the result of npm install for a tarball without dependencies.
    for (const name of own) {
      const target = join(this.path, 'node_modules', name);
      rmSync(target, { recursive: true, force: true });
      mkdirSync(target);
      execFileSync('tar', ['xzf', tarballOf(name), '-C', target, '--strip-components=1']);
    }
    const { dependencies } = JSON.parse(readFileSync(join(this.path, 'package.json'), 'utf8'));
    this.write({ 'package.json': JSON.stringify({ private: true, type: 'module', dependencies, ...manifest }), ...files });
  }

  /** @param {Record<string, string>} files */
  write(files) {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.path, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** Deletes the output of a tool, with retries in case the tool is still writing. @param {...string} names */
  clear(...names) {
    for (const name of names) rmSync(join(this.path, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }

  /** @returns {NodeJS.ProcessEnv} */
  environment() {
    const path = `${join(this.path, 'node_modules/.bin')}:${process.env.PATH}`;
    return { ...process.env, PATH: path, NEXT_TELEMETRY_DISABLED: '1', CI: '1', NODE_ENV: undefined };
  }

  /** Runs a command and returns its output; throws an error that includes the output if it fails. @param {string[]} line */
  run([command = '', ...words]) {
    const args = words.map((word) => (word.startsWith('TARBALL:') ? tarballOf(word.slice('TARBALL:'.length)) : word));
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: this.path,
      env: this.environment(),
      encoding: 'utf8',
      timeout: PATIENCE,
    });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
    return stdout;
  }

  /** Starts a server; `stop` ends it and its child processes. @param {string[]} line */
  start([command = '', ...args]) {
    const child = spawn(command, args, { cwd: this.path, env: this.environment(), detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text;
      });
    return {
      output: () => output,
      // Some servers write their caches for a long time after SIGTERM.
      stop: async () => {
        /** @param {NodeJS.Signals} signal */
        const end = (signal) => {
          try {
            if (child.pid !== undefined) process.kill(-child.pid, signal);
          } catch {
            /* already ended */
          }
        };
        const exit = new Promise((resolve) => child.once('exit', resolve));
        end('SIGTERM');
        await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 3000))]);
        end('SIGKILL');
      },
    };
  }
}
