// Every encoding has a result, non-empty pictures and no errors with its defaults. The test names no encoding, so it includes new ones.
import { expect, type Page, test } from '@playwright/test';
import { PALETTES } from '../../web/charts/render/palette.ts';
import { badge, open, serveSite, violations } from './page.ts';

// As high as the page: pictures outside the viewport are drawn later.
test.use({ viewport: { width: 1280, height: 2000 } });

serveSite();

const rail = (page: Page) => page.getByRole('radiogroup', { name: 'Positional encoding' });

/** Expands all groups of the rail and returns the ids of all encodings. */
async function readAllIds(page: Page): Promise<string[]> {
  const closedGroups = rail(page).locator('button[aria-expanded=false]');
  for (let remaining = await closedGroups.count(); remaining > 0; remaining -= 1) {
    await closedGroups.first().click();
    await expect(closedGroups).toHaveCount(remaining - 1);
  }
  return rail(page)
    .getByRole('radio')
    .evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value));
}

/** Height of the colour bar at the bottom of a picture (CSS px), which is excluded from the count. */
const KEY = 46;

/**
 * Counts the colours of cells in the pictures of an element: opaque colours that cover more pixels than antialiased text does and are
 * not those of lines and text.
 */
const colours = (page: Page, selector: string, { key = KEY, minPixels = 60, lines = false } = {}) =>
  page.locator(`${selector} canvas`).evaluateAll(
    (canvases, { tones, key, minPixels }) => {
      const pixels = new Map<number, number>();
      for (const canvas of canvases as HTMLCanvasElement[]) {
        const height = canvas.height - key;
        if (height < 1 || canvas.closest('[hidden]')) continue;
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
        copy?.drawImage(canvas, 0, 0);
        const { data } = copy?.getImageData(0, 0, canvas.width, height) ?? new ImageData(1, 1);
        for (const pixel of new Uint32Array(data.buffer)) pixels.set(pixel, (pixels.get(pixel) ?? 0) + 1);
      }
      const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
      return [...pixels].filter(([pixel, count]) => {
        const [red = 0, green = 0, blue = 0, alpha] = new Uint8Array(Uint32Array.of(pixel).buffer);
        return alpha === 255 && count >= minPixels && !tones.includes(`#${hex(red)}${hex(green)}${hex(blue)}`);
      }).length;
    },
    { tones: lines ? [] : (Object.values(PALETTES.light.tones) as string[]), key, minPixels },
  );

/** The readout of a figure, or the label of its picture if it has none. */
const readoutOf = ({ shadowRoot }: Element): string =>
  shadowRoot?.querySelector('.readout')?.textContent ?? shadowRoot?.querySelector('[role=img]')?.getAttribute('aria-label') ?? '';

const complaints = (page: Page) => page.getByRole('alert').filter({ hasText: /\S/ }).allTextContents();

// Projections change values, not the way pictures are drawn, so encodings alternate between the two.
for (const [remainder, projections] of ['identity', 'orthogonal'].entries()) {
  test(`every second encoding has a result and pictures with ${projections} projections`, async ({ page }) => {
    const problems = await open(page, `#v=1&order=3.0.1.2&projections=${projections}`);
    const ids = (await readAllIds(page)).filter((_, index) => index % 2 === remainder);
    expect(ids.length).toBeGreaterThan(10);
    const summaries = new Set<string | null>();
    for (const id of ids) {
      await rail(page).locator(`input[value="${id}"]`).check({ force: true });
      await expect(badge(page), id).toHaveAttribute('data-encoding', id);
      await expect(badge(page), id).toHaveAttribute('data-state', id === 'none' ? 'moved' : 'changed');
      const maxAbsDiff = await badge(page).getAttribute('data-max-abs-diff');
      // Without positions, the difference is at most a rounding error such as 1.2e-7.
      expect(maxAbsDiff, id).toMatch(id === 'none' ? /^(0|\d[\d.]*e-\d+)$/ : /^\d+\.\d+$/);
      expect(await complaints(page), id).toEqual([]);
      summaries.add(await page.locator('ph-about .summary').textContent());
      await page.getByRole('tab').and(page.locator('[data-suggested]')).click();
      const largeFigure = page.locator('.large phasor-figure');
      await expect(largeFigure, id).toHaveAttribute('data-state', 'ready');
      await expect.poll(() => largeFigure.evaluate(readoutOf), id).toMatch(/\d/);
      // Vectors are drawn as lines, so the colours of lines count here.
      await expect.poll(() => colours(page, '.large phasor-figure', { minPixels: 20, lines: true }), id).toBeGreaterThan(2);
      if (id !== 'none') expect(await colours(page, '#sentence', { key: 0, minPixels: 8 }), id).toBeGreaterThan(1);
    }
    expect(summaries.size, 'summaries that differ').toBe(ids.length);
    expect(problems).toEqual([]);
  });
}

test('all encodings form one group of radio buttons, also on a phone', async ({ browser }) => {
  for (const width of [1440, 390]) {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    const page = await context.newPage();
    await open(page, '');
    const collapsedCount = await rail(page).getByRole('radio').count();
    const ids = await readAllIds(page);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(collapsedCount);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await rail(page).getByRole('radio', { checked: true }).focus();
    // The arrow keys reach every encoding in the order of the rail and wrap around; a phone has the same group.
    for (const id of width === 390 ? ids.slice(1, 5) : [...ids.slice(1), ids[0]]) {
      await page.keyboard.press('ArrowDown');
      await expect(badge(page)).toHaveAttribute('data-encoding', id as string);
    }
    await context.close();
  }
});

test('a parameter is shown when it applies, and an encoding for images when a link selects it', async ({ page }) => {
  const problems = await open(page, '#v=1&order=3.0.1.2&encoding=rope');
  const field = (name: string) => page.locator(`[name="${name}"]:not([type=range])`);
  await expect(field('base')).toBeVisible();
  await expect(field('factor')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'scaling' }).selectOption('yarn');
  await expect(field('factor')).toBeVisible();
  await expect(field('beta_fast')).toBeHidden();
  await page.getByText(/more parameters/).click();
  await expect(field('beta_fast')).toBeVisible();
  await expect(field('low_freq_factor')).toHaveCount(0);
  await field('beta_fast').fill('0.5');
  // The error is shown once, at the field and not at the figures.
  await expect(page.getByRole('alert').filter({ hasText: /beta_fast: 0.5 is below beta_slow/ })).toHaveCount(1);
  await field('beta_fast').fill('16');
  await expect.poll(() => complaints(page)).toEqual([]);

  await readAllIds(page);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }

  await page.goto('about:blank');
  await open(page, '#v=1&order=3.0.1.2&encoding=rope_2d');
  await expect(rail(page).getByRole('radio', { checked: true })).toHaveValue('rope_2d');
  expect(problems).toEqual([]);
});
