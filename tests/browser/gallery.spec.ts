// The page with every kind of figure, and one of them with the fields of its address.
import { readdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { address, serveSite } from './page.ts';

serveSite();

test('every kind hangs on the wall once, with its question, under the head of the site', async ({ page }) => {
  await page.goto(address());
  await page.getByRole('link', { name: 'All kinds of figures' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Book' })).toBeVisible();
  const tiles = page.locator('.all-figures a');
  await expect(tiles).toHaveCount(readdirSync('web/figure/kinds').length);
  await expect(page.locator('phasor-figure')).toHaveCount(0);
  await tiles.filter({ hasText: 'How similar are two positions?' }).click();
  await expect(page).toHaveURL(/\/gallery\/\?kind=similarity$/);
  await expect(page.locator('phasor-figure')).toHaveAttribute('data-state', 'ready');
});

test('an address says the kind and its fields, and nothing else about the element', async ({ page }) => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const figure = page.locator('phasor-figure');
  const ask = (search: string) => page.goto(`${address()}gallery/?${search}`);
  await ask('kind=similarity&length=8&encoding=sinusoidal+base%3D100');
  await expect(figure).toHaveCount(1);
  await expect(figure).toHaveAttribute('data-state', 'ready');
  const spec = await figure.evaluate((one) => (one as PhasorFigureElement).spec);
  expect(spec).toMatchObject({ kind: 'similarity', length: 8, encoding: { id: 'sinusoidal', base: 100 } });

  // Words that are attributes of any element are no fields, which the figure says.
  const requested = {
    onfocus: 'window.hacked = 1',
    style: 'position: fixed',
    id: 'main',
    tabindex: '1',
    autofocus: '',
    group: 'a',
    class: 'x',
  };
  for (const [name, value] of Object.entries(requested)) {
    await ask(`kind=similarity&${new URLSearchParams({ [name]: value })}`);
    await expect(figure).toHaveAttribute('data-state', 'failed');
    await expect(figure.getByRole('alert')).toContainText(name);
    const attributes = await figure.evaluate((one) => one.getAttributeNames().sort());
    expect(attributes).toEqual(['data-state', 'data-theme', 'kind']);
  }
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  // Without anything that the policy for content had to stop.
  expect(problems).toEqual([]);
  await ask('kind=nonsense');
  await expect(figure.getByRole('alert')).toContainText('kind: “nonsense” is unknown');
  await ask('kind=similarity&encoding=nonsense');
  await expect(figure.getByRole('alert')).toContainText('nonsense');
  // What nobody can read is said, and not put right in silence.
  for (const [search, words] of [
    ['?kind=similarity&length=8%', 'a % without'],
    ['?kind=similarity&length=8&length=9', 'length more than once'],
    ['?encoding=rope', 'encoding but no kind'],
  ] as const) {
    await page.goto(`${address()}gallery/${search}`);
    await expect(page.locator('.asked-figure').getByRole('alert')).toContainText(words);
    await expect(figure).toHaveCount(0);
  }
});
