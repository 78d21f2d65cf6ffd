// The front page: a sentence that is alive, three doors, and links that were made when the Lab stood here.
import { expect, type Page, test } from '@playwright/test';
import { address, badge, comesAlive, serveSite, violations, watch, words } from './page.ts';

serveSite();

const option = (page: Page, word: number) => page.getByRole('option').and(page.locator(`#word-${word}`));
const chosen = (page: Page) => page.getByRole('listbox').getByRole('option', { selected: true });
const LAST = 'word-5';
const WRITTEN = ['to', 'be', 'or', 'not', 'to', 'be'];

/** Opens the page with its sentence alive. */
async function openFront(page: Page, reducedMotion: 'reduce' | 'no-preference'): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.emulateMedia({ reducedMotion });
  const problems = watch(page);
  await page.goto(address());
  await comesAlive(page.locator('phasor-figure').first());
  await expect(page.getByRole('button', { name: /Move “not”|Put the words/ })).toBeVisible();
  return problems;
}

/** Whether a ribbon ends on the tile of a word: whether there is paint on the canvas above its middle. */
const hasRibbon = (page: Page, word: number): Promise<boolean> =>
  page
    .locator('phasor-figure')
    .first()
    .evaluate((figure, index) => {
      const root = figure.shadowRoot as ShadowRoot;
      const canvas = root.querySelector('.drawing canvas') as HTMLCanvasElement;
      const [tile, drawn] = [root.querySelector(`#word-${index}`) as Element, canvas].map((one) => one.getBoundingClientRect()) as [
        DOMRect,
        DOMRect,
      ];
      const ratio = canvas.width / drawn.width;
      const [x, y] = [tile.left + tile.width / 2 - drawn.left - 4, tile.top - drawn.top - 6];
      const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(x * ratio, y * ratio, 8 * ratio, 1);
      return data.some((value, at) => at % 4 === 3 && value > 100);
    }, word);

test('a word that is dragged takes its ribbon along, neighbours make way, and the chosen word stays chosen', async ({ page }) => {
  const problems = await openFront(page, 'reduce');
  await expect(chosen(page)).toHaveId(LAST);
  // A press ends the move that words make by themselves; Playwright cannot ask Firefox for less motion, and waits before a press until a word rests.
  await option(page, 5).click();
  const boxes = await Promise.all([0, 1, 2, 3].map((word) => option(page, word).boundingBox()));
  const [, be, or] = boxes as { x: number; y: number; width: number; height: number }[];
  if (!be || !or) throw new Error('no words');
  const y = or.y + or.height / 2;
  await page.mouse.move(or.x + or.width / 2, y);
  await page.mouse.down();
  // Not halfway yet: nobody has moved, and the ribbon ends on the word, between two places.
  await page.mouse.move(or.x + or.width / 2 - 50, y, { steps: 5 });
  expect(await words(page)).toEqual(WRITTEN);
  expect((await option(page, 2).boundingBox())?.x).toBeCloseTo(or.x - 50, 0);
  await expect.poll(() => hasRibbon(page, 2)).toBe(true);
  // Past the middle: the neighbour stands in its place, and is seen.
  await page.mouse.move(or.x + or.width / 2 - 90, y, { steps: 5 });
  await expect.poll(() => words(page)).toEqual(['to', 'or', 'be', 'not', 'to', 'be']);
  await expect.poll(async () => (await option(page, 1).boundingBox())?.x).toBeCloseTo(or.x, 0);
  expect(await hasRibbon(page, 2)).toBe(true);
  await expect(chosen(page)).toHaveId(LAST);
  await page.mouse.up();
  await expect.poll(async () => (await option(page, 2).boundingBox())?.x).toBeCloseTo(be.x, 0);
  await expect(page.locator('[aria-live]').first()).toHaveText('or is now word 2 of 6. Nothing changed.');

  // A click chooses; the word stays chosen when it is moved, and when all are put back.
  await option(page, 1).click();
  await expect(chosen(page)).toHaveId('word-1');
  await expect(option(page, 3)).toHaveAttribute('aria-description', /^\d+% of the attention of “be”$/);
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => words(page)).toEqual(['to', 'or', 'not', 'be', 'to', 'be']);
  await page.getByRole('button', { name: 'Reset order' }).click();
  await expect.poll(() => words(page)).toEqual(WRITTEN);
  await expect(chosen(page)).toHaveId('word-1');
  await page.keyboard.press('Tab');
  expect(problems).toEqual([]);
});

test('no word moves when the sentence comes alive', { tag: '@one-engine' }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(address());
  const still = page
    .locator('.book-figure svg.still.wide')
    .getByText(/^(to|be|or|not)$/)
    .filter({ visible: true });
  await expect(still).toHaveCount(WRITTEN.length);
  const before = await still.evaluateAll((words) =>
    words.map((word) => word.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 })),
  );
  await comesAlive(page.locator('phasor-figure').first());
  for (const [word, { x, y }] of before.entries()) {
    const { x: left = 0, y: top = 0, width = 0, height = 0 } = (await option(page, word).locator('span').first().boundingBox()) ?? {};
    expect(Math.abs(left + width / 2 - x), `word ${word}`).toBeLessThan(2);
    expect(Math.abs(top + height / 2 - y), `word ${word}`).toBeLessThan(6);
  }
});

test('three buttons say what each encoding makes of the same move', { tag: '@one-engine' }, async ({ page }) => {
  const problems = await openFront(page, 'reduce');
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
  // That order matters is no failure.
  await page.getByRole('button', { name: 'verified' }).click();
  await expect(page.locator('.proof-said')).toHaveText(
    /^The outputs are not the same: the order of the words matters\. Largest difference/,
  );
  await expect(page.getByText('does not hold')).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('once, a word moves by itself, and not again', async ({ page }) => {
  await openFront(page, 'no-preference');
  const moved = ['not', 'to', 'be', 'or', 'to', 'be'];
  await expect.poll(() => words(page), { timeout: 6000 }).toEqual(moved);
  await page.getByRole('button', { name: 'Reset order' }).click();
  await page.waitForTimeout(2200);
  expect(await words(page)).toEqual(WRITTEN);
});

test('every kind of page keeps its own policy, which refuses what is not of the site', async ({ page }) => {
  await page.addInitScript(() => {
    const rejected: string[] = [];
    Object.assign(window, { refused: rejected });
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      rejected.push(`${effectiveDirective} ${blockedURI}`),
    );
  });
  const refused = () => page.evaluate(() => (window as unknown as { refused: string[] }).refused);
  for (const path of ['', 'lab/', 'book/sinusoids/', 'book/encodings/rope/', 'developers/', 'gallery/?kind=similarity']) {
    await page.goto(`${address()}${path}`);
    await comesAlive(page.locator('phasor-figure').first());
    expect(await refused(), path).toEqual([]);
  }
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<p style="color: red" onclick="1">a</p>');
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }));
    void fetch('https://example.invalid/').catch(() => {});
  });
  await expect
    .poll(async () => (await refused()).map((one) => one.split(' ')[0]).sort())
    .toEqual(expect.arrayContaining(['connect-src', 'script-src-elem', 'style-src-attr']));
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
});

test('three doors lead to the short way, to the first chapter and to a config, and a wall of pictures to where they are explained', {
  tag: '@one-engine',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(address());
  const doors = page.locator('.doors a');
  await expect(doors).toHaveCount(3);
  const bottom = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: 0, height: 9999 };
    return y + height;
  };
  for (const part of ['.doors', '.book-figure']) expect(await bottom(part), part).toBeLessThanOrEqual(700);

  const posters = page.locator('.wall a');
  await expect(posters).toHaveCount(8);
  await posters.last().scrollIntoViewIfNeeded();
  const seen = page.locator('.wall img.for-light');
  await expect.poll(() => seen.evaluateAll((images) => images.every((one) => (one as HTMLImageElement).naturalWidth === 400))).toBe(true);
  await page.getByRole('link', { name: /^RoPE rotates every pair/ }).click();
  await expect(page).toHaveURL(/\/book\/rotation\/#all-pairs$/);

  const behind = [
    ['RoPE in 15 minutes', /\/book\/short-way\/$/, 'Could you have invented RoPE?'],
    ['Read from the start', /\/book\/order-matters\/$/, 'Why doesn’t attention know the order?'],
    ['What does my model do?', /\/lab\/#config/, 'Phasor the Lab'],
  ] as const;
  for (const [name, position, heading] of behind) {
    await page.goto(address());
    await doors.filter({ hasText: name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page).toHaveURL(position);
  }
});

test('the first door is on the first screen of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address());
  await comesAlive(page.locator('phasor-figure'));
  const { y, height } = (await page.locator('.doors a').first().boundingBox()) ?? { y: 0, height: 9999 };
  expect(y + height).toBeLessThanOrEqual(844);
});

test('a link that was made when the Lab stood here opens the Lab with its state', { tag: '@one-engine' }, async ({ page }) => {
  await page.goto(`${address()}#v=1&order=3.0.1.2&encoding=rope`);
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await expect(page).toHaveURL(/\/lab\/#v=1&order=3\.0\.1\.2&encoding=rope$/);
});

for (const [width, colorScheme] of [
  [1440, 'light'],
  [390, 'dark'],
] as const) {
  test(`axe finds nothing: ${colorScheme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const path of ['', 'developers/', 'gallery/', 'models/', '404.html']) {
      await page.goto(`${address()}${path}`);
      if (path === '' || path === 'developers/') await comesAlive(page.locator('phasor-figure').first());
      expect(await violations(page), path).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
}
