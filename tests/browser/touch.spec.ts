// The Lab on a touch screen: gestures on the words of the sentence, and the size of touch targets.
import { expect, type Page, test } from '@playwright/test';
import { createFinger } from './finger.ts';
import { badge, open, serveSite, tiles, words } from './page.ts';

serveSite();
test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });

const WRITTEN = ['Rohan', 'killed', 'the', 'lion'];
const centerOf = async (page: Page, name: string) => {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.getByRole('option', { name, exact: true }).boundingBox()) ?? {};
  return { x: x + width / 2, y: y + height / 2 };
};

test('a swipe that begins on a word scrolls the page and moves no word', async ({ page }) => {
  const problems = await open(page);
  const finger = await createFinger(page);
  const from = await centerOf(page, 'killed');
  await finger.down(from);
  await finger.move(from, { x: from.x + 20, y: from.y - 150 });
  await finger.up();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(80);
  expect(await words(page)).toEqual(WRITTEN);
  await expect(page.locator('.tile.lifted')).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('a long press lifts a word, which then follows the finger without scrolling the page', async ({ page }) => {
  const problems = await open(page);
  const finger = await createFinger(page);
  const [from, to] = [await centerOf(page, 'lion'), await centerOf(page, 'Rohan')];
  await finger.down(from);
  await expect(page.locator('.tile.lifted')).toContainText('lion');
  await finger.move(from, to);
  await finger.up();
  await expect.poll(() => words(page)).toEqual(['lion', 'Rohan', 'killed', 'the']);
  await expect(page.locator('.tile.lifted')).toHaveCount(0);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(badge(page)).toContainText('same outputs, reordered');
  expect(problems).toEqual([]);
});

test('a horizontal drag moves a word at once, and the page explains the gesture for dragging', async ({ page }) => {
  const problems = await open(page);
  await expect(page.getByText('Press and hold a word, then drag it.')).toBeVisible();
  const finger = await createFinger(page);
  const [from, to] = [await centerOf(page, 'killed'), await centerOf(page, 'the')];
  await finger.down(from);
  await finger.move(from, to);
  await finger.up();
  await expect.poll(() => words(page)).toEqual(['Rohan', 'the', 'killed', 'lion']);
  // Moving a word does not change the selection.
  await expect(page.getByRole('option', { name: 'lion' })).toHaveAttribute('aria-selected', 'true');
  expect(problems).toEqual([]);
});

test('a tap selects a word, two buttons move it, and its position is announced', async ({ page }) => {
  const problems = await open(page);
  await page.getByRole('option', { name: 'killed' }).tap();
  await expect(page.getByRole('option', { name: 'killed' })).toHaveAttribute('aria-selected', 'true');
  const live = page.locator('#sentence [aria-live]');
  await page.getByRole('button', { name: 'Move right: killed' }).tap();
  await expect.poll(() => words(page)).toEqual(['Rohan', 'the', 'killed', 'lion']);
  await expect(live).toHaveText('killed is now word 3 of 4. Nothing changed.');
  await page.getByRole('button', { name: 'Move right: killed' }).tap();
  await expect(page.getByRole('button', { name: 'Move right: killed' })).toBeDisabled();
  await page.getByRole('button', { name: 'Move left: killed' }).tap();
  await expect.poll(() => words(page)).toEqual(['Rohan', 'the', 'killed', 'lion']);
  await expect(badge(page)).toContainText('same outputs, reordered');
  expect(problems).toEqual([]);
});

test('right-to-left words are laid out from right to left, and buttons and keys move them in the visible direction', async ({ page }) => {
  await open(page, `#v=1&text=${encodeURIComponent('הארי הרג את האיש')}`);
  const leftEdge = async (position: number) => (await tiles(page).nth(position).boundingBox())?.x ?? 0;
  expect(await leftEdge(0)).toBeGreaterThan(await leftEdge(1));
  await tiles(page).nth(1).tap();
  await page.getByRole('button', { name: 'Move left: הרג' }).tap();
  await expect.poll(() => words(page)).toEqual(['הארי', 'את', 'הרג', 'האיש']);
  await page.getByRole('option', { name: 'הרג' }).focus();
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(() => words(page)).toEqual(['הארי', 'הרג', 'את', 'האיש']);
});

test('every touch target of the page is at least 44 px high', async ({ page }) => {
  await open(page, '#v=1&encoding=rope');
  await page.getByRole('button', { name: 'Edit the sentence' }).tap();
  const smallControls = await page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>('button, select, summary, input[type="text"], .choice, .switch')];
    return controls
      .filter((element) => element.offsetParent !== null && element.checkVisibility({ visibilityProperty: true }))
      .map((element) => ({
        text: element.textContent?.trim() || element.getAttribute('name'),
        height: Math.round(element.getBoundingClientRect().height),
      }))
      .filter(({ height }) => height < 44);
  });
  expect(smallControls).toEqual([]);
  // The target of a word includes its tile, its stripe and its position.
  const { x, y } = await centerOf(page, 'the');
  const hitWords = await page
    .locator('#sentence')
    .evaluate(
      (figure, point) => [-20, 0, 23].map((dy) => figure.shadowRoot?.elementFromPoint(point.x, point.y + dy)?.getAttribute('data-word')),
      {
        x,
        y,
      },
    );
  expect(hitWords).toEqual(['2', '2', '2']);
  await page.locator('#question-attention').tap();
  await expect(page.locator('.large phasor-figure').getByRole('button', { name: 'Next head' })).toBeVisible();
  const heights = await page.evaluate(() =>
    [...document.querySelectorAll('.large phasor-figure')].flatMap(({ shadowRoot }) =>
      [...(shadowRoot?.querySelectorAll('summary, .actions button') ?? [])].map((element) => element.getBoundingClientRect().height),
    ),
  );
  expect(heights.length).toBeGreaterThan(3);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});

test('opening a question at the bottom of the screen scrolls its view into sight', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await open(page);
  for (const [name, heading] of [
    ['Position', /\?$/],
    ['Reach', /beyond the trained length/],
  ] as const) {
    await page.locator('.questions').getByText(name, { exact: true }).tap();
    const question = page.locator('.large phasor-figure').locator('.question');
    await expect(question).toHaveText(heading);
    await expect(question).toBeInViewport({ ratio: 1 });
    const clear = () =>
      page.evaluate(() => {
        const strip = document.querySelector('.strip')?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY;
        const large = document.querySelector('.large')?.getBoundingClientRect().top ?? 0;
        return large >= strip && large < 240;
      });
    await expect.poll(clear, name).toBe(true);
  }
});
