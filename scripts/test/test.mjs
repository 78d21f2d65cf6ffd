// `npm test`: everything, in the order in which a failure says most; `npm test -- cpp`, `web` or `browser`: a part of it. Each runner
// prints its own closing line, and the end says what each step took. While nothing has changed, a step that has passed is not run again, unless with
// `npm test -- again`; a fresh clone runs all.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildAll } from '../build.mjs';
import { root } from '../root.mjs';
import { clang, gcc } from '../setup/compilers.mjs';
import { cppPackage } from './cpp-package.mjs';
import { buildSuites, buildTests, runTests } from './cpp-tests.mjs';
import { lint } from './format.mjs';
import { fromNothing } from './from-nothing.mjs';
import { goldenCases } from './golden.mjs';
import { hasPassed, record } from './passed.mjs';

const run = (command, ...args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;

const native = [gcc() ?? 'g++', clang() ?? 'clang++'];
const compilers = [...native, 'em++'];

/**
 * Titles, what each reads besides the sources (what is built, and tools), and what it does. A step that fails ends the script or answers false; one
 * that stands in two parts runs once; one that takes seconds always runs.
 */
const starting = {
  title: 'npm start, where nothing was ever built',
  tools: ['em++', 'chromium'],
  step: () => fromNothing(),
};
const linting = { title: 'Formats, lint, types', always: true, step: () => lint() };
const building = {
  title: 'Package, site and offline page',
  built: ['build/wasm', 'dist'],
  tools: ['em++'],
  step: () => buildAll(),
};
const parts = {
  cpp: [
    {
      title: 'C++ tests: Clang with sanitizers, GCC, threads, WebAssembly under Node',
      tools: compilers,
      step: async () => runTests(await buildSuites()) === 0,
    },
    {
      title: 'Golden cases',
      tools: compilers,
      step: async () => goldenCases(await buildTests(['phasor_golden']), join(root, 'tests/golden')),
    },
    {
      title: 'C++ package: the program of the README',
      tools: [...native, 'cmake'],
      step: () => cppPackage(),
    },
  ],
  web: [
    building,
    {
      title: 'TypeScript',
      built: ['build/wasm', 'dist'],
      step: () => run('npx', 'vitest', 'run'),
    },
    { title: 'Sizes', always: true, step: () => run('node', 'scripts/test/size.mjs') },
  ],
  browser: [
    building,
    {
      title: 'Browsers',
      built: ['build/wasm', 'dist'],
      tools: ['chromium', 'firefox-esr'],
      step: () => run('npx', 'playwright', 'test'),
    },
  ],
};

const words = process.argv.slice(2);
const again = words.includes('again');
const wanted = words.filter((word) => word !== 'again');
const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) {
  console.error(`${unknown} is not a part of the tests. Usage: npm test [-- ${Object.keys(parts).join(' | ')}] [again]`);
  process.exit(2);
}
const steps = new Set([starting, linting, ...(wanted.length > 0 ? wanted : Object.keys(parts)).flatMap((name) => parts[name])]);

const took = [];
for (const each of steps) {
  const { title, always = false, step } = each;
  console.log(`\n== ${title}`);
  if (!always && !again && hasPassed(each)) {
    console.log('passed before, and nothing has changed; not run again');
    took.push(`    - s  ${title}`);
    continue;
  }
  const start = performance.now();
  const passed = (await step()) !== false;
  if (!always) record(each, passed);
  took.push(`${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${title}`);
  if (passed) continue;
  console.error(`${title}: failed`);
  process.exit(1);
}
console.log(`\n== What it took\n${took.join('\n')}`);
