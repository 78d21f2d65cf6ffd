// The copy of the site in the service worker: it works offline after one visit, and new versions are announced.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { badge, figure, waitUntilReady } from './page.ts';
import { serve } from './static-server.ts';

test.use({ serviceWorkers: 'allow' });

/** Resolves when the service worker has stored the site. */
const waitForWorker = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), { timeout: 30_000 }).toBe('activated');

const waitForFigure = (page: Page): Promise<void> => waitUntilReady(page.locator('phasor-figure').first());

test('the site works without the server after one visit, and a new version is announced and installed', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'phasor-site-'));
  cpSync('dist/site', folder, { recursive: true });
  const folders = { '/any/base/path/': folder };
  let host = await serve(folders);
  const address = `${host.origin}/any/base/path/`;
  const line = page.locator('.site-copy-line');
  await page.goto(address);
  await waitForWorker(page);
  await expect(line).toHaveCount(0);
  const { manifest, icons } = await page.evaluate(async () => {
    const { href } = document.querySelector<HTMLLinkElement>('link[rel=manifest]') as HTMLLinkElement;
    const { icons } = (await (await fetch(href)).json()) as { icons: { src: string }[] };
    const responses = await Promise.all(icons.map(({ src }) => fetch(new URL(src, href))));
    return { manifest: href, icons: responses.map(({ ok }) => ok) };
  });
  expect(manifest).toBe(`${address}manifest.webmanifest`);
  expect(icons).toEqual([true, true, true]);

  host.close();
  await page.reload();
  await waitForFigure(page);
  await expect(line).toHaveText('Offline: showing your saved copy.', { timeout: 15_000 });
  for (const path of ['book/rotation/', 'book/encodings/rope/', 'developers/', 'gallery/similarity/']) {
    await page.goto(`${address}${path}`);
    await waitForFigure(page);
  }
  // Includes a word outside the initial vectors and a question whose figures load on demand.
  await page.goto(`${address}lab/#v=1&text=the+dog+chased+the+cat&encoding=rope&question=reach`);
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await expect(figure(page, 'frequencies')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByText(/could not be loaded/)).toHaveCount(0);

  // Simulates a new build: another page and another revision in the service worker.
  const [front, worker] = ['index.html', 'sw.js'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(front, readFileSync(front, 'utf8').replace('<title>', '<title>New: '));
  const source = readFileSync(worker, 'utf8');
  writeFileSync(worker, source.replace(/(?<=url:.index\.html.,revision:.)\w+/, 'new'));
  expect(readFileSync(worker, 'utf8')).not.toBe(source);
  host = await serve(folders, { port: host.port });
  await page.goto(address);
  await expect(page).not.toHaveTitle(/^New: /);
  await expect(line).toHaveText('A new version of this site is available. Reload', { timeout: 20_000 });
  await line.getByRole('button').click();
  await expect(page).toHaveTitle(/^New: /);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting)).toBeNull();
  host.close();
  rmSync(folder, { recursive: true, force: true });
});
