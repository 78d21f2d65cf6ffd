// The picture that is in the document itself, shown until the core has come.
import { expect, type Locator, test } from '@playwright/test';
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
  const spans = await page.locator('.first .arc').evaluateAll((arcs) =>
    arcs.map((arc) => {
      const { left, right } = arc.getBoundingClientRect();
      return [left, right];
    }),
  );
  const middlesOf = (found: Locator) =>
    found.evaluateAll((words) =>
      words.map((word) => {
        const { left, width } = word.getBoundingClientRect();
        return left + width / 2;
      }),
    );
  const middles = await middlesOf(page.locator('.first-sentence .words .word'));
  expect(spans).toHaveLength(3);
  for (const [word, [left = 0, right = 0]] of spans.entries()) {
    expect(Math.abs(left - (middles[word] as number))).toBeLessThan(1.5);
    expect(Math.abs(right - (middles[3] as number))).toBeLessThan(1.5);
  }
  release();
  await expect(badge(page)).toHaveAttribute('data-max-abs-diff', /\d/);
  await expect(page.locator('.first')).toBeHidden();
  // The figure draws its words where the first picture had them.
  for (const [word, middle] of (await middlesOf(tiles(page))).entries())
    expect(Math.abs(middle - (middles[word] as number))).toBeLessThan(3);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01);
});

test('a link to something else does not show the first picture', async ({ page }) => {
  await page.route('**/*.wasm', () => {});
  await page.goto(`${lab()}#v=1&encoding=rope`);
  await expect(page.locator('ph-about .summary')).toContainText('rotated');
  await expect(page.locator('.first')).toHaveCount(0);
});
