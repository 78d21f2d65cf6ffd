// The first screen of the Lab: the sentence and a large picture without scrolling, trained heads, and labels of unsuitable views.
import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { badge, figure, open, serveSite, tiles, words } from './page.ts';

serveSite();

const initial = (page: Page) => open(page, '');
const readout = (page: Page) => page.locator('main ph-readout');

/** The width and vertical extent of the largest raster of the large figure, in viewport coordinates. */
const largestMap = (page: Page) =>
  page.locator('.large phasor-figure').evaluate(async (one) => {
    const element = one as HTMLElementTagNameMap['phasor-figure'];
    await element.ready;
    const svg = new DOMParser().parseFromString(element.toSVG(), 'image/svg+xml');
    const number = (image: Element, name: string) => Number(image.getAttribute(name));
    const boxes = [...svg.querySelectorAll('image')].map((image) => ({
      y: number(image, 'y'),
      width: number(image, 'width'),
      height: number(image, 'height'),
    }));
    const { y, width, height } = boxes.toSorted((a, b) => b.width - a.width)[0] ?? { y: 0, width: 0, height: 0 };
    const top = (element.shadowRoot?.querySelector('.picture')?.getBoundingClientRect().top ?? 0) + y;
    return { top, bottom: top + height, width };
  });

for (const colorScheme of ['light', 'dark'] as const)
  test(`the sentence, the encodings and a map of 320 px are visible at 1366 x 768, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 1366, height: 768 });
    // Checked first, because parsing the SVG below violates the style policy of the page.
    expect(await initial(page)).toEqual([]);
    const map = await largestMap(page);
    expect(map.width).toBeGreaterThanOrEqual(320);
    expect(map.top).toBeGreaterThan(0);
    expect(map.bottom).toBeLessThanOrEqual(768);
    await expect(page.locator('#sentence')).toBeInViewport({ ratio: 1 });
    for (const choice of await page.locator('.group .choice').all()) await expect(choice).toBeInViewport({ ratio: 1 });
  });

test('RoPE selects trained heads that follow moved words, and explicitly chosen projections are kept', { tag: '@one-engine' }, async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const problems = await initial(page);
  await page.getByRole('radio', { name: 'RoPE' }).click();
  await expect(readout(page)).toContainText(/“be” attends most to “or”: weight 0\.9/);
  await expect(page.locator('main ph-story')).toContainText('Trained with RoPE');
  await page.locator('#sentence #word-2').focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(readout(page)).toContainText(/“be” attends most to “not”: weight 0\.9/);
  await expect(badge(page)).toHaveAttribute('data-state', 'changed');
  await expect(page).toHaveURL(/projections=trained/);
  // A text that the model cannot read falls back to other projections without an error.
  await page.getByRole('button', { name: 'Edit the sentence' }).click();
  const text = Array.from({ length: 40 }, (_, index) => `word${'abcdefghij'[index % 10]}${'abcdefghij'[Math.floor(index / 10)]}`).join(' ');
  await page.getByRole('textbox', { name: /Your sentence/ }).fill(text);
  await expect(page).not.toHaveURL(/projections=trained/);
  await expect(page.locator('main .problem:visible')).toHaveCount(0);
  await page.getByRole('textbox', { name: /Your sentence/ }).fill('so it goes, so it');
  await page.getByRole('radio', { name: 'none', exact: true }).first().click();
  await expect(badge(page)).toHaveAttribute('data-encoding', 'none');
  await expect(page).not.toHaveURL(/projections|mask/);
  await page.getByRole('radio', { name: 'orthogonal' }).check({ force: true });
  await page.getByRole('radio', { name: 'ALiBi' }).click();
  await expect(page).toHaveURL(/projections=orthogonal/);
  expect(problems).toEqual([]);
});

test('the DOM order of words follows their visual order, and a moved word keeps the focus', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page);
  const read = () => tiles(page).evaluateAll((elements) => elements.map((tile) => tile.ariaLabel));
  expect(await read()).toEqual(['Rohan', 'killed', 'the', 'lion']);
  await page.locator('#sentence #word-3').focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(read).toEqual(['Rohan', 'lion', 'killed', 'the']);
  expect(await words(page)).toEqual(['Rohan', 'lion', 'killed', 'the']);
  await expect(page.locator('#sentence #word-3')).toBeFocused();
  // A lifted word moves in the document when it is dropped.
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await expect.poll(read).toEqual(['lion', 'Rohan', 'killed', 'the']);
  await expect(page.locator('#sentence #word-3')).toBeFocused();
});

test('unsuitable views are marked, stripes are labelled, and an unknown config has no button', { tag: '@one-engine' }, async ({ page }) => {
  await open(page, '#v=1&encoding=rope&question=position');
  await expect(page.locator('.view-list')).toContainText('Dashed: unsuitable for RoPE');
  const svg = await figure(page, 'sentence').evaluate((element) => (element as HTMLElementTagNameMap['phasor-figure']).toSVG());
  expect(svg).toContain('>pair angles<');
  await open(page, '#config');
  const dialog = page.getByRole('dialog', { name: 'Paste a config.json' });
  await dialog.getByRole('textbox', { name: 'config.json' }).fill('{"model_type": "foo"}');
  await expect(dialog.locator('#config-problem')).toContainText('"foo" is not known');
  await expect(dialog.getByRole('button', { disabled: true })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Show in the Lab' })).toHaveCount(0);
  // Showing the layers of a RoPE model also selects RoPE in the Lab.
  await dialog
    .getByRole('textbox', { name: 'config.json' })
    .fill(JSON.stringify({ model_type: 'gemma3_text', num_hidden_layers: 12, sliding_window: 512 }));
  await dialog.getByRole('button', { name: 'Show layers' }).click();
  await expect(figure(page, 'layers')).toHaveAttribute('data-state', 'ready');
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
});

for (const [width, height] of [
  [844, 390],
  [683, 384],
] as const)
  test(`the sentence is flat and fully visible in a window of ${width} x ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    for (const hash of ['', '#v=3&text=the+quick+brown+fox+jumps+over+the+lazy+dog+and+on+and+on+again']) {
      await open(page, hash);
      await expect(figure(page, 'sentence')).toHaveAttribute('data-state', 'ready');
      const boxes = await tiles(page).evaluateAll((elements) =>
        elements.map((tile) => tile.getBoundingClientRect()).map(({ left, right, top }) => [left, right, top]),
      );
      const [first = [0, 0, 0]] = boxes;
      const picture = await page.locator('#sentence').evaluate((element) => element.getBoundingClientRect().top);
      expect((first[2] ?? 0) - picture).toBeLessThanOrEqual(64);
      // Leaves room for the frame of the selected word.
      for (const [left = 0, right = 0] of boxes) {
        expect(left).toBeGreaterThanOrEqual(6);
        expect(right).toBeLessThanOrEqual(width - 6);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });

test('pictures are saved with a margin, and optionally with title and source', { tag: '@one-engine' }, async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await open(page, '#v=1&encoding=alibi&question=attention&view=attention');
  const largeFigure = page.locator('.large phasor-figure');
  await largeFigure.getByText('Export', { exact: true }).click();
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), largeFigure.getByRole('button', { name: 'SVG' }).click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  const plain = await save();
  expect(plain).not.toContain('What does each word attend to?<');
  await largeFigure.getByRole('checkbox', { name: 'with title' }).check();
  await largeFigure.getByRole('checkbox', { name: 'with source' }).check();
  const whole = await save();
  expect(whole).toContain('>What does each word attend to?</text>');
  expect(whole).toMatch(/>Phasor \d+\.\d+\.\d+: kind=&quot;attention&quot;/);
  // The drawing is about 24 px from each edge; strokes and fonts vary.
  for (const text of [plain, whole]) {
    const { inner, width, height } = await page.evaluate((markup) => {
      const host = document.body.appendChild(document.createElement('div'));
      host.innerHTML = markup;
      const svg = host.querySelector('svg') as SVGSVGElement;
      svg.querySelector('rect')?.remove();
      const { x, y, width, height } = svg.getBBox();
      const size = [Number(svg.getAttribute('width')), Number(svg.getAttribute('height'))];
      host.remove();
      return { inner: [x, y, x + width, y + height], width: size[0] ?? 0, height: size[1] ?? 0 };
    }, text);
    const [left = 0, top = 0, right = 0, bottom = 0] = inner;
    for (const edge of [left, top, height - bottom]) expect(Math.abs(edge - 24)).toBeLessThanOrEqual(8);
    expect(width - right).toBeGreaterThanOrEqual(16);
    expect(width - right).toBeLessThanOrEqual(80);
  }
  const message = await largeFigure.evaluate((element) => {
    try {
      return (element as HTMLElementTagNameMap['phasor-figure']).toSVG({ margin: Number.NaN });
    } catch (thrown) {
      return (thrown as Error).message;
    }
  });
  expect(message).toBe('margin: NaN is invalid; expected a number of pixels from 0 to 1000');
});

test('slides are saved in an HTML file', { tag: '@one-engine' }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, '#v=1&encoding=rope&question=scores&view=rotation');
  await page.getByRole('button', { name: 'Add to slides' }).click();
  await page.getByText('1 saved').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as file' }).click()]);
  expect(download.suggestedFilename()).toBe('lab.html');
  expect(readFileSync(await download.path(), 'utf8').slice(0, 4000)).toMatch(/data-saved="lecture\/v=3/);
});

test('a touch screen shows no keyboard hints', { tag: '@one-engine' }, async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await open(page, '#v=1&encoding=alibi&question=attention&view=attention');
  expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true);
  await expect(page.locator('.large phasor-figure')).toHaveAttribute('data-state', 'ready');
  await expect(page.locator('.large phasor-figure').getByRole('button', { name: /Next head/ })).toBeVisible();
  await expect(page.locator('.large phasor-figure kbd').first()).toBeHidden();
  await expect(page.locator('ph-keys')).toBeHidden();
  await context.close();
});
