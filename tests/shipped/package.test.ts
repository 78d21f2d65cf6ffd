// The contents of the built packages. tests/shipped/package-users.test.ts installs phasor into empty projects, and tests/browser/package.spec.ts bundles it.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const manifest = JSON.parse(readFileSync('dist/npm/package.json', 'utf8'));
const filesOf = (entry: unknown): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry as object).flatMap(filesOf));
const text = (name: string) => readFileSync(`dist/npm/${name}`, 'utf8');

it('has no dependencies, and contains every file that package.json names', () => {
  expect(manifest.dependencies).toBeUndefined();
  expect(Object.keys(manifest.exports)).toEqual(
    expect.arrayContaining([
      '.',
      './analysis',
      './worker',
      './inline',
      './model',
      './worker.js',
      './model-worker.js',
      './figure',
      './render',
    ]),
  );
  for (const file of Object.values(manifest.exports).flatMap(filesOf)) expect(existsSync(`dist/npm/${file}`), file).toBe(true);
  for (const file of manifest.sideEffects) expect(existsSync(`dist/npm/${file}`), file).toBe(true);
  expect(manifest.sideEffects).toContain('./figure.js');
});

it('imports no worker code for the engine on the calling thread', () => {
  const modules = new Set(['index.js']);
  for (const file of modules) {
    for (const [, path = ''] of text(file).matchAll(/(?:from|import\() ?["'](\.\.?\/[\w./-]+)["']/g))
      if (!path.endsWith('.wasm')) modules.add(posix.join(posix.dirname(file), path));
  }
  expect(modules).toContain('phasor.mjs');
  expect([...modules].filter((file) => /worker|inline|node/.test(file))).toEqual([]);
  // A script without imports and exports works in module workers and in classic workers.
  for (const worker of ['worker.js', 'model-worker.js']) expect(text(worker)).not.toMatch(/\b(import|export)\b ?["'({*]/);
});

it('requires the modules that it imports, without a second copy of any code', () => {
  const names = readdirSync('dist/npm', { recursive: true, encoding: 'utf8' });
  const required = names.filter((name) => name.endsWith('.cjs'));
  expect(required).toEqual(expect.arrayContaining(['node.cjs', 'workers.node.cjs', 'render.cjs']));
  for (const name of required) expect(text(name)).toBe(`module.exports = require('./${name.replace('.cjs', '.js')}');\n`);
  // Each .d.ts file is an entry that re-exports the declarations of a .d.cts file.
  for (const name of names.filter((one) => one.endsWith('.d.ts') && !one.endsWith('.wasm.d.ts')))
    expect(text(name), name).toMatch(/^export \* from '\.\/[\w-]+\.cjs';\n$/);
  expect(names.filter((name) => /\.map$|^models\/|anywidget/.test(name))).toEqual([]);
  // phasor/figure and phasor/render share the files of recorded trainings.
  expect(text('render.js')).toContain('./figure-regression-recorded.js');
  expect(text('figure-regression-recorded.js')).toMatch(/^export default \{/);
});

it('has an index of phasor-models that matches its files', () => {
  const { folder, models } = JSON.parse(text('models.json'));
  expect(folder).toBe('../phasor-models/');
  const { name, version } = JSON.parse(readFileSync('dist/npm-models/package.json', 'utf8'));
  expect({ name, version }).toEqual({ name: 'phasor-models', version: manifest.version });
  expect(models.length).toBeGreaterThan(30);
  for (const { file, bytes, sha256 } of models) {
    const weights = readFileSync(`dist/npm-models/${file}`);
    expect([file, weights.length, createHash('sha256').update(weights).digest('hex')]).toEqual([file, bytes, sha256]);
  }
});

it('contains the compressed WebAssembly file in phasor/inline', async () => {
  const { default: packed } = await import('../../dist/npm/inline-wasm.js' as string);
  expect(gunzipSync(Buffer.from(packed, 'base64')).equals(readFileSync('dist/npm/phasor.wasm'))).toBe(true);
});

/** For each package, a string that only its code contains. */
const MARKS = {
  'lit-html': 'litHtmlVersions',
  '@lit/reactive-element': 'reactiveElementVersions',
  'lit-element': 'litElementVersions',
  '@preact/signals-core': 'Cycle detected',
};

it('contains the licenses of the packages that are bundled in its scripts', async () => {
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  for (const folder of ['dist/npm', 'dist/npm-anywidget']) {
    const [...parts] = readFileSync(`${folder}/third-party.LICENSES.txt`, 'utf8').split(rule);
    for (const name of ['Mozilla Public License Version 2.0', 'Emscripten', 'musl', 'LLVM Exceptions', 'Apache License'])
      expect(parts.slice(0, 3).join(), folder).toContain(name);
    const listed = new Map(
      parts.slice(3).map((part) => {
        const [, name = '', where = ''] = /^(\S+), in (.*)\n\n(?=[\s\S]{200})/.exec(part) ?? [];
        return [name, where.split(/, and |, | and /)] as const;
      }),
    );
    for (const where of listed.values()) for (const script of where) expect(existsSync(`${folder}/${script}`), script).toBe(true);
    const scripts = readdirSync(folder).filter((name) => /^(figure(-.*)?|anywidget|render)\.js$/.test(name));
    for (const [name, mark] of Object.entries(MARKS)) {
      const matchingScripts = scripts.filter((script) => readFileSync(`${folder}/${script}`, 'utf8').includes(mark));
      expect(matchingScripts.length, name).toBeGreaterThan(0);
      expect(listed.get(name), name).toEqual(expect.arrayContaining(matchingScripts));
    }
  }

  const { packagesIn, licenseTexts } = await import('../../scripts/package/licenses.mjs' as string);
  const lines = (renderedLength: number) => ({ renderedLength });
  const modules = { '/a/node_modules/x/node_modules/@b/c/d.js': lines(1), '/a/node_modules/gone/e.js': lines(0), '/a/web/f.ts': lines(9) };
  expect(packagesIn(modules)).toEqual(['@b/c']);
  expect(() => licenseTexts({ 'f.js': ['no-such-package'] })).toThrow('no-such-package');
});
