// `npm test`: everything, in the order in which a failure says most; `npm test -- cpp`, `web` or `browser`: a part of it. Each runner
// prints its own closing line, and the end says what each step took.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildAll } from './build.mjs';
import { root } from './cmake.mjs';
import { cppPackage } from './cpp-package.mjs';
import { buildTests, runTests } from './cpp-tests.mjs';
import { lint } from './format.mjs';
import { goldenCases } from './golden.mjs';

const run = (command, ...args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;

/** Titles and steps. A step that fails ends the script or answers false; one that stands in two parts runs once. */
const linting = ['Formats, lint, types', () => lint()];
const building = ['Package, site and offline page', () => buildAll()];
const parts = {
  cpp: [
    ['C++ tests: native with sanitizers, WebAssembly under Node', async () => runTests(await buildTests()) === 0],
    ['Golden cases', async () => goldenCases(await buildTests(['phasor_golden']), join(root, 'tests/golden'))],
    ['C++ package: the program of the README', () => cppPackage()],
  ],
  web: [building, ['TypeScript', () => run('npx', 'vitest', 'run')], ['Sizes', () => run('node', 'scripts/size.mjs')]],
  browser: [building, ['Browsers', () => run('npx', 'playwright', 'test')]],
};

const wanted = process.argv.slice(2);
const strange = wanted.find((name) => !Object.hasOwn(parts, name));
if (strange !== undefined) {
  console.error(`${strange} is not a part of the tests. Usage: npm test [-- ${Object.keys(parts).join(' | ')}]`);
  process.exit(2);
}
const steps = new Set([linting, ...(wanted.length > 0 ? wanted : Object.keys(parts)).flatMap((name) => parts[name])]);

const took = [];
for (const [title, step] of steps) {
  console.log(`\n== ${title}`);
  const start = performance.now();
  const passed = (await step()) !== false;
  took.push(`${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${title}`);
  if (passed) continue;
  console.error(`${title}: failed`);
  process.exit(1);
}
console.log(`\n== What it took\n${took.join('\n')}`);
