// The gallery of all kinds of figures, and the page of one kind with the fields of its URL.
import { readdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { address, serveSite, waitUntilReady } from './page.ts';

serveSite();

test('the gallery lists every kind once under its question and links to its page', async ({ page }) => {
  await page.goto(address());
  await page.getByRole('link', { name: 'All kinds of figures' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Gallery' })).toHaveAttribute('aria-current', 'page');
  // One kind reads files and is on the page itself.
  const tiles = page.locator('.all-figures a');
  await expect(tiles).toHaveCount(readdirSync('web/figure/kinds').length - 1);
  await expect(page.locator('phasor-figure')).toHaveAttribute('kind', 'custom');
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toContainText(['Words and their order', 'Position vectors']);
  // Pictures keep their aspect ratio.
  const shapes = await page.locator('.all-figures img.for-light').evaluateAll((images) =>
    images.map((element) => {
      const { width, height } = element.getBoundingClientRect();
      return Math.abs(height / width - Number(element.getAttribute('height')) / Number(element.getAttribute('width')));
    }),
  );
  for (const difference of shapes) expect(difference).toBeLessThan(0.01);
  await tiles.filter({ hasText: 'How similar are two positions?' }).click();
  await expect(page).toHaveURL(/\/gallery\/similarity\/$/);
  await expect(page).toHaveTitle('How similar are two positions? · Phasor');
  await waitUntilReady(page.locator('phasor-figure'));
  await page.getByRole('link', { name: '← Gallery' }).click();
  await expect(page).toHaveURL(/\/gallery\/$/);
});

test('the page of a kind shows the main fields, folds the others, and stores changed fields in the URL', async ({ page }) => {
  await page.goto(`${address()}gallery/similarity/`);
  const figure = page.locator('phasor-figure');
  await waitUntilReady(figure);
  await expect(figure.getByLabel('metric')).toHaveCount(0);
  await figure.getByRole('textbox', { name: 'positions' }).fill('12');
  await figure.getByRole('textbox', { name: 'positions' }).press('Enter');
  await expect(page).toHaveURL(/\/gallery\/similarity\/\?length=12$/);
  await figure.getByText('Settings', { exact: true }).click();
  await figure.getByLabel('metric').selectOption('dot');
  await expect(figure.getByRole('textbox', { name: 'positions' })).toHaveCount(1);
  await expect(page).toHaveURL(/\?length=12&metric=dot$/);
  await page.reload();
  await expect(figure).toHaveAttribute('data-state', 'ready');
  const spec = await figure.evaluate((element) => (element as PhasorFigureElement).spec);
  expect(spec).toMatchObject({ kind: 'similarity', length: 12, metric: 'dot' });
  await expect(page.getByText('Explained in')).toContainText('Chapter 6');
});

test('a poster of the front page has its own page, and changing a field leads to the page of its kind', async ({ page }) => {
  await page.goto(address());
  await page.getByRole('link', { name: /^What does RoPE sound like/ }).click();
  await expect(page).toHaveURL(/\/gallery\/tones\/stretched\/$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What does RoPE sound like?');
  const figure = page.locator('phasor-figure');
  await waitUntilReady(figure);
  expect(await figure.evaluate((element) => (element as PhasorFigureElement).spec)).toMatchObject({
    kind: 'tones',
    encoding: { id: 'rope', scaling: 'yarn', factor: 4 },
  });
  await expect(page.getByText('Explained in')).toContainText('Chapter 12');
  await figure.getByRole('textbox', { name: 'channels' }).fill('16');
  await figure.getByRole('textbox', { name: 'channels' }).press('Enter');
  await expect(page).toHaveURL(/\/gallery\/tones\/\?encoding=rope\+scaling%3Dyarn\+factor%3D4&dim=16$/);
});

test('a URL sets the fields of the kind and no other attributes of the element', async ({ page }) => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const figure = page.locator('phasor-figure');
  const openQuery = (search: string) => page.goto(`${address()}gallery/similarity/?${search}`);
  await openQuery('length=8&encoding=sinusoidal+base%3D100');
  await expect(figure).toHaveCount(1);
  await expect(figure).toHaveAttribute('data-state', 'ready');
  const spec = await figure.evaluate((element) => (element as PhasorFigureElement).spec);
  expect(spec).toMatchObject({ kind: 'similarity', length: 8, encoding: { id: 'sinusoidal', base: 100 } });

  // Global attributes are not fields; the figure reports an error.
  const expected = {
    onfocus: 'window.hacked = 1',
    style: 'position: fixed',
    id: 'main',
    tabindex: '1',
    autofocus: '',
    group: 'a',
    class: 'x',
  };
  for (const [name, value] of Object.entries(expected)) {
    await openQuery(`${new URLSearchParams({ [name]: value })}`);
    await expect(figure).toHaveAttribute('data-state', 'failed');
    await expect(figure.getByRole('alert')).toContainText(name);
    const attributes = await figure.evaluate((element) => element.getAttributeNames());
    expect(attributes).not.toContain(name === 'class' ? '' : name);
  }
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  // The content security policy had nothing to block.
  expect(problems).toEqual([]);
  await openQuery('encoding=nonsense');
  await expect(figure.getByRole('alert')).toContainText('nonsense');
  // URLs of version 0.1 lead to the page of their kind.
  await page.goto(`${address()}gallery/?kind=similarity&length=8`);
  await expect(page).toHaveURL(/\/gallery\/similarity\/\?length=8$/);
  // Invalid URLs are reported, not silently corrected.
  const line = page.getByRole('main').locator('> [role=alert]');
  for (const [path, words] of [
    ['similarity/?length=8%', 'a % sign is not followed'],
    ['similarity/?length=8&length=9', 'length more than once'],
    ['?kind=nonsense', 'kind: “nonsense” is unknown'],
    ['?encoding=rope', 'encoding but no kind'],
  ] as const) {
    await page.goto(`${address()}gallery/${path}`);
    await expect(line).toContainText(words);
  }
});
