// The Lab's questions: one open at a time, in the address and in the history; the tour, the presets, a lecture.
import { expect, type Page, test } from '@playwright/test';
import { badge, dragWord, figure, lab, open, serveSite, tiles, words } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 900 } });

const hash = (page: Page) => new URL(page.url()).hash;
const question = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
const large = (page: Page) => page.locator('.large phasor-figure');
const numbersOf = (page: Page, kind: string) =>
  figure(page, kind).evaluate((element) =>
    Object.entries((element as HTMLElementTagNameMap['phasor-figure']).numbers()).map(([name, { data }]) => [name, ...Array.from(data)]),
  );

test('a question opens its figures, is in the address, and Back leads to the one before', async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=rope');
  await expect(large(page)).toHaveAttribute('kind', 'attention');
  await question(page, 'Scores').click();
  await expect(large(page)).toHaveAttribute('kind', 'rotation');
  await expect(large(page)).toHaveAttribute('data-state', 'ready');
  await expect.poll(() => hash(page)).toContain('question=scores');
  await page.getByRole('radio', { name: 'From score to weight' }).check({ force: true });
  await expect.poll(() => hash(page)).toContain('view=chain');
  await page.goBack();
  await expect(large(page)).toHaveAttribute('kind', 'rotation');
  await page.goBack();
  await expect(large(page)).toHaveAttribute('kind', 'attention');
  await expect(question(page, 'Attention')).toHaveAttribute('aria-selected', 'true');
  // By keyboard: one stop, and arrow keys.
  await question(page, 'Attention').focus();
  await page.keyboard.press('ArrowRight');
  await expect(question(page, 'Compare')).toBeFocused();
  expect(problems).toEqual([]);
});

test('a view that has nothing to show says why and leads to one that has', async ({ page }) => {
  await open(page, '#v=1&encoding=alibi&question=position&view=table');
  const sentence = page.getByText('ALiBi has no table of position vectors: it adds a bias to the scores; see Scores.');
  await expect(sentence).toBeVisible();
  await sentence.getByRole('button').click();
  await expect(large(page)).toHaveAttribute('kind', 'bias');
  await expect(large(page)).toHaveAttribute('data-state', 'ready');
});

test('the state of any moment survives copying the address into a fresh browser', async ({ page, browser }) => {
  await open(page, '#v=1&encoding=alibi&question=scores&view=bias');
  await dragWord(page, 'lion', 'Rohan');
  await large(page).getByText('Change', { exact: true }).click();
  const length = large(page).getByRole('textbox', { name: 'positions' });
  // Typed: Firefox tells of no change when a program has filled the field.
  await length.selectText();
  await page.keyboard.type('24');
  await length.press('Enter');
  await expect(figure(page, 'bias')).toHaveJSProperty('state', 'ready');
  await expect.poll(() => hash(page)).toMatch(/order=3\.0\.1\.2.*figures=bias\.length/);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(badge(other)).toHaveAttribute('data-max-abs-diff', (await badge(page).getAttribute('data-max-abs-diff')) ?? '');
  expect(await words(other)).toEqual(await words(page));
  await expect(figure(other, 'bias')).toHaveAttribute('data-state', 'ready');
  expect(await numbersOf(other, 'bias')).toEqual(await numbersOf(page, 'bias'));
  await context.close();
});

test('one cursor: a word, its row and what follows it', async ({ page }) => {
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

test('the tour leads through RoPE in four steps, a link each', async ({ page }) => {
  const problems = await open(page);
  await page.getByRole('button', { name: /New to RoPE/ }).click();
  const titles = new Set<string | null>();
  for (const step of [1, 2, 3, 4]) {
    await expect(page.getByText(`RoPE, step ${step} of 4`)).toBeVisible();
    await expect(large(page)).toHaveAttribute('data-state', 'ready');
    await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
    await expect.poll(() => hash(page)).toContain(`tour=${step}`);
    titles.add(await page.locator('.tour h2').textContent());
    if (step < 4) await page.getByRole('button', { name: 'Next' }).click();
  }
  expect(titles.size).toBe(4);
  await expect(large(page)).toHaveAttribute('kind', 'frequencies');
  await page.goBack();
  await expect(page.getByText('RoPE, step 3 of 4')).toBeVisible();

  // A step says nothing about what it does not show.
  await page.evaluate(() => {
    location.hash = '#v=1&tour=2';
  });
  await expect(page.locator('.tour')).toContainText('something else is shown now');
  await page.getByRole('button', { name: 'Show this step' }).click();
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await expect(page.locator('.tour')).toContainText('like the hands of a clock');
  expect(problems).toEqual([]);
});

test('what is saved is presented, step by step', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, '#v=1&encoding=rope&question=attention&view=attention');
  await page.getByRole('button', { name: 'Save for a lecture' }).click();
  await page.goto(`${lab()}#v=1&encoding=alibi&question=scores&view=bias`);
  await expect(badge(page)).toHaveAttribute('data-encoding', 'alibi');
  await page.getByRole('button', { name: 'Save for a lecture' }).click();
  await expect(page.getByText('2 saved')).toBeVisible();
  await page.getByRole('button', { name: 'Present' }).click();
  // The encoding is named; its choices are not there.
  await expect(page.locator('ph-rail')).toContainText('ALiBi');
  await expect(page.locator('.groups')).toHaveCount(0);
  await expect(large(page)).toHaveAttribute('kind', 'bias');
  // Labels of 18 px and more.
  expect(await large(page).evaluate((element) => 11 * ((element as { currentCSSZoom?: number }).currentCSSZoom ?? 1))).toBeGreaterThan(
    17.5,
  );
  await page.keyboard.press('ArrowRight');
  await expect(large(page)).toHaveAttribute('kind', 'attention');
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await page.keyboard.press('ArrowLeft');
  await expect(large(page)).toHaveAttribute('kind', 'bias');
  // A figure still knows where it is pointed at.
  await expect(large(page)).toHaveAttribute('data-state', 'ready');
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.locator('.questions')).toBeVisible();
});

test('the sentence stays in sight, and the encoding folds into a line', async ({ page }) => {
  await open(page, '#v=1&encoding=rope&params=base:500');
  await expect(page.locator('.strip')).toHaveCount(0);
  await question(page, 'Scores').click();
  await expect(page.locator('.folded')).toContainText(/RoPE.*base 500.*interleaved.*4 heads/s);
  await page.evaluate(() => scrollTo(0, 500));
  const strip = page.locator('.strip');
  await expect(strip).toBeVisible();
  await strip.getByRole('button', { name: 'killed' }).click();
  await expect(strip.getByRole('button', { name: 'killed' })).toHaveAttribute('aria-pressed', 'true');
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('button', { name: 'Another encoding' }).click();
  await expect(page.getByRole('radio', { name: 'RoPE' })).toBeFocused();
});

test('two tabs save their links side by side', async ({ page, context }) => {
  const other = await context.newPage();
  const save = (tab: Page) => tab.getByRole('button', { name: 'Save for a lecture' }).click();
  await open(other, '#v=1&encoding=alibi');
  const problems = await open(page, '#v=1&encoding=rope');
  await save(page);
  await expect(other.getByText('1 saved')).toBeVisible();
  await save(other);
  await expect(page.getByText('2 saved')).toBeVisible();
  await expect(other.getByText('2 saved')).toBeVisible();
  // Both are there in a tab that opens later, and what one forgets the others forget.
  await other.reload();
  await expect(other.getByText('2 saved')).toBeVisible();
  await other.getByRole('button', { name: 'Forget' }).click();
  await expect(page.getByText(/\d saved/)).toHaveCount(0);
  expect(problems).toEqual([]);
});
