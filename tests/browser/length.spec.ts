// A reader trains encodings on short texts and tests them on long ones, on the page. What comes of it at the end, race.spec.ts shows of its kind in
// the page, and tests/web/kinds/extrapolation.test.ts of this one.
import { expect, test } from '@playwright/test';
import { address, serveSite } from './page.ts';
import { stopAfterSteps } from './training.ts';

serveSite();

test('trains in the page, and stops with what there is', async ({ page }) => {
  await page.goto(`${address()}gallery/extrapolation/?task=order_long&encodings=learned,t5`);
  const figure = page.locator('phasor-figure[kind="extrapolation"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  const readout = figure.locator('.readout');
  // The end of the table is an error first, and rows that were never trained come on request.
  await expect(readout).toHaveText(/learned table no row for position 16, T5 /);
  await figure.getByRole('button', { name: /Extend the table/ }).click();
  await expect(readout).toHaveText(/learned table 0\.\d+, T5 /);
  await figure.getByRole('button', { name: /Train/ }).click();
  await expect(figure.getByRole('button', { name: /Pause/ })).toBeVisible();
  await stopAfterSteps(figure);
  await expect(readout).toHaveText(/^256 tokens, 16 times the trained length: /);
  await expect(figure.locator('.surface').locator('canvas, svg').first()).toBeVisible();
});
