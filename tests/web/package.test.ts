// The package as users get it: packed and installed into an empty project. tests/browser/package.spec.ts bundles it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { Consumers, program } from '../consumer.ts';

const consumers = new Consumers();
afterAll(() => consumers.remove());

it('has no dependencies and ships types', () => {
  const manifest = JSON.parse(readFileSync('dist/npm/package.json', 'utf8'));
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.exports['.'].types).toBe('./index.d.ts');
});

it('runs in a fresh Node project, on this thread and in a worker', () => {
  const path = consumers.project('node-user', {
    'main.js': `
      import { createPhasor, createPhasorWorker, splitHeads, splitQkv } from 'phasor';
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

it('type-checks in a fresh TypeScript project', () => {
  const path = consumers.project('typescript-user', {
    'main.ts': `
      import { createPhasor, PhasorError, type Tensor } from 'phasor';
      const phasor = await createPhasor({ variant: 'auto' });
      const table: Tensor = phasor.table({ encoding: { id: 'sinusoidal', base: 100 }, length: 2, width: 4 });
      // @ts-expect-error: a width is needed
      phasor.table({ encoding: 'sinusoidal', length: 2 });
      export { PhasorError, table };`,
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
    'es2023,dom',
  ];
  execFileSync(program('tsc'), [...options, 'main.ts', 'typed-user.ts'], { cwd: path, stdio: 'inherit' });
});
