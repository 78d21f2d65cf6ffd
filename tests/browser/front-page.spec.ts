// The front page around its model: three entry links, a wall of posters, small screens, and old links to the Lab.
import { expect, test } from '@playwright/test';
import { address, badge, serveSite, violations, waitUntilReady } from './page.ts';

serveSite();

test('the entry links lead to the short way, the first chapter and the config dialog, and posters to their figures', {
  tag: '@one-engine',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(address());
  const links = page.locator('.doors a');
  await expect(links).toHaveCount(3);
  const bottom = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: 0, height: 9999 };
    return y + height;
  };
  for (const part of ['.doors', '.book-figure']) expect(await bottom(part), part).toBeLessThanOrEqual(700);

  const pictures = page.locator('.wall a');
  await expect(pictures).toHaveCount(8);
  await pictures.last().scrollIntoViewIfNeeded();
  const thumbnails = page.locator('.wall img.for-light');
  await expect
    .poll(() => thumbnails.evaluateAll((images) => images.every((element) => (element as HTMLImageElement).naturalWidth === 400)))
    .toBe(true);
  await page.getByRole('link', { name: /^RoPE rotates every pair/ }).click();
  await expect(page).toHaveURL(/\/gallery\/spiral\/nautilus\/$/);
  await page.getByRole('link', { name: 'Chapter 9' }).click();
  await expect(page).toHaveURL(/\/book\/rotation\/#all-pairs$/);

  const behind = [
    ['RoPE in 15 minutes', /\/book\/short-way\/$/, 'Could you have invented RoPE?'],
    ['Read from the start', /\/book\/order-matters\/$/, 'Why doesn’t attention know the order?'],
    ['What does my model do?', /\/lab\/#config/, 'Phasor the Lab'],
  ] as const;
  for (const [name, position, heading] of behind) {
    await page.goto(address());
    await links.filter({ hasText: name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page).toHaveURL(position);
  }
});

test('the heading and the figure are side by side on the first screen of a phone in landscape', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await page.goto(address());
  await waitUntilReady(page.locator('phasor-figure'));
  const { x, y } = (await page.getByRole('heading', { level: 1 }).boundingBox()) ?? { x: 0, y: 9999 };
  const figure = (await page.locator('phasor-figure').boundingBox()) ?? { x: 0, y: 9999 };
  expect(figure.x).toBeGreaterThan(x);
  expect(Math.max(y, figure.y)).toBeLessThan(60);
});

test('the first entry link is on the first screen of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address());
  await waitUntilReady(page.locator('phasor-figure'));
  const { y, height } = (await page.locator('.doors a').first().boundingBox()) ?? { y: 0, height: 9999 };
  expect(y + height).toBeLessThanOrEqual(844);
});

test('an old link to the Lab at the root opens the Lab with its state', { tag: '@one-engine' }, async ({ page }) => {
  await page.goto(`${address()}#v=1&order=3.0.1.2&encoding=rope`);
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await expect(page).toHaveURL(/\/lab\/#v=1&order=3\.0\.1\.2&encoding=rope$/);
});

for (const [width, colorScheme] of [
  [1440, 'light'],
  [390, 'dark'],
] as const) {
  test(`axe finds no violations: ${colorScheme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const path of ['', 'developers/', 'gallery/', 'gallery/position-matrices/beat/', 'book/', 'models/', '404.html']) {
      await page.goto(`${address()}${path}`);
      if (path === '' || path === 'developers/') await waitUntilReady(page.locator('phasor-figure').first());
      expect(await violations(page), path).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
}
