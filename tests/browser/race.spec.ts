// Training of encodings in the page: RoPE learns who came first, and a model without an encoding stays at chance.
import { expect, test } from '@playwright/test';
import { address, serveSite } from './page.ts';

serveSite();

test('training in the page ends above 0.95 with RoPE and near chance without an encoding', async ({ page }) => {
  test.setTimeout(60_000);
  await page.goto(`${address()}gallery/race/?encodings=none,rope`);
  const figure = page.locator('phasor-figure[kind="race"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await figure.getByRole('button', { name: /Train/ }).click();
  await expect(figure.getByRole('button', { name: /Pause/ })).toBeVisible();
  await expect(figure.getByRole('button', { name: 'Use another seed' })).toBeVisible({ timeout: 40_000 });
  const readout = (await figure.locator('.readout').textContent()) ?? '';
  const score = (name: string): number => Number(new RegExp(`${name} ([\\d.]+)`).exec(readout)?.[1]);
  expect(readout).toMatch(/^Step \d+: /);
  expect(score('RoPE')).toBeGreaterThan(0.95);
  expect(score('no encoding')).toBeLessThan(0.65);
  await expect(figure.locator('.surface').locator('canvas, svg').first()).toBeVisible();
});
