// Compares a checkout of transformers with the table of model families and with transformers-keys.json, which records the state of an older
// checkout: `npm run families -- FOLDER` prints model types that are in neither, and keys about positions or layers that are new or have
// another default. After the table is updated, `--write` updates transformers-keys.json.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

const list = join(root, 'scripts/docs/transformers-keys.json');
/** Keys that may concern positions or layers. */
const CONCERNS = /rope|rotary|position|layer|sliding|window|chunk|interval|pattern|alibi|nope|head_dim|softcap|compress/;
/** Exceptions: keys that match CONCERNS but concern neither. */
const ELSEWHERE = /layer_?norm|layerdrop|num_hidden_layers|mlp_layer|_layers$|^num_layers/;

/** @typedef {Record<string, string>} Keys the default of each key, as written in the source */

/** The classes of a configuration file, each with its bases and keys. @param {string} source */
function classesOf(source) {
  return [...source.matchAll(/^class (\w+)\(([^)]*)\):\n((?:[ \t].*\n|\n)*)/gm)].map(([, name = '', bases = '', body = '']) => {
    /** @type {Keys} */
    const keys = {};
    // Keys are attributes in version 5 of transformers, and arguments of the constructor in version 4.
    for (const [, key = '', value = ''] of body.matchAll(/^ {4}(\w+)(?:: [^=\n]+)? = (.+)$/gm)) keys[key] = value;
    const [, parameters = ''] = /def __init__\(\n([\s\S]*?)\n {4}\):/.exec(body) ?? [];
    for (const [, key = '', value = ''] of parameters.matchAll(/^ {8}(\w+)(?:: [^=\n]+)?\s?=\s?(.+?),?$/gm)) keys[key] = value;
    return { name, bases: bases.split(/,\s*/), keys };
  });
}

/** @param {string} folder */
function configurationFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => /(^|\/)configuration_\w+\.py$/.test(path))
    .sort()
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
}

/** The keys that concern positions or layers, by model type. @param {string} folder */
function readCheckout(folder) {
  /** @type {Record<string, Keys>} */
  const types = {};
  for (const path of configurationFiles(folder)) {
    /** @type {Map<string, Keys>} */
    const seen = new Map();
    for (const { name, bases, keys } of classesOf(readFileSync(path, 'utf8'))) {
      const all = { ...Object.assign({}, ...bases.map((base) => seen.get(base) ?? {})), ...keys };
      seen.set(name, all);
      const [, type] = /^["']([\w.-]+)["']/.exec(keys.model_type ?? '') ?? [];
      if (!type) continue;
      const concerned = Object.entries(all).filter(([key]) => CONCERNS.test(key) && !ELSEWHERE.test(key));
      types[type] = Object.fromEntries(concerned.sort(([a], [b]) => (a < b ? -1 : 1)));
    }
  }
  return types;
}

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

function listedTypes() {
  /** @type {{ names: string[] }[]} */
  const families = readJson(join(root, 'docs/families.json'));
  return new Set(families.flatMap(({ names }) => names));
}

/** @param {Record<string, Keys>} types @param {{ listed: Record<string, Keys>, unlisted: string[] }} before */
function report(types, before, listed = listedTypes()) {
  const unlisted = new Set(before.unlisted);
  const added = Object.keys(types).filter((type) => !listed.has(type) && !unlisted.has(type));
  const lines = added.map((type) => `new model type: ${type} ${JSON.stringify(types[type])}`);
  for (const [type, keys] of Object.entries(types)) {
    const known = before.listed[type];
    if (!listed.has(type) || !known) continue;
    for (const [key, value] of Object.entries(keys)) {
      if (!(key in known)) lines.push(`${type}: new key ${key} = ${value}`);
      else if (known[key] !== value) lines.push(`${type}: ${key} = ${value}, was ${known[key]}`);
    }
  }
  const missing = Object.keys(before.listed).filter((type) => !(type in types));
  if (missing.length > 0) lines.push(`no longer there: ${missing.join(', ')}`);
  return lines;
}

const words = process.argv.slice(2);
const folder = words.find((word) => !word.startsWith('--'));
if (folder === undefined) {
  console.error('folder: it is missing; expected `npm run families -- FOLDER`, a checkout of transformers or the unpacked package');
  process.exit(2);
}
const types = readCheckout(folder);
if (Object.keys(types).length === 0) {
  console.error(`folder: ${folder} has no configuration_*.py with a model_type; expected a checkout of transformers`);
  process.exit(2);
}
if (words.includes('--write')) {
  const listed = listedTypes();
  const entries = Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = entries.filter(([type]) => listed.has(type)).map(([type, keys]) => `${JSON.stringify(type)}: ${JSON.stringify(keys)}`);
  const others = entries.map(([type]) => type).filter((type) => !listed.has(type));
  writeFileSync(list, `{"unlisted": ${JSON.stringify(others)},\n"listed": {\n${rows.join(',\n')}\n}}\n`);
} else {
  const lines = report(types, readJson(list));
  console.log(lines.join('\n') || `no changes in ${Object.keys(types).length} model types`);
  process.exitCode = lines.length > 0 ? 1 : 0;
}
