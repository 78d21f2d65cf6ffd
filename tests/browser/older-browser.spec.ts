// The page in browsers without some features.
import { expect, test } from '@playwright/test';
import { badge, dragWord, lab, open, serveSite, words } from './page.ts';

serveSite();

test('a browser without Intl.Segmenter shows the page all the same', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Intl, 'Segmenter'));
  expect(await open(page)).toEqual([]);
  expect(await words(page)).toEqual(['Rohan', 'killed', 'the', 'lion']);
});

test('without WebAssembly the page says so and keeps the sentence', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
  await page.goto(lab());
  await expect(page.getByRole('alert').filter({ hasText: /WebAssembly, which this browser does not have/ })).toBeVisible();
  await expect(page.getByText('Rohan').first()).toBeVisible();
});

test('a browser without SIMD gets the scalar file', async ({ page }) => {
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  await open(page);
  await expect(page.getByText(/WebAssembly without SIMD|scalar/)).toBeVisible();
  await dragWord(page, 'lion', 'Rohan');
  await expect(badge(page)).toContainText('same outputs, reordered');
});
