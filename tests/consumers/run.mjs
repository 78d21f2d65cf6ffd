// `npm run test:consumers`: builds dist unless it is current, installs its packed packages beside tools of the npm registry, builds and runs programs
// of users, and compares their values with those of this Node. `-- vite esbuild` runs the cases with these names, `-- --fast` the steps that are marked
// as fast: each kind of consumer once, with tool versions of a fixed day. Tools are kept in build/consumers.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildUnlessCurrent } from '../../scripts/build.mjs';
import { root } from '../../scripts/root.mjs';
import { ALL, program } from './program.mjs';
import { Project } from './project.mjs';
import { closeBrowser, steps } from './steps.mjs';

/** @import { Consumer } from './project.mjs' */
/** @import { Answer, Step } from './steps.mjs' */

/** @typedef {{ [Variant in 'relaxed' | 'simd']: Answer }} Expected */

await buildUnlessCurrent(['npm']);
/** @type {typeof import('../../web/engine/node.ts')} */
const { chooseVariant } = await import(join(root, 'dist/npm/node.js'));

/** `--fast` installs the tool versions of this day, so that a release of a tool does not make npm test fail. */
const DAY = '2026-11-28';

/** Node 20 has relaxed SIMD behind a flag; newer versions and Chromium enable it by default. */
const relaxedSimd = chooseVariant() === 'relaxed' ? [] : ['--experimental-wasm-relaxed-simd'];

/** @returns {Promise<Expected>} */
async function expectedNumbers() {
  /** @param {string} text */
  const printing = (text) => `${text}console.log(JSON.stringify(await answer()));`;
  /** @param {string} variant */
  const forVariant = (variant) =>
    printing(
      program(ALL).replaceAll(
        /((?:create|open)\w+)\((order|files)?\)/g,
        (_, /** @type {string} */ create, /** @type {string | undefined} */ argument) =>
          `${create}(${argument ? `${argument}, ` : ''}{ variant: '${variant}' })`,
      ),
    );
  const files = { 'main.mjs': printing(program(ALL)), 'simd.mjs': forVariant('simd') };
  const project = new Project({ name: 'expected', files });
  /** @param {...string} words */
  const computeNumbers = (...words) => steps.node(project, { command: ['node', ...words] });
  return { relaxed: await computeNumbers(...relaxedSimd, 'main.mjs'), simd: await computeNumbers('simd.mjs') };
}

/** Returns a description of the error in an answer, or undefined. @param {Answer} answer @param {Step} step @param {Expected} expected */
function faultOf(answer, { says, threads }, expected) {
  if (says) return says.test(String(answer)) ? undefined : `expected ${says}, got ${JSON.stringify(answer).slice(0, 300)}`;
  if (answer === undefined) return undefined;
  if (typeof answer !== 'object') return String(answer);
  const entries = Object.keys(answer);
  if (entries.length === 0) return 'it computed nothing';
  for (const entry of entries) {
    // The first element is the variant, the fastest one that the runtime supports.
    const expectedAnswer = expected[answer[entry]?.[0] === 'relaxed' ? 'relaxed' : 'simd'];
    const expectedValues = typeof expectedAnswer === 'object' ? expectedAnswer[entry] : undefined;
    const thread = threads?.[entry];
    const expectedText = JSON.stringify(thread ? expectedValues?.with(-1, thread) : expectedValues);
    if (JSON.stringify(answer[entry]) !== expectedText)
      return `${entry}: ${JSON.stringify(answer[entry]).slice(0, 200)} instead of ${expectedText?.slice(0, 200)}`;
  }
  return undefined;
}

const isFast = process.argv.includes('--fast');
const prefixes = process.argv.slice(2).filter((word) => word !== '--fast');
const files = readdirSync(join(import.meta.dirname, 'cases')).filter((name) => name.endsWith('.mjs'));
/** @type {Consumer[]} */
const cases = (await Promise.all(files.map((name) => import(`./cases/${name}`)))).flatMap((module) => module.default);
const selectedConsumers = cases
  .filter(({ name }) => prefixes.length === 0 || prefixes.some((word) => name.startsWith(word)))
  .map(({ steps: allSteps = [], ...consumer }) => ({ ...consumer, steps: isFast ? allSteps.filter(({ fast }) => fast) : allSteps }))
  .filter(({ steps }) => steps.length > 0);
if (selectedConsumers.length === 0)
  throw new Error(`no consumer is called ${prefixes.join(' ')}; there are ${cases.map(({ name }) => name).join(', ')}`);

const expected = await expectedNumbers();
let failureCount = 0;
for (const consumer of selectedConsumers) {
  /** @type {Project | undefined} */
  let project;
  for (const step of consumer.steps) {
    const title = `${consumer.name}, ${step.title}`;
    const start = performance.now();
    let fault;
    try {
      project ??= new Project(consumer, isFast ? DAY : undefined);
      project.clear(...(step.clear ?? []));
      project.write(step.files ?? {});
      fault = faultOf(await steps[step.kind](project, step), step, expected);
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6);
    console.log(
      `${fault ? 'FAILED' : 'passed'} ${seconds} s  ${title}${fault ? `\n  ${fault.slice(0, 3000).replaceAll('\n', '\n  ')}` : ''}`,
    );
    if (fault) failureCount += 1;
  }
}
await closeBrowser();
console.log(failureCount ? `${failureCount} failed` : 'all passed');
process.exit(failureCount ? 1 : 0);
