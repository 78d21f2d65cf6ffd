// Training on short texts and testing on long ones, in the page. The final result is tested in tests/web/kinds/extrapolation.test.ts;
// race.spec.ts tests that of another kind in the page.
import { expect, test } from '@playwright/test';
import { address, serveSite } from './page.ts';
import { stopAfterSteps } from './training.ts';

serveSite();

test('the extrapolation figure trains in the page and keeps its results when stopped', async ({ page }) => {
  await page.goto(`${address()}gallery/extrapolation/?task=order_long&encodings=learned,t5`);
  const figure = page.locator('phasor-figure[kind="extrapolation"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  const readout = figure.locator('.readout');
  // Positions beyond the table are reported first; untrained rows are added on request.
  await expect(readout).toHaveText(/learned table no row for position 16, T5 /);
  await figure.getByRole('button', { name: /Extend the table/ }).click();
  await expect(readout).toHaveText(/learned table 0\.\d+, T5 /);
  await figure.getByRole('button', { name: /Train/ }).click();
  await expect(figure.getByRole('button', { name: /Pause/ })).toBeVisible();
  await stopAfterSteps(figure);
  await expect(readout).toHaveText(/^256 tokens, 16 times the trained length: /);
  await expect(figure.locator('.surface').locator('canvas, svg').first()).toBeVisible();
});
