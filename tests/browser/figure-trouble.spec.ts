// Errors of <phasor-figure>: in its attributes, in the browser, or while loading.
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { figure, ready, serveStrangers, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="teal"/></svg>';

test('an invalid figure reports one error, keeps its still picture, and does not affect other figures', async ({ page }) => {
  await visit(page, {
    body: [
      `<phasor-figure id="kind" kind="nonsense">${svg}</phasor-figure>`,
      `<phasor-figure id="proto" kind="constructor">${svg}</phasor-figure>`,
      figure('id="field" lenght="8"', svg),
      figure('id="value" length="eight"', svg),
      figure('id="core" encoding="sinusoidal base=-1" length="4"', svg),
      figure('id="good" length="4"', svg),
    ].join(''),
  });
  await ready(page, '#good');
  const messages: Record<string, RegExp> = {
    kind: /^kind: “nonsense” is unknown; expected .*similarity/,
    proto: /^kind: “constructor” is unknown/,
    field: /^(encoding\.)?lenght\b.*fields of a similarity figure are .*length/,
    value: /^length: “eight” is not a number$/,
    core: /^(encoding\.)?base\b/,
  };
  for (const [id, sentence] of Object.entries(messages)) {
    await expect(page.locator(`#${id}`)).toHaveAttribute('data-state', 'failed');
    await expect(page.locator(`#${id} [role=alert]`)).toHaveText(sentence);
    await expect(page.locator(`#${id} > svg`)).toBeVisible();
    const reason = await page.locator(`#${id}`).evaluate((element) => (element as Figure).ready.catch((error: Error) => error.message));
    expect(reason).toMatch(sentence);
    expect(await page.locator(`#${id}`).evaluate((element) => (element as Figure).state)).toBe('failed');
  }
  await expect(page.locator('#good > svg')).toBeHidden();
  await page.locator('#value').evaluate((element) => element.setAttribute('length', '8'));
  await ready(page, '#value');
  await expect(page.locator('#value [role=alert]')).toHaveCount(0);
  await page.locator('#value').evaluate((element) => element.setAttribute('length', '-1'));
  await expect(page.locator('#value [role=alert]')).toHaveText('length: “-1” is outside 1 to 1,024');
  await expect(page.locator('#value canvas')).toBeVisible();
  expect(await page.locator('#value').evaluate((element) => (element as Figure).tensors().similarity?.shape)).toEqual([8, 8]);
  // The readout and the verdict still describe that picture and look stale.
  const [readout, verdict] = [page.locator('#value .readout'), page.locator('#value .proof b')];
  const color = (locator: typeof readout) => locator.evaluate((element) => getComputedStyle(element).color);
  const staleColor = await color(page.locator('#value .caption'));
  await expect(page.locator('#value .picture')).toHaveClass(/stale/);
  await expect(verdict).toHaveText('previous settings');
  expect([await color(readout), await color(verdict)]).toEqual([staleColor, staleColor]);
  await page.locator('#value').evaluate((element) => element.setAttribute('length', '9'));
  await ready(page, '#value');
  await expect(verdict).toHaveText('✓ verified');
  expect([await color(readout), await color(verdict)]).not.toContain(staleColor);
});

test('without WebAssembly the still picture stays', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
  await visit(page, { body: figure('length="8"', svg) });
  await expect(page.locator('phasor-figure')).toHaveAttribute('data-state', 'failed');
  await expect(page.getByRole('alert')).toHaveText(/does not support WebAssembly or forbids it/);
  await expect(page.locator('phasor-figure > svg')).toBeVisible();
});

test('a WebAssembly file that failed to load is requested again', async ({ page }) => {
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } }));
  await visit(page, { body: figure('id="a" length="8"', svg) });
  await expect(page.locator('#a')).toHaveAttribute('data-state', 'failed');
  await expect(page.locator('#a [role=alert]')).toHaveText(/^wasm: .*phasor\.wasm could not be loaded \(status 503\) Restart the engine$/);
  await expect(page.locator('#a > svg')).toBeVisible();
  await page.unroute('**/*.wasm');
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), figure('id="b" length="8"'));
  await ready(page, '#b');
  await page.locator('#a').evaluate((element) => element.setAttribute('length', '9'));
  await ready(page, '#a');
});
