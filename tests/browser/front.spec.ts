// The front page: a model that predicts the next word.
import { expect, type Locator, type Page, test } from '@playwright/test';
import { address, collectProblems, serveSite, waitUntilReady, words } from './page.ts';

serveSite();

const option = (page: Page, word: number) => page.getByRole('option').and(page.locator(`#word-${word}`));
const WRITTEN = ['to', 'be', 'or', 'not', 'to'];
const verdict = (page: Page) => page.locator('.verdict');

async function openFront(page: Page, reducedMotion: 'reduce' | 'no-preference'): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.emulateMedia({ reducedMotion });
  const problems = collectProblems(page);
  await page.goto(address());
  await waitUntilReady(page.locator('phasor-figure').first());
  return problems;
}

test('the prediction follows the order of words and degrades without positions', async ({ page }) => {
  const problems = await openFront(page, 'reduce');
  await expect(verdict(page)).toHaveText('“be”, 100%. It came after “to” the last time.');
  const or = await option(page, 2).boundingBox();
  const be = await option(page, 1).boundingBox();
  if (!or || !be) throw new Error('no words');
  const y = or.y + or.height / 2;
  await page.mouse.move(or.x + or.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(be.x + be.width / 2, y, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => words(page)).toEqual(['to', 'or', 'be', 'not', 'to']);
  await expect(verdict(page)).toHaveText('“or”, 100%. It came after “to” the last time.');
  await expect(page.getByRole('radio')).toHaveText([
    /^No position\s*or 30%$/,
    /^RoPE\s*or 100%$/,
    /^ALiBi\s*or 9\d%$/,
    /^Learned\s*or 100%$/,
  ]);
  await expect(page.locator('[aria-live]').first()).toHaveText('or is now word 2 of 5. Next: or 100%');
  await page.getByRole('radio', { name: /^No position/ }).click();
  await expect(verdict(page)).toHaveText(/^“\w+”, [1-5]\d%\. Without positions the model reads the words, but hardly their order\.$/);
  await page.getByRole('button', { name: 'Reset order' }).click();
  await expect.poll(() => words(page)).toEqual(WRITTEN);
  await page.keyboard.press('Tab');
  expect(problems).toEqual([]);
});

test('the page loads one WebAssembly file for the figure and its model', { tag: '@one-engine' }, async ({ page }) => {
  const files: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('.wasm')) files.push(request.url());
  });
  await openFront(page, 'reduce');
  await page.getByRole('radio', { name: /^No position/ }).click();
  await expect(verdict(page)).toHaveText(/Without positions/);
  expect(files).toEqual([expect.stringMatching(/\/phasor-nn-[\w-]+\.wasm$/)]);
});

test('any words of the user get a prediction or an explanation', { tag: '@one-engine' }, async ({ page }) => {
  const problems = await openFront(page, 'reduce');
  const input = page.getByLabel('Your own words');
  const write = async (text: string) => {
    await input.fill(text);
    await input.press('Enter');
  };
  await write('the cat saw a dog, then the');
  await expect(verdict(page)).toHaveText(/^“cat”, \d+%\. It came after “the” the last time\.$/);
  await write('only different words');
  await expect(verdict(page)).toHaveText('No word occurs twice, so there is nothing to copy.');
  await write('🐢 🦊 🐢');
  await expect(verdict(page)).toHaveText(/^“🦊”/);
  await write('אני רוצה אני');
  // Isolation marks keep the number to the right of the word.
  await expect(verdict(page)).toHaveText(/^“\u2068רוצה\u2069”, \d+%\./);
  await write(Array.from({ length: 200 }, (_, index) => `w${index % 40}`).join(' '));
  await expect(
    page.getByText('The model reads at most 64 words, at most 26 of them distinct: the first 174 words are omitted.'),
  ).toBeVisible();
  await write('   ');
  await expect(page.getByText('The model reads at most 64 words')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
  expect(problems).toEqual([]);
});

test('the keyboard moves a word and selects an encoding', { tag: '@one-engine' }, async ({ page }) => {
  await openFront(page, 'reduce');
  await option(page, 2).focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => words(page)).toEqual(['to', 'or', 'be', 'not', 'to']);
  await page.getByRole('radio', { name: /^RoPE/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: /^ALiBi/ })).toBeFocused();
  await expect(verdict(page)).toHaveText(/^“or”, 9\d%/);
});

test('a word moves by itself only once', async ({ page }) => {
  await openFront(page, 'no-preference');
  await expect.poll(() => words(page), { timeout: 6000 }).toEqual(['to', 'or', 'be', 'not', 'to']);
  await page.getByRole('button', { name: 'Reset order' }).click();
  await page.waitForTimeout(2200);
  expect(await words(page)).toEqual(WRITTEN);
});

test('words keep their positions when the figure becomes interactive', { tag: '@one-engine' }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(address());
  const staticWords = page
    .locator('.book-figure svg.still.wide')
    .getByText(/^(to|be|or|not)$/)
    .filter({ visible: true });
  // Also counts the labels of the prediction and of three bars, which are drawn before the words.
  await expect(staticWords).toHaveCount(WRITTEN.length + 4);
  const initialBoxes = await staticWords.evaluateAll((words) =>
    words.map((word) => word.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 })),
  );
  await waitUntilReady(page.locator('phasor-figure').first());
  for (const [word, { x, y }] of initialBoxes.slice(4).entries()) {
    const { x: left = 0, y: top = 0, width = 0, height = 0 } = (await option(page, word).locator('span').first().boundingBox()) ?? {};
    expect(Math.abs(left + width / 2 - x), `word ${word}`).toBeLessThan(2);
    expect(Math.abs(top + height / 2 - y), `word ${word}`).toBeLessThan(6);
  }
});

test('the verdict and the choices keep their positions when the figure becomes interactive', { tag: '@one-engine' }, async ({ page }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(address());
    const parts = [verdict(page), page.getByRole('radio', { name: /^RoPE/ }), page.getByRole('button', { name: 'What is this?' })];
    const boxes = () => Promise.all(parts.map(async (part) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }));
    await expect(verdict(page)).toHaveText('“be”, 100%. It came after “to” the last time.');
    await expect(parts[1] as Locator).toBeDisabled();
    const initialBoxes = await boxes();
    await waitUntilReady(page.locator('phasor-figure').first());
    await expect(parts[1] as Locator).toBeEnabled();
    for (const [index, { x, y, height }] of (await boxes()).entries()) {
      const { x: left = 0, y: top = 0, height: high = 0 } = initialBoxes[index] ?? {};
      expect(Math.max(Math.abs(x - left), Math.abs(y - top), Math.abs(height - high)), `part ${index} at ${width} px`).toBeLessThan(2);
    }
  }
  // The Lab does not have this figure.
  await expect(page.locator('.book-figure').getByRole('link', { name: 'Open in the Lab' })).toHaveCount(0);
});

test('every kind of page complies with its content security policy, which blocks foreign content', async ({ page }) => {
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { refused: violations });
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      violations.push(`${effectiveDirective} ${blockedURI}`),
    );
  });
  const readViolations = () => page.evaluate(() => (window as unknown as { refused: string[] }).refused);
  for (const path of ['', 'lab/', 'book/sinusoids/', 'book/encodings/rope/', 'developers/', 'gallery/similarity/']) {
    await page.goto(`${address()}${path}`);
    await waitUntilReady(page.locator('phasor-figure').first());
    expect(await readViolations(), path).toEqual([]);
  }
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<p style="color: red" onclick="1">a</p>');
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }));
    void fetch('https://example.invalid/').catch(() => {});
  });
  await expect
    .poll(async () => (await readViolations()).map((violation) => violation.split(' ')[0]).sort())
    .toEqual(expect.arrayContaining(['connect-src', 'script-src-elem', 'style-src-attr']));
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
});
