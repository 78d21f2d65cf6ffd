// Difficult input and browsers: long texts, broken Unicode, right-to-left scripts, old links, no storage, 200% zoom.
import { expect, type Page, test } from '@playwright/test';
import { address, badge, figure, fillStorage, forbidStorage, open, serveSite, tiles, words } from './page.ts';

serveSite();

const box = async (page: Page) => {
  const edit = page.getByRole('button', { name: 'Edit the sentence' });
  if (await edit.isVisible()) await edit.click();
  return page.getByRole('textbox', { name: /sentence/i });
};
const makeText = (count: number) => Array.from({ length: count }, (_, index) => ['the', 'lion', 'killed', 'man'][index % 4]).join(' ');

for (const count of [2000, 5000]) {
  test(`a text of ${count} words stays in the editor and is shown under Reach`, async ({ page }) => {
    const problems = await open(page, '#v=1&encoding=rope');
    const text = makeText(count);
    const field = await box(page);
    await field.fill(text);
    await expect(page.locator('#sentence-problem')).toContainText(
      `This text has ${count.toLocaleString('en')} words and punctuation marks; a sentence may have at most 512.`,
    );
    expect(await tiles(page).count()).toBe(4);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Edit the sentence' })).toBeVisible();
    expect(await (await box(page)).inputValue()).toBe(text);
    await page.getByRole('button', { name: 'Show its attention under Reach' }).click();
    await expect(figure(page, 'attention-map')).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
    await expect(figure(page, 'attention-map').locator('.readout')).toContainText(`${count.toLocaleString('en')} tokens`);
    expect(problems).toEqual([]);
  });
}

test('a lone surrogate is replaced, and Arabic is laid out from right to left, in the editor and from a link', async ({ page }) => {
  const problems = await open(page);
  const field = await box(page);
  await field.evaluate((area: HTMLTextAreaElement) => {
    area.value = 'cut \ud83d here';
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect.poll(() => words(page)).toEqual(['cut', '\ufffd', 'here']);
  await expect.poll(() => new URL(page.url()).hash).toContain('text=cut+%EF%BF%BD+here');
  await page.evaluate(() => {
    location.hash = '#v=1&text=one+%ED%A0%BD+two';
  });
  await expect.poll(() => words(page)).toContain('two');
  const arabic = 'قتل الأسد الرجل';
  const isFromRight = async () => {
    const [first, second] = await Promise.all([tiles(page).nth(0).boundingBox(), tiles(page).nth(1).boundingBox()]);
    return (first?.x ?? 0) > (second?.x ?? 0);
  };
  // A link replaces the text of the editor.
  await expect(field).toHaveValue(/two/);
  await field.selectText();
  await page.keyboard.insertText(arabic);
  expect(await field.evaluate((area) => getComputedStyle(area).direction)).toBe('rtl');
  await expect.poll(() => words(page)).toEqual(arabic.split(' '));
  await expect.poll(isFromRight).toBe(true);
  await expect.poll(() => new URL(page.url()).hash).toContain('%D8');
  const linkHash = new URL(page.url()).hash;
  await page.evaluate(() => {
    location.hash = '#v=1&text=one+two';
  });
  await expect.poll(isFromRight).toBe(false);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, linkHash);
  await expect.poll(() => words(page)).toEqual(arabic.split(' '));
  await expect.poll(isFromRight).toBe(true);
  expect(problems).toEqual([]);
});

test('a link of an older version still opens its figure', { tag: '@one-engine' }, async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=rope&matrix=scores&order=3.0.1.2');
  await expect(figure(page, 'attention')).toHaveAttribute('matrix', 'scores');
  await expect(page.getByRole('alert').filter({ hasText: 'In this link' })).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('saved links are reported as temporary when storage is blocked, and ? opens the list of keys', async ({ page }) => {
  await forbidStorage(page);
  const problems = await open(page, '#v=1&encoding=rope');
  await page.getByRole('button', { name: 'Add to slides' }).click();
  await expect(page.getByText('1 saved until you close this tab: browser storage is blocked')).toBeVisible();
  await page.locator('ph-keys summary').evaluate((summary: HTMLElement) => summary.blur());
  await page.keyboard.press('?');
  await expect(page.locator('ph-keys summary')).toBeFocused();
  await expect(page.getByText('opens this list')).toBeVisible();
  expect(problems).toEqual([]);
});

test('dragged slopes that do not fit a new number of heads are rejected, and the defaults are offered', { tag: '@one-engine' }, async ({
  page,
}) => {
  await open(page, '#v=1&encoding=alibi&params=slopes:1;0.5;0.25;0.1');
  await page.locator('input[name="heads"]').fill('2');
  const alert = page.getByRole('alert').filter({ hasText: /slopes: has shape 4; expected 2/ });
  await alert.first().getByRole('button', { name: 'Use the default slopes' }).click();
  await expect(alert).toHaveCount(0);
  await expect(badge(page)).toHaveAttribute('data-max-abs-diff', /\d/);
  await expect.poll(() => new URL(page.url()).hash).toMatch(/heads=2(?!.*slopes)/);
});

test('a number of heads that does not divide dim is reported under each question, and no figure is blank', { tag: '@one-engine' }, async ({
  page,
}) => {
  await open(page, '#v=1&encoding=rope');
  await page.locator('input[name="heads"]').fill('3');
  const alert = page.getByRole('alert').filter({ hasText: 'dim 64 is not divisible by 3; try 1, 2, 4, 8' });
  await expect(alert).toBeVisible();
  for (const [name, kind] of [
    ['Position', 'requirements'],
    ['Scores', 'rotation'],
    ['Attention', 'attention'],
  ] as const) {
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    await expect(alert).toBeVisible();
    await expect(figure(page, kind).getByText('Cannot draw this setting:')).toBeVisible();
  }
  await page.locator('input[name="heads"]').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('4');
  await expect(figure(page, 'attention').getByText('There is no picture')).toHaveCount(0);
  await expect(figure(page, 'attention')).toHaveAttribute('data-state', 'ready');
});

test('the picture of the previous settings stays and is labelled as such', { tag: '@one-engine' }, async ({ page }) => {
  await open(page, '#v=1&encoding=rope&question=scores');
  await expect(figure(page, 'rotation')).toHaveAttribute('data-state', 'ready');
  await page.locator('input[name="heads"]').fill('3');
  await expect(figure(page, 'rotation').locator('.proof')).toContainText('previous settings');
});

for (const [link, position, why] of [
  ['encoding=rope&heads=3', 'at Heads', 'dim 64 is not divisible by 3'],
  ['encoding=rope&heads=3&question=position', 'at Heads', 'dim 64 is not divisible by 3'],
  ['encoding=rope&params=base:0', 'at base', 'base: 0'],
  ['encoding=learned&offset=600', 'at Position offset', 'positionOffset: position 600 is outside 0 to 511'],
] as const) {
  test(`a first link to ${link} is reported as an invalid setting`, { tag: '@one-engine' }, async ({ page }) => {
    await open(page, `#v=1&${link}`, { numbers: false });
    await expect(page.locator('ph-story')).toHaveText(`Invalid setting; see the message ${position}.`);
    await expect(page.getByRole('alert').filter({ hasText: why })).toBeVisible();
  });
}

test('no question is wider than the window at 200% zoom', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  for (const question of ['attention', 'position', 'scores', 'compare', 'reach']) {
    await open(page, `#v=1&encoding=rope&question=${question}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), question).toBeLessThanOrEqual(720);
    await page.goto('about:blank');
  }
  await context.close();
});

test('saved links and answers in the book are reported as temporary when storage is full', async ({ page }) => {
  await fillStorage(page);
  const problems = await open(page, '#v=1&encoding=rope');
  await page.getByRole('button', { name: 'Add to slides' }).click();
  await expect(page.getByText('1 saved until you close this tab: browser storage is full')).toBeVisible();
  await page.goto(`${address()}book/stretching-rope/`);
  const question = page.locator('section.predict').first();
  await question.getByRole('radio').first().check();
  await question.getByRole('button').first().click();
  await expect(question.getByRole('status')).toContainText(
    'Browser storage is full: your answers are kept only until you close this page.',
  );
  expect(problems).toEqual([]);
});
