// The questions of the Lab: one is open at a time and stored in the URL and the history; the tour; announcements.
import { expect, type Page, test } from '@playwright/test';
import { badge, dragWord, figure, open, serveSite, tiles, words } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 900 } });

const hash = (page: Page) => new URL(page.url()).hash;
const question = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
const largeFigure = (page: Page) => page.locator('.large phasor-figure');
const numbersOf = (page: Page, kind: string) =>
  figure(page, kind).evaluate((element) =>
    Object.entries((element as HTMLElementTagNameMap['phasor-figure']).tensors()).map(([name, { data }]) => [name, ...Array.from(data)]),
  );

test('a question opens its figures, is stored in the URL, and Back returns to the previous one', async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=rope');
  await expect(largeFigure(page)).toHaveAttribute('kind', 'attention');
  await question(page, 'Scores').click();
  await expect(largeFigure(page)).toHaveAttribute('kind', 'rotation');
  await expect(largeFigure(page)).toHaveAttribute('data-state', 'ready');
  await expect.poll(() => hash(page)).toContain('question=scores');
  await page.getByRole('radio', { name: 'From score to weight' }).check({ force: true });
  await expect.poll(() => hash(page)).toContain('view=chain');
  await page.goBack();
  await expect(largeFigure(page)).toHaveAttribute('kind', 'rotation');
  await page.goBack();
  await expect(largeFigure(page)).toHaveAttribute('kind', 'attention');
  await expect(question(page, 'Attention')).toHaveAttribute('aria-selected', 'true');
  await question(page, 'Attention').focus();
  await page.keyboard.press('ArrowRight');
  await expect(question(page, 'Compare')).toBeFocused();
  expect(problems).toEqual([]);
});

test('a view that does not apply explains why and links to one that does', { tag: '@one-engine' }, async ({ page }) => {
  await open(page, '#v=1&encoding=alibi&question=position&view=table');
  const sentence = page.getByText('ALiBi has no table of position vectors: it adds a bias to the scores; see Scores.');
  await expect(sentence).toBeVisible();
  await sentence.getByRole('button').click();
  await expect(largeFigure(page)).toHaveAttribute('kind', 'bias');
  await expect(largeFigure(page)).toHaveAttribute('data-state', 'ready');
});

test('the URL restores the whole state in a new browser context', async ({ page, browser }) => {
  await open(page, '#v=1&encoding=alibi&question=scores&view=bias');
  await dragWord(page, 'lion', 'Rohan');
  await largeFigure(page).getByText('Settings', { exact: true }).click();
  const length = largeFigure(page).getByRole('textbox', { name: 'positions' });
  // Typed, because Firefox sends no change event after fill().
  await length.selectText();
  await page.keyboard.type('24');
  await length.press('Enter');
  await expect(figure(page, 'bias')).toHaveJSProperty('state', 'ready');
  await expect.poll(() => hash(page)).toMatch(/order=3\.0\.1\.2.*figures=bias\.length/);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const otherPage = await context.newPage();
  await otherPage.goto(page.url());
  await expect(badge(otherPage)).toHaveAttribute('data-max-abs-diff', (await badge(page).getAttribute('data-max-abs-diff')) ?? '');
  // The badge may update one frame before the tiles.
  await expect.poll(() => words(otherPage)).toEqual(await words(page));
  await expect(figure(otherPage, 'bias')).toHaveAttribute('data-state', 'ready');
  expect(await numbersOf(otherPage, 'bias')).toEqual(await numbersOf(page, 'bias'));
  await context.close();
});

test('the sentence and the attention figure share one cursor', async ({ page }) => {
  await open(page, '#v=1&encoding=rope');
  await tiles(page).first().click();
  await expect(page.locator('ph-readout')).toContainText('“Rohan” attends most to');
  await expect(figure(page, 'attention')).toHaveAttribute('data-state', 'ready');
  await figure(page, 'attention').locator('.picture').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  const [, from, to] =
    /“(.*)” attends to “(.*)”: weight/.exec((await figure(page, 'attention').locator('.readout').textContent()) ?? '') ?? [];
  await expect(page.locator('ph-readout')).toContainText(`“${from}” attends to “${to}”: weight`);
});

test('the tour explains RoPE in four steps, each with its own link', { tag: '@one-engine' }, async ({ page }) => {
  const problems = await open(page);
  await page.getByRole('button', { name: /New to RoPE/ }).click();
  const titles = new Set<string | null>();
  for (const step of [1, 2, 3, 4]) {
    await expect(page.getByText(`RoPE, step ${step} of 4`)).toBeVisible();
    await expect(largeFigure(page)).toHaveAttribute('data-state', 'ready');
    await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
    await expect.poll(() => hash(page)).toContain(`tour=${step}`);
    titles.add(await page.locator('.tour h2').textContent());
    if (step < 4) await page.getByRole('button', { name: 'Next' }).click();
  }
  expect(titles.size).toBe(4);
  await expect(largeFigure(page)).toHaveAttribute('kind', 'frequencies');
  await page.goBack();
  await expect(page.getByText('RoPE, step 3 of 4')).toBeVisible();

  // A step hides its text when its state is no longer shown.
  await page.evaluate(() => {
    location.hash = '#v=1&tour=2';
  });
  await expect(page.locator('.tour')).toContainText('You have left this step');
  await page.getByRole('button', { name: 'Show this step' }).click();
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await expect(page.locator('.tour')).toContainText('like the hands of a clock');
  expect(problems).toEqual([]);
});

test('Back returns to previous encodings, and rejected values are not stored in the URL', async ({ page }) => {
  // Playwright's goBack waits for a load event, which Firefox does not send if only the fragment changes.
  const goBack = () => page.evaluate(() => history.back());
  const problems = await open(page, '');
  for (const name of ['RoPE', 'ALiBi']) {
    await page.getByRole('radio', { name, exact: true }).check({ force: true });
    await expect.poll(() => hash(page)).toContain(`encoding=${name.toLowerCase()}`);
  }
  const offset = page.locator('input[name="positionOffset"]');
  await expect(page.locator('#hint-positionOffset')).toHaveText(/^−1,000,000 to 1,000,000/);
  await offset.fill('2000000');
  await expect(page.getByRole('alert').filter({ hasText: 'The sentence still shows the last valid setting.' })).toContainText(
    '-1,000,000 to 1,000,000',
  );
  await page.waitForTimeout(600);
  expect(hash(page)).toBe('#v=3&encoding=alibi&mask=causal&heads=4&projections=trained');
  await offset.fill('5');
  await expect.poll(() => hash(page)).toBe('#v=3&encoding=alibi&positionOffset=5');
  await goBack();
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await goBack();
  await expect(badge(page)).toHaveAttribute('data-encoding', 'none');
  expect(problems).toEqual([]);
});

test('a text too long for the sentence is shown under Reach, closes the editor and is stored compactly in the URL', async ({ page }) => {
  const problems = await open(page);
  await page.getByRole('button', { name: 'Edit the sentence' }).click();
  const text = Array.from({ length: 600 }, (_, index) => (index % 3 === 0 ? 'löwe,' : 'lion')).join(' ');
  await page.getByRole('textbox', { name: /sentence/i }).fill(text);
  await expect(page.locator('#sentence-problem')).toContainText('at most 512');
  await page.getByRole('button', { name: 'Show its attention under Reach' }).click();
  await expect(page.locator('#sentence-editor')).toBeHidden();
  await expect(page.locator('#sentence-problem')).toBeHidden();
  await expect(largeFigure(page)).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
  await expect.poll(() => hash(page)).toContain('attention-map.passage:l%C3%B6we%252C+lion');
  expect(hash(page).length).toBeLessThan(2 * text.length);
  expect(problems).toEqual([]);
});

test('a changed setting announces its result, and controls have descriptions', { tag: '@one-engine' }, async ({ page, browserName }) => {
  const problems = await open(page, '#v=1&order=3.0.1.2');
  const message = page.locator('ph-spoken [role="status"]');
  await page.getByRole('radio', { name: 'RoPE', exact: true }).check({ force: true });
  await expect(message).toHaveText(/^RoPE: outputs changed: maximum difference \d/);
  const slider = page.getByRole('slider', { name: 'base, slider' });
  await slider.focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowLeft');
  await expect(message).toHaveText(/^base \d+(\.\d+)?: outputs changed: maximum difference \d/);
  await expect(page.locator('input[name="base"][type="text"]')).toHaveAccessibleDescription(/[Bb]ase/);
  await expect(page.locator('#about-param-base')).toBeVisible();
  // The same within a figure, whose encodings are grouped by where they enter attention.
  const figure = largeFigure(page);
  await figure.getByText('Settings', { exact: true }).click();
  await expect(figure.locator('select#encoding optgroup').nth(1)).toHaveAttribute('label', 'added to the embeddings');
  await expect(figure.locator('select#encoding option:checked')).toHaveText('RoPE');
  await figure.getByRole('slider', { name: 'base' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(figure.locator('[aria-live]')).toHaveText(/weight/);
  // The question is the accessible name of the figure and is not repeated in other nodes.
  const question = await figure.locator('.question').textContent();
  if (browserName === 'chromium') {
    const tree = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree');
    const named = tree.nodes.filter(({ ignored, name }) => !ignored && String(name?.value ?? '').includes(question ?? '?'));
    expect(named.map(({ role }) => role?.value)).toEqual(['figure']);
  }
  expect(problems).toEqual([]);
});

test('the sentence stays visible while scrolling, and a narrow window moves parameters behind a button', async ({ page }) => {
  await open(page, '#v=1&encoding=rope&params=base:500');
  await expect(page.locator('.strip')).toHaveCount(0);
  await question(page, 'Scores').click();
  await page.evaluate(() => scrollTo(0, 500));
  const strip = page.locator('.strip');
  await expect(strip).toBeVisible();
  await strip.getByRole('button', { name: 'killed' }).click();
  await expect(strip.getByRole('button', { name: 'killed' })).toHaveAttribute('aria-pressed', 'true');
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.getByRole('radio', { name: 'RoPE' })).toBeChecked();
  await page.setViewportSize({ width: 700, height: 900 });
  await expect(page.locator('input[name="heads"]')).toBeHidden();
  await page.getByRole('button', { name: 'Parameters' }).click();
  await expect(page.locator('input[name="heads"]')).toBeVisible();
});
