// The page in browsers without some features.
import { expect, test } from '@playwright/test';
import { address, lab, open, serveSite, words } from './page.ts';

serveSite();

test('a browser without Intl.Segmenter shows the page all the same', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Intl, 'Segmenter'));
  expect(await open(page)).toEqual([]);
  expect(await words(page)).toEqual(['Rohan', 'killed', 'the', 'lion']);
});

test('without WebAssembly the page says so and keeps the sentence', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
  await page.goto(lab());
  await expect(page.getByRole('alert').filter({ hasText: /does not support WebAssembly or forbids it/ })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Attention of “be”, head 1' })).toBeVisible();
});

test('without SIMD the page says so and keeps the sentence', async ({ page }) => {
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  await page.goto(lab());
  await expect(page.getByRole('alert').filter({ hasText: /does not support WebAssembly SIMD/ })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Attention of “be”, head 1' })).toBeVisible();
});

test('a page whose program does not load says so', async ({ page }) => {
  const sentence = page.getByText(/^The program of this page did not load/);
  await page.route('**/*.js', (route) => route.abort());
  for (const path of ['', 'lab/', 'book/rotation/']) {
    await page.goto(`${address()}${path}`);
    await expect(sentence, path).toBeVisible();
    await expect(page.getByText(/^This page was opened from disk/), path).toBeHidden();
  }
  // Its figures are the pictures it speaks of, those far below too.
  for (const figure of await page.locator('phasor-figure').all()) await expect(figure.locator('svg.still')).not.toHaveCount(0);
});

test('so does a page whose program loads in part', async ({ page }) => {
  await page.route('**/assets/{site,figures}-*.js', (route) => route.abort());
  for (const path of ['lab/', 'book/rotation/']) {
    await page.goto(`${address()}${path}`);
    await expect(page.getByText(/^The program of this page did not load/), path).toBeVisible();
  }
});
