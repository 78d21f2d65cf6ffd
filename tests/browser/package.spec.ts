// The package bundled by a fresh Vite project, run in Chromium.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { Consumers, program } from '../consumer.ts';
import { serve } from './static-server.ts';

const source = `
  import { createPhasor } from 'phasor';
  import { createPhasorWorker } from 'phasor/worker';
  const request = { encoding: 'sinusoidal', length: 2, dim: 4 };
  const phasor = await createPhasor();
  const remote = await createPhasorWorker();
  document.title = [phasor.positionTable(request).data[4], (await remote.positionTable(request)).data[4]].join(' ');`;

// All projects share one packed copy of the package.
let consumers: Consumers;
test.beforeAll(() => {
  consumers = new Consumers();
});
test.afterAll(() => consumers.remove());

test('a fresh Vite project computes in the page and in a worker', async ({ page }) => {
  const path = consumers.project('vite-user', {
    'index.html': '<!doctype html><title>user</title><script type="module" src="./main.js"></script>',
    'main.js': source,
  });
  execFileSync(program('vite'), ['build', '--logLevel', 'error', '--base', './'], { cwd: path, stdio: 'inherit' });
  const host = await serve({ '/': join(path, 'dist') });
  await page.goto(`${host.origin}/`);
  const sine = String(Math.fround(Math.sin(1)));
  await expect(page).toHaveTitle(`${sine} ${sine}`);
  host.close();
});

const names = { hashed: '[name]-[hash]', plain: 'figure' };
for (const [how, name] of Object.entries(names))
  test(`a fresh Vite project shows figures with ${how} file names`, async ({ page }) => {
    const path = consumers.project(`figure-user-${how}`, {
      'index.html':
        '<!doctype html><title>user</title><phasor-figure kind="similarity" length="8"></phasor-figure><phasor-figure kind="patches"></phasor-figure><script type="module" src="./main.js"></script>',
      'main.js': "import 'phasor/figure';",
      'vite.config.js': `export default { build: { rollupOptions: { output: { entryFileNames: 'assets/${name}.js' } } } };`,
    });
    execFileSync(program('vite'), ['build', '--logLevel', 'error', '--base', './'], { cwd: path, stdio: 'inherit' });
    const host = await serve({ '/deep/path/': join(path, 'dist') });
    await page.goto(`${host.origin}/deep/path/`);
    const [first, patches] = [page.locator('phasor-figure').first(), page.locator('phasor-figure').last()];
    await expect(first).toHaveAttribute('data-state', 'ready');
    const shape = await first.evaluate((element) => (element as PhasorFigureElement).tensors().similarity?.shape);
    expect(shape).toEqual([8, 8]);
    // The bundle is not offered as a script for other pages, even if it is called figure.js.
    await first.getByText('Export', { exact: true }).click();
    await expect(first.getByRole('group', { name: 'Embed this figure in another page:' })).toContainText(
      `<script type="module">import 'phasor/figure';</script>`,
    );
    // Programs and photographs are separate files that the bundler must include.
    expect(await first.evaluate((element) => (element as PhasorFigureElement).toCode('python'))).toContain(
      'from sinusoidal import Sinusoidal',
    );
    await patches.evaluate((element) => (element as PhasorFigureElement).ready);
    expect(await patches.evaluate((element) => (element as PhasorFigureElement).tensors().embeddings?.shape)).toEqual([64, 192]);
    host.close();
  });
