// Prerendered pictures and figures are replaced by live ones without layout shifts.
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import type { RenderFigure, RenderHTML } from '../../web/package/render-types.ts';
import { figure, layoutShifts, ready, serveStrangers, start, visit } from './stranger.ts';

serveStrangers();

const render = async (): Promise<{ renderFigure: RenderFigure; renderHTML: RenderHTML }> =>
  import(join(process.cwd(), 'dist/npm/render.js'));

/** Loads the script and expects the live figure to replace the prerendered content without layout shifts. */
async function expectNoJump(page: Page, positions: () => Promise<unknown>): Promise<void> {
  const initialPositions = await positions();
  const shifts = await layoutShifts(page);
  await start(page);
  await ready(page);
  await expect(page.locator('canvas')).toBeVisible();
  await expect(page.locator('phasor-figure > svg')).toBeHidden();
  expect(await positions()).toEqual(initialPositions);
  expect(await shifts()).toEqual([]);
}

for (const width of [640, 500]) {
  test(`a still picture of ${width} px is replaced by the live figure without layout shifts`, async ({ page }) => {
    const { renderFigure } = await render();
    const svg = await renderFigure({ kind: 'similarity', length: 16 }, { width });
    const body = `<main style="width: 640px"><p>before</p>${figure('compact length="16"', svg)}<p id="after">after</p></main>`;
    await visit(page, { script: false, body: `<style>phasor-figure { display: block } svg { display: block }</style>${body}` });
    const locations = () =>
      page.evaluate(() =>
        ['phasor-figure', '#after'].map((selector) => {
          const { x, y, width, height } = (document.querySelector(selector) as Element).getBoundingClientRect();
          return [x, y, width, height];
        }),
      );
    await expectNoJump(page, locations);
  });
}

for (const width of [640, 360]) {
  for (const spec of [
    { kind: 'similarity', length: 16 },
    { kind: 'curve', encoding: 't5' },
    { kind: 'attention', encoding: 'alibi', text: 'A dog & a <b>cat</b>' },
    { kind: 'frequencies', dim: 64 },
    { kind: 'waves' },
  ]) {
    test(`${spec.kind} of ${width} px keeps its size when the script loads and when results arrive`, async ({ page }) => {
      const { renderHTML } = await render();
      const tag = await renderHTML(spec, { width });
      const body = `<main style="width: ${width}px"><p>before</p>${tag}<p id="after">after</p></main>`;
      await visit(page, { script: false, body });
      const readTops = () =>
        page.evaluate(() => {
          const root = document.querySelector('phasor-figure')?.shadowRoot;
          const parts = ['.question', '.picture', '.readout', '.proof', '.part-export'].map((selector) => root?.querySelector(selector));
          return ['phasor-figure', '#after']
            .map((selector) => document.querySelector(selector))
            .concat(parts as Element[])
            .map((element) => {
              const { x, y, width, height } = (element as Element).getBoundingClientRect();
              return [x, y, width, height].map((side) => Math.round(side * 4) / 4);
            });
        });
      await expect(page.getByText('verified', { exact: false }).first()).toBeVisible();
      await expectNoJump(page, readTops);
      for (const part of ['.question', '.readout', '.proof']) await expect(page.locator(part)).toHaveCount(1);
      await page.locator('summary', { hasText: 'Data' }).click();
      await expect(page.getByRole('table').first()).toBeVisible();
    });
  }
}

test('a prerendered figure with an invalid spec is replaced by the error message', async ({ page }) => {
  const { renderHTML } = await render();
  const tag = (await renderHTML({ kind: 'similarity', length: 8 })).replace('length="8"', 'length="0"');
  await visit(page, { script: false, body: tag });
  await start(page);
  await expect(page.getByRole('alert')).toHaveText(/^length: “0” is outside/);
  await expect(page.locator('.question')).toHaveCount(1);
  expect(await page.locator('phasor-figure').evaluate((element) => (element as PhasorFigureElement).state)).toBe('failed');
});

test('an empty declarative shadow root gets the styles of figures', async ({ page }) => {
  await visit(page, { body: figure('length="16"', '<template shadowrootmode="open"></template>') });
  await ready(page);
  expect(await page.locator('.question').evaluate((element) => getComputedStyle(element).fontWeight)).toBe('600');
});
