// Training of a model without an encoding, and probes for positions: none in the embeddings, but some after a causal layer.
import { expect, test } from '@playwright/test';
import { address, serveSite } from './page.ts';

serveSite();

test('the probe finds positions after the first causal layer of a model trained in the page', async ({ page }) => {
  test.setTimeout(400_000);
  await page.goto(`${address()}gallery/probe/`);
  const figure = page.locator('phasor-figure[kind="probe"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await figure.getByRole('button', { name: /Train/ }).click();
  await expect(figure.getByRole('button', { name: /Pause/ })).toBeVisible();
  const readout = figure.locator('.readout');
  const error = (text: string | null, layer: string): number => Number(new RegExp(`${layer} ([\\d.]+)`).exec(text ?? '')?.[1]);
  // The first probe during training is enough; earlier probes are of untrained models.
  await expect(readout).toHaveText(/^Causal mask, after \d+ steps: /, { timeout: 60_000 });
  await figure.getByRole('button', { name: /^Stop$/ }).click();
  await expect(figure.getByRole('button', { name: 'Use another seed' })).toBeVisible({ timeout: 30_000 });
  const text = await readout.textContent();
  const chance = error(text, 'chance level');
  expect(error(text, 'embeddings')).toBeGreaterThan(0.95 * chance);
  expect(error(text, 'after layer 1')).toBeLessThan(0.85 * chance);
  await expect(figure.locator('.proof')).toContainText('Position found');
});
