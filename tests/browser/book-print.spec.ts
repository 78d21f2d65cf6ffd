import { expect, test } from '@playwright/test';
import { open, waitForFigure } from './book-page.ts';
import { serveSite } from './page.ts';

serveSite();

test('a chapter prints in the light theme, without controls, with answers open, including figures outside the viewport', async ({
  page,
}) => {
  await open(page);
  await page.locator('.theme select').selectOption('dark');
  await page.locator('#dogs').scrollIntoViewIfNeeded();
  await waitForFigure(page, 'dogs');
  const themes = () =>
    page.locator('phasor-figure').evaluateAll((figures) => figures.map((figure) => (figure as HTMLElement).dataset.theme));
  await expect.poll(async () => (await themes())[0]).toBe('dark');
  const onPaper = await page.evaluate(() => {
    window.dispatchEvent(new Event('beforeprint'));
    return [...document.querySelectorAll('phasor-figure')].map(({ dataset }) => dataset.theme);
  });
  expect(new Set(onPaper)).toEqual(new Set(['light']));
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['.book-head', '#drag .actions', '#dogs .extras details', '.answering button', '.lab'])
    await expect(page.locator(hidden).first()).toBeHidden();
  await expect(page.locator('#predict-1 .verdict').first()).toBeVisible();
  await expect(page.locator('.solution p').first()).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('#exercise-1 .solution')).not.toHaveAttribute('open');
});
