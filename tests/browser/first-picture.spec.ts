// The picture that is in the document itself, shown until the core has come.
import { expect, type Page, test } from '@playwright/test';
import { address, badge, comesAlive, figure, lab, open, serveSite, tiles } from './page.ts';

serveSite();

/** Has the page add up by how much what is seen on it moves by itself. @returns what says the sum */
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

// Buttons are higher for fingers, and their room is reserved too.
test.describe('of a phone', () => {
  test.use({ hasTouch: true });

  test('the first picture is there before the core, and nothing jumps when it comes', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const shifted = await watchShifts(page);
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
    const still = page.locator('.first-sentence > svg.narrow.high');
    const middles = await still.locator('text', { hasText: '%' }).evaluateAll((shares) =>
      shares
        .filter((one) => one.checkVisibility())
        .map((one) => {
          const { left, width } = one.getBoundingClientRect();
          return left + width / 2;
        }),
    );
    expect(middles).toHaveLength(6);
    release();
    await expect(badge(page)).toHaveAttribute('data-max-abs-diff', /\d/);
    await expect(still).toBeHidden();
    // The figure draws its words where the first picture had them.
    const live = await tiles(page).evaluateAll((words) =>
      words.map((word) => {
        const { left, width } = word.getBoundingClientRect();
        return left + width / 2;
      }),
    );
    for (const [word, middle] of live.entries()) expect(Math.abs(middle - (middles[word] as number))).toBeLessThan(1);
    expect(await shifted()).toBeLessThan(0.004);
  });
});

for (const [width, height, hash, what] of [
  [1440, 900, '', 'its own sentence'],
  [1366, 650, '', 'a low window'],
  [1440, 900, '#v=1&encoding=rope', 'that of a link'],
  [1000, 900, '', 'places and tools in two rows'],
] as const) {
  test(`what comes later moves nothing: ${width} px, ${what}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const shifted = await watchShifts(page);
    await open(page, hash);
    await expect(figure(page, 'attention').first()).toHaveAttribute('data-state', 'ready');
    expect(await shifted()).toBeLessThan(0.01);
  });
}

for (const path of ['', 'faults/', 'gallery/', 'book/short-way/'])
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    test(`what comes later moves nothing: ${width} px, ${path || 'the front page'}`, { tag: '@one-engine' }, async ({ page }) => {
      await page.setViewportSize({ width, height });
      const shifted = await watchShifts(page);
      await page.goto(address() + path);
      // That of the gallery is far below, for the reader's own numbers.
      if (path !== 'gallery/') await comesAlive(page.locator('phasor-figure').first());
      await page.evaluate(() => document.fonts.ready);
      expect(await shifted()).toBeLessThan(0.005);
    });

test('a link to something else does not show the first picture', async ({ page }) => {
  await page.route('**/*.wasm', () => {});
  await page.goto(`${lab()}#v=1&encoding=rope`);
  await expect(page.locator('ph-about .summary')).toContainText('rotated');
  await expect(page.locator('.first-sentence')).toHaveCount(0);
});
