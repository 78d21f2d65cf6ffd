// scripts/README.md describes every folder of scripts and how each script is run.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const index = readFileSync('scripts/README.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const files = readdirSync('scripts', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice('scripts/'.length));

it('the index describes every folder and every file outside of folders', () => {
  const folders = [...index.matchAll(/^\| `([a-z]+)` \| \S/gm)].map((match) => match[1]);
  expect(folders.toSorted()).toEqual([...new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))].toSorted());
  const topLevelScripts = files.filter((file) => file.endsWith('.mjs') && !file.includes('/'));
  for (const file of topLevelScripts) expect(index, file).toContain(`\`${file}\``);
});

it('the index names each file of site, book and package exactly once', () => {
  const isFlowScript = (file: string) => /^(site|book|package)\/.*\.mjs$/.test(file);
  const namedScripts = [...index.matchAll(/`([\w/-]+\.mjs)`/g)].map((match) => match[1] ?? '').filter(isFlowScript);
  expect(namedScripts.toSorted()).toEqual(files.filter(isFlowScript).toSorted());
});

it('the index names every script that is run by hand, and only existing ones', () => {
  const [, table = ''] = index.split('## Run by hand');
  const scriptsIn = (text: string) => [...text.matchAll(/\bscripts\/([\w/-]+\.mjs)/g)].map((match) => match[1] ?? '');
  const commands = [...table.matchAll(/`npm (?:run )?([\w:-]+)/g)].map((match) => match[1] ?? '');
  for (const command of commands) expect(Object.keys(scripts)).toContain(command);
  const namedScripts = [...scriptsIn(table), ...commands.flatMap((command) => scriptsIn(scripts[command] ?? ''))];
  for (const file of namedScripts) expect(files).toContain(file);
  const run = files.filter((file) => file.endsWith('.mjs') && readFileSync(join('scripts', file), 'utf8').includes('process.argv'));
  for (const file of [...run, ...Object.values(scripts).flatMap(scriptsIn)]) expect(namedScripts).toContain(file);
});

it('paths of the project in scripts exist', () => {
  const paths = files
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) => [...readFileSync(join('scripts', file), 'utf8').matchAll(/'((?:scripts|docs|tests|cpp|cmake|public)\/[^'*;\s]+)'/g)])
    .map((match) => match[1] ?? '');
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) expect(existsSync(path), path).toBe(true);
});

it('the test cache invalidates a step if a file of the project is added or changed', async () => {
  const { hasPassed, record } = (await import('../../scripts/test/test-cache.mjs' as string)) as {
    hasPassed: (step: object) => boolean;
    record: (step: object, passed: boolean) => void;
  };
  const step = { title: `a step that a test has made ${process.pid}` };
  const file = `docs/a-file-that-a-test-has-made-${process.pid}`;
  try {
    record(step, true);
    expect(hasPassed(step)).toBe(true);
    writeFileSync(file, '1');
    expect(hasPassed(step)).toBe(false);
    record(step, true);
    expect(hasPassed(step)).toBe(true);
    writeFileSync(file, '2');
    expect(hasPassed(step)).toBe(false);
  } finally {
    rmSync(file, { force: true });
    record(step, false);
  }
});
