// The picture that is in the document itself, shown until the core has come.
import { expect, test } from '@playwright/test';
import { badge, lab, serveSite, tiles } from './page.ts';

serveSite();
// Buttons are higher for fingers, and their room is reserved too.
test.use({ hasTouch: true });

test('the first picture is there before the core, and nothing jumps when it comes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
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
  const still = page.locator('.first-sentence > svg.narrow');
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
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.004);
});

test('a link to something else does not show the first picture', async ({ page }) => {
  await page.route('**/*.wasm', () => {});
  await page.goto(`${lab()}#v=1&encoding=rope`);
  await expect(page.locator('ph-about .summary')).toContainText('rotated');
  await expect(page.locator('.first-sentence')).toHaveCount(0);
});
