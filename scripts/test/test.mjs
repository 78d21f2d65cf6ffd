// `npm test`: everything; `npm test -- cpp`, `web` or `browser`: a part of it. Each runner prints its own closing line, and the end says what each step
// took. A step that passed is skipped until a source changes, unless `npm test -- --force`.
import { spawn } from 'node:child_process';
import { root } from '../root.mjs';
import { clang, gcc } from '../setup/compilers.mjs';
import { hasPassed, record } from './test-cache.mjs';

const native = [gcc() ?? 'g++', clang() ?? 'clang++'];
const compilers = [...native, 'em++'];

/**
 * What is run, and what it reads besides the sources (what is built, and tools); what takes seconds always runs.
 * @typedef {{ title: string, command: string[], always?: boolean, built?: string[], tools?: string[] }} Step
 */

/** @type {Step} it leaves the WebAssembly and the figures that it has made to all steps after it */
const fromNothing = {
  title: 'npm start, where nothing was ever built',
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
/** @type {Step} it needs nothing of dist, so it runs beside the build */
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
const wanted = words.filter((word) => word !== '--force');
const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) {
  console.error(`${unknown} is not a part of the tests. Usage: npm test [-- ${Object.keys(parts).join(' | ')}] [--force]`);
  process.exit(2);
}

/**
 * @param {string[]} command
 * @param {boolean} shown as it comes, instead of answered
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
const begun = new Map();
/** @type {string[]} */
const took = [];
/** @type {string[]} */
const failed = [];

/** @param {Step} step @param {boolean} shown whether it prints as it goes, because nothing runs beside it */
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
 * Runs lists of steps beside each other, each list in its order: compiling and linking leave a processor idle now and then. A step of several lists
 * runs once, and each of them waits for it.
 * @param {...Step[]} lists
 */
async function beside(...lists) {
  await Promise.all(
    lists.map(async (steps) => {
      for (const step of steps) {
        if (failed.length > 0) return;
        if (!begun.has(step)) begun.set(step, take(step, lists.length === 1));
        await begun.get(step);
      }
    }),
  );
  if (failed.length === 0) return;
  for (const title of failed) console.error(`${title}: failed`);
  process.exit(1);
}

/** @param {string} name */
const wants = (name) => wanted.length === 0 || wanted.includes(name);
/** @param {string} name */
const steps = (name) => (wants(name) ? (parts[name] ?? []) : []);
await beside([fromNothing, ...(wants('web') ? [sources] : [])], [fromNothing, ...steps('web')], [checks, ...steps('cpp')]);
// Alone, because what a page does in time is tested.
await beside(steps('browser'));
console.log(`\n== What it took\n${took.join('\n')}`);
