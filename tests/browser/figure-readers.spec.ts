// Accessibility of <phasor-figure>: keyboard, axe, zoom and print.
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { violations } from './page.ts';
import { figure, ready, serveStrangers, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

test('the keyboard reaches every part, and arrow keys announce the selected cell', async ({ page }) => {
  await visit(page, { body: `<a href="#">before</a>${figure('length="8" dim="8"')}` });
  await ready(page);
  const readFocus = () =>
    page.evaluate(() => {
      const activeElement = document.querySelector('phasor-figure')?.shadowRoot?.activeElement;
      return activeElement
        ? `${activeElement.localName}.${activeElement.className || activeElement.textContent?.trim()}`
        : document.activeElement?.localName;
    });
  await page.keyboard.press('Tab');
  expect(await readFocus()).toBe('a');
  await page.keyboard.press('Tab');
  expect(await readFocus()).toBe('div.picture');
  const live = page.locator('[aria-live=polite]');
  await page.keyboard.press('ArrowRight');
  await expect(live).toHaveText(/^Positions 0 and 0, 0 apart: cosine similarity 1\.00/);
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await expect(live).toHaveText(/^Positions 1 and 2, 1 apart/);
  await page.keyboard.press('Escape');
  await expect(page.locator('.readout')).toContainText('between');
  await page.keyboard.press('Tab');
  expect(await readFocus()).toBe('button.Open a file…');
  await page.keyboard.press('Tab');
  expect(await readFocus()).toBe('summary.✓ verified');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/tolerance/)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await readFocus()).toBe('summary.Settings');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'encoding' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await ready(page);
  expect(await page.locator('phasor-figure').evaluate((element) => (element as Figure).spec.encoding)).not.toEqual({ id: 'sinusoidal' });
  for (const title of ['Data', 'Export']) {
    while ((await readFocus()) !== `summary.${title}`) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  }
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByRole('button', { name: 'SVG' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^8 rows by 8 columns/ })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no violations: ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    // Sets the default background explicitly: axe assumes white if a page sets none.
    const scheme = '<style>:root { color-scheme: light dark; background: Canvas }</style>';
    const valid = figure('length="8" dim="8" encoding="fourier"');
    await visit(page, { head: scheme, body: `<main><h1>A page</h1>${valid}${figure('id="bad" length="0"')}</main>` });
    await ready(page, 'phasor-figure:not([id])');
    expect(await page.locator('phasor-figure').first().getAttribute('data-theme')).toBe(colorScheme);
    for (const title of ['Settings', 'Data', 'Export']) await page.locator('summary', { hasText: title }).first().click();
    await expect(page.getByRole('table')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}

test('a figure at 200% zoom in a small window fits and has twice the pixels', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 500 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await visit(page, {
    head: '<meta name="viewport" content="width=device-width">',
    body: figure('length="32" controls="encoding length metric"'),
  });
  await ready(page);
  await page.locator('summary', { hasText: 'Export' }).click();
  const { scroll, box, pixels } = await page.evaluate(() => {
    const canvas = document.querySelector('phasor-figure')?.shadowRoot?.querySelector('canvas') as HTMLCanvasElement;
    return { scroll: document.documentElement.scrollWidth, box: canvas.getBoundingClientRect().width, pixels: canvas.width };
  });
  expect(scroll).toBe(390);
  expect(pixels).toBe(2 * box);
  expect(box).toBeGreaterThan(250);
  await context.close();
});

test('pictures outside the viewport are printed', async ({ page }) => {
  const figures = Array.from({ length: 8 }, () => figure('length="8"')).join('');
  await visit(page, { body: figures });
  await ready(page);
  // Figures are drawn a moment after they are computed.
  await expect(page.locator('phasor-figure:has(canvas)')).toHaveCount(8);
  const countBlank = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('phasor-figure')].filter((element) => (element.shadowRoot?.querySelector('canvas')?.width ?? 1) <= 1)
          .length,
    );
  expect(await countBlank()).toBeGreaterThan(0);
  expect(
    await page.evaluate(() => {
      window.dispatchEvent(new Event('beforeprint'));
      const drawn = [...document.querySelectorAll('phasor-figure')].map((element) => {
        const canvas = element.shadowRoot?.querySelector('canvas') as HTMLCanvasElement;
        const pixel = canvas.getContext('2d')?.getImageData(canvas.width / 8, canvas.height / 3, 1, 1).data;
        return pixel?.[3];
      });
      window.dispatchEvent(new Event('afterprint'));
      return drawn;
    }),
  ).toEqual(Array(8).fill(255));
});
