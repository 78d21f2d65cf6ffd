// The rotation figure: hands, tiles and bar move with drags, keys, clicks and Slide both; fields follow, and the score is announced.
import { expect, type Locator, type Page, test } from '@playwright/test';
import { open } from './book-page.ts';
import { serveSite, waitUntilReady } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 900 } });

const figureOf = (page: Page): Locator => page.locator('#pair phasor-figure');
const fields = (figure: Locator): Promise<Record<string, unknown>> =>
  figure.evaluate((element) => (element as unknown as { spec: Record<string, unknown> }).spec);
const liveRegion = (figure: Locator): Locator => figure.locator('[aria-live]');
const value = (figure: Locator, name: string): Locator => figure.getByRole('slider', { name });

async function ready(page: Page): Promise<Locator> {
  const figure = figureOf(page);
  await waitUntilReady(figure);
  await expect(figure.locator('.drawing canvas')).toBeVisible();
  await expect(figure.getByRole('button', { name: 'Slide both' })).toBeVisible();
  await expect(figure.locator('.stage')).toHaveAttribute('data-live', '');
  return figure;
}

/** Drags an element by its centre. */
async function drag(page: Page, handle: Locator, x: number, y = 0): Promise<void> {
  const box = (await handle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + x, top + y, { steps: 6 });
  await page.mouse.up();
}

test('moving both hands keeps the score, moving one changes it, and positions stay when the pointer leaves', async ({ page }) => {
  const problems = await open(page, 'book/rotation/');
  const figure = await ready(page);
  // The instruction and the whole figure fit on the first screen with the title.
  const row = await figure.locator('.row').boundingBox();
  expect((row?.y ?? 1e6) + (row?.height ?? 0)).toBeLessThan(900);
  await expect(figure.locator('.instruction')).toBeInViewport({ ratio: 1 });

  const { pitch } = await figure.evaluate((element) => {
    const tiles = [...(element.shadowRoot as ShadowRoot).querySelectorAll('.tile')].map((tile) => tile.getBoundingClientRect().x);
    return { pitch: Math.abs((tiles[0] as number) - (tiles[1] as number)) / 3 };
  });
  await drag(page, figure.locator('.bar'), 3.2 * pitch);
  await expect(liveRegion(figure)).toHaveText('Query at 11, key at 8. Both moved; the score is unchanged, 1.07.');
  await page.mouse.move(5, 5);
  expect(await fields(figure)).toMatchObject({ query: 11, key: 8, from: [8, 5] });

  await drag(page, figure.locator('.tile[data-held="key"]'), -3 * pitch);
  await expect(liveRegion(figure)).toHaveText('Query at 11, key at 5. The score changed from 1.07 to −0.50.');

  // A click above the line moves the query, one below it the key.
  const line = (await figure.locator('.line').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.click(line.x + line.width - 30, line.y + 12);
  await page.mouse.click(line.x + 30, line.y + line.height - 12);
  await page.mouse.move(5, 5);
  await expect(liveRegion(figure)).toContainText('Query at 15, key at 0.');
  expect(await fields(figure)).toMatchObject({ query: 15, key: 0 });
  await expect(value(figure, 'query q')).toHaveAttribute('aria-valuenow', '15');

  // The hand itself can be dragged; one position is 18°.
  const initialTransform = await figure.locator('.knob[data-held="key"]').evaluate((element) => (element as HTMLElement).style.transform);
  await drag(page, figure.locator('.knob[data-held="key"]'), -60, -80);
  await expect(liveRegion(figure)).not.toContainText('key at 0.');
  const finalTransform = await figure.locator('.knob[data-held="key"]').evaluate((element) => (element as HTMLElement).style.transform);
  expect(finalTransform).not.toBe(initialTransform);
  expect(Number((await fields(figure)).key)).toBeGreaterThan(0);
  expect(problems).toEqual([]);
});

test('keys move one hand, both hands with Shift, and the bar; Slide both starts and pauses', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const problems = await open(page, 'book/rotation/');
  const figure = await ready(page);
  await value(figure, 'key k').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(liveRegion(figure)).toHaveText('Query at 10, key at 7. Both moved; the score is unchanged, 1.07.');
  await page.keyboard.press('ArrowLeft');
  await expect(liveRegion(figure)).toContainText('Query at 10, key at 6. The score changed from 1.07 to');
  await value(figure, 'both').focus();
  await page.keyboard.press('End');
  await expect(value(figure, 'both')).toHaveAttribute('aria-valuetext', /^query at 15, key at 11, score/);
  expect(await fields(figure)).toMatchObject({ query: 15, key: 11, from: [10, 6] });
  await page.keyboard.press('Home');
  expect(await fields(figure)).toMatchObject({ query: 4, key: 0 });

  await figure.getByRole('button', { name: 'Slide both' }).click();
  await page.waitForTimeout(900);
  await figure.getByRole('button', { name: 'Pause' }).click();
  await expect(liveRegion(figure)).toContainText('Both moved; the score is unchanged');
  const { query, key } = await fields(figure);
  expect([Number(query) - Number(key), Number(query) > 4]).toEqual([4, true]);

  await figure.getByRole('button', { name: 'Show all 8' }).click();
  const pairs = figure.getByRole('radiogroup').getByRole('radio');
  await expect(pairs).toHaveCount(8);
  await expect(pairs.nth(1)).toBeChecked();
  await pairs.nth(1).focus();
  await page.keyboard.press('ArrowRight');
  await expect(pairs.nth(2)).toBeChecked();
  expect(await fields(figure)).toMatchObject({ pair: 2, show: 'all_pairs' });
  await figure.getByRole('button', { name: 'Show three forms' }).click();
  await expect(figure.getByRole('button', { name: 'Hide three forms' })).toBeVisible();
  await page.locator('#pair .figure-more > summary').click();
  await figure.locator('.proof summary').click();
  await expect(figure.locator('.proof')).toContainText('The score depends only on the distance between query and key.');
  expect(problems).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a horizontal drag of the bar moves both hands, and the page is not wider than the screen', async ({ page }) => {
    const problems = await open(page, 'book/rotation/');
    const figure = await ready(page);
    await figure.locator('.bar').scrollIntoViewIfNeeded();
    const box = (await figure.locator('.bar').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const session = await page.context().newCDPSession(page);
    const touch = (type: string, left: number) =>
      session.send('Input.dispatchTouchEvent', { type: type as never, touchPoints: type === 'touchEnd' ? [] : [{ x: left, y }] });
    await touch('touchStart', x);
    for (let step = 1; step <= 8; step++) await touch('touchMove', x + 8 * step);
    await touch('touchEnd', 0);
    await expect(liveRegion(figure)).toContainText('Both moved; the score is unchanged, 1.07.');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
  });
});
