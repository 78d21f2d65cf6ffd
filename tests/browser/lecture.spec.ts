// Saved states of the Lab: the list of links, and the lecture that presents them.
import { expect, type Page, test } from '@playwright/test';
import { badge, lab, open, serveSite } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 900 } });

const largeFigure = (page: Page) => page.locator('.large phasor-figure');

test('saved states are presented step by step', { tag: '@one-engine' }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, '#v=1&encoding=rope&question=attention&view=attention');
  await page.getByRole('button', { name: 'Add to slides' }).click();
  await page.goto(`${lab()}#v=1&encoding=alibi&question=scores&view=bias`);
  await expect(badge(page)).toHaveAttribute('data-encoding', 'alibi');
  await page.getByRole('button', { name: 'Add to slides' }).click();
  await expect(page.getByText('2 saved')).toBeVisible();
  await page.getByRole('button', { name: 'Present' }).click();
  // The encoding is shown and can be changed without leaving the step.
  const encoding = page.getByRole('combobox', { name: 'Positional encoding' });
  await expect(encoding).toHaveValue('alibi');
  await expect(page.locator('.groups')).toHaveCount(0);
  await expect(page.getByText('2 / 2', { exact: true })).toBeVisible();
  await encoding.selectOption({ label: 'KERPLE' });
  await expect(badge(page)).toHaveAttribute('data-encoding', 'kerple');
  await expect(page.getByText('2 / 2', { exact: true })).toBeVisible();
  expect(await page.locator('#sentence').evaluate((sentence) => getComputedStyle(sentence).borderTopWidth)).toBe('0px');
  await expect(largeFigure(page)).toHaveAttribute('kind', 'bias');
  expect(
    await largeFigure(page).evaluate((element) => 11 * ((element as { currentCSSZoom?: number }).currentCSSZoom ?? 1)),
  ).toBeGreaterThan(17.5);
  await page.keyboard.press('ArrowRight');
  await expect(largeFigure(page)).toHaveAttribute('kind', 'attention');
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await expect(page.getByText('1 / 2', { exact: true })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(largeFigure(page)).toHaveAttribute('kind', 'bias');
  await expect(largeFigure(page)).toHaveAttribute('data-state', 'ready');
  await page.getByRole('button', { name: 'Exit' }).click();
  await expect(page.locator('.questions')).toBeVisible();
});

test('the steps of a lecture are listed, moved, deleted with Undo, and shared as one link', { tag: '@one-engine' }, async ({
  page,
  browser,
}) => {
  const problems = await open(page, '#v=1&encoding=rope&question=scores&view=rotation');
  const save = () => page.getByRole('button', { name: 'Add to slides' }).click();
  const clickLink = (link: string) =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, link);
  await save();
  await clickLink('#v=1&encoding=alibi&question=scores&view=bias&text=dog+bites+man');
  await expect(badge(page)).toHaveAttribute('data-encoding', 'alibi');
  await save();
  await page.getByText('2 saved').click();
  const steps = page.locator('.lecture-step');
  await expect(steps.first()).toContainText(/^RoPE: /);
  await expect(steps.last()).toContainText(/^ALiBi: Bias\s+dog bites man$/);
  await expect(page.locator('.lecture li[aria-current="step"]')).toContainText('ALiBi');
  await page.getByRole('button', { name: 'Move step 2 up' }).click();
  await expect(steps.first()).toContainText('ALiBi');
  await expect(page.getByRole('button', { name: 'Move step 1 down' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete step 2' }).click();
  await expect(steps).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(steps).toHaveCount(2);
  await steps.last().click();
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  const savedLinks = await page.evaluate(() => JSON.parse(localStorage.getItem('phasor-saved') ?? '[]') as string[]);

  const context = await browser.newContext();
  const otherPage = await context.newPage();
  await otherPage.goto(`${lab()}#lecture/${savedLinks.join('/')}`);
  await expect(badge(otherPage)).toHaveAttribute('data-encoding', 'alibi');
  await otherPage.getByText('2 saved').click();
  await expect(otherPage.locator('.lecture-step').last()).toContainText('RoPE');
  await context.close();
  expect(problems).toEqual([]);
});

test('links saved in two tabs are merged', async ({ page, context }) => {
  const otherPage = await context.newPage();
  const save = (tab: Page) => tab.getByRole('button', { name: 'Add to slides' }).click();
  await open(otherPage, '#v=1&encoding=alibi');
  const problems = await open(page, '#v=1&encoding=rope');
  await save(page);
  await expect(otherPage.getByText('1 saved')).toBeVisible();
  await save(otherPage);
  await expect(page.getByText('2 saved')).toBeVisible();
  await expect(otherPage.getByText('2 saved')).toBeVisible();
  // A tab opened later has both, and deletions apply to all tabs.
  await otherPage.reload();
  await expect(otherPage.getByText('2 saved')).toBeVisible();
  await otherPage.getByText('2 saved').click();
  await otherPage.getByRole('button', { name: 'Delete all' }).click();
  await expect(page.getByText(/\d saved/)).toHaveCount(0);
  expect(problems).toEqual([]);
});
