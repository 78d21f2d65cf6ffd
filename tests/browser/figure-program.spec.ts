// <phasor-figure> for programs: specs, numbers, files and code are read from it, and it says what changes.
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { figure, ready, serveStrangers, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

test('a program reads specs, numbers, files and code, and hears of changes', async ({ page }) => {
  await visit(page, { body: figure('length="4" width="8" controls="length"') });
  await ready(page);
  const taken = await page.locator('phasor-figure').evaluate(async (one) => {
    const figure = one as Figure;
    await figure.codeReady;
    const png = await figure.toPNG(2);
    const { width, height } = await createImageBitmap(png);
    const svg = new DOMParser().parseFromString(figure.toSVG(), 'image/svg+xml').documentElement;
    const { similarity } = figure.numbers();
    return {
      spec: figure.spec,
      state: [figure.state, figure.dataset.state],
      data: [similarity?.shape, similarity?.data instanceof Float32Array, similarity?.data[0]],
      svg: [Number(svg.getAttribute('width')) * 2, Number(svg.getAttribute('height')) * 2],
      png: [png.type, width, height],
      csv: figure.toCSV().split('\r\n').length,
      code: (['numpy', 'pytorch', 'phasor'] as const).map((language) => /similarity/.test(figure.code(language))),
    };
  });
  expect(taken.spec).toEqual({ kind: 'similarity', encoding: { id: 'sinusoidal' }, length: 4, width: 8, offset: 0, measure: 'cosine' });
  expect(taken.state).toEqual(['ready', 'ready']);
  expect(taken.data).toEqual([[4, 4], true, 1]);
  expect(taken.png).toEqual(['image/png', ...taken.svg]);
  expect(taken.csv).toBe(6);
  expect(taken.code).toEqual([true, true, true]);

  const heard = page.evaluate(
    () =>
      new Promise((resolve) => {
        let change: unknown;
        document.addEventListener('phasor-change', ({ detail }) => {
          change = detail;
        });
        document.addEventListener('phasor-ready', ({ target }) => resolve([change, (target as Figure).numbers().similarity?.shape]));
      }),
  );
  await page.getByRole('textbox', { name: 'positions' }).fill('6');
  await page.keyboard.press('Enter');
  const [change, shape] = (await heard) as [{ field: string; spec: { length: unknown }; text: object }, number[]];
  expect([change.field, change.spec.length, change.text]).toEqual(['length', 6, { length: '6', width: '8' }]);
  expect(shape).toEqual([6, 6]);
});

test('figures are ready with their picture, and answer `code` when the file of programs has come', async ({ page }) => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/figure-programs.js', async (route) => {
    await released;
    await route.continue();
  });
  await visit(page, { body: figure('length="4" width="8" controls="base length"') });
  await expect(page.locator('phasor-figure')).toHaveAttribute('data-state', 'ready');
  await ready(page);
  await expect(page.locator('phasor-figure canvas')).toBeVisible();
  const early = await page.locator('phasor-figure').evaluate(async (one) => {
    const { state, codeReady } = one as Figure;
    const first = await Promise.race([codeReady.then(() => 'came'), new Promise((resolve) => setTimeout(resolve, 200, 'waits'))]);
    try {
      return [state, first, (one as Figure).code('numpy')];
    } catch (thrown) {
      return [state, first, (thrown as Error).message];
    }
  });
  expect(early).toEqual(['ready', 'waits', 'their file is still on its way']);
  // So does what fields and parameters mean.
  const helps = page.locator('phasor-figure .control');
  for (const help of [helps.first(), helps.last()]) await expect(help).toHaveAttribute('title', '');
  release();
  await page.locator('phasor-figure').evaluate((one) => (one as Figure).codeReady);
  await expect(helps.last()).toHaveAttribute('title', /^How many positions are shown/);
  await expect(helps.first()).toHaveAttribute('title', /^How slow the slowest wave is/);
  expect(await page.locator('phasor-figure').evaluate((one) => (one as Figure).code('numpy'))).toContain('import numpy as np');
});

test('where the file of programs cannot be loaded, figures are ready without it and say so', async ({ page }) => {
  await page.route('**/figure-programs.js', (route) => route.abort());
  await visit(page, { body: figure('length="4" width="8"') });
  await ready(page);
  const said = await page.locator('phasor-figure').evaluate(async (one) => {
    const { state } = one as Figure;
    const refused = await (one as Figure).codeReady.catch(({ message }: Error) => message);
    try {
      return [state, refused, (one as Figure).code('numpy')];
    } catch (thrown) {
      return [state, refused, (thrown as Error).message];
    }
  });
  expect(said).toEqual([
    'ready',
    expect.stringMatching(/^the second file of this figure could not be loaded \(.+\)$/),
    expect.stringMatching(/^their file could not be loaded \(.+\)$/),
  ]);
  await page.locator('summary', { hasText: 'Take away' }).click();
  await expect(page.locator('.part-take')).toContainText('No program can be shown: their file could not be loaded');
  await expect(page.locator('.part-take').getByRole('button', { name: 'CSV' })).toBeVisible();
});

test('what needs the file of programs says after half a minute that it does not come, and waits for it all the same', async ({ page }) => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/figure-programs.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.clock.install();
  await visit(page, { body: `${figure('length="4" width="8"')}<phasor-figure kind="requirements"></phasor-figure>` });
  const [first, second] = [page.locator('phasor-figure').first(), page.locator('phasor-figure').last()];
  await expect(first).toHaveAttribute('data-state', 'ready');
  await expect(second).toHaveAttribute('data-state', 'computing');
  await first.getByText('Take away', { exact: true }).click();
  await expect(first).toContainText('No program can be shown: their file is still on its way.');
  await page.clock.fastForward(31_000);
  await expect(second).toHaveAttribute('data-state', 'failed');
  await expect(second.getByRole('alert')).toHaveText('the second file of this figure could not be loaded (no answer within 30 seconds)');
  await expect(first).toContainText('No program can be shown: their file could not be loaded (no answer within 30 seconds).');
  release();
  await expect(first).toContainText('import numpy as np');
  await second.scrollIntoViewIfNeeded();
  await second.evaluate((one) => one.setAttribute('encoding', 'alibi'));
  await expect(second).toHaveAttribute('data-state', 'ready');
});
