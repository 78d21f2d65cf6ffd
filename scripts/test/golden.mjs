// npm run test:golden -- DIR [--allow-unknown]: runs the golden files of DIR in every build; a case passes when every build passes it.
// --allow-unknown accepts unknown methods: only the exit code changes, not the counts. --native skips the WebAssembly build. A folder without cases
// fails.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../root.mjs';
import { buildNativeSuites, buildWholeWasmTests } from './cpp-tests.mjs';

/** @typedef {import('./cpp-tests.mjs').TestBuild} TestBuild */
/** The result of a case in one build; `why` is empty if it passed. @typedef {{ file: string, id: string, method: string, why: string }} CaseResult */

/** @param {TestBuild} build @param {string} folder @returns {CaseResult[]} empty if the program did not finish */
function runBuild({ name, program }, folder) {
  const results = join(root, 'build/golden');
  mkdirSync(results, { recursive: true });
  const file = join(results, `${name}.json`);
  rmSync(file, { force: true });
  const [command = '', ...args] = [...program('phasor_golden'), folder, '--json', file];
  const run = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  console.error(`${name}: the golden program did not finish (${run.signal ?? run.status})\n${run.stdout}${run.stderr}`);
  return [];
}

/**
 * Prints failures and counts over cases.
 * @param {TestBuild[]} builds
 * @param {string} folder
 * @returns {boolean} whether there were cases and all passed, or failed only by an unknown method if that is allowed
 */
export function goldenCases(builds, folder, { allowUnknown = false } = {}) {
  const runs = builds.map((build) => ({ build: build.name, cases: runBuild(build, folder) }));
  // Cases are matched by index, because ids need not be unique and all builds run the same cases in the same order. An unfinished build has no
  // results.
  const longest = runs.reduce((most, run) => (run.cases.length > most.length ? run.cases : most), /** @type {CaseResult[]} */ ([]));
  const results = longest.map(({ file, id, method }, index) => ({
    file,
    id,
    method,
    why: runs.map(({ build, cases }) => ({ build, text: cases[index]?.why ?? 'was not run' })).filter(({ text }) => text),
  }));
  /** @type {Map<string, number>} */
  const unknown = new Map();
  let failed = 0;
  for (const { file, id, method, why } of results) {
    if (why.length === 0) continue;
    failed += 1;
    if (why.every(({ text }) => text === `unknown method ${method}`)) {
      unknown.set(method, (unknown.get(method) ?? 0) + 1);
      continue;
    }
    for (const text of new Set(why.map((reason) => reason.text))) {
      const where = why.filter((reason) => reason.text === text).map(({ build }) => build);
      console.log(`${file} ${id} [${where.join(', ')}]: ${text}`);
    }
  }
  for (const [method, count] of [...unknown].sort()) console.log(`unknown method ${method} (${count} case${count > 1 ? 's' : ''})`);
  console.log(`${results.length - failed} passed, ${failed} failed`);
  const forgiven = allowUnknown ? [...unknown.values()].reduce((a, b) => a + b, 0) : 0;
  return results.length > 0 && failed <= forgiven;
}

if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2);
  const folder = words.find((word) => !word.startsWith('--'));
  const unknown = words.find((word) => word.startsWith('--') && !['--allow-unknown', '--native'].includes(word));
  if (!folder || unknown) {
    console.error(`${unknown ? `${unknown} is not an option. ` : ''}Usage: npm run test:golden -- DIR [--allow-unknown] [--native]`);
    process.exit(2);
  }
  const builds = await buildNativeSuites(['phasor_golden']);
  if (!words.includes('--native')) builds.push(await buildWholeWasmTests(['phasor_golden']));
  // npm changes to the package's folder; the path is relative to the caller's.
  const typed = resolve(process.env.INIT_CWD ?? process.cwd(), folder);
  process.exitCode = goldenCases(builds, typed, { allowUnknown: words.includes('--allow-unknown') }) ? 0 : 1;
}
