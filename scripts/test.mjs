// `npm test`: everything, in the order in which a failure says most; `npm test -- cpp`, `web` or `browser`: a part of it. Each runner
// prints its own closing line, and the end says what each step took. A step whose inputs are those it has passed on is not run again, unless
// with `npm test -- again`; a fresh clone runs all.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildAll } from './build.mjs';
import { root } from './cmake.mjs';
import { cppPackage } from './cpp-package.mjs';
import { buildTests, runTests } from './cpp-tests.mjs';
import { lint } from './format.mjs';
import { goldenCases } from './golden.mjs';
import { hasPassed, record } from './passed.mjs';

const run = (command, ...args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;

const npm = ['package.json', 'package-lock.json'];
const cpp = ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'cpp', 'scripts', 'tests/cpp'];
const page = [...npm, 'CMakeLists.txt', 'cmake', 'cpp', 'scripts', 'web', 'public', 'vite.config.ts', 'tsconfig.json'];
const compilers = [process.env.CXX ?? 'clang++', 'em++'];

/**
 * Titles, what each depends on, and what it does. A step that fails ends the script or answers false; one that stands in two parts runs
 * once; one without inputs always runs.
 */
const linting = { title: 'Formats, lint, types', step: () => lint() };
const building = {
  title: 'Package, site and offline page',
  inputs: [...page, 'tests/golden', 'web/engine/README.md', 'CHANGELOG.md', 'LICENSE', 'build/wasm', 'dist'],
  tools: ['em++'],
  step: () => buildAll(),
};
const parts = {
  cpp: [
    {
      title: 'C++ tests: native with sanitizers, WebAssembly under Node',
      inputs: cpp,
      tools: compilers,
      step: async () => runTests(await buildTests()) === 0,
    },
    {
      title: 'Golden cases',
      inputs: [...cpp, 'tests/golden'],
      tools: compilers,
      step: async () => goldenCases(await buildTests(['phasor_golden']), join(root, 'tests/golden')),
    },
    {
      title: 'C++ package: the program of the README',
      inputs: [...cpp, 'README.md', 'tests/package'],
      tools: ['c++', 'cmake'],
      step: () => cppPackage(),
    },
  ],
  web: [
    building,
    {
      title: 'TypeScript',
      inputs: [...page, 'tests', 'docs', 'README.md', 'CONTRIBUTING.md', 'vitest.config.ts', 'build/wasm', 'dist'],
      step: () => run('npx', 'vitest', 'run'),
    },
    { title: 'Sizes', step: () => run('node', 'scripts/size.mjs') },
  ],
  browser: [
    building,
    {
      title: 'Browsers',
      inputs: [...npm, 'web', 'tests/browser', 'tests/web', 'tests/golden', 'playwright.config.ts', 'build/wasm', 'dist'],
      tools: ['chromium', 'firefox-esr'],
      step: () => run('npx', 'playwright', 'test'),
    },
  ],
};

const words = process.argv.slice(2);
const again = words.includes('again');
const wanted = words.filter((word) => word !== 'again');
const strange = wanted.find((name) => !Object.hasOwn(parts, name));
if (strange !== undefined) {
  console.error(`${strange} is not a part of the tests. Usage: npm test [-- ${Object.keys(parts).join(' | ')}] [again]`);
  process.exit(2);
}
const steps = new Set([linting, ...(wanted.length > 0 ? wanted : Object.keys(parts)).flatMap((name) => parts[name])]);

const took = [];
for (const each of steps) {
  const { title, inputs, step } = each;
  console.log(`\n== ${title}`);
  if (inputs && !again && hasPassed(each)) {
    console.log('passed on the same files before; not run again');
    took.push(`    - s  ${title}`);
    continue;
  }
  const start = performance.now();
  const passed = (await step()) !== false;
  if (inputs) record(each, passed);
  took.push(`${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${title}`);
  if (passed) continue;
  console.error(`${title}: failed`);
  process.exit(1);
}
console.log(`\n== What it took\n${took.join('\n')}`);
