// The package as users get it: packed and installed into an empty project. tests/browser/package.spec.ts bundles it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Consumers, program } from '../consumer.ts';

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

it('runs in a fresh Node project, on this thread and in a worker', () => {
  const path = consumers.project('node-user', {
    'main.js': `
      import { createPhasor, splitHeads, splitQkv } from 'phasor';
      import { createPhasorWorker } from 'phasor/worker';
      const request = { encoding: 'sinusoidal', length: 2, width: 4 };
      const phasor = await createPhasor();
      const remote = await createPhasorWorker();
      console.log(phasor.table(request).data[4], (await remote.table(request)).data[4]);
      remote.dispose();
      const qkv = { shape: [1, 12], data: Float32Array.from({ length: 12 }, (_, i) => i) };
      const { v } = splitQkv(qkv, { heads: 2, layout: 'heads_qkv_width' });
      console.log(...phasor.rotate(v, { encoding: 'rope' }).data, splitHeads(qkv, 3).shape[0]);`,
  });
  const printed = execFileSync('node', ['main.js'], { cwd: path, encoding: 'utf8' }).trim().split(/\s/).map(Number);
  expect(printed).toEqual([Math.fround(Math.sin(1)), Math.fround(Math.sin(1)), 4, 5, 10, 11, 3]);
});

// A thread inherits the flags of the program, and with --input-type=module its text is taken for a module.
it('starts workers in a program that is the text of --eval or comes through standard input', () => {
  const path = consumers.project('eval-user', {});
  const answers = (address: string) => `
    const request = { encoding: 'sinusoidal', length: 2, width: 4 };
    for (const start of [createPhasorWorker, () => createPhasorPool({ workers: 2 }), () => createPhasorWorker({ worker: ${address} })]) {
      const remote = await start();
      console.log(remote.thread, (await remote.table(request)).data[4]);
      remote.dispose();
    }`;
  const module = `import { createPhasorPool, createPhasorWorker } from 'phasor/worker';${answers("new URL(import.meta.resolve('phasor/worker.js'))")}`;
  const script = `const { createPhasorPool, createPhasorWorker } = require('phasor/worker');
    (async () => {${answers("require('node:url').pathToFileURL(require.resolve('phasor/worker.js'))")}})();`;
  const printed = (words: string[], input?: string) => execFileSync('node', words, { cwd: path, encoding: 'utf8', input });
  const three = `worker ${Math.fround(Math.sin(1))}\n`.repeat(3);
  for (const flags of [[], ['--no-warnings', '--max-old-space-size=500']]) {
    expect(printed([...flags, '--input-type=module', '-e', module])).toBe(three);
    expect(printed([...flags, '--input-type=module', '--eval', module])).toBe(three);
    expect(printed([...flags, '--input-type=module', '-'], module)).toBe(three);
    expect(printed([...flags, '--input-type=commonjs', '-e', script])).toBe(three);
    expect(printed([...flags, '-e', script])).toBe(three);
    expect(printed([...flags, '-'], script)).toBe(three);
  }
});

// The quick half of npm run test:consumers, whose program this is.
it('computes the same for import and for require', async () => {
  const { commonJs, printed, program: text } = await import('../consumers/program.mjs' as string);
  const path = consumers.project('either-user', { 'main.mjs': text() + printed, 'main.cjs': commonJs() + printed });
  const [imported, required] = ['main.mjs', 'main.cjs'].map((file) =>
    JSON.parse(execFileSync('node', [file], { cwd: path, encoding: 'utf8' })),
  );
  expect(required).toEqual(imported);
  expect(imported.inline).toEqual(imported.direct);
  expect(imported.worker).toEqual([...imported.direct, 'worker']);
  expect(imported.direct).toHaveLength(1 + 2 * 6 * 8 + 2 * 3 * 3);
});

it('draws figures in a fresh Node project, where importing the element does nothing', () => {
  const path = consumers.project('rendering-user', {
    'main.js': `
      import 'phasor/figure';
      import { PhasorError } from 'phasor';
      import { renderFigure } from 'phasor/render';
      const spec = { kind: 'similarity', length: 12, encoding: 'sinusoidal base=100' };
      const svg = await renderFigure(spec, { theme: 'dark', width: 500 });
      const again = await renderFigure({ ...spec, encoding: { id: 'sinusoidal', base: 100 }, length: '12' }, { theme: 'dark', width: 500 });
      const refused = async (...args) => renderFigure(...args).catch((error) => [error instanceof PhasorError, error.code, error.message]);
      console.log(JSON.stringify({ svg, same: svg === again, refusals: await Promise.all([
        refused({ kind: 'nothing' }),
        refused({ kind: 'similarity', length: 0 }),
        refused({ kind: 'similarity', lenght: 8 }),
        refused({ kind: 'similarity', encoding: { id: 'sinusoidal', base: -1 } }),
        refused({ kind: 'similarity' }, { width: 1 }),
        refused({ kind: 'similarity' }, { theme: 'blue' }),
        refused({ kind: 'similarity' }, { widht: 100 }),
      ]) }));`,
  });
  const { svg, same, refusals } = JSON.parse(execFileSync('node', ['main.js'], { cwd: path, encoding: 'utf8' }));
  expect(svg).toMatch(/^<svg [^>]*role="img"/);
  expect(svg).toContain('<title>How alike are two positions?</title>');
  expect(svg).toMatch(/<desc>12 rows by 12 columns\. Cosine similarity between -?[\d.]+ and 1\.00\./);
  expect(svg).toContain('href="data:image/png;base64,');
  expect(svg).toContain('fill="#14161a"');
  expect(Number(/width="(\d+)"/.exec(svg)?.[1])).toBeLessThanOrEqual(500);
  expect(same).toBe(true);
  const sentences: [string, RegExp][] = [
    ['unknown_name', /^kind: “nothing” is unknown; it is one of .*similarity/],
    ['invalid_argument', /^length: 0 is outside 1 to 1,024$/],
    ['unknown_name', /lenght/],
    ['invalid_argument', /base/],
    ['invalid_argument', /^width: 1 is outside 40 to 8,192$/],
    ['invalid_argument', /^theme: “blue” is not light or dark$/],
    ['unknown_name', /^widht is not an option/],
  ];
  expect(refusals).toEqual(sentences.map(([code, sentence]) => [true, code, expect.stringMatching(sentence)]));
});

it('type-checks in a fresh TypeScript project', () => {
  const path = consumers.project('typescript-user', {
    'main.ts': `
      import { createPhasor, PhasorError, type Tensor } from 'phasor';
      const phasor = await createPhasor({ variant: 'auto' });
      const table: Tensor = phasor.table({ encoding: { id: 'sinusoidal', base: 100 }, length: 2, width: 4 });
      // @ts-expect-error: a width is needed
      phasor.table({ encoding: 'sinusoidal', length: 2 });
      export { PhasorError, table };`,
    'common.cts': `
      import { createPhasor } from 'phasor';
      import { createPhasorWorker, type RemotePhasor } from 'phasor/worker';
      import { renderFigure } from 'phasor/render';
      import simd = require('phasor/phasor-simd.wasm');
      import 'phasor/figure';
      const made: Promise<RemotePhasor> = createPhasorWorker({ wasm: { simd }, fallback: 'same-thread' });
      export = { made, createPhasor, renderFigure };`,
    'figures.ts': `
      import 'phasor/figure';
      import type { FigureChange } from 'phasor/figure';
      import { renderFigure, type RenderOptions } from 'phasor/render';
      const options: RenderOptions = { theme: 'dark' };
      const svg: string = await renderFigure({ kind: 'similarity', length: 8 }, options);
      const figure = document.createElement('phasor-figure');
      figure.spec = { kind: 'similarity', length: 8 };
      await figure.ready;
      const { similarity } = figure.numbers();
      const values: Float32Array | undefined = similarity?.data;
      const image: Blob = await figure.toPNG(2);
      figure.addEventListener('phasor-change', ({ detail }) => {
        const change: FigureChange = detail;
        const code: Promise<string> = figure.code('numpy');
        console.log(change.field, code);
      });
      // @ts-expect-error: there is no such language
      figure.code('fortran');
      // @ts-expect-error: a state is read
      figure.state = 'ready';
      export { svg, values, image };`,
    'typed-user.ts': readFileSync('tests/web/typed-user.ts', 'utf8').replace('../../web/engine/index.ts', 'phasor'),
  });
  const options = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noEmit',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2023,dom,esnext.disposable',
  ];
  execFileSync(program('tsc'), [...options, 'main.ts', 'typed-user.ts', 'figures.ts', 'common.cts'], { cwd: path, stdio: 'inherit' });
});
