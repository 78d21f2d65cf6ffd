// The picture in the initial HTML, which is shown until the engine has loaded.
import { expect, type Page, test } from '@playwright/test';
import { address, badge, figure, lab, open, serveSite, tiles, waitUntilReady } from './page.ts';

serveSite();

/** Sums the layout shifts of the page. @returns a function that reads the sum */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        (window as unknown as { shifted: number }).shifted += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifted: number }).shifted);
}

// Buttons are higher on touch screens, and their space is reserved too.
test.describe('on a phone', () => {
  test.use({ hasTouch: true });

  test('the first picture is shown before the engine loads and is replaced without layout shifts', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const readShift = await watchShifts(page);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/*.wasm', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(lab());
    await page.evaluate(() => document.fonts.ready);
    const picture = page.locator('.first-sentence > svg.narrow.high');
    const centers = await picture.locator('text', { hasText: '%' }).evaluateAll((shares) =>
      shares
        .filter((element) => element.checkVisibility())
        .map((element) => {
          const { left, width } = element.getBoundingClientRect();
          return left + width / 2;
        }),
    );
    expect(centers).toHaveLength(6);
    release();
    await expect(badge(page)).toHaveAttribute('data-max-abs-diff', /\d/);
    await expect(picture).toBeHidden();
    // The figure draws its words at the positions of the first picture.
    const live = await tiles(page).evaluateAll((words) =>
      words.map((word) => {
        const { left, width } = word.getBoundingClientRect();
        return left + width / 2;
      }),
    );
    for (const [word, center] of live.entries()) expect(Math.abs(center - (centers[word] as number))).toBeLessThan(1);
    expect(await readShift()).toBeLessThan(0.004);
  });
});

for (const [width, height, hash, what] of [
  [1440, 900, '', 'the default sentence'],
  [1366, 650, '', 'a low window'],
  [1440, 900, '#v=1&encoding=rope', 'the sentence of a link'],
  [1000, 900, '', 'navigation and tools in two rows'],
] as const) {
  test(`loading the Lab causes no layout shifts: ${width} px, ${what}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const readShift = await watchShifts(page);
    await open(page, hash);
    await expect(figure(page, 'attention').first()).toHaveAttribute('data-state', 'ready');
    expect(await readShift()).toBeLessThan(0.01);
  });
}

for (const path of ['', 'faults/', 'gallery/', 'book/short-way/'])
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    test(`loading ${path || 'the front page'} causes no layout shifts: ${width} px`, { tag: '@one-engine' }, async ({ page }) => {
      await page.setViewportSize({ width, height });
      const readShift = await watchShifts(page);
      await page.goto(address() + path);
      // The figure of the gallery is far below, for arrays of the user.
      if (path !== 'gallery/') await waitUntilReady(page.locator('phasor-figure').first());
      await page.evaluate(() => document.fonts.ready);
      expect(await readShift()).toBeLessThan(0.005);
    });

test('a link to another state does not show the first picture', async ({ page }) => {
  await page.route('**/*.wasm', () => {});
  await page.goto(`${lab()}#v=1&encoding=rope`);
  await expect(page.locator('ph-about .summary')).toContainText('rotated');
  await expect(page.locator('.first-sentence')).toHaveCount(0);
});
