// The main workflow of the Lab by mouse and by keyboard, on the built site served under a nested path.
import { expect, test } from '@playwright/test';
import { badge, choose, dragWord, maxAbsDiff, open, serveSite, violations, words } from './page.ts';

serveSite();

test('moving a word by mouse only permutes the outputs without positions, and changes them with positions', async ({ page }) => {
  const problems = await open(page);
  expect(await words(page)).toEqual(['Rohan', 'killed', 'the', 'lion']);

  await dragWord(page, 'lion', 'Rohan');
  await expect.poll(() => words(page)).not.toEqual(['Rohan', 'killed', 'the', 'lion']);
  await expect(badge(page)).toContainText('same outputs, reordered');
  await expect.poll(() => maxAbsDiff(page)).toBeLessThan(1e-5);

  for (const encoding of ['sinusoidal', 'RoPE', 'ALiBi']) {
    await choose(page, 'Positional encoding', encoding);
    await expect(badge(page)).toContainText('outputs changed');
    expect(await maxAbsDiff(page)).toBeGreaterThan(0.01);
  }

  await choose(page, 'Positional encoding', 'none');
  await expect(badge(page)).toContainText('same outputs, reordered');
  await choose(page, 'Mask', 'causal');
  await expect(badge(page)).toContainText('outputs changed');
  expect(await maxAbsDiff(page)).toBeGreaterThan(0.01);

  await choose(page, 'Mask', 'none');
  await page.getByRole('button', { name: 'Edit the sentence' }).click();
  await page.getByRole('textbox', { name: /sentence/i }).fill('the river runs past the old bank');
  await page.keyboard.press('Escape');
  await expect.poll(() => words(page)).toEqual(['the', 'river', 'runs', 'past', 'the', 'old', 'bank']);
  await dragWord(page, 'bank', 'river');
  await expect(badge(page)).toContainText('same outputs, reordered');
  await expect.poll(() => maxAbsDiff(page)).toBeLessThan(1e-5);
  expect(problems).toEqual([]);
});

test('the keyboard moves a word and selects an encoding', async ({ page }) => {
  const problems = await open(page);
  await page.getByRole('option', { selected: true }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect.poll(() => words(page)).toEqual(['killed', 'the', 'Rohan', 'lion']);
  await expect(badge(page)).toContainText('same outputs, reordered');
  await expect.poll(() => maxAbsDiff(page)).toBeGreaterThan(0);
  expect(await maxAbsDiff(page)).toBeLessThan(1e-5);

  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => words(page)).toEqual(['killed', 'Rohan', 'the', 'lion']);

  await page.getByRole('radiogroup', { name: 'Positional encoding' }).getByRole('radio', { checked: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(
    page.getByRole('radiogroup', { name: 'Positional encoding' }).getByRole('radio', { checked: true }),
  ).not.toHaveAccessibleName('none');
  await expect(badge(page)).toContainText('outputs changed');
  expect(problems).toEqual([]);
});

test('a link contains only the settings that differ from the defaults, and restores them', async ({ page }) => {
  await open(page, '');
  expect(new URL(page.url()).hash).toBe('');
  await choose(page, 'Positional encoding', 'RoPE');
  await expect.poll(() => new URL(page.url()).hash).toBe('#v=3&encoding=rope&mask=causal&heads=4&projections=trained');
  // Trained heads require the causal mask.
  await choose(page, 'Mask', 'none');
  await dragWord(page, 'not', 'or');
  // Waits for the final order: a drag moves words on the way, and the link is updated with a delay.
  await expect.poll(() => new URL(page.url()).hash).toMatch(/encoding=rope.*order=0\.1\.3\.2\.4\.5|order=0\.1\.3\.2\.4\.5.*encoding=rope/);
  const order = await words(page);
  const value = await badge(page).getAttribute('data-max-abs-diff');
  const hash = new URL(page.url()).hash;
  expect(hash).toContain('v=3');
  expect(hash).not.toContain('heads');
  await page.goto('about:blank');
  await open(page, hash);
  await expect.poll(() => words(page)).toEqual(order);
  await expect(badge(page)).toHaveAttribute('data-max-abs-diff', value ?? '');
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    test(`axe reports no violations: ${colorScheme}, ${width} px`, async ({ browser }) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      await open(page, '#v=1&encoding=rope&order=1.0.2.3');
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await context.close();
    });
  }
}
