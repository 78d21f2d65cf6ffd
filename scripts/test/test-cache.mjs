// The cache of passed test steps: a step is skipped while the sources, its build products and its tools are unchanged.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentDigest } from '../digest.mjs';
import { root } from '../root.mjs';
import { run } from '../run.mjs';

const folder = join(root, 'build/passed');

/**
 * A step of the tests. `built`: the folders of build products that it reads. `tools`: the programs that it runs.
 * @typedef {{ title: string, built?: string[], tools?: string[] }} Step
 */

/** @param {string} tool */
const versionOf = (tool) => spawnSync(tool, ['--version'], { encoding: 'utf8' }).stdout ?? '';

/** All files except those that git ignores. */
const sources = () => run('git', ['ls-files', '-co', '--exclude-standard', '-z']).split('\0').filter(Boolean).sort();

/**
 * The digest of the inputs of a step: all sources, its build products, the versions of its tools, Node and the architecture.
 * @param {Step} step
 */
function digest({ built = [], tools = [] }) {
  const hash = createHash('sha256')
    .update(`${process.version} ${process.arch}\n`)
    .update(contentDigest([...sources(), ...built]));
  for (const tool of tools) hash.update(versionOf(tool));
  return hash.digest('hex');
}

/** @param {string} title */
const recordOf = (title) => join(folder, `${title.replaceAll(/\W+/g, '-').toLowerCase()}.txt`);

/** Whether the step has passed with the same inputs. @param {Step} step */
export const hasPassed = (step) => existsSync(recordOf(step.title)) && readFileSync(recordOf(step.title), 'utf8') === digest(step);

/** Records the result of a step. A build changes its own inputs, so the digest is computed again. @param {Step} step @param {boolean} passed */
export function record(step, passed) {
  mkdirSync(folder, { recursive: true });
  if (passed) writeFileSync(recordOf(step.title), digest(step));
  else rmSync(recordOf(step.title), { force: true });
}
