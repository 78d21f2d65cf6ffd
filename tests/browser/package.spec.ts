// The package bundled by a fresh Vite project, run in Chromium.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Consumers, program } from '../consumer.ts';
import { serve } from './static-server.ts';

const main = `
  import { createPhasor, createPhasorWorker } from 'phasor';
  const request = { encoding: 'sinusoidal', length: 2, width: 4 };
  const phasor = await createPhasor();
  const remote = await createPhasorWorker();
  document.title = [phasor.table(request).data[4], (await remote.table(request)).data[4]].join(' ');`;

test('a page made by a fresh Vite project computes on its own and in a worker', async ({ page }) => {
  const consumers = new Consumers();
  const path = consumers.project('vite-user', {
    'index.html': '<!doctype html><title>user</title><script type="module" src="./main.js"></script>',
    'main.js': main,
  });
  execFileSync(program('vite'), ['build', '--logLevel', 'error', '--base', './'], { cwd: path, stdio: 'inherit' });
  const host = await serve({ '/': join(path, 'dist') });
  await page.goto(`${host.origin}/`);
  const sine = String(Math.fround(Math.sin(1)));
  await expect(page).toHaveTitle(`${sine} ${sine}`);
  host.close();
  consumers.remove();
});
