// The sentence figure with buttons: words are dragged, the effect of a move is described for each encoding, and a word moves by itself once.
import { expect, type Page, test } from '@playwright/test';
import { address, collectProblems, serveSite, waitUntilReady, words } from './page.ts';

serveSite();

const option = (page: Page, word: number) => page.getByRole('option').and(page.locator(`#word-${word}`));
const selectedOption = (page: Page) => page.getByRole('listbox').getByRole('option', { selected: true });
const LAST = 'word-5';
const WRITTEN = ['to', 'be', 'or', 'not', 'to', 'be'];

/** The gallery page of the sentence figure with the fields of these tests. */
const SENTENCE = 'gallery/sentence/?text=to+be+or+not+to+be&encoding=none&heads=8&buttons=true&clocks=false';

async function openSentence(page: Page, reducedMotion: 'reduce' | 'no-preference'): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.emulateMedia({ reducedMotion });
  const problems = collectProblems(page);
  await page.goto(`${address()}${SENTENCE}`);
  await waitUntilReady(page.locator('phasor-figure').first());
  await expect(page.getByRole('button', { name: /Move “not”|Put the words/ })).toBeVisible();
  return problems;
}

/** Whether a ribbon ends on the tile of a word, so that the canvas above its centre is painted. */
const hasRibbon = (page: Page, word: number): Promise<boolean> =>
  page
    .locator('phasor-figure')
    .first()
    .evaluate((figure, index) => {
      const root = figure.shadowRoot as ShadowRoot;
      const canvas = root.querySelector('.drawing canvas') as HTMLCanvasElement;
      const [tile, canvasBox] = [root.querySelector(`#word-${index}`) as Element, canvas].map((element) =>
        element.getBoundingClientRect(),
      ) as [DOMRect, DOMRect];
      const ratio = canvas.width / canvasBox.width;
      const [x, y] = [tile.left + tile.width / 2 - canvasBox.left - 4, tile.top - canvasBox.top - 6];
      const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(x * ratio, y * ratio, 8 * ratio, 1);
      return data.some((value, index) => index % 4 === 3 && value > 100);
    }, word);

test('a dragged word moves with its ribbon, neighbours make way, and the selection stays', async ({ page }) => {
  const problems = await openSentence(page, 'reduce');
  await expect(selectedOption(page)).toHaveId(LAST);
  // A click ends the automatic move of words; Playwright cannot set reduced motion in Firefox, and waits before a click until a word rests.
  await option(page, 5).click();
  const boxes = await Promise.all([0, 1, 2, 3].map((word) => option(page, word).boundingBox()));
  const [, be, or] = boxes as { x: number; y: number; width: number; height: number }[];
  if (!be || !or) throw new Error('no words');
  const y = or.y + or.height / 2;
  await page.mouse.move(or.x + or.width / 2, y);
  await page.mouse.down();
  // Before the midpoint no other word has moved, and the ribbon ends on the dragged word between two positions.
  await page.mouse.move(or.x + or.width / 2 - 50, y, { steps: 5 });
  expect(await words(page)).toEqual(WRITTEN);
  expect((await option(page, 2).boundingBox())?.x).toBeCloseTo(or.x - 50, 0);
  await expect.poll(() => hasRibbon(page, 2)).toBe(true);
  await page.mouse.move(or.x + or.width / 2 - 90, y, { steps: 5 });
  await expect.poll(() => words(page)).toEqual(['to', 'or', 'be', 'not', 'to', 'be']);
  await expect.poll(async () => (await option(page, 1).boundingBox())?.x).toBeCloseTo(or.x, 0);
  expect(await hasRibbon(page, 2)).toBe(true);
  await expect(selectedOption(page)).toHaveId(LAST);
  await page.mouse.up();
  await expect.poll(async () => (await option(page, 2).boundingBox())?.x).toBeCloseTo(be.x, 0);
  await expect(page.locator('[aria-live]').first()).toHaveText('or is now word 2 of 6. Nothing changed.');

  // A click selects a word, which stays selected when it is moved and when the order is reset.
  await option(page, 1).click();
  await expect(selectedOption(page)).toHaveId('word-1');
  await expect(option(page, 3)).toHaveAttribute('aria-description', /^\d+% of the attention of “be”$/);
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => words(page)).toEqual(['to', 'or', 'not', 'be', 'to', 'be']);
  await page.getByRole('button', { name: 'Reset order' }).click();
  await expect.poll(() => words(page)).toEqual(WRITTEN);
  await expect(selectedOption(page)).toHaveId('word-1');
  await page.keyboard.press('Tab');
  expect(problems).toEqual([]);
});

test('the radio buttons describe the effect of the same move for each encoding', { tag: '@one-engine' }, async ({ page }) => {
  const problems = await openSentence(page, 'reduce');
  const verdict = page.locator('.verdict');
  await expect(verdict).toHaveText('Without positions, the two “be” have equal outputs.');
  const radio = (name: string) => page.getByRole('radio', { name, exact: true });
  await expect(radio('No position, only the words')).toBeChecked();
  await page.getByRole('button', { name: 'Move “not” to the front' }).click();
  await expect(verdict).toHaveText('Nothing changed. No positions: the move has no effect.');
  await expect(radio('No position, only the words, outputs same')).toBeChecked();
  await expect(radio('ALiBi, penalizes distance, outputs changed')).toBeVisible();
  await radio('RoPE, rotates by position, outputs changed').click();
  await expect(verdict).toHaveText('Every output changed. RoPE makes outputs depend on order.');
  await expect(option(page, 5)).toHaveText('be99%');
  await page.keyboard.press('ArrowLeft');
  await expect(verdict).toHaveText('Every output changed. ALiBi makes outputs depend on order.');
  await expect(radio('ALiBi, penalizes distance, outputs changed')).toBeFocused();
  // A dependence on order is not reported as a failure.
  await page.getByRole('button', { name: 'verified' }).click();
  await expect(page.locator('.proof-said')).toHaveText(/^The outputs are not only reordered: word order matters\. Largest difference/);
  await expect(page.getByText('does not hold')).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('a word moves by itself only once', async ({ page }) => {
  await openSentence(page, 'no-preference');
  const expected = ['not', 'to', 'be', 'or', 'to', 'be'];
  await expect.poll(() => words(page), { timeout: 6000 }).toEqual(expected);
  await page.getByRole('button', { name: 'Reset order' }).click();
  await page.waitForTimeout(2200);
  expect(await words(page)).toEqual(WRITTEN);
});
