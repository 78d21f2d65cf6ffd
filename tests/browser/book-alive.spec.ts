// Figures of the book come alive: when a reader is there for them, and without moving anything.
import { expect, type Page, test } from '@playwright/test';
import { isReady, open } from './book-page.ts';
import { comesAlive, serveSite } from './page.ts';

serveSite();

/** Sum of the shifts that no reader has caused. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const total = { value: 0 };
    Object.assign(window, { shifted: total });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) total.value += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
/** Three frames later, when what moved has been told. */
const drawn = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });
const shifted = (page: Page) => page.evaluate(() => (window as unknown as { shifted: { value: number } }).shifted.value);

for (const width of [1440, 820, 390]) {
  test(`nothing moves at ${width} px when figures come alive`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await watchShifts(page);
    const problems = await open(page);
    await isReady(page, 'drag');
    await page.locator('#dogs').scrollIntoViewIfNeeded();
    await isReady(page, 'dogs');
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0; y < height; y += 600) {
      await page.evaluate((to) => scrollTo(0, to), y);
      await page.waitForTimeout(80);
    }
    await isReady(page, 'patches');
    // What is left is the reading font in place of the system's, below what anybody sees.
    expect(await shifted(page)).toBeLessThan(0.01);
    expect(problems).toEqual([]);
  });
}

test('pictures far below wait in the text of the page, and come before a reader does, or paper', async ({ page }) => {
  await open(page, 'book/todays-models/');
  const figures = page.locator('main phasor-figure');
  const waiting = page.locator('phasor-figure > noscript');
  await expect(figures.first().locator(':scope > svg:visible')).toHaveCount(1);
  const count = await waiting.count();
  expect(count).toBeGreaterThan(3);
  await figures.nth(4).scrollIntoViewIfNeeded();
  await expect(figures.nth(4).locator(':scope > noscript')).toHaveCount(0);
  expect(await waiting.count()).toBeLessThan(count);
  await expect(waiting).not.toHaveCount(0);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(waiting).toHaveCount(0);
});

/** Pages whose pictures have other layouts in other windows, and those windows. */
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
  test(`figures of ${position || 'the front page'} are as high before they come alive, at ${width} px`, { tag }, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await watchShifts(page);
    await page.route(/\.wasm$/, async (route) => {
      await page.waitForFunction(() => 'measured' in window);
      await route.continue();
    });
    await open(page, position);
    const figures = page.locator('.text > .book-figure > phasor-figure');
    const heights = () => figures.evaluateAll((all) => all.map((figure) => Math.round(figure.getBoundingClientRect().height)));
    // Words moved by the reading font, which comes late on a slow machine, are not moved by figures.
    await page.evaluate(() => document.fonts.ready);
    // What is far from sight is not laid out.
    for (const figure of await figures.all()) await figure.scrollIntoViewIfNeeded();
    const before = await heights();
    // Controls that cannot be used yet are there.
    await expect(figures.locator('input:enabled:visible, select:enabled:visible')).toHaveCount(0);
    await page.evaluate(() => Object.assign(window, { measured: true }));
    let moved = 0;
    for (const figure of await figures.all()) {
      await figure.scrollIntoViewIfNeeded();
      // What a jump brings near is laid out, which figures did not move either.
      await drawn(page);
      const before = await shifted(page);
      await comesAlive(figure);
      await drawn(page);
      moved += (await shifted(page)) - before;
    }
    await expect(figures.locator('input:disabled:visible, select:disabled:visible')).toHaveCount(0);
    expect(before.length).toBeGreaterThan(0);
    expect(await heights()).toEqual(before);
    expect(moved).toBeLessThan(0.01);
  });
}

test.describe('figures come alive', () => {
  /** A page whose clock stands still, and what it has fetched of the program of figures. */
  const opened = async (page: Page, path?: string) => {
    const fetched: string[] = [];
    page.on('request', (request) => {
      if (/\/assets\/(figures|first)-/.test(request.url())) fetched.push(request.url());
    });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await open(page, path);
    await page.waitForLoadState('load');
    await expect(page.locator('phasor-figure').first()).toBeVisible();
    return fetched;
  };

  test('not while the text has just come, and then by themselves', async ({ page }) => {
    const fetched = await opened(page);
    await page.clock.runFor(10_000);
    expect(fetched).toEqual([]);
    await page.clock.runFor(10_000);
    await page.clock.resume();
    await expect(page.locator('#drag phasor-figure')).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
    expect(fetched.length).toBeGreaterThan(0);
  });

  test('in a tab that was opened for later when somebody comes to it', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
    const fetched = await opened(page);
    await page.clock.runFor(60_000);
    expect(fetched).toEqual([]);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => fetched.length).toBeGreaterThan(0);
  });

  test('on the front page soon', async ({ page }) => {
    const fetched = await opened(page, '');
    await page.clock.runFor(1500);
    expect(fetched).toEqual([]);
    await page.clock.runFor(2000);
    await expect.poll(() => fetched.length).toBeGreaterThan(0);
  });

  for (const [how, act] of [
    ['when somebody reaches for one', (page: Page) => page.locator('phasor-figure').first().hover()],
    ['when somebody scrolls', (page: Page) => page.mouse.wheel(0, 40)],
    ['when somebody moves', (page: Page) => page.mouse.move(4, 4)],
    ['when somebody presses a key', (page: Page) => page.keyboard.press('Tab')],
  ] as const) {
    test(how, async ({ page }) => {
      const fetched = await opened(page);
      expect(fetched).toEqual([]);
      await act(page);
      await expect.poll(() => fetched.length).toBeGreaterThan(0);
    });
  }
});
