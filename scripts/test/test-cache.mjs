// Which steps of the tests have passed, and on what: a step is not run again while no source of the project has changed, nor what is built, nor the
// tools it runs with.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentDigest } from '../digest.mjs';
import { root } from '../root.mjs';
import { run } from '../run.mjs';

const folder = join(root, 'build/passed');

/**
 * A step of the tests: `built` are the folders it reads of what is built, `tools` the programs it runs.
 * @typedef {{ title: string, built?: string[], tools?: string[] }} Step
 */

/** @param {string} tool */
const versionOf = (tool) => spawnSync(tool, ['--version'], { encoding: 'utf8' }).stdout ?? '';

/** All files but those that git ignores. */
const sources = () => run('git', ['ls-files', '-co', '--exclude-standard', '-z']).split('\0').filter(Boolean).sort();

/**
 * What a step depends on, as one word: all sources, what it reads of what is built, what its tools say of themselves, Node and the processor's family.
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

/** Whether the step passed on exactly these. @param {Step} step */
export const hasPassed = (step) => existsSync(recordOf(step.title)) && readFileSync(recordOf(step.title), 'utf8') === digest(step);

/** To be called after a step: builds change what they depend on, so it is read again. @param {Step} step @param {boolean} passed */
export function record(step, passed) {
  mkdirSync(folder, { recursive: true });
  if (passed) writeFileSync(recordOf(step.title), digest(step));
  else rmSync(recordOf(step.title), { force: true });
}
