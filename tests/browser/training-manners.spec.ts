// Training in a page waits while the page is hidden, says so, goes on from there, and ends with its figure.
import { expect, type Page, test } from '@playwright/test';
import { address, serveSite } from './page.ts';

serveSite();

const hide = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

/** A figure that trains: all of its workers are there. */
async function training(page: Page, kind: string, workers: number) {
  await page.goto(`${address()}gallery/?kind=${kind}`);
  const figure = page.locator(`phasor-figure[kind="${kind}"]`);
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await figure.getByRole('button', { name: /Train (them|one) here/ }).click();
  await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBe(1 + workers);
  return figure;
}

test('waits while the page is hidden, and goes on', async ({ page }) => {
  test.setTimeout(90_000);
  const figure = await training(page, 'regression', 2);
  const said = () =>
    figure.evaluate((element) => /Live, trained here[^<]*/.exec((element as HTMLElement & { toSVG(): string }).toSVG())?.[0]);
  await expect.poll(said, { timeout: 30_000 }).toMatch(/step [1-9]\d* of/);
  await hide(page, true);
  await expect.poll(said).toMatch(/Paused while the page is hidden$/);
  // A part of some steps that had begun is still counted.
  await page.waitForTimeout(1000);
  const before = await said();
  await page.waitForTimeout(1500);
  expect(await said()).toBe(before);
  await hide(page, false);
  await expect(figure.getByRole('button', { name: 'Another seed' })).toBeVisible({ timeout: 60_000 });
  expect(await said()).toMatch(/step (\d+) of \1$/);
});

for (const [kind, workers] of [
  ['race', 4],
  ['regression', 2],
  // One that learns, and one that is probed meanwhile.
  ['probe', 2],
] as const)
  test(`ends the workers of a ${kind} that is removed`, async ({ page }) => {
    test.setTimeout(60_000);
    await training(page, kind, workers);
    await page.evaluate(() => document.querySelector('phasor-figure')?.remove());
    await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBeLessThanOrEqual(1);
  });
