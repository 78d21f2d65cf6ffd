// The page with every kind of figure, and one of them with the fields of its address.
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { address, serveSite } from './page.ts';

serveSite();

test('an address says the kind and its fields, and nothing else about the element', async ({ page }) => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(`${address()}gallery/?kind=similarity&length=8&encoding=sinusoidal+base%3D100`);
  const figures = page.locator('phasor-figure');
  await expect(figures).toHaveCount(2);
  await expect(figures.first()).toHaveAttribute('data-state', 'ready');
  const spec = await figures.first().evaluate((one) => (one as PhasorFigureElement).spec);
  expect(spec).toMatchObject({ kind: 'similarity', length: 8, encoding: { id: 'sinusoidal', base: 100 } });

  // Words that are attributes of any element are no fields, which the figure says.
  const asked = {
    onfocus: 'window.hacked = 1',
    style: 'position: fixed',
    id: 'main',
    tabindex: '1',
    autofocus: '',
    group: 'a',
    class: 'x',
  };
  for (const [name, value] of Object.entries(asked)) {
    await page.goto(`${address()}gallery/?kind=similarity&${new URLSearchParams({ [name]: value })}`);
    await expect(figures.first()).toHaveAttribute('data-state', 'failed');
    await expect(figures.first().getByRole('alert')).toContainText(name);
    const attributes = await figures.first().evaluate((one) => one.getAttributeNames().sort());
    expect(attributes).toEqual(['class', 'data-state', 'data-theme', 'kind']);
    await expect(figures.first()).toHaveClass('wide');
  }
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  // Without anything that the policy for content had to stop.
  expect(problems).toEqual([]);
  await page.goto(`${address()}gallery/?kind=nonsense`);
  await expect(figures.first().getByRole('alert')).toContainText('kind: “nonsense” is unknown');
});
