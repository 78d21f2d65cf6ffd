// The book: complete without JavaScript, and usable with the keyboard and a screen reader.
import { readdirSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { CHAPTER, open, waitForFigure } from './book-page.ts';
import { address, collectProblems, hover, serveSite, violations } from './page.ts';

serveSite();

const slugs = readdirSync('web/book/chapters').map((name) => name.replace(/^\d+-|\.md$/g, ''));

test('the page header fits in 320 and 360 px', async ({ page }) => {
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 640 });
    await open(page, 'book/biases/');
    // The body clips overflow, so the header itself is measured.
    expect(await page.locator('.places').evaluate((places) => places.scrollWidth - places.clientWidth)).toBe(0);
    const rightEdge = await page.locator('.theme').evaluate((theme) => theme.getBoundingClientRect().right);
    expect(rightEdge).toBeLessThanOrEqual(width - 16);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  for (const width of [1440, 390]) {
    test(`a chapter is complete at ${width} px: text, formulas, figures, values, answers`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      for (const [index, figure] of (await page.locator('main > .book-figure').all()).entries()) {
        await expect(figure.locator('phasor-figure svg.still:visible')).toHaveCount(1);
        await expect(figure.locator('figcaption .number')).toBeVisible();
        await expect(figure.locator('.instruction')).toBeVisible();
        // The chapter title replaces the question of the first figure.
        await expect(figure.locator('.question')).toBeVisible({ visible: index > 0 });
      }
      await expect(page.locator('.formula math').first()).toBeVisible();
      await expect(page.locator('data.core:not([hidden])').first()).toHaveText(/\d/);
      const answer = page.locator('.predict details').first();
      await answer.locator('summary').click();
      await expect(answer.locator('.verdict:not([hidden])')).toContainText('Rohan killed the lion');
      expect(await page.locator('body').evaluate((body) => body.scrollWidth)).toBeLessThanOrEqual(width);
      // Some pictures of this chapter have dark variants of images, and of cell labels if the cells are wide enough.
      await page.emulateMedia({ colorScheme: 'dark' });
      await open(page, 'book/biases/');
      for (const part of width > 560 ? ['image', 'text'] : ['image']) {
        await expect(page.locator(`svg.still ${part}.for-dark:visible`)).not.toHaveCount(0);
        await expect(page.locator(`svg.still ${part}.for-light:visible`)).toHaveCount(0);
      }
      for (const figure of await page.locator('main > .book-figure > phasor-figure').all())
        await expect(figure.locator('svg.still:visible')).toHaveCount(1);
    });
  }

  for (const width of [1440, 390]) {
    test(`content below a picture keeps its position at ${width} px while the picture loads`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      const readTops = async (): Promise<(number | undefined)[]> => {
        await open(page, 'book/biases/');
        const parts = await page.locator('main > .book-figure').first().locator('.readout, .proof, figcaption .number').all();
        return Promise.all(parts.map(async (part) => (await part.boundingBox())?.y));
      };
      const expectedTops = await readTops();
      expect(expectedTops).toHaveLength(3);
      await page.route('**/book/biases/', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response: response, body: (await response.text()).replace(/<svg class="[^"]*still.*?<\/svg>/gs, '') });
      });
      expect(await readTops()).toEqual(expectedTops);
      await expect(page.locator('svg.still')).toHaveCount(0);
    });
  }
});

test('a missing WebAssembly file leaves the chapter readable, and figures report the error', async ({ page }) => {
  await page.route(/\.wasm$/, (route) => route.fulfill({ status: 404, body: '' }));
  await open(page);
  const figure = page.locator('#drag');
  await hover(figure.locator('phasor-figure'));
  await expect(figure.getByRole('alert')).toContainText('404');
  await expect(figure.locator('phasor-figure svg:visible').first()).toBeVisible();
  await expect(page.getByText('four words in a bag')).toBeVisible();
});

test('a prediction opens its answer after a choice and survives a reload', { tag: '@one-engine' }, async ({ page }) => {
  await open(page);
  const question = page.locator('#predict-1');
  await expect(question.locator('details')).toBeHidden();
  await question.getByRole('button', { name: 'Check' }).click();
  await expect(question.getByRole('status')).toHaveText('Choose an answer.');
  await question.getByLabel('A lion killed Rohan').check();
  await question.getByRole('button', { name: 'Check' }).click();
  await expect(question.getByRole('status')).toContainText('Not quite');
  await expect(question.locator('details')).toHaveAttribute('open', '');
  await expect(question.locator('.option[data-is="right"]')).toContainText('Rohan killed the lion');
  await page.reload();
  await expect(question.locator('details')).toBeVisible();
  await expect(question.getByLabel('A lion killed Rohan')).toBeChecked();
});

test('a skipped prediction opens its answer and figure and is not stored', { tag: '@one-engine' }, async ({ page }) => {
  await open(page, 'book/short-way/');
  const lastQuestion = page.locator('.predict').last();
  await expect(lastQuestion.locator('phasor-figure')).toBeHidden();
  await lastQuestion.getByRole('button', { name: 'Skip' }).click();
  await expect(lastQuestion.locator('.option[data-is="right"]')).toContainText('Hardly more often');
  await expect(lastQuestion.locator('phasor-figure svg:visible').first()).toBeVisible();
  await expect(lastQuestion.locator('details.answer > summary')).toBeFocused();
  await expect(lastQuestion.getByRole('button', { name: 'Check' })).toBeHidden();
  await page.reload();
  await expect(lastQuestion.locator('details.answer')).toBeHidden();
});

test('a prediction decided by published results shows them with their source', { tag: '@one-engine' }, async ({ page }) => {
  await open(page, 'book/train-short-test-long/');
  const order = page.locator('#predict-2');
  await order.getByLabel('RoPE, sinusoids, ALiBi, T5').check();
  await order.getByRole('button', { name: 'Check' }).click();
  await expect(order.getByRole('status')).toHaveText('Not quite: the published results differ. See why.');
  await expect(order.locator('.decided:visible')).toHaveText(
    'Published: 43.54 > 21.37 > 18.79 > 18.73 (Press, Smith and Lewis 2022, Table 2)',
  );
  await expect(order.locator('.decided:visible a')).toHaveAttribute('href', 'https://arxiv.org/abs/2108.12409');
});

test('predictions work when storage is blocked', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
  });
  const problems = await open(page);
  const question = page.locator('#predict-1');
  await question.getByLabel('Rohan killed the lion').check();
  await question.getByRole('button', { name: 'Check' }).click();
  await expect(question.getByRole('status')).toContainText('Correct.');
  expect(problems).toEqual([]);
});

test('focusing a symbol highlights it in the formula and in the figure', { tag: '@one-engine' }, async ({ page }) => {
  // High enough for both: figures far outside the viewport do not update.
  await page.setViewportSize({ width: 1280, height: 2400 });
  await open(page);
  await page.locator('#dogs').scrollIntoViewIfNeeded();
  await waitForFigure(page, 'dogs');
  const line = page.locator('.symbol').first();
  await line.focus();
  await expect(page.locator('.formula math .lit').first()).toHaveText('Q');
  await expect(page.locator('#dogs .readout')).toContainText('“dog”');
  await line.blur();
  await expect(page.locator('.formula math .lit')).toHaveCount(0);
});

test('search finds a section and links to it', { tag: '@one-engine' }, async ({ page }) => {
  await open(page, 'book/');
  await page.getByRole('searchbox').fill('equivariant');
  await expect(page.locator('.found li').first()).toBeVisible();
  await page.getByRole('searchbox').fill('two dogs one vector');
  await page.locator('.found a', { hasText: 'Two dogs' }).click();
  await expect(page).toHaveURL(/order-matters\/#two-dogs-one-vector$/);
  await page.getByRole('searchbox').fill('zzzzqq');
  await expect(page.locator('.found')).toContainText('Nothing found');
});

test('a figure opens in the Lab with its settings', { tag: '@one-engine' }, async ({ page }) => {
  await open(page);
  await page.locator('#dogs .lab').click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(5);
  await expect(page.locator('phasor-figure[kind="attention"]')).toBeVisible();
});

test('a figure opens in the Lab with the changes of the user', async ({ page }) => {
  await open(page, 'book/rotation/');
  const figure = page.locator('phasor-figure[kind="rotation"]').first();
  await figure.scrollIntoViewIfNeeded();
  await waitForFigure(page, await figure.evaluate((element) => element.closest('.book-figure')?.id ?? ''));
  // The sliders become available after the first picture.
  await expect(figure.locator('.stage')).toHaveAttribute('data-live', '');
  await figure.getByRole('slider', { name: 'query q' }).press('End');
  await expect(figure.getByRole('slider', { name: 'query q' })).toHaveAttribute('aria-valuenow', '15');
  const valueText = (await figure.getByRole('slider', { name: 'both' }).getAttribute('aria-valuetext')) ?? '';
  expect(valueText).toMatch(/^query at 15, key at 5, score /);
  await page.locator('.book-figure:has(phasor-figure[kind="rotation"]) .lab').first().click();
  await expect(page.locator('phasor-figure[kind="rotation"]').getByRole('slider', { name: 'both' })).toHaveAttribute(
    'aria-valuetext',
    valueText,
  );
});

test('the links to the next and previous page work', { tag: '@one-engine' }, async ({ page }) => {
  await open(page, 'book/encodings/rope/');
  await page.locator('.around [rel="next"]').click();
  await expect(page).not.toHaveURL(/encodings\/rope\//);
  await page.locator('.around [rel="prev"]').click();
  await expect(page).toHaveURL(/encodings\/rope\/$/);
});

test.describe('accessibility', () => {
  // All tests share one page, so that the engine and the fonts load once.
  let page: Page;
  let problems: string[];
  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage();
    problems = collectProblems(page);
  });
  test.afterAll(() => page.close());

  const chapters = slugs.map((slug) => `book/${slug}/`);
  const others = ['notation/', 'glossary/', 'encodings/', 'claims/', 'source-notes/'].map((path) => `book/${path}`);
  // All pages share their colours, so the dark theme is checked on one page of each form.
  const inBoth = ['book/', 'book/encodings/alibi/', CHAPTER];
  for (const path of new Set([...inBoth, ...others, ...chapters])) {
    test(`axe finds no violations on ${path}`, async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`${address()}${path}`);
      await expect(page.locator('.theme select')).toBeVisible();
      await page.locator('main :is(.answer, .solution) > summary').evaluateAll((summaries) => {
        for (const summary of summaries as HTMLElement[]) if (summary.checkVisibility()) summary.click();
      });
      expect(await violations(page)).toEqual([]);
      if (inBoth.includes(path)) {
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await violations(page, ['color-contrast'])).toEqual([]);
      }
      expect(problems).toEqual([]);
    });
  }
});
