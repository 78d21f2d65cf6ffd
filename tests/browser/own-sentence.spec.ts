// A sentence of the user can replace that of the book in all figures on all pages, until the user restores the original.
import { expect, type Locator, type Page, test } from '@playwright/test';
import { open } from './book-page.ts';
import { serveSite, waitUntilReady } from './page.ts';

serveSite();

const OWN = 'my kid likes the movie';
const textOf = (figure: Locator): Promise<unknown> =>
  figure.evaluate((element) => (element as unknown as { spec: { readonly text?: unknown } }).spec.text);
const message = (page: Page): Locator => page.locator('.chapter-head > .own-sentence');

test('the sentence of the user replaces that of the book, is announced, and can be removed', async ({ page }) => {
  const problems = await open(page, 'book/sinusoids/');
  const laterFigure = page.locator('#later phasor-figure');
  await laterFigure.scrollIntoViewIfNeeded();
  await waitUntilReady(laterFigure);
  const box = laterFigure.getByRole('textbox', { name: 'sentence' });
  // Too few words for the rows that figures refer to.
  await box.fill('my kid');
  await box.press('Enter');
  await expect(page.locator('.own-sentence')).toHaveCount(0);
  await box.fill(OWN);
  await box.press('Enter');
  await page.locator('#later').getByRole('button', { name: 'Use it in all figures of the book' }).click();
  await expect(message(page)).toContainText(`“${OWN}”`);
  await expect(page.locator('#later .own-sentence')).toHaveCount(0);

  problems.push(...(await open(page, 'book/order-matters/')));
  const dragFigure = page.locator('#drag phasor-figure');
  await waitUntilReady(dragFigure);
  expect(await textOf(dragFigure)).toBe(OWN);
  await expect(dragFigure.getByRole('option')).toHaveCount(5);
  await page.locator('#dogs').scrollIntoViewIfNeeded();
  const dogsFigure = page.locator('#dogs phasor-figure');
  await waitUntilReady(dogsFigure);
  expect(await textOf(dogsFigure)).toBe('The dog chased another dog');

  await page.getByRole('button', { name: 'Restore original' }).click();
  await expect(message(page)).toHaveCount(0);
  await expect.poll(() => textOf(dragFigure)).toBe('Rohan killed the lion');
  problems.push(...(await open(page)));
  await waitUntilReady(dragFigure);
  expect(await textOf(dragFigure)).toBe('Rohan killed the lion');
  expect(problems).toEqual([]);
});
