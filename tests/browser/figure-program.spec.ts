// The API of <phasor-figure>: scripts read specs, tensors, files and code from it and receive its events.
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { figure, ready, serveStrangers, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

test('a script reads the spec, tensors, files and code and receives change events', async ({ page }) => {
  await visit(page, { body: figure('length="4" dim="8" controls="length"') });
  await ready(page);
  const result = await page.locator('phasor-figure').evaluate(async (element) => {
    const figure = element as Figure;
    const png = await figure.toPNG(2);
    const { width, height } = await createImageBitmap(png);
    const svg = new DOMParser().parseFromString(figure.toSVG(), 'image/svg+xml').documentElement;
    const { similarity } = figure.tensors();
    return {
      spec: figure.spec,
      state: [figure.state, figure.dataset.state],
      data: [similarity?.shape, similarity?.data instanceof Float32Array, similarity?.data[0]],
      svg: [Number(svg.getAttribute('width')) * 2, Number(svg.getAttribute('height')) * 2],
      png: [png.type, width, height],
      csv: figure.toCSV().split('\r\n').length,
      named: figure.toCSV('similarity') === figure.toCSV(),
      unnamed: (() => {
        try {
          return figure.toCSV('weights');
        } catch (thrown) {
          return (thrown as Error).message;
        }
      })(),
      code: await Promise.all((['python', 'phasor'] as const).map(async (language) => /similarity/.test(await figure.toCode(language)))),
      files: Object.keys(await figure.programFiles()),
    };
  });
  expect(result.spec).toEqual({
    kind: 'similarity',
    encoding: { id: 'sinusoidal' },
    length: 4,
    dim: 8,
    positionOffset: 0,
    metric: 'cosine',
    rows: 'drawn',
  });
  expect(result.state).toEqual(['ready', 'ready']);
  expect(result.data).toEqual([[4, 4], true, 1]);
  expect(result.png).toEqual(['image/png', ...result.svg]);
  expect(result.csv).toBe(6);
  expect([result.named, result.unnamed]).toEqual([true, 'name: “weights” is not similarity']);
  expect(result.code).toEqual([true, true]);
  expect(result.files).toEqual(['analysis.py', 'attention.py', 'encoding.py', 'sinusoidal.py']);

  const event = page.evaluate(
    () =>
      new Promise((resolve) => {
        let change: unknown;
        document.addEventListener('phasor-change', ({ detail }) => {
          change = detail;
        });
        document.addEventListener('phasor-ready', ({ target }) => resolve([change, (target as Figure).tensors().similarity?.shape]));
      }),
  );
  await page.getByRole('textbox', { name: 'positions' }).fill('6');
  await page.keyboard.press('Enter');
  const [change, shape] = (await event) as [{ field: string; spec: { length: unknown }; text: object }, number[]];
  expect([change.field, change.spec.length, change.text]).toEqual(['length', 6, { length: '6', dim: '8' }]);
  expect(shape).toEqual([6, 6]);
});

test('program modules are fetched on demand, and the help of controls is available at once', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
  await visit(page, { body: figure('length="4" dim="8" controls="base length"') });
  await ready(page);
  const helps = page.locator('phasor-figure .control .help');
  await expect(helps.last()).toHaveText(/^Number of positions shown/);
  await expect(helps.first()).toHaveText(/^Sets the lowest frequency/);
  expect(requests).toContain('figure-similarity.js');
  expect(requests.filter((name) => /-code|programs|reference|menu|data-table|rotation/.test(name))).toEqual([]);
  expect(await page.locator('phasor-figure').evaluate((element) => (element as Figure).toCode('python'))).toContain(
    'from sinusoidal import Sinusoidal',
  );
  expect(requests).toContain('figure-similarity-code.js');
});

test('a failed load of the program module is reported and retried at the next call', async ({ page }) => {
  await page.route('**/figure-similarity-code.js', (route) => route.abort());
  await visit(page, { body: figure('length="4" dim="8"') });
  await ready(page);
  const rejected = await page
    .locator('phasor-figure')
    .evaluate((element) => (element as Figure).toCode('python').catch(({ message }: Error) => message));
  expect(rejected).toMatch(/^the program files could not be loaded \(.+\)$/);
  const exportSummary = page.locator('summary', { hasText: 'Export' });
  await exportSummary.click();
  await expect(page.locator('.part-export')).toContainText('No program available: the program files could not be loaded');
  await expect(page.locator('.part-export').getByRole('button', { name: 'CSV' })).toBeVisible();
  await page.unroute('**/figure-similarity-code.js');
  expect(await page.locator('phasor-figure').evaluate((element) => (element as Figure).toCode('python'))).toContain(
    'from sinusoidal import Sinusoidal',
  );
});

test('an open export updates its program without replacing its elements', async ({ page }) => {
  await visit(page, { body: figure('length="4" dim="8"') });
  await ready(page);
  await page.locator('summary', { hasText: 'Export' }).click();
  const program = page.locator('.part-export pre').nth(1);
  await expect(program).toContainText('np.arange(4)');
  const button = page.locator('.part-export').getByRole('button', { name: 'CSV' });
  await button.focus();
  await page.locator('phasor-figure').evaluate((element) => element.setAttribute('length', '6'));
  await expect(program).toContainText('np.arange(6)');
  await expect(button).toBeFocused();
});

test('the export includes the files that the Python program imports and reads', async ({ page }) => {
  await visit(page, { body: '<phasor-figure kind="bias" encoding="t5"></phasor-figure>' });
  await ready(page);
  await page.locator('summary', { hasText: 'Export' }).click();
  const names = ['bias_figure.py', 't5_table.npy', 'encoding.py', 't5.py'];
  for (const name of names) await expect(page.locator('.part-export').getByRole('button', { name, exact: true })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.locator('.part-export').getByRole('button', { name: 't5.py', exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('t5.py');
  expect(readFileSync(await file.path(), 'utf8')).toBe(readFileSync('public/reference/t5.py', 'utf8'));
});

test('a failed load of the export menu is reported and retried when the menu is reopened', async ({ page }) => {
  await page.route('**/figure-shared-menu.js', (route) => route.abort());
  await visit(page, { body: figure('length="4" dim="8"') });
  await ready(page);
  const exportSummary = page.locator('summary', { hasText: 'Export' });
  await exportSummary.click();
  await expect(page.locator('.part-export').getByRole('alert')).toContainText('Export could not be loaded');
  await page.unroute('**/figure-shared-menu.js');
  await exportSummary.click();
  await exportSummary.click();
  await expect(page.locator('.part-export').getByRole('button', { name: 'CSV' })).toBeVisible();
});

test('a kind that does not load within 30 s is reported, and shown if it arrives later', async ({ page }) => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/figure-requirements.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.clock.install();
  await visit(page, { body: `${figure('length="4" dim="8"')}<phasor-figure kind="requirements"></phasor-figure>` });
  const [first, second] = [page.locator('phasor-figure').first(), page.locator('phasor-figure').last()];
  await expect(first).toHaveAttribute('data-state', 'ready');
  await second.scrollIntoViewIfNeeded();
  await page.clock.fastForward(31_000);
  await expect(second).toHaveAttribute('data-state', 'failed');
  await expect(second.getByRole('alert')).toHaveText('kind: requirements could not be loaded (no response within 30 s)');
  release();
  await expect(second).toHaveAttribute('data-state', 'ready');
});

test('methods of version 0.1 throw errors that state their new names', async ({ page }) => {
  await visit(page, { body: figure('length="4" dim="8"') });
  await ready(page);
  const messages = await page.locator('phasor-figure').evaluate((element) =>
    ['numbers', 'code'].map((name) => {
      try {
        return (element[name as never] as () => unknown)();
      } catch (error) {
        return (error as Error).message;
      }
    }),
  );
  expect(messages).toEqual(['numbers was renamed to tensors', 'code was renamed to toCode']);
});
