// Writes build/golden-cases.json: the small golden cases, and the smallest case of every method, for the self-test of the page. Expected outputs are
// rounded to twelve digits, a thousandth of the smallest tolerance; inputs are unchanged.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../root.mjs';

const folder = join(root, 'tests/golden');
const target = join(root, 'build/golden-cases.json');

/** The maximum length of a case in characters, unless it is the smallest of its method. */
const MOST = 3000;
/** The golden file of layers and optimizers, which only the WebAssembly with training contains. */
const TRAINING = 'nn';
const REFERENCE = /^@(.*)$/;

/**
 * A golden case (tests/golden). Values in its sections that begin with '@' name tensors.
 * @typedef {{ id: string, method: string, params?: Section, inputs?: Section, outputs?: Section }} GoldenCase
 */
/** @typedef {Record<string, unknown>} Section */
/** @typedef {{ tensors?: Record<string, unknown>, cases: GoldenCase[] }} GoldenFile */

/** @param {string} _ @param {unknown} value */
const rounded = (_, value) => (typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value);

/** The cases of a file, each with the tensors that it names. @param {string} family */
function casesOf(family) {
  /** @type {GoldenFile} */
  const { tensors = {}, cases } = JSON.parse(readFileSync(join(folder, `${family}.json`), 'utf8'));
  return cases.map(({ id, method, params, inputs, outputs }) => {
    /** @type {Record<string, unknown>} */
    const used = {};
    /** @param {Section | undefined} section */
    const renamed = (section) =>
      section &&
      Object.fromEntries(
        Object.entries(section).map(([name, value]) => {
          const [, tensor] = (typeof value === 'string' && REFERENCE.exec(value)) || [];
          if (tensor === undefined) return [name, value];
          used[`${family}.${tensor}`] = tensors[tensor];
          return [name, `@${family}.${tensor}`];
        }),
      );
    const entry = {
      id,
      method,
      params: renamed(params),
      inputs: renamed(inputs),
      outputs: JSON.parse(JSON.stringify(renamed(outputs), rounded)),
    };
    return { entry, used, size: JSON.stringify(entry).length };
  });
}

export function selection() {
  const families = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/\.json$/, ''))
    .filter((family) => family !== TRAINING);
  const all = families.sort().flatMap(casesOf);
  /** @type {Map<string, ReturnType<typeof casesOf>[0]>} */
  const smallest = new Map();
  for (const one of all)
    if (one.size < (smallest.get(one.entry.method)?.size ?? Number.POSITIVE_INFINITY)) smallest.set(one.entry.method, one);
  const chosen = all.filter((one) => one.size <= MOST || smallest.get(one.entry.method) === one);
  return {
    schema: 'phasor-golden-1',
    tensors: Object.assign({}, ...chosen.map(({ used }) => used)),
    cases: chosen.map(({ entry }) => entry),
  };
}

/** @returns {import('vite').Plugin} */
export const goldenSelection = () => ({
  name: 'phasor-golden-selection',
  buildStart() {
    const newest = Math.max(
      ...[folder, import.meta.filename, ...readdirSync(folder).map((name) => join(folder, name))].map((path) => statSync(path).mtimeMs),
    );
    if (existsSync(target) && statSync(target).mtimeMs > newest) return;
    mkdirSync(dirname(target), { recursive: true });
    // The file is replaced atomically, because several builds may run at once.
    writeFileSync(`${target}.${process.pid}`, JSON.stringify(selection()));
    renameSync(`${target}.${process.pid}`, target);
  },
});
