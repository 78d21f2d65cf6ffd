// Programs of users: the packed package, installed in empty projects.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { Consumers, program } from '../consumer.ts';

const consumers = new Consumers();

afterAll(() => consumers.remove());

it('runs in a fresh Node project, on this thread and in a worker', () => {
  const path = consumers.project('node-user', {
    'main.js': `
      import { createPhasor, splitHeads, splitQkv } from 'phasor';
      import { createPhasorWorker } from 'phasor/worker';
      const request = { encoding: 'sinusoidal', length: 2, dim: 4 };
      const phasor = await createPhasor();
      const remote = await createPhasorWorker();
      console.log(phasor.positionTable(request).data[4], (await remote.positionTable(request)).data[4]);
      remote.dispose();
      const qkv = { shape: [1, 12], data: Float32Array.from({ length: 12 }, (_, i) => i) };
      const { v } = splitQkv(qkv, { heads: 2, layout: 'heads_qkv_dim' });
      console.log(...phasor.applyRotary(v, { encoding: 'rope' }).data, splitHeads(qkv, 3).shape[0]);`,
  });
  const values = execFileSync('node', ['main.js'], { cwd: path, encoding: 'utf8' }).trim().split(/\s/).map(Number);
  expect(values).toEqual([Math.fround(Math.sin(1)), Math.fround(Math.sin(1)), 4, 5, 10, 11, 3]);
});

// A worker thread inherits the flags of the program, and --input-type=module turns its source text into a module.
it('starts workers in programs from --eval and from standard input', () => {
  const path = consumers.project('eval-user', {});
  const responses = (address: string) => `
    const request = { encoding: 'sinusoidal', length: 2, dim: 4 };
    for (const start of [createPhasorWorker, () => createPhasorPool({ workers: 2 }), () => createPhasorWorker({ worker: ${address} })]) {
      const remote = await start();
      console.log(remote.thread, (await remote.positionTable(request)).data[4]);
      remote.dispose();
    }`;
  const module = `import { createPhasorPool, createPhasorWorker } from 'phasor/worker';${responses("new URL(import.meta.resolve('phasor/worker.js'))")}`;
  const script = `const { createPhasorPool, createPhasorWorker } = require('phasor/worker');
    (async () => {${responses("require('node:url').pathToFileURL(require.resolve('phasor/worker.js'))")}})();`;
  const runNode = (words: string[], input?: string) => execFileSync('node', words, { cwd: path, encoding: 'utf8', input });
  const expected = `worker ${Math.fround(Math.sin(1))}\n`.repeat(3);
  const flags = ['--no-warnings', '--max-old-space-size=500'];
  expect(runNode(['--input-type=module', '--eval', module])).toBe(expected);
  expect(runNode([...flags, '--input-type=module', '-e', module])).toBe(expected);
  expect(runNode(['--input-type=module', '-'], module)).toBe(expected);
  expect(runNode([...flags, '--input-type=commonjs', '-e', script])).toBe(expected);
  expect(runNode(['-e', script])).toBe(expected);
  expect(runNode([...flags, '-'], script)).toBe(expected);
});

// The fast part of npm run test:consumers, with the same program.
it('computes the same with import and with require', async () => {
  const { commonJs, printed, program: text } = await import('../consumers/program.mjs' as string);
  const path = consumers.project('either-user', { 'main.mjs': text() + printed, 'main.cjs': commonJs() + printed });
  const [imported, required] = ['main.mjs', 'main.cjs'].map((file) =>
    JSON.parse(execFileSync('node', [file], { cwd: path, encoding: 'utf8' })),
  );
  expect(required).toEqual(imported);
  expect(imported.inline).toEqual(imported.direct);
  expect(imported.worker).toEqual([...imported.direct, 'worker']);
  expect(imported.direct).toHaveLength(1 + 2 * 6 * 8 + 2 * 3 * 3 + 2 * 2);
});

it('renders figures in a fresh Node project, where importing the element has no effect', () => {
  const path = consumers.project('rendering-user', {
    'main.js': `
      import 'phasor/figure';
      import { PhasorError } from 'phasor';
      import { renderFigure } from 'phasor/render';
      const spec = { kind: 'similarity', length: 12, encoding: 'sinusoidal base=100' };
      const svg = await renderFigure(spec, { theme: 'dark', width: 500 });
      const again = await renderFigure({ ...spec, encoding: { id: 'sinusoidal', base: 100 }, length: '12' }, { theme: 'dark', width: 500 });
      const errorOf = async (...args) => renderFigure(...args).catch((error) => [error instanceof PhasorError, error.code, error.message]);
      console.log(JSON.stringify({ svg, same: svg === again, errors: await Promise.all([
        errorOf({ kind: 'nothing' }),
        errorOf({ kind: 'similarity', length: 0 }),
        errorOf({ kind: 'similarity', lenght: 8 }),
        errorOf({ kind: 'similarity', encoding: { id: 'sinusoidal', base: -1 } }),
        errorOf({ kind: 'similarity' }, { width: 1 }),
        errorOf({ kind: 'similarity' }, { theme: 'blue' }),
        errorOf({ kind: 'similarity' }, { widht: 100 }),
      ]) }));`,
  });
  const { svg, same, errors } = JSON.parse(execFileSync('node', ['main.js'], { cwd: path, encoding: 'utf8' }));
  expect(svg).toMatch(/^<svg [^>]*role="img"/);
  expect(svg).toContain('<title>How similar are two positions?</title>');
  expect(svg).toMatch(/<desc>12 rows by 12 columns\. Cosine similarity between -?[\d.]+ and 1\.00\./);
  expect(svg).toContain('href="data:image/png;base64,');
  expect(svg).toContain('fill="#14161a"');
  expect(Number(/width="(\d+)"/.exec(svg)?.[1])).toBeLessThanOrEqual(500);
  expect(same).toBe(true);
  const sentences: [string, RegExp][] = [
    ['unknown_name', /^kind: “nothing” is unknown; expected .*similarity/],
    ['invalid_argument', /^length: 0 is outside 1 to 1,024$/],
    ['unknown_name', /lenght/],
    ['invalid_argument', /base/],
    ['invalid_argument', /^width: 1 is outside 40 to 8,192$/],
    ['invalid_argument', /^theme: “blue” is not light or dark$/],
    ['unknown_name', /^widht: unknown option; expected theme, width or maxHeight$/],
  ];
  expect(errors).toEqual(sentences.map(([code, sentence]) => [true, code, expect.stringMatching(sentence)]));
});

it('type-checks in a fresh TypeScript project', () => {
  const path = consumers.project('typescript-user', {
    'main.ts': `
      import { createPhasor, PhasorError, type Tensor } from 'phasor';
      const phasor = await createPhasor({ variant: 'auto' });
      const table: Tensor = phasor.positionTable({ encoding: { id: 'sinusoidal', base: 100 }, length: 2, dim: 4 });
      // @ts-expect-error: a width is needed
      phasor.positionTable({ encoding: 'sinusoidal', length: 2 });
      export { PhasorError, table };`,
    'common.cts': `
      import { createPhasor } from 'phasor';
      import { createPhasorWorker, type RemotePhasor } from 'phasor/worker';
      import { renderFigure } from 'phasor/render';
      import wasm = require('phasor/phasor.wasm');
      import 'phasor/figure';
      const made: Promise<RemotePhasor> = createPhasorWorker({ wasm, fallback: 'same-thread' });
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
      const { similarity } = figure.tensors();
      const values: Float32Array | undefined = similarity?.data;
      const image: Blob = await figure.toPNG(2);
      figure.addEventListener('phasor-change', ({ detail }) => {
        const change: FigureChange = detail;
        const code: Promise<string> = figure.toCode('python');
        console.log(change.field, code);
      });
      // @ts-expect-error: there is no such language
      figure.toCode('fortran');
      // @ts-expect-error: a state is read
      figure.state = 'ready';
      export { svg, values, image };`,
    'typed-user.ts': readFileSync('tests/web/typed-user.ts', 'utf8')
      .replace('../../web/engine/index.ts', 'phasor')
      .replace('../../web/engine/analysis.ts', 'phasor/analysis'),
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
