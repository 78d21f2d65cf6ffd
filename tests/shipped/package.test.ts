// The package as users get it: packed and installed into an empty project. tests/browser/package.spec.ts bundles it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Consumers } from '../consumer.ts';

const consumers = new Consumers();
afterAll(() => consumers.remove());

const manifest = JSON.parse(readFileSync('dist/npm/package.json', 'utf8'));
const filesOf = (entry: unknown): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry as object).flatMap(filesOf));
const text = (name: string) => readFileSync(`dist/npm/${name}`, 'utf8');

it('has no dependencies, and every file that it names', () => {
  expect(manifest.dependencies).toBeUndefined();
  expect(Object.keys(manifest.exports)).toEqual(
    expect.arrayContaining(['.', './worker', './inline', './worker.js', './figure', './render']),
  );
  const files = Object.values(manifest.exports).flatMap(filesOf);
  for (const file of files.filter((name) => !name.endsWith('*'))) expect(existsSync(`dist/npm/${file}`), file).toBe(true);
  expect(files.filter((name) => name.endsWith('*'))).toEqual(['./models/*']);
  const { models } = JSON.parse(text('models/index.json'));
  for (const { file } of models) expect(existsSync(`dist/npm/models/${file}`), file).toBe(true);
  for (const file of manifest.sideEffects) expect(existsSync(`dist/npm/${file}`), file).toBe(true);
  expect(manifest.sideEffects).toContain('./figure.js');
});

it('keeps the worker out of the engine on the calling thread', () => {
  const reached = new Set(['index.js']);
  for (const file of reached) {
    for (const [, other = ''] of text(file).matchAll(/(?:from|import\() ?["'](\.\.?\/[\w./-]+)["']/g))
      if (!other.endsWith('.wasm')) reached.add(posix.join(posix.dirname(file), other));
  }
  expect(reached).toContain('glue.mjs');
  expect([...reached].filter((file) => /worker|inline|node/.test(file))).toEqual([]);
  // One script, for a worker that is a module and for one that is not.
  expect(text('worker.js')).not.toMatch(/\b(import|export)\b ?["'({*]/);
});

it('has source maps with their sources, and the licenses of what is inside', () => {
  const scripts = readdirSync('dist/npm', { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.c?js$/.test(name) && existsSync(`dist/npm/${name}.map`),
  );
  expect(scripts).toEqual(
    expect.arrayContaining(['index.js', 'load/compile.js', 'node.cjs', 'worker.js', 'figure.js', 'render.js', 'render.cjs']),
  );
  for (const name of scripts) {
    const { sources, sourcesContent, mappings } = JSON.parse(text(`${name}.map`));
    expect(text(name), name).toContain(`//# sourceMappingURL=${posix.basename(name)}.map`);
    expect(sourcesContent, name).toHaveLength(sources.length);
    // One that counts more lines than there are points at other lines than it means.
    expect(mappings.split(';').length, name).toBeLessThanOrEqual(text(name).split('\n').length);
    expect(sources.join(), name).not.toMatch(/\.\.\/|^\/|:\/\//);
  }
  const licenses = text('third-party.LICENSES.txt');
  for (const name of ['Mozilla Public License Version 2.0', 'Emscripten', 'musl', 'LLVM Exceptions', 'Apache License']) {
    expect(licenses).toContain(name);
  }
});

it('names the packages that are inside of each script, and no others', async () => {
  const scripts = readdirSync('dist/npm').filter(
    (name) => /^(figure(-.*)?|anywidget|render)\.c?js$/.test(name) && existsSync(`dist/npm/${name}.map`),
  );
  // Source maps name the files that something of a script comes from.
  const inside = scripts.map((script) => {
    const sources: string[] = JSON.parse(text(`${script}.map`)).sources;
    const names = sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
    return [script, [...new Set(names)].sort()] as const;
  });
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  const parts = text('third-party.LICENSES.txt').split(rule).slice(3);
  const listed = parts.map((part) => /^(\S+), in (.*)\n\n(?=[\s\S]{200})/.exec(part) ?? []);
  expect(listed.map(([, name]) => name)).toEqual([...new Set(inside.flatMap(([, names]) => names))].sort());
  for (const [script, names] of inside)
    expect(listed.filter(([, , where = '']) => where.split(/, and |, | and /).includes(script)).map(([, name]) => name)).toEqual(names);
  expect(new Map(inside).get('figure-core.js')).toEqual(expect.arrayContaining(['lit-html', '@preact/signals-core']));

  const { packagesIn, licenseTexts } = await import('../../scripts/package/licenses.mjs' as string);
  const lines = (renderedLength: number) => ({ renderedLength });
  const modules = { '/a/node_modules/x/node_modules/@b/c/d.js': lines(1), '/a/node_modules/gone/e.js': lines(0), '/a/web/f.ts': lines(9) };
  expect(packagesIn(modules)).toEqual(['@b/c']);
  expect(() => licenseTexts({ 'f.js': ['no-such-package'] })).toThrow('no-such-package');
});
