// Opened parts of a figure stay within the page, however long their lines are.
import { expect, test } from '@playwright/test';
import { open, waitForFigure } from './book-page.ts';
import { serveSite } from './page.ts';

serveSite();

test('the export is no wider than its figure on a narrow page of the book', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await page.locator('#drag').scrollIntoViewIfNeeded();
  await waitForFigure(page, 'drag');
  const figure = page.locator('#drag phasor-figure');
  await page.locator('#drag .figure-more > summary').click();
  await figure.locator('summary', { hasText: /^Export$/ }).click();
  const program = figure.locator('.part-export pre').last();
  await expect(program).toContainText('phasor');
  const width = (await figure.boundingBox())?.width ?? 0;
  expect((await program.boundingBox())?.width).toBeLessThanOrEqual(width);
  await expect(figure.locator('.part-export').getByRole('button', { name: 'weights.csv' })).toBeInViewport();
});
