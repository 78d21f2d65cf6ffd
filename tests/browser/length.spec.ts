// A reader trains encodings on short texts and tests them on long ones, on the page: a learned table falls to chance, and T5's bias holds.
import { expect, test } from '@playwright/test';
import { address, serveSite } from './page.ts';

serveSite();

test('trains in the page to the outcome of the experiment', async ({ page }) => {
  test.setTimeout(90_000);
  await page.goto(`${address()}gallery/?kind=length&task=order_long&encodings=learned,t5`);
  const figure = page.locator('phasor-figure[kind="length"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  const readout = figure.locator('.readout');
  // The end of the table is an error first, and rows that were never trained come on request.
  await expect(readout).toHaveText(/learned table no row for position 16, T5 /);
  await figure.getByRole('button', { name: /Give the table more rows/ }).click();
  await expect(readout).toHaveText(/learned table 0\.\d+, T5 /);
  await figure.getByRole('button', { name: /Train them here/ }).click();
  await expect(figure.getByRole('button', { name: /Pause/ })).toBeVisible();
  await expect(figure.getByRole('button', { name: 'Another seed' })).toBeVisible({ timeout: 70_000 });
  const text = (await readout.textContent()) ?? '';
  const score = (name: string): number => Number(new RegExp(`${name} ([\\d.]+)`).exec(text)?.[1]);
  expect(text).toMatch(/^256 tokens, 16 times the trained length: /);
  expect(score('learned table')).toBeLessThan(0.65);
  expect(score('T5')).toBeGreaterThan(0.95);
  await expect(figure.locator('canvas, svg').first()).toBeVisible();
});
