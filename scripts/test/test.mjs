// `npm test` runs all tests, and `npm test -- cpp`, `web` or `browser` a part of them. Each runner prints its summary, and the last lines list the
// time of each step. A step that passed is skipped until a source changes, unless `npm test -- --force`.
import { spawn } from 'node:child_process';
import { root } from '../root.mjs';
import { clang, gcc } from '../setup/compilers.mjs';
import { hasPassed, record } from './test-cache.mjs';

const native = [gcc() ?? 'g++', clang() ?? 'clang++'];
const compilers = [...native, 'em++'];

/**
 * A step with its command and its inputs besides the sources (build products and tools). `always`: not cached, because it takes only seconds.
 * @typedef {{ title: string, command: string[], always?: boolean, built?: string[], tools?: string[] }} Step
 */

/** @type {Step} later steps use its WebAssembly and figures */
const fromNothing = {
  title: 'npm start in a clean checkout',
  tools: ['em++', 'chromium'],
  command: ['node', 'scripts/test/clean-checkout.mjs'],
};
/** @type {Step} */
const checks = { title: 'Formats, lint, types', always: true, command: ['node', 'scripts/test/format.mjs'] };
/** @type {Step} */
const building = {
  title: 'Package, site and offline page',
  built: ['build/wasm', 'dist'],
  tools: ['em++'],
  command: ['node', 'scripts/build.mjs'],
};
/** @type {Step} independent of dist, so it runs in parallel with the build */
const sources = { title: 'TypeScript', built: ['build/wasm'], command: ['npx', 'vitest', 'run'] };
/** @type {Record<string, Step[]>} */
const parts = {
  cpp: [
    {
      title: 'C++ tests and golden cases: Clang with sanitizers, GCC, threads, kernels as WebAssembly under Node',
      tools: compilers,
      command: ['node', 'scripts/test/cpp-tests.mjs'],
    },
    {
      title: 'C++ package: the program of the README',
      tools: [...native, 'cmake'],
      command: ['node', 'scripts/test/cpp-package.mjs'],
    },
  ],
  web: [
    building,
    {
      title: 'Package and site as built',
      built: ['build/wasm', 'dist'],
      command: ['npx', 'vitest', 'run', '--config', 'tests/shipped/vitest.config.ts'],
    },
    {
      title: 'Users of the package, each kind once',
      built: ['dist'],
      tools: ['chromium'],
      command: ['node', 'tests/consumers/run.mjs', '--fast'],
    },
    { title: 'Sizes', always: true, command: ['node', 'scripts/test/size.mjs', '--gzip'] },
  ],
  browser: [
    building,
    {
      title: 'Browsers',
      built: ['build/wasm', 'dist'],
      tools: ['chromium', 'chromium-headless-shell', 'firefox-esr'],
      command: ['npx', 'playwright', 'test'],
    },
  ],
};

const words = process.argv.slice(2);
const force = words.includes('--force');
const requested = words.filter((word) => word !== '--force');
const unknown = requested.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) {
  console.error(`${unknown} is not a part of the tests. Usage: npm test [-- ${Object.keys(parts).join(' | ')}] [--force]`);
  process.exit(2);
}

/**
 * @param {string[]} command
 * @param {boolean} shown at once instead of returned
 * @returns {Promise<{ passed: boolean, printed: string }>}
 */
function run([program, ...args], shown) {
  return new Promise((resolve) => {
    const child = spawn(program ?? '', args, { cwd: root, stdio: shown ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (printed += text));
    child.on('error', (error) => resolve({ passed: false, printed: `${printed}${error}` }));
    child.on('close', (status) => resolve({ passed: status === 0, printed }));
  });
}

/** @type {Map<Step, Promise<void>>} */
const started = new Map();
/** @type {string[]} */
const took = [];
/** @type {string[]} */
const failed = [];

/** @param {Step} step @param {boolean} shown whether its output is printed at once, because nothing runs in parallel */
async function take(step, shown) {
  const heading = `\n== ${step.title}`;
  if (!step.always && !force && hasPassed(step)) {
    console.log(`${heading}\nskipped: passed before, and nothing has changed`);
    took.push(`    - s  ${step.title}`);
    return;
  }
  console.log(shown ? heading : `\n.. ${step.title}`);
  const start = performance.now();
  const { passed, printed } = await run(step.command, shown);
  if (!shown) console.log(`${heading}\n${printed.trimEnd()}`);
  if (!step.always) record(step, passed);
  took.push(`${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${step.title}`);
  if (!passed) failed.push(step.title);
}

/**
 * Runs lists of steps in parallel, each list in its order, because compiling and linking do not use both processors all the time. A step in several
 * lists runs once, and each list waits for it.
 * @param {...Step[]} lists
 */
async function beside(...lists) {
  await Promise.all(
    lists.map(async (steps) => {
      for (const step of steps) {
        if (failed.length > 0) return;
        if (!started.has(step)) started.set(step, take(step, lists.length === 1));
        await started.get(step);
      }
    }),
  );
  if (failed.length === 0) return;
  for (const title of failed) console.error(`${title}: failed`);
  process.exit(1);
}

/** @param {string} name */
const wants = (name) => requested.length === 0 || requested.includes(name);
/** @param {string} name */
const steps = (name) => (wants(name) ? (parts[name] ?? []) : []);
await beside([fromNothing, ...(wants('web') ? [sources] : [])], [fromNothing, ...steps('web')], [checks, ...steps('cpp')]);
// Browser tests run alone, because they also test timing.
await beside(steps('browser'));
console.log(`\n== Times\n${took.join('\n')}`);
