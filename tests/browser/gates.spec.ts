// A forget gate is lowered with the mouse, a finger or keys until it cuts off the text before it.
import { expect, type Page, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { createFinger } from './finger.ts';
import { ready, serveStrangers, visit } from './stranger.ts';

serveStrangers();

const TAG = '<phasor-figure kind="gates" text="the cat slept . a dog" gates="1,1,1,1,1,1"></phasor-figure>';
const picture = (page: Page) => page.locator('phasor-figure .picture');
const live = (page: Page) => page.locator('phasor-figure [aria-live]');
const handle = (page: Page) => page.locator('phasor-figure .grip');

const gates = (page: Page): Promise<readonly number[]> =>
  page.locator('phasor-figure').evaluate((element) => Array.from((element as PhasorFigureElement).spec.gates as readonly number[]));
/** The attention weights of the last word, in text order. */
async function lastRow(page: Page): Promise<readonly number[]> {
  await ready(page);
  return page.locator('phasor-figure').evaluate((element) => {
    const { weights } = (element as PhasorFigureElement).tensors();
    return Array.from(weights?.data ?? []).slice(-6);
  });
}
const EVEN = Array(6).fill(1 / 6);

/** Selects the gate of “.” with arrow keys and returns the centre of its ring. */
async function selectStopGate(page: Page) {
  await picture(page).focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
  await expect(live(page)).toHaveText('Gate of “.”: 1, no decay');
  const { x, y, width, height } = (await handle(page).boundingBox()) as { x: number; y: number; width: number; height: number };
  return { x: x + width / 2, y: y + height / 2 };
}

/** Expects the gate of “.” to be 0, so that “.” and later words ignore earlier ones, and the other gates to be 1. */
async function expectClosed(page: Page) {
  await expect.poll(() => gates(page)).toEqual([1, 1, 1, 0, 1, 1]);
  const row = await lastRow(page);
  expect(row.slice(0, 3)).toEqual([0, 0, 0]);
  for (const weight of row.slice(3)) expect(weight).toBeCloseTo(1 / 3, 5);
  await expect(live(page)).toHaveText('Gate of “.”: 0, neither “.” nor any later word attends to earlier words');
}

test.beforeEach(async ({ page }) => {
  await visit(page, { body: TAG });
  await ready(page);
  (await lastRow(page)).forEach((weight, key) => {
    expect(weight).toBeCloseTo(EVEN[key], 5);
  });
});

test('the mouse drags a gate down to 0 and no further', async ({ page }) => {
  const from = await selectStopGate(page);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 30, { steps: 4 });
  await expect.poll(async () => (await gates(page))[3]).toBeLessThan(1);
  const partialGates = await gates(page);
  expect(partialGates[3]).toBeGreaterThan(0);
  expect(partialGates.filter((gate) => gate === 1)).toHaveLength(5);
  expect((await lastRow(page))[0]).toBeLessThan(1 / 6);
  await page.mouse.move(from.x, from.y + 300, { steps: 4 });
  await page.mouse.up();
  await expectClosed(page);
  await page.mouse.move(from.x, from.y - 60);
  expect(await gates(page)).toEqual([1, 1, 1, 0, 1, 1]);
});

test('keys change a gate step by step within 0 and 1', async ({ page }) => {
  await selectStopGate(page);
  await page.keyboard.press('+');
  await ready(page);
  expect((await gates(page))[3]).toBe(1);
  await page.keyboard.press('-');
  await ready(page);
  await expect.poll(() => gates(page)).toEqual([1, 1, 1, 0.95, 1, 1]);
  await expect(live(page)).toHaveText(/^Gate of “\.”: 0\.95/);
  for (let step = 0; step < 20; step++) {
    await page.keyboard.press('-');
    await ready(page);
  }
  await expectClosed(page);
  await page.keyboard.press('+');
  await expect.poll(() => gates(page)).toEqual([1, 1, 1, 0.05, 1, 1]);
  // The gate of the first word has no effect and cannot be set.
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('-');
  await ready(page);
  expect(await gates(page)).toEqual([1, 1, 1, 0.05, 1, 1]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });

  test('a finger drags a gate by its ring without scrolling; a swipe elsewhere scrolls and changes no gate', async ({ page }) => {
    await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p style="height: 2000px">below</p>'));
    await page.evaluate(() => document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width">'));
    await expect.poll(async () => (await picture(page).boundingBox())?.width).toBeLessThan(390);
    await ready(page);
    const finger = await createFinger(page);
    const from = await selectStopGate(page);
    await finger.down(from);
    await finger.move(from, { x: from.x, y: from.y + 160 });
    await finger.up();
    await expectClosed(page);
    expect(await page.evaluate(() => scrollY)).toBe(0);

    const { x, y, width, height } = (await picture(page).boundingBox()) as { x: number; y: number; width: number; height: number };
    const center = { x: x + width / 2, y: y + height / 3 };
    await finger.down(center);
    await finger.move(center, { x: center.x, y: center.y - 120 });
    await finger.up();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);
    expect(await gates(page)).toEqual([1, 1, 1, 0, 1, 1]);
  });
});
