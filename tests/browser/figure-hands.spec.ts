// Direct manipulation of pictures with pointer and keys: values are dragged, heads are selected, and only linked figures follow.
import { expect, type Page, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { ready, serveStrangers, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

const tag = (kind: string, attributes: string) => `<phasor-figure kind="${kind}" encoding="alibi" ${attributes}></phasor-figure>`;
const weights = (page: Page, id: string) =>
  page.locator(id).evaluate((element) => Array.from(Object.values((element as Figure).tensors())[0]?.data ?? []));
const readSlopes = (page: Page) =>
  page.locator('#curve').evaluate((element) => {
    const { slopes: tensor } = (element as Figure).spec.encoding as { slopes?: { data: Float32Array } };
    return tensor && Array.from(tensor.data);
  });

/** Selects a point of the second line, left of the middle, and returns the centre of its ring. */
async function selectPoint(page: Page) {
  await page.locator('#curve .picture').focus();
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
  const handle = page.locator('#curve .grip');
  await expect(handle).toBeVisible();
  const { x, y, width, height } = (await handle.boundingBox()) as { x: number; y: number; width: number; height: number };
  return { x: x + width / 2, y: y + height / 2 };
}

test('a key press before the first frame of a figure is not lost', async ({ page }) => {
  // Simulates a busy browser, which measures late.
  await page.addInitScript(() => {
    window.ResizeObserver = class extends ResizeObserver {
      constructor(callback: ResizeObserverCallback) {
        super((entries, observer) => setTimeout(() => callback(entries, observer), 1000));
      }
    };
  });
  await visit(page, { body: '' });
  const message = await page.evaluate(async () => {
    await customElements.whenDefined('phasor-figure');
    const figure = document.createElement('phasor-figure');
    figure.setAttribute('kind', 'similarity');
    const keyPress = new Promise<void>((resolve) => {
      new MutationObserver(() => {
        if (figure.dataset.state !== 'ready') return;
        const picture = figure.shadowRoot?.querySelector('.picture') as HTMLElement;
        picture.focus();
        picture.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, composed: true, cancelable: true }));
        resolve();
      }).observe(figure, { attributes: true, attributeFilter: ['data-state'] });
    });
    document.body.append(figure);
    await keyPress;
    return figure.shadowRoot?.querySelector('.readout')?.textContent;
  });
  expect(message).toMatch(/^Positions 0 and 0, 0 apart: /);
});

test('dragging a curve changes the values of linked figures only', async ({ page }) => {
  const problems = await visit(page, {
    body: [
      tag('curve', 'id="curve" group="g" length="32"'),
      tag('attention', 'id="linked" group="g"'),
      tag('chain', 'id="chain" group="g"'),
      tag('bias', 'id="bias" group="g"'),
      tag('attention', 'id="other" group="h"'),
    ].join(''),
  });
  await ready(page);
  const ids = ['#linked', '#chain', '#bias', '#other'];
  const initialWeights = await Promise.all(ids.map((id) => weights(page, id)));
  for (const id of ['#linked', '#chain', '#bias']) await page.locator(id).evaluate((element) => element.setAttribute('head', '2'));
  await ready(page);
  const headWeights = await Promise.all(ids.map((id) => weights(page, id)));
  const from = await selectPoint(page);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 80, { steps: 4 });
  // The point stays under the pointer while the figure is computed again.
  await expect.poll(async () => ((await page.locator('#curve .grip').boundingBox())?.y ?? 0) + 13).toBeCloseTo(from.y + 80, 0);
  await page.mouse.up();
  await ready(page);
  const finalWeights = await Promise.all(ids.map((id) => weights(page, id)));
  for (const index of [0, 1, 2]) expect(finalWeights[index]).not.toEqual(headWeights[index]);
  expect(finalWeights[3]).toEqual(initialWeights[3]);
  const editedSlopes = await readSlopes(page);
  expect(editedSlopes?.[0]).toBe(0.25);
  expect(editedSlopes?.[1]).toBeGreaterThan(0.1);
  expect(await page.locator('#other').evaluate((element) => (element as Figure).spec.encoding)).toEqual({ id: 'alibi' });
  await expect(page.locator('#curve [aria-live]')).toHaveText(/^Distance −10: head 2 −[\d.]+, slope 0\.\d+$/);

  // The exported tag contains the dragged slopes and creates the same figure.
  await page.locator('#curve summary', { hasText: 'Export' }).click();
  const text = (await page.locator('#curve pre', { hasText: '<phasor-figure' }).textContent()) ?? '';
  expect(text).toContain(`encoding="alibi slopes=0.25,`);
  await page.evaluate(
    (html) => document.body.insertAdjacentHTML('beforeend', html.replace('<phasor-figure', '<phasor-figure id="copy"')),
    text,
  );
  await ready(page);
  expect(await weights(page, '#copy')).toEqual(await weights(page, '#curve'));

  await page.locator('#curve').getByRole('button', { name: 'Reset' }).click();
  await ready(page);
  expect(await readSlopes(page)).toBeUndefined();
  expect(await weights(page, '#linked')).toEqual(headWeights[0]);
  await expect(page.locator('#curve').getByRole('button', { name: 'Reset' })).toBeDisabled();
  expect(problems).toEqual([]);
});

test('the keyboard changes values step by step and announces them', async ({ page }) => {
  await visit(page, { body: tag('curve', 'id="curve" length="32"') });
  await ready(page);
  const live = page.locator('#curve [aria-live]');
  await page.locator('#curve .picture').focus();
  await page.keyboard.press('ArrowRight');
  const values: number[] = [];
  for (const key of ['+', '+', '+', '-', 'Alt+ArrowUp']) {
    await page.keyboard.press(key);
    await ready(page);
    await expect(live).toHaveText(/^Distance −16: head 1 −[\d.]+, slope 0\.\d+$/);
    values.push((await readSlopes(page))?.[0] ?? Number.NaN);
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = values;
  expect(0.25 - a).toBeGreaterThan(0);
  expect(a - b).toBeCloseTo(0.25 - a, 3);
  expect(b - c).toBeCloseTo(0.25 - a, 3);
  expect([d, e]).toEqual([b, c]);
  // At distance 0, the slope does not change the bias.
  for (let step = 0; step < 16; step++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('+');
  await expect(live).toHaveText('Read-only.');
  await expect(page.locator('#curve .grip')).toBeHidden();
});

test('a figure with a locked encoding cannot be dragged, and one with a fixed bias explains why', async ({ page }) => {
  await visit(page, {
    body: `${tag('curve', 'id="curve" lock="encoding"')}<phasor-figure kind="curve" id="fixed" encoding="sandwich"></phasor-figure>`,
  });
  await ready(page);
  await page.locator('#curve .picture').focus();
  for (const key of ['ArrowDown', 'ArrowRight', '+']) await page.keyboard.press(key);
  await ready(page);
  expect(await readSlopes(page)).toBeUndefined();
  await expect(page.locator('#curve .actions')).toHaveCount(0);
  await expect(page.locator('#fixed .actions')).toHaveText(/^This bias is a fixed sum of sinusoids, so it cannot be dragged\.$/);
});

test('a click on a small map or a key selects a head, and linked figures follow', async ({ page }) => {
  await visit(page, { body: tag('attention', 'id="a" group="g"') + tag('chain', 'id="b" group="g"') + tag('chain', 'id="c"') });
  await ready(page);
  const heads = () => page.locator('phasor-figure').evaluateAll((elements) => elements.map((element) => (element as Figure).spec.head));
  await page.locator('#a .picture').focus();
  await page.keyboard.press(']');
  await ready(page);
  expect(await heads()).toEqual([2, 2, 1]);
  await expect(page.locator('#a [aria-live]')).toHaveText(/^Head 2 of 4: weights between/);
  const box = await page.locator('#a .surface').boundingBox();
  const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
  // The last map is on the right or at the bottom.
  const points = [0.97, 0.8, 0.6, 0.4, 0.2].flatMap((y) => [0.97, 0.9, 0.8, 0.7, 0.6, 0.5].map((x) => [x, y] as const));
  for (const [across, down] of points) {
    if ((await heads())[0] === 4) break;
    await page.mouse.click(x + across * width, y + down * height);
  }
  await ready(page);
  expect(await heads()).toEqual([4, 4, 1]);
  await page.locator('#a').getByRole('button', { name: 'Next head' }).click();
  await ready(page);
  expect(await heads()).toEqual([1, 1, 1]);
});

test('keys and buttons zoom a map of thousands of words down to single words', async ({ page }) => {
  const passage = 'the cat saw the dog , and the dog saw the cat . '.repeat(160);
  await visit(page, { body: `<phasor-figure kind="attention-map" size="32" passage="${passage}"></phasor-figure>` });
  await ready(page);
  const readout = page.locator('.readout');
  const live = page.locator('[aria-live]');
  await expect(readout).toHaveText(/^2,080 tokens, queries 0 to 2,079 and keys 0 to 2,079, 65 × 65 weights per cell/);
  await page.locator('.picture').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await page.keyboard.press('+');
  await ready(page);
  await expect(live).toHaveText(/^Queries 1\d\d to 1\d\d, keys 0 to 1\d: mean weight/);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await ready(page);
  await page.locator('.picture').focus();
  await page.keyboard.press('ArrowRight');
  await expect(live).toHaveText(/^Query [\d,]+ “\S+”, key [\d,]+ “\S+”: weight/);
  await page.keyboard.press('-');
  await page.keyboard.press('0');
  await ready(page);
  await page.keyboard.press('Escape');
  await expect(readout).toHaveText(/^2,080 tokens, queries 0 to 2,079/);
  await expect(page.getByRole('button', { name: 'Show all' })).toBeDisabled();
});

test('Play steps through the positions, pauses, and stops at the last one', async ({ page }) => {
  await visit(page, {
    body: `<phasor-figure kind="clocks" id="a" group="g"></phasor-figure><phasor-figure kind="pca" id="b" group="g" length="12"></phasor-figure>`,
  });
  await ready(page);
  const play = page.locator('#a').getByRole('button', { name: /Play|Pause/ });
  const readout = page.locator('#a .readout');
  await play.click();
  await expect(play).toHaveText(/Pause/);
  await expect(readout).toContainText('Position 1');
  await play.click();
  await expect(play).toHaveText(/Play/);
  const stoppedText = await readout.textContent();
  await expect(page.locator('#a [aria-live]')).toHaveText(stoppedText ?? '');
  // Another figure of the group continues from there to its own last position.
  await page.locator('#b').getByRole('button', { name: /Play/ }).click();
  await expect(page.locator('#b').getByRole('button', { name: /Play/ })).toBeVisible({ timeout: 10_000 });
  await expect(page.locator('#b .readout')).toContainText('Position 11');
});
