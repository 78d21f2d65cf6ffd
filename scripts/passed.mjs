// Which steps of the tests have passed, and on what: a step is not run again while its inputs and the tools it runs with are the same.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './cmake.mjs';

const folder = join(root, 'build/passed');

/** Files of a folder, sorted; a file is itself, and what is not there has none. */
function filesOf(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

const versionOf = (tool) => spawnSync(tool, ['--version'], { encoding: 'utf8' }).stdout ?? '';

/** What a step depends on, as one word: names and contents of its inputs, what its tools say of themselves, Node and the processor's family. */
function digest({ inputs, tools = [] }) {
  const hash = createHash('sha256').update(`${process.version} ${process.arch}\n`);
  for (const file of inputs.flatMap(filesOf)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  for (const tool of tools) hash.update(versionOf(tool));
  return hash.digest('hex');
}

const recordOf = (title) => join(folder, `${title.replaceAll(/\W+/g, '-').toLowerCase()}.txt`);

/** Whether the step passed on exactly these inputs. */
export const hasPassed = (step) => existsSync(recordOf(step.title)) && readFileSync(recordOf(step.title), 'utf8') === digest(step);

/** To be called after a step: builds change what they depend on, so it is read again. */
export function record(step, passed) {
  mkdirSync(folder, { recursive: true });
  if (passed) writeFileSync(recordOf(step.title), digest(step));
  else rmSync(recordOf(step.title), { force: true });
}
