import { expect, test } from '@playwright/test';
import { address, lab, open, serveSite, words } from './page.ts';

serveSite();

test('the page works without Intl.Segmenter', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Intl, 'Segmenter'));
  expect(await open(page)).toEqual([]);
  expect(await words(page)).toEqual(['Rohan', 'killed', 'the', 'lion']);
});

test('missing WebAssembly is reported, and the first picture stays', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
  await page.goto(lab());
  await expect(page.getByRole('alert').filter({ hasText: /does not support WebAssembly or forbids it/ })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Attention of “be”, head 1' })).toBeVisible();
});

test('missing WebAssembly SIMD is reported, and the first picture stays', async ({ page }) => {
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  await page.goto(lab());
  await expect(page.getByRole('alert').filter({ hasText: /does not support WebAssembly SIMD/ })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Attention of “be”, head 1' })).toBeVisible();
});

test('a page whose scripts do not load reports it', async ({ page }) => {
  const sentence = page.getByText(/^The program of this page did not load/);
  await page.route('**/*.js', (route) => route.abort());
  for (const path of ['', 'lab/', 'book/rotation/']) {
    await page.goto(`${address()}${path}`);
    await expect(sentence, path).toBeVisible();
    await expect(page.getByText(/^This page was opened from disk/), path).toBeHidden();
  }
  // All figures are still pictures, as the message states, including distant ones.
  for (const figure of await page.locator('phasor-figure').all()) await expect(figure.locator('svg.still')).not.toHaveCount(0);
});

test('a page whose scripts load only in part reports it', async ({ page }) => {
  await page.route('**/assets/{site,figures}-*.js', (route) => route.abort());
  for (const path of ['lab/', 'book/rotation/']) {
    await page.goto(`${address()}${path}`);
    await expect(page.getByText(/^The program of this page did not load/), path).toBeVisible();
  }
});
