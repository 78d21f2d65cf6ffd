// <phasor-figure> on pages of another origin.
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { figure, ready, scriptAddress, serveStrangers, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

test('two figures of one kind on a page of another origin are independent', async ({ page }) => {
  const problems = await visit(page, {
    head: '<style>* { color: red !important; letter-spacing: 0.4em } p { font-size: 60px; margin: 90px }</style>',
    body: figure('id="a" length="8"') + figure('id="b" length="12" metric="dot" dim="16"'),
  });
  await ready(page);
  const shapes = await page
    .locator('phasor-figure')
    .evaluateAll((elements) => elements.map((element) => (element as Figure).tensors().similarity?.shape));
  expect(shapes).toEqual([
    [8, 8],
    [12, 12],
  ]);
  const initialText = await page.locator('#b .readout').textContent();
  await page.locator('#a .picture').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('#a .readout')).toContainText('Positions 0 and 0');
  expect(await page.locator('#b .readout').textContent()).toBe(initialText);

  const style = await page.locator('#a .readout').evaluate((line) => [getComputedStyle(line).fontSize, getComputedStyle(line).marginTop]);
  expect(style).toEqual(['15px', '8px']);

  await page.locator('#a').evaluate((element) => element.setAttribute('length', '5'));
  await ready(page);
  expect(await page.locator('#b').evaluate((element) => (element as Figure).tensors().similarity?.shape)).toEqual([12, 12]);
  expect(problems).toEqual([]);
});

test('figures of a group share the cursor and changes of the user; others do not', async ({ page }) => {
  await visit(page, {
    body: figure('id="a" group="g" length="8"') + figure('id="b" group="g" length="16"') + figure('id="c" group="h" length="8"'),
  });
  await ready(page);
  await page.locator('#a .picture').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await expect(page.locator('#a .readout')).toContainText('Positions 1 and 1');
  await expect(page.locator('#b .readout')).toContainText('Positions 1 and 1');
  await expect(page.locator('#c .readout')).toContainText('between');

  await page.locator('#b summary', { hasText: 'Settings' }).click();
  await page.locator('#b select').first().selectOption('binary');
  await ready(page);
  const encodings = await page
    .locator('phasor-figure')
    .evaluateAll((elements) => elements.map((element) => (element as Figure).spec.encoding));
  expect(encodings).toEqual([{ id: 'binary' }, { id: 'binary' }, { id: 'sinusoidal' }]);
  // A later attribute overrides the change of the user.
  await page.locator('#a').evaluate((element) => element.setAttribute('encoding', 'learned'));
  await ready(page);
  expect(await page.locator('#a').evaluate((element) => (element as Figure).spec.encoding)).toEqual({ id: 'learned' });
});

test('a moved figure keeps its results; a removed one becomes idle and keeps the changes of the user when added again', async ({
  page,
}) => {
  await visit(page, { body: `<div id="one">${figure('length="8"')}</div><div id="two"></div>` });
  await ready(page);
  await page.locator('summary', { hasText: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'positions' }).fill('7');
  await page.keyboard.press('Enter');
  await ready(page);
  const result = await page.evaluate(async () => {
    const figure = document.querySelector('phasor-figure') as Figure;
    const states: (string | undefined)[] = [];
    new MutationObserver(() => states.push(figure.dataset.state)).observe(figure, { attributeFilter: ['data-state'] });
    document.querySelector('#two')?.append(figure);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const moved = [...states, figure.tensors().similarity?.shape];
    figure.remove();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const detachedState = figure.state;
    figure.setAttribute('dim', '16');
    document.querySelector('#one')?.append(figure);
    await figure.ready;
    return { moved, left: detachedState, back: [figure.spec.length, figure.spec.dim, figure.tensors().similarity?.shape] };
  });
  expect(result).toEqual({ moved: [[7, 7]], left: 'idle', back: [7, 16, [7, 7]] });
});

test('figures outside the viewport are idle, keep their space, and compute when awaited', async ({ page }) => {
  const figures = Array.from({ length: 30 }, (_, index) => figure(`id="f${index}" length="8" position-offset="${index}"`)).join('');
  await visit(page, { body: figures });
  await ready(page, '#f0');
  await expect(page.locator('#f0')).toHaveAttribute('data-state', 'ready');
  await expect(page.locator('#f29')).toHaveAttribute('data-state', 'idle');
  expect((await page.locator('#f29 .picture').boundingBox())?.height).toBeGreaterThan(200);

  await page.locator('#f29').evaluate((element) => element.setAttribute('length', '5'));
  await ready(page, '#f29');
  const svg = await page.locator('#f29').evaluate((element) => (element as Figure).toSVG());
  expect(svg).toContain('5 rows by 5 columns');
  await expect(page.locator('#f28')).toHaveAttribute('data-state', 'idle');
  const pixels = (id: string) => page.locator(`${id} canvas`).evaluate((canvas) => (canvas as HTMLCanvasElement).width);
  expect(await pixels('#f29')).toBe(1);

  await page.locator('#f29').scrollIntoViewIfNeeded();
  await expect.poll(() => pixels('#f29')).toBeGreaterThan(200);
  // The first figure has left the viewport: its pixels are freed, its box remains.
  await expect.poll(() => pixels('#f0')).toBe(1);
  expect((await page.locator('#f0 .surface').boundingBox())?.height).toBeGreaterThan(200);
});

test('the script can be loaded twice', async ({ page }) => {
  const problems = await visit(page, { body: figure('length="4"') });
  await ready(page);
  await page.evaluate((address) => import(`${address}?again`).then(() => {}), scriptAddress());
  await page.evaluate(() => document.body.append(document.querySelector('phasor-figure')?.cloneNode(true) as Node));
  await ready(page);
  expect(await page.locator('phasor-figure').evaluateAll((elements) => elements.map((element) => (element as Figure).state))).toEqual([
    'ready',
    'ready',
  ]);
  expect(problems).toEqual([]);
});
