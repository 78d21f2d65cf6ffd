// The site navigation in the header of every page, and the contents of the book.
import { expect, test } from '@playwright/test';
import { address, serveSite } from './page.ts';

serveSite();

test('the site navigation is the same on every page and fits on a phone', { tag: '@one-engine' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [
    '',
    'book/',
    'book/rotation/',
    'gallery/',
    'gallery/rotation/',
    'models/',
    'faults/',
    'developers/',
    'offline/',
    'lab/',
  ]) {
    await page.goto(`${address()}${path}`);
    const links = page.getByRole('navigation', { name: 'Site' }).getByRole('link').filter({ hasNotText: 'Contents' });
    await expect(links, path).toHaveText(['Book', 'Lab', 'Gallery', 'Models', 'Faults', 'Code', 'Offline']);
    for (const { x, width } of await Promise.all(
      (await links.all()).map(async (link) => (await link.boundingBox()) ?? { x: -1, width: 0 }),
    )) {
      expect(x, path).toBeGreaterThanOrEqual(0);
      expect(x + width, path).toBeLessThanOrEqual(390);
    }
  }
});

test('the contents show the first picture of every chapter', { tag: '@one-engine' }, async ({ page }) => {
  await page.goto(`${address()}book/`);
  const pictures = page.locator('.all-chapters > li img.for-light');
  await expect(pictures).toHaveCount(await page.locator('.all-chapters > li').count());
  await pictures.last().scrollIntoViewIfNeeded();
  await expect.poll(() => pictures.last().evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
});
