// <phasor-figure> as strangers rely on it: of another origin, in a page that knows nothing of it.
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/element-types.ts';
import { figure, ready, scriptAddress, serveStrangers, start, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

test('two figures of one kind in a page of another origin never meet', async ({ page }) => {
  const problems = await visit(page, {
    head: '<style>* { color: red !important; letter-spacing: 0.4em } p { font-size: 60px; margin: 90px }</style>',
    body: figure('id="a" length="8"') + figure('id="b" length="12" measure="dot" width="16"'),
  });
  await ready(page);
  const shapes = await page.locator('phasor-figure').evaluateAll((all) => all.map((one) => (one as Figure).numbers().similarity?.shape));
  expect(shapes).toEqual([
    [8, 8],
    [12, 12],
  ]);
  const before = await page.locator('#b .readout').textContent();
  await page.locator('#a .picture').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('#a .readout')).toContainText('Positions 0 and 0');
  expect(await page.locator('#b .readout').textContent()).toBe(before);

  // The styles of the page end at the figure's edge.
  const look = await page.locator('#a .readout').evaluate((line) => [getComputedStyle(line).fontSize, getComputedStyle(line).marginTop]);
  expect(look).toEqual(['15px', '8px']);

  await page.locator('#a').evaluate((one) => one.setAttribute('length', '5'));
  await ready(page);
  expect(await page.locator('#b').evaluate((one) => (one as Figure).numbers().similarity?.shape)).toEqual([12, 12]);
  expect(problems).toEqual([]);
});

test('figures of a group share the cursor and what the reader changes; others do not', async ({ page }) => {
  await visit(page, {
    body: figure('id="a" group="g" length="8"') + figure('id="b" group="g" length="16"') + figure('id="c" group="h" length="8"'),
  });
  await ready(page);
  await page.locator('#a .picture').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await expect(page.locator('#a .readout')).toContainText('Positions 1 and 1');
  await expect(page.locator('#b .readout')).toContainText('Positions 1 and 1');
  await expect(page.locator('#c .readout')).toContainText('between');

  await page.locator('#b summary', { hasText: 'Change' }).click();
  await page.locator('#b select').first().selectOption('binary');
  await ready(page);
  const encodings = await page.locator('phasor-figure').evaluateAll((all) => all.map((one) => (one as Figure).spec.encoding));
  expect(encodings).toEqual([{ id: 'binary' }, { id: 'binary' }, { id: 'sinusoidal' }]);
  // What the page says afterwards is newer.
  await page.locator('#a').evaluate((one) => one.setAttribute('encoding', 'learned'));
  await ready(page);
  expect(await page.locator('#a').evaluate((one) => (one as Figure).spec.encoding)).toEqual({ id: 'learned' });
});

test('a program reads specs, numbers, files and code, and hears of changes', async ({ page }) => {
  await visit(page, { body: figure('length="4" width="8" controls="length"') });
  await ready(page);
  const taken = await page.locator('phasor-figure').evaluate(async (one) => {
    const figure = one as Figure;
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

test('programs come after the first picture; then figures are ready', async ({ page }) => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/figure-programs.js', async (route) => {
    await released;
    await route.continue();
  });
  await visit(page, { body: figure('length="4" width="8"') });
  await expect(page.locator('phasor-figure canvas')).toBeVisible();
  await expect(page.locator('phasor-figure')).toHaveAttribute('data-state', 'computing');
  release();
  await expect(page.locator('phasor-figure')).toHaveAttribute('data-state', 'ready');
  expect(await page.locator('phasor-figure').evaluate((one) => (one as Figure).code('numpy'))).toContain('import numpy as np');
});

test('where the file of programs cannot be loaded, figures are ready without it and say so', async ({ page }) => {
  await page.route('**/figure-programs.js', (route) => route.abort());
  await visit(page, { body: figure('length="4" width="8"') });
  await ready(page);
  const said = await page.locator('phasor-figure').evaluate((one) => {
    const { state } = one as Figure;
    try {
      return [state, (one as Figure).code('numpy')];
    } catch (thrown) {
      return [state, (thrown as Error).message];
    }
  });
  expect(said).toEqual(['ready', expect.stringMatching(/^their file could not be loaded \(.+\)$/)]);
  await page.locator('summary', { hasText: 'Take away' }).click();
  await expect(page.locator('.part-take')).toContainText('No program can be shown: their file could not be loaded');
  await expect(page.locator('.part-take').getByRole('button', { name: 'CSV' })).toBeVisible();
});

test('a spec is accepted before the script is there, before the figure is in the page, and replaces all fields', async ({ page }) => {
  const problems = await visit(page, { script: false, body: figure('id="early" length="9"') });
  await page.evaluate(() => {
    const early = document.querySelector('phasor-figure') as Figure;
    early.spec = { length: 5, measure: 'dot' };
  });
  await start(page);
  await ready(page);
  const shapes = await page.evaluate(async () => {
    const early = document.querySelector('phasor-figure') as Figure;
    const late = document.createElement('phasor-figure');
    const isReady = late.ready;
    late.spec = { kind: 'similarity', length: 3, width: 4 };
    const before = late.spec;
    document.body.append(late);
    await isReady;
    const seen = [early.spec.measure, early.numbers().similarity?.shape, before.length, late.numbers().similarity?.shape];
    // Attributes that are set afterwards are newer, one by one; one that is removed is the default.
    late.setAttribute('length', '6');
    seen.push(late.spec.length, late.spec.width, late.state === 'ready');
    await late.ready;
    seen.push(late.numbers().similarity?.shape);
    late.removeAttribute('length');
    seen.push(late.spec.length);
    late.spec = { width: 4 };
    seen.push(late.spec.kind, late.spec.length);
    return seen;
  });
  expect(shapes).toEqual(['dot', [5, 5], 3, [3, 3], 6, 4, false, [6, 6], 64, 'similarity', 64]);
  expect(problems).toEqual([]);
});

test('a figure that is moved keeps its numbers; one that is taken out lets go and comes back as the reader left it', async ({ page }) => {
  await visit(page, { body: `<div id="one">${figure('length="8"')}</div><div id="two"></div>` });
  await ready(page);
  await page.locator('summary', { hasText: 'Change' }).click();
  await page.getByRole('textbox', { name: 'positions' }).fill('7');
  await page.keyboard.press('Enter');
  await ready(page);
  const seen = await page.evaluate(async () => {
    const figure = document.querySelector('phasor-figure') as Figure;
    const states: (string | undefined)[] = [];
    new MutationObserver(() => states.push(figure.dataset.state)).observe(figure, { attributeFilter: ['data-state'] });
    document.querySelector('#two')?.append(figure);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const moved = [...states, figure.numbers().similarity?.shape];
    figure.remove();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const left = figure.state;
    figure.setAttribute('width', '16');
    document.querySelector('#one')?.append(figure);
    await figure.ready;
    return { moved, left, back: [figure.spec.length, figure.spec.width, figure.numbers().similarity?.shape] };
  });
  expect(seen).toEqual({ moved: [[7, 7]], left: 'idle', back: [7, 16, [7, 7]] });
});

test('figures out of sight are idle, keep their room, and compute when they are waited for', async ({ page }) => {
  const many = Array.from({ length: 30 }, (_, index) => figure(`id="f${index}" length="8" offset="${index}"`)).join('');
  await visit(page, { body: many });
  await ready(page, '#f0');
  await expect(page.locator('#f0')).toHaveAttribute('data-state', 'ready');
  await expect(page.locator('#f29')).toHaveAttribute('data-state', 'idle');
  expect((await page.locator('#f29 .picture').boundingBox())?.height).toBeGreaterThan(200);

  await page.locator('#f29').evaluate((one) => one.setAttribute('length', '5'));
  await ready(page, '#f29');
  const svg = await page.locator('#f29').evaluate((one) => (one as Figure).toSVG());
  expect(svg).toContain('5 rows by 5 columns');
  await expect(page.locator('#f28')).toHaveAttribute('data-state', 'idle');
  const pixels = (id: string) => page.locator(`${id} canvas`).evaluate((canvas) => (canvas as HTMLCanvasElement).width);
  expect(await pixels('#f29')).toBe(1);

  await page.locator('#f29').scrollIntoViewIfNeeded();
  await expect.poll(() => pixels('#f29')).toBeGreaterThan(200);
  // The first one is out of sight now: no pixels, the same box.
  await expect.poll(() => pixels('#f0')).toBe(1);
  expect((await page.locator('#f0 .surface').boundingBox())?.height).toBeGreaterThan(200);
});

test('no field has the name of a property that every element has', async ({ page }) => {
  await visit(page, { body: figure('') });
  await ready(page);
  const { createServer } = await import('vite');
  const server = await createServer({ configFile: 'vite.config.ts', logLevel: 'error', server: { middlewareMode: true } });
  const { kinds } = (await server.ssrLoadModule('/figure/registry.ts')) as typeof import('../../web/figure/registry.ts');
  const { isField } = (await server.ssrLoadModule('/figure/attributes.ts')) as typeof import('../../web/figure/attributes.ts');
  const { kebab } = (await server.ssrLoadModule('/figure/spec.ts')) as typeof import('../../web/figure/spec.ts');
  await server.close();
  const names = Object.values(kinds).flatMap(({ fields }) => Object.keys(fields));
  expect(names.length).toBeGreaterThan(0);
  // Frameworks set the property of a name where there is one.
  expect(await page.locator('phasor-figure').evaluate((one, all) => all.filter((name) => name in one), names)).toEqual([]);
  expect(names.filter((name) => !isField(kebab(name)))).toEqual([]);
});

test('attributes of frameworks and of HTML are no fields', async ({ page }) => {
  const strange =
    'data-v-1 aria-label="x" class="y" _ngcontent-abc-1 v-cloak x-show="a" hx-get="/" :key="1" @click="b" itemprop="image" onfocus="0" translate="no"';
  await visit(page, { body: figure(`length="4" ${strange}`) });
  await ready(page);
  expect(await page.locator('phasor-figure').evaluate((one) => (one as Figure).state)).toBe('ready');
});

test('the script may be there twice', async ({ page }) => {
  const problems = await visit(page, { body: figure('length="4"') });
  await ready(page);
  await page.evaluate((address) => import(`${address}?again`).then(() => {}), scriptAddress());
  await page.evaluate(() => document.body.append(document.querySelector('phasor-figure')?.cloneNode(true) as Node));
  await ready(page);
  expect(await page.locator('phasor-figure').evaluateAll((all) => all.map((one) => (one as Figure).state))).toEqual(['ready', 'ready']);
  expect(problems).toEqual([]);
});
