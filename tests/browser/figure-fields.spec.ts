// The fields of <phasor-figure>: set by a spec or by attributes, and open to the user or locked.
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { figure, ready, serveStrangers, start, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

test('a spec is accepted before the script has loaded and before the figure is attached, and replaces all fields', async ({ page }) => {
  const problems = await visit(page, { script: false, body: figure('id="early" length="9"') });
  await page.evaluate(() => {
    const parsedFigure = document.querySelector('phasor-figure') as Figure;
    parsedFigure.spec = { length: 5, metric: 'dot' };
  });
  await start(page);
  await ready(page);
  const shapes = await page.evaluate(async () => {
    const parsedFigure = document.querySelector('phasor-figure') as Figure;
    const createdFigure = document.createElement('phasor-figure');
    const isReady = createdFigure.ready;
    createdFigure.spec = { kind: 'similarity', length: 3, dim: 4 };
    const initialSpec = createdFigure.spec;
    document.body.append(createdFigure);
    await isReady;
    const actual = [
      parsedFigure.spec.metric,
      parsedFigure.tensors().similarity?.shape,
      initialSpec.length,
      createdFigure.tensors().similarity?.shape,
    ];
    // Later attributes override single fields; removing one restores the default.
    createdFigure.setAttribute('length', '6');
    actual.push(createdFigure.spec.length, createdFigure.spec.dim, createdFigure.state === 'ready');
    await createdFigure.ready;
    actual.push(createdFigure.tensors().similarity?.shape);
    createdFigure.removeAttribute('length');
    actual.push(createdFigure.spec.length);
    createdFigure.spec = { dim: 4 };
    actual.push(createdFigure.spec.kind, createdFigure.spec.length);
    return actual;
  });
  expect(shapes).toEqual(['dot', [5, 5], 3, [3, 3], 6, 4, false, [6, 6], 64, 'similarity', 64]);
  expect(problems).toEqual([]);
});

test('no field shares its name with a property of the element', async ({ page }) => {
  await visit(page, { body: figure('') });
  await ready(page);
  const { createServer } = await import('vite');
  const server = await createServer({ configFile: 'vite.config.ts', logLevel: 'error', server: { middlewareMode: true } });
  const { kinds } = (await server.ssrLoadModule(
    '/figure/contract/all-kinds.ts',
  )) as typeof import('../../web/figure/contract/all-kinds.ts');
  const { isField } = (await server.ssrLoadModule(
    '/figure/contract/attributes.ts',
  )) as typeof import('../../web/figure/contract/attributes.ts');
  const { toKebabCase } = (await server.ssrLoadModule('/figure/contract/spec.ts')) as typeof import('../../web/figure/contract/spec.ts');
  await server.close();
  const names = Object.values(kinds).flatMap(({ fields }) => Object.keys(fields));
  expect(names.length).toBeGreaterThan(0);
  // Frameworks set a property instead of an attribute if the element has one of that name.
  expect(await page.locator('phasor-figure').evaluate((element, all) => all.filter((name) => name in element), names)).toEqual([]);
  expect(names.filter((name) => !isField(toKebabCase(name)))).toEqual([]);
});

test('attributes of frameworks and of HTML are not treated as fields', async ({ page }) => {
  const strange =
    'data-v-1 aria-label="x" class="y" _ngcontent-abc-1 v-cloak x-show="a" hx-get="/" :key="1" @click="b" itemprop="image" onfocus="0" translate="no"';
  await visit(page, { body: figure(`length="4" ${strange}`) });
  await ready(page);
  expect(await page.locator('phasor-figure').evaluate((element) => (element as Figure).state)).toBe('ready');
});

test('lock, controls and compact determine what the user can change and see', async ({ page }) => {
  await visit(page, {
    body: [
      figure('id="all" length="8" dim="8"'),
      figure('id="locked" length="8" dim="8" group="g" lock="length encoding"'),
      figure('id="named" length="8" dim="8" group="g" controls="encoding length"'),
      figure('id="compact" length="8" dim="8" compact'),
      figure('id="params" length="8" dim="8" controls="encoding base"'),
      figure('id="base" length="8" dim="8" controls="base"'),
    ].join(''),
  });
  await ready(page);
  const labels = (id: string) => page.locator(`${id} .control label`).allTextContents();
  await page.locator('#all summary', { hasText: 'Settings' }).click();
  // The opened section is rendered a moment later.
  await expect
    .poll(() => labels('#all'))
    .toEqual(expect.arrayContaining(['encoding', 'positions', 'channels', 'first position', 'metric']));
  await page.locator('#locked summary', { hasText: 'Settings' }).click();
  await expect.poll(() => labels('#locked')).toEqual(['channels', 'first position', 'metric', 'rows']);
  expect(await labels('#named')).toEqual(['encoding', 'positions']);
  // Parameters of the encoding are shown if they are named, or if no controls are named.
  expect(await labels('#params')).toEqual(['encoding', 'base']);
  expect(await labels('#base')).toEqual(['base']);
  expect(await labels('#all')).toEqual(expect.arrayContaining(['base', 'layout', 'frequencies']));
  expect(await page.locator('#compact .picture').isVisible()).toBe(true);
  for (const part of ['.question', '.caption', '.readout', '.proof', 'details']) {
    expect(await page.locator(`#compact ${part}`).first().isVisible(), part).toBe(false);
  }
  // A locked field does not follow its group.
  await page.locator('#named select').first().selectOption('binary');
  await ready(page);
  const ids = await page
    .locator('phasor-figure')
    .evaluateAll((elements) => elements.map((element) => ((element as Figure).spec.encoding as { id: string }).id));
  expect(ids).toEqual(['sinusoidal', 'sinusoidal', 'binary', 'sinusoidal', 'sinusoidal', 'sinusoidal']);
});

test('the text field has the full width of the controls', async ({ page }) => {
  await visit(page, { body: '<phasor-figure kind="attention" text="a b" controls="text heads"></phasor-figure>' });
  await ready(page);
  const widths = await page
    .locator('phasor-figure')
    .evaluate((element) =>
      ['.controls', '#text', '#heads'].map((selector) => element.shadowRoot?.querySelector(selector)?.getBoundingClientRect().width ?? 0),
    );
  const [all = 0, sentence = 0, heads = 0] = widths;
  expect(all).toBeGreaterThan(400);
  expect(sentence).toBeCloseTo(all, 0);
  expect(heads).toBeLessThan(all / 2);
});
