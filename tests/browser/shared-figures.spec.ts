// The figures of position matrices and tones, and a figure in a chapter.
import { expect, test } from '@playwright/test';
import { open } from './book-page.ts';
import { serveSite } from './page.ts';

serveSite();

test('position matrices are edited with the pointer and keys, checked at once, and saved in the URL', async ({ page }) => {
  const problems = await open(page, 'gallery/position-matrices/');
  const figure = page.locator('phasor-figure');
  await figure.getByRole('button', { name: 'Rotate' }).click();
  await expect(figure.locator('summary', { hasText: '✓ relative' })).toBeVisible();
  const arrow = figure.getByRole('slider', { name: 'Arrow of (1, 0) at position 2' });
  await expect(arrow).toHaveAttribute('aria-valuenow', '70');
  await arrow.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(arrow).toHaveAttribute('aria-valuenow', '75');
  await expect(figure.locator('summary', { hasText: '≠ not relative' })).toBeVisible();
  await expect(figure.locator('[aria-live]').first()).toContainText('Two scores for the distance');

  // An arrow dragged near the unit circle snaps to it, at a multiple of 5 degrees.
  const box = (await arrow.boundingBox()) as { x: number; y: number; width: number; height: number };
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 6, y + 3, { steps: 4 });
  await page.mouse.up();
  await expect(arrow).toHaveAttribute('aria-valuetext', /length 1\.00$/);
  await expect(page).toHaveURL(/gallery\/position-matrices\/\?matrices=/);
  const link = page.url();
  const valueText = await arrow.getAttribute('aria-valuetext');

  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('slider', { name: 'Arrow of (1, 0) at position 2' })).toHaveAttribute('aria-valuetext', valueText ?? '');
  expect(problems).toEqual([]);
});

test('tones play only on request, follow the scaling while they play, and stop', async ({ page }) => {
  await page.addInitScript(() => {
    const contexts: AudioContext[] = [];
    const Original = window.AudioContext;
    Object.assign(window, {
      contexts,
      AudioContext: class extends Original {
        constructor() {
          super();
          contexts.push(this);
        }
      },
    });
  });
  const problems = await open(page, 'gallery/tones/');
  const states = () => page.evaluate(() => (window as unknown as { contexts: AudioContext[] }).contexts.map(({ state }) => state));
  const figure = page.locator('phasor-figure');
  await expect(figure.locator('.said')).toHaveText(/^18 tones from 26\.4 Hz to 3,520 Hz/);
  expect(await states()).toEqual([]);
  await figure.getByRole('button', { name: 'Listen' }).click();
  await expect(figure.locator('.said')).toHaveText(/^Pair \d+: /);
  expect(await states()).toHaveLength(1);
  await figure.getByRole('button', { name: 'Linear × 4' }).click();
  await expect(figure.locator('.said')).toHaveText(/^\d+ tones from .* to 880 Hz/);
  await figure.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(states).toEqual(['closed']);
  await expect(figure.getByRole('button', { name: 'Listen' })).toBeVisible();

  await figure.getByRole('group', { name: /^Tones of all pairs/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(figure.locator('.said')).toHaveText('Pair 0: 880 Hz, A5; as trained 3,520 Hz');
  expect(problems).toEqual([]);
});

test('one button opens the sections below a figure in a chapter', async ({ page }) => {
  const problems = await open(page, 'book/which-one/');
  const figure = page.locator('#recipe');
  await figure.scrollIntoViewIfNeeded();
  const exportSummary = figure.locator('phasor-figure summary', { hasText: /^Export$/ }).first();
  await expect(exportSummary).toBeHidden();
  await figure.locator('.figure-more > summary').click();
  await expect(exportSummary).toBeVisible();
  await expect(figure.getByText('≠ differs', { exact: true })).toBeVisible();
  expect(problems).toEqual([]);
});
