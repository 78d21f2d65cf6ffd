// A sentence of the user can replace that of the book in all figures on all pages, until the user restores the original.
import { expect, type Locator, type Page, test } from '@playwright/test';
import { open } from './book-page.ts';
import { comesAlive, serveSite } from './page.ts';

serveSite();

const OWN = 'my kid likes the movie';
const textOf = (figure: Locator): Promise<unknown> =>
  figure.evaluate((element) => (element as unknown as { spec: { readonly text?: unknown } }).spec.text);
const message = (page: Page): Locator => page.locator('.chapter-head > .own-sentence');

test('the sentence of the user replaces that of the book, is announced, and can be removed', async ({ page }) => {
  const problems = await open(page, 'book/sinusoids/');
  const typed = page.locator('#later phasor-figure');
  await typed.scrollIntoViewIfNeeded();
  await comesAlive(typed);
  const box = typed.getByRole('textbox', { name: 'sentence' });
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
  const drag = page.locator('#drag phasor-figure');
  await comesAlive(drag);
  expect(await textOf(drag)).toBe(OWN);
  await expect(drag.getByRole('option')).toHaveCount(5);
  await page.locator('#dogs').scrollIntoViewIfNeeded();
  const dogs = page.locator('#dogs phasor-figure');
  await comesAlive(dogs);
  expect(await textOf(dogs)).toBe('The dog chased another dog');

  await page.getByRole('button', { name: 'Restore original' }).click();
  await expect(message(page)).toHaveCount(0);
  await expect.poll(() => textOf(drag)).toBe('Rohan killed the lion');
  problems.push(...(await open(page)));
  await comesAlive(drag);
  expect(await textOf(drag)).toBe('Rohan killed the lion');
  expect(problems).toEqual([]);
});
