// User input: invalid numbers and sentences are rejected in place, and words in any script are accepted.
import { expect, test } from '@playwright/test';
import { badge, choose, dragWord, figure, maxAbsDiff, open, serveSite, tiles, words } from './page.ts';

serveSite();

test('invalid input is reported where it was entered, and the last picture is kept', async ({ page }) => {
  const problems = await open(page);
  await choose(page, 'Positional encoding', 'RoPE');
  await dragWord(page, 'lion', 'Rohan');
  await expect.poll(() => words(page)).toEqual(['lion', 'Rohan', 'killed', 'the']);
  // Waits for the result of the last step of the drag.
  await expect(figure(page, 'sentence')).toHaveAttribute('data-state', 'ready');
  await expect(badge(page)).toContainText('outputs changed');
  const initialDiff = await maxAbsDiff(page);

  const cases: [string, string, RegExp][] = [
    ['dim', '7', /dim: 7 is odd|heads: dim 7 is not divisible by 4/],
    ['heads', '5', /heads: dim 64 is not divisible by 5/],
    ['base', '0', /base: 0 is outside/],
    ['base', '-3', /base: -3 is outside/],
    ['positionOffset', '2147483648', /positionOffset: 2147483648 is outside/],
  ];
  for (const [name, value, sentence] of cases) {
    const field = page.locator(`input[name="${name}"]:not([type=range])`);
    const initialValue = await field.inputValue();
    await field.fill(value);
    await field.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
    expect(await maxAbsDiff(page)).toBe(initialDiff);
    await field.fill(initialValue);
    await field.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toHaveCount(0);
  }

  // Width 7 with one head reaches RoPE itself, which needs pairs.
  await page.locator('input[name="heads"]').fill('1');
  await page.locator('input[name="heads"]').press('Enter');
  await expect.poll(() => maxAbsDiff(page)).not.toBe(initialDiff);
  const singleDiff = await maxAbsDiff(page);
  await page.locator('input[name="dim"]').fill('7');
  await page.locator('input[name="dim"]').press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: /dim: 7 is odd/ })).toBeVisible();
  expect(await maxAbsDiff(page)).toBe(singleDiff);
  await page.locator('input[name="dim"]').fill('64');
  await page.locator('input[name="dim"]').press('Enter');

  await page.getByRole('button', { name: 'Edit the sentence' }).click();
  const box = page.getByRole('textbox', { name: /sentence/i });
  for (const text of ['', '   ', Array.from({ length: 5000 }, () => 'word').join(' ')]) {
    await box.fill(text);
    await expect(page.locator('#sentence-problem')).not.toBeEmpty();
    expect(await tiles(page).count()).toBe(4);
  }
  await expect(page.locator('#sentence-problem')).toContainText(/5,?000.*512/);
  await box.fill('it works again');
  await expect.poll(() => words(page)).toEqual(['it', 'works', 'again']);
  expect(problems).toEqual([]);
});

test('words in any script, emoji, unknown words and 300 words become tokens', async ({ page }) => {
  const problems = await open(page);
  await page.getByRole('button', { name: 'Edit the sentence' }).click();
  const box = page.getByRole('textbox', { name: /sentence/i });
  await box.fill('我爱你 👩‍👩‍👧 xyzzyq');
  await expect.poll(async () => (await words(page)).at(-1)).toBe('xyzzyq');
  expect(await words(page)).toContain('👩‍👩‍👧');
  await expect(page.getByText(/fixed random vector is used/).first()).toBeVisible();
  await box.fill(Array.from({ length: 300 }, (_, i) => ['the', 'lion', 'killed', 'man'][i % 4]).join(' '));
  await expect(tiles(page)).toHaveCount(300);
  await expect(badge(page)).toHaveAttribute('data-max-abs-diff', '0');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  expect(problems).toEqual([]);
});
