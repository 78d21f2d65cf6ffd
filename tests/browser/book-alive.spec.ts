// Figures of the book become interactive when the user is present, without layout shifts.
import { expect, type Page, test } from '@playwright/test';
import { open, waitForFigure } from './book-page.ts';
import { serveSite, waitUntilReady } from './page.ts';

serveSite();

/** Sums the layout shifts that no input caused. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const total = { value: 0 };
    Object.assign(window, { shifted: total });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) total.value += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
/** Waits three frames, after which layout shifts are reported. */
const waitForFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });
const readLayoutShift = (page: Page) => page.evaluate(() => (window as unknown as { shifted: { value: number } }).shifted.value);

for (const width of [1440, 820, 390]) {
  test(`nothing moves at ${width} px when figures become interactive`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await watchShifts(page);
    const problems = await open(page);
    await waitForFigure(page, 'drag');
    await page.locator('#dogs').scrollIntoViewIfNeeded();
    await waitForFigure(page, 'dogs');
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0; y < height; y += 600) {
      await page.evaluate((to) => scrollTo(0, to), y);
      await page.waitForTimeout(80);
    }
    await waitForFigure(page, 'patches');
    // The rest comes from the swap of the web font and is too small to be visible.
    expect(await readLayoutShift(page)).toBeLessThan(0.01);
    expect(problems).toEqual([]);
  });
}

test('inserts distant still pictures from <noscript> before they scroll into view or are printed', async ({ page }) => {
  await open(page, 'book/todays-models/');
  const figures = page.locator('main phasor-figure');
  const placeholders = page.locator('phasor-figure > noscript');
  await expect(figures.first().locator(':scope > svg:visible')).toHaveCount(1);
  const count = await placeholders.count();
  expect(count).toBeGreaterThan(3);
  await figures.nth(4).scrollIntoViewIfNeeded();
  await expect(figures.nth(4).locator(':scope > noscript')).toHaveCount(0);
  expect(await placeholders.count()).toBeLessThan(count);
  await expect(placeholders).not.toHaveCount(0);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(placeholders).toHaveCount(0);
});

/** Pages whose pictures change their layout with the window, and the window widths to test. */
const PLACES = [
  ['', [1440, 412]],
  ['book/sinusoids/', [1440, 820, 390]],
  ['book/stretching-rope/', [768, 600, 412]],
  ['book/rotation/', [700, 360]],
  ['book/train-short-test-long/', [1440, 390]],
] as const;

for (const [position, width, narrowest] of PLACES.flatMap(([location, widths]) =>
  widths.map((width) => [location, width, Math.min(...widths)] as const),
)) {
  const tag = width > narrowest ? '@one-engine' : [];
  test(`figures of ${position || 'the front page'} keep their height when they become interactive, at ${width} px`, { tag }, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await watchShifts(page);
    await page.route(/\.wasm$/, async (route) => {
      await page.waitForFunction(() => 'measured' in window);
      await route.continue();
    });
    await open(page, position);
    const figures = page.locator('.text > .book-figure > phasor-figure');
    const heights = () => figures.evaluateAll((elements) => elements.map((figure) => Math.round(figure.getBoundingClientRect().height)));
    // The web font may load late and move words itself.
    await page.evaluate(() => document.fonts.ready);
    // Content far outside the viewport is not laid out.
    for (const figure of await figures.all()) await figure.scrollIntoViewIfNeeded();
    const initialHeights = await heights();
    await expect(figures.locator('input:enabled:visible, select:enabled:visible')).toHaveCount(0);
    await page.evaluate(() => Object.assign(window, { measured: true }));
    let shift = 0;
    for (const figure of await figures.all()) {
      await figure.scrollIntoViewIfNeeded();
      // The scroll lays out new content, whose shifts are not caused by the figure.
      await waitForFrames(page);
      const initialShift = await readLayoutShift(page);
      await waitUntilReady(figure);
      await waitForFrames(page);
      shift += (await readLayoutShift(page)) - initialShift;
    }
    await expect(figures.locator('input:disabled:visible, select:disabled:visible')).toHaveCount(0);
    expect(initialHeights.length).toBeGreaterThan(0);
    expect(await heights()).toEqual(initialHeights);
    expect(shift).toBeLessThan(0.01);
  });
}

test.describe('loading of figure scripts', () => {
  /** Opens a page with a paused clock and collects its requests for figure scripts. */
  const openPaused = async (page: Page, path?: string) => {
    const requests: string[] = [];
    page.on('request', (request) => {
      if (/\/assets\/(figures|first)-/.test(request.url())) requests.push(request.url());
    });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await open(page, path);
    await page.waitForLoadState('load');
    await expect(page.locator('phasor-figure').first()).toBeVisible();
    return requests;
  };

  test('starts without input 10 to 20 s after the page has loaded', async ({ page }) => {
    const requests = await openPaused(page);
    await page.clock.runFor(10_000);
    expect(requests).toEqual([]);
    await page.clock.runFor(10_000);
    await page.clock.resume();
    await expect(page.locator('#drag phasor-figure')).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
    expect(requests.length).toBeGreaterThan(0);
  });

  test('waits in a hidden tab until the tab becomes visible', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
    const requests = await openPaused(page);
    await page.clock.runFor(60_000);
    expect(requests).toEqual([]);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => requests.length).toBeGreaterThan(0);
  });

  test('starts on the front page after 1.5 to 3.5 s', async ({ page }) => {
    const requests = await openPaused(page, '');
    await page.clock.runFor(1500);
    expect(requests).toEqual([]);
    await page.clock.runFor(2000);
    await expect.poll(() => requests.length).toBeGreaterThan(0);
  });

  for (const [how, action] of [
    ['starts when the pointer enters a figure', (page: Page) => page.locator('phasor-figure').first().hover()],
    ['starts when the user scrolls', (page: Page) => page.mouse.wheel(0, 40)],
    ['starts when the pointer moves', (page: Page) => page.mouse.move(4, 4)],
    ['starts when a key is pressed', (page: Page) => page.keyboard.press('Tab')],
  ] as const) {
    test(how, async ({ page }) => {
      const requests = await openPaused(page);
      expect(requests).toEqual([]);
      await action(page);
      await expect.poll(() => requests.length).toBeGreaterThan(0);
    });
  }
});
