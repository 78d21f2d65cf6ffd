// <phasor-figure> for its readers: before and after the script, by keyboard, enlarged, in forced colours, on paper, and when something is wrong.
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/element-types.ts';
import type { RenderFigure } from '../../web/package/render-types.ts';
import { figure, layoutShifts, ready, serveStrangers, start, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

const render = async (...args: Parameters<RenderFigure>): Promise<string> => {
  const { renderFigure } = (await import(join(process.cwd(), 'dist/npm/render.js'))) as { renderFigure: RenderFigure };
  return renderFigure(...args);
};

async function violations(page: Page): Promise<[string, string[]][]> {
  // The two packages come with Playwright's types of their own, which differ in their exact optional properties only.
  const { violations: found } = await new AxeBuilder({ page: page as never }).analyze();
  return found.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}

for (const width of [640, 500]) {
  test(`a still picture of ${width} px gives its place to the live one without a jump`, async ({ page }) => {
    const still = await render({ kind: 'similarity', length: 16 }, { width });
    const body = `<main style="width: 640px"><p>before</p>${figure('compact length="16"', still)}<p id="after">after</p></main>`;
    await visit(page, { script: false, body: `<style>phasor-figure { display: block } svg { display: block }</style>${body}` });
    const places = () =>
      page.evaluate(() =>
        ['phasor-figure', '#after'].map((one) => {
          const { x, y, width, height } = (document.querySelector(one) as Element).getBoundingClientRect();
          return [x, y, width, height];
        }),
      );
    const before = await places();
    const shifts = await layoutShifts(page);
    await start(page);
    await ready(page);
    await expect(page.locator('canvas')).toBeVisible();
    await expect(page.locator('phasor-figure > svg')).toBeHidden();
    expect(await places()).toEqual(before);
    expect(await shifts()).toEqual([]);
  });
}

test('the keyboard alone reaches everything, and what arrow keys find is spoken', async ({ page }) => {
  await visit(page, { body: `<a href="#">before</a>${figure('length="8" width="8"')}` });
  await ready(page);
  const focused = () =>
    page.evaluate(() => {
      const inside = document.querySelector('phasor-figure')?.shadowRoot?.activeElement;
      return inside ? `${inside.localName}.${inside.className || inside.textContent?.trim()}` : document.activeElement?.localName;
    });
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('a');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('div.picture');
  const live = page.locator('[aria-live=polite]');
  await page.keyboard.press('ArrowRight');
  await expect(live).toHaveText(/^Positions 0 and 0, 0 apart: cosine similarity 1\.00/);
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await expect(live).toHaveText(/^Positions 1 and 2, 1 apart/);
  await page.keyboard.press('Escape');
  await expect(page.locator('.readout')).toContainText('between');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('summary.Change');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'encoding' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await ready(page);
  expect(await page.locator('phasor-figure').evaluate((one) => (one as Figure).spec.encoding)).not.toEqual({ id: 'sinusoidal' });
  for (const title of ['Numbers', 'Take away']) {
    while ((await focused()) !== `summary.${title}`) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  }
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByRole('button', { name: 'SVG' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^How alike are two positions\?\. 8 rows by 8 columns/ })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing wrong: ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const scheme = '<style>:root { color-scheme: light dark }</style>';
    const good = figure('length="8" width="8" encoding="fourier"');
    await visit(page, { head: scheme, body: `<main><h1>A page</h1>${good}${figure('id="bad" length="0"')}</main>` });
    await ready(page, 'phasor-figure:not([id])');
    expect(await page.locator('phasor-figure').first().getAttribute('data-theme')).toBe(colorScheme);
    for (const title of ['Change', 'Numbers', 'Take away']) await page.locator('summary', { hasText: title }).first().click();
    await expect(page.getByRole('table')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}

test('the theme follows what is behind the figure, or the custom properties of the page', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const set = '--phasor-ground: oklch(0.25 0.02 260); --phasor-ink: color(display-p3 1 0.9 0.8); --phasor-accent: hsl(30 100% 60%)';
  await visit(page, {
    body: [
      figure('id="plain" length="4"'),
      `<div style="background: #102030">${figure('id="dark" length="4"')}</div>`,
      `<div style="background: white">${figure(`id="set" length="4" style="${set}"`)}</div>`,
      figure('id="clear" length="4" style="--phasor-ground: transparent"'),
    ].join(''),
  });
  await ready(page);
  const themes = await page.locator('phasor-figure').evaluateAll((all) => all.map((one) => (one as Figure).dataset.theme));
  // The page does not say that it can be dark, so it is light, although the system is dark.
  expect(themes).toEqual(['light', 'dark', 'dark', 'light']);
  const svg = await page.locator('#set').evaluate((one) => (one as Figure).toSVG());
  expect(svg).toMatch(/<rect width="\d+" height="\d+" fill="#[12][\da-f]{5}"/);
  expect(svg).not.toMatch(/oklch|display-p3|hsl/);
  await page.evaluate(() => {
    document.body.style.background = '#000';
  });
  await expect(page.locator('#plain')).toHaveAttribute('data-theme', 'dark');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`forced colours on ${colorScheme} take the picture along`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await visit(page, { head: '<style>:root { --phasor-ground: #fff; --phasor-ink: #111 }</style>', body: figure('length="8"') });
    await ready(page);
    const canvas = colorScheme === 'dark' ? '#000000' : '#ffffff';
    const ink = colorScheme === 'dark' ? '#ffffff' : '#000000';
    const svg = await page.locator('phasor-figure').evaluate((one) => (one as Figure).toSVG());
    expect(svg).toMatch(new RegExp(`<rect width="\\d+" height="\\d+" fill="${canvas}"`));
    expect(svg).toContain(`fill="${ink}"`);
    await expect(page.locator('phasor-figure')).toHaveAttribute('data-theme', colorScheme);
  });
}

test('at 200 % zoom on a small window everything fits, in twice the pixels', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 500 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await visit(page, {
    head: '<meta name="viewport" content="width=device-width">',
    body: figure('length="32" controls="encoding length measure"'),
  });
  await ready(page);
  await page.locator('summary', { hasText: 'Take away' }).click();
  const { scroll, box, pixels } = await page.evaluate(() => {
    const canvas = document.querySelector('phasor-figure')?.shadowRoot?.querySelector('canvas') as HTMLCanvasElement;
    return { scroll: document.documentElement.scrollWidth, box: canvas.getBoundingClientRect().width, pixels: canvas.width };
  });
  expect(scroll).toBe(390);
  expect(pixels).toBe(2 * box);
  expect(box).toBeGreaterThan(250);
  await context.close();
});

test('pictures far from sight are on paper too', async ({ page }) => {
  const many = Array.from({ length: 8 }, () => figure('length="8"')).join('');
  await visit(page, { body: many });
  await ready(page);
  const blank = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('phasor-figure')].filter((one) => (one.shadowRoot?.querySelector('canvas')?.width ?? 1) <= 1).length,
    );
  expect(await blank()).toBeGreaterThan(0);
  expect(
    await page.evaluate(() => {
      window.dispatchEvent(new Event('beforeprint'));
      const drawn = [...document.querySelectorAll('phasor-figure')].map((one) => {
        const canvas = one.shadowRoot?.querySelector('canvas') as HTMLCanvasElement;
        const middle = canvas.getContext('2d')?.getImageData(canvas.width / 8, canvas.height / 3, 1, 1).data;
        return middle?.[3];
      });
      window.dispatchEvent(new Event('afterprint'));
      return drawn;
    }),
  ).toEqual(Array(8).fill(255));
});

test('lock, controls and compact say what the reader may change and see', async ({ page }) => {
  await visit(page, {
    body: [
      figure('id="all" length="8" width="8"'),
      figure('id="locked" length="8" width="8" group="g" lock="length encoding"'),
      figure('id="named" length="8" width="8" group="g" controls="encoding length"'),
      figure('id="compact" length="8" width="8" compact'),
    ].join(''),
  });
  await ready(page);
  const labels = (id: string) => page.locator(`${id} .control label`).allTextContents();
  await page.locator('#all summary', { hasText: 'Change' }).click();
  // What is unfolded is made a moment later.
  await expect
    .poll(() => labels('#all'))
    .toEqual(expect.arrayContaining(['encoding', 'positions', 'channels', 'first position', 'measure']));
  await page.locator('#locked summary', { hasText: 'Change' }).click();
  await expect.poll(() => labels('#locked')).toEqual(['channels', 'first position', 'measure']);
  // Named controls are open from the start.
  expect(await labels('#named')).toContain('positions');
  expect(await labels('#named')).not.toContain('measure');
  expect(await page.locator('#compact .picture').isVisible()).toBe(true);
  for (const part of ['.question', '.caption', '.readout', '.proof', 'details']) {
    expect(await page.locator(`#compact ${part}`).first().isVisible(), part).toBe(false);
  }
  // A locked field does not follow its group.
  await page.locator('#named select').first().selectOption('binary');
  await ready(page);
  const ids = await page
    .locator('phasor-figure')
    .evaluateAll((all) => all.map((one) => ((one as Figure).spec.encoding as { id: string }).id));
  expect(ids).toEqual(['sinusoidal', 'sinusoidal', 'binary', 'sinusoidal']);
});

const still = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="teal"/></svg>';

test('what cannot be shown says so in one sentence, keeps its still picture, and leaves the others alone', async ({ page }) => {
  await visit(page, {
    body: [
      `<phasor-figure id="kind" kind="nonsense">${still}</phasor-figure>`,
      `<phasor-figure id="proto" kind="constructor">${still}</phasor-figure>`,
      figure('id="field" lenght="8"', still),
      figure('id="value" length="eight"', still),
      figure('id="core" encoding="sinusoidal base=-1" length="4"', still),
      figure('id="good" length="4"', still),
    ].join(''),
  });
  await ready(page, '#good');
  const sentences: Record<string, RegExp> = {
    kind: /^kind: “nonsense” is unknown; it is one of .*similarity/,
    proto: /^kind: “constructor” is unknown/,
    field: /^(encoding\.)?lenght\b.*fields of a similarity figure are .*length/,
    value: /^length: “eight” is not a number$/,
    core: /^(encoding\.)?base\b/,
  };
  for (const [id, sentence] of Object.entries(sentences)) {
    await expect(page.locator(`#${id}`)).toHaveAttribute('data-state', 'failed');
    await expect(page.locator(`#${id} [role=alert]`)).toHaveText(sentence);
    await expect(page.locator(`#${id} > svg`)).toBeVisible();
    const reason = await page.locator(`#${id}`).evaluate((one) => (one as Figure).ready.catch((error: Error) => error.message));
    expect(reason).toMatch(sentence);
    expect(await page.locator(`#${id}`).evaluate((one) => (one as Figure).state)).toBe('failed');
  }
  await expect(page.locator('#good > svg')).toBeHidden();
  // Put right, it goes on.
  await page.locator('#value').evaluate((one) => one.setAttribute('length', '8'));
  await ready(page, '#value');
  await expect(page.locator('#value [role=alert]')).toHaveCount(0);
  // A later mistake leaves the last picture.
  await page.locator('#value').evaluate((one) => one.setAttribute('length', '-1'));
  await expect(page.locator('#value [role=alert]')).toHaveText('length: “-1” is outside 1 to 1,024');
  await expect(page.locator('#value canvas')).toBeVisible();
  expect(await page.locator('#value').evaluate((one) => (one as Figure).numbers().similarity?.shape)).toEqual([8, 8]);
});

test('without WebAssembly the still picture stays', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
  await visit(page, { body: figure('length="8"', still) });
  await expect(page.locator('phasor-figure')).toHaveAttribute('data-state', 'failed');
  await expect(page.getByRole('alert')).toHaveText(/WebAssembly, which this browser does not have/);
  await expect(page.locator('phasor-figure > svg')).toBeVisible();
});

test('a WebAssembly file that does not come is asked for again', async ({ page }) => {
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } }));
  await visit(page, { body: figure('id="a" length="8"', still) });
  await expect(page.locator('#a')).toHaveAttribute('data-state', 'failed');
  await expect(page.locator('#a [role=alert]')).toHaveText(/^wasm: .*phasor-simd\.wasm could not be loaded \(status 503\)$/);
  await expect(page.locator('#a > svg')).toBeVisible();
  await page.unroute('**/*.wasm');
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), figure('id="b" length="8"'));
  await ready(page, '#b');
  await page.locator('#a').evaluate((one) => one.setAttribute('length', '9'));
  await ready(page, '#a');
});
