// The theme of <phasor-figure> when its part of the page turns dark or light.
import { expect, type Page, test } from '@playwright/test';
import { figure, ready, scriptAddress, serveStrangers, visit } from './stranger.ts';

serveStrangers();

const head = `<style>
  /* Side by side: figures outside the viewport do not update. */
  .wrapper { float: left; width: 300px }
  .dark { background: #102030 }
  .slow { background: white; transition: background-color 0.3s }
  .slow.dark { background: #102030 }
  .fade.dark { background: white; animation: fade 0.3s forwards }
  @keyframes fade { to { background: #102030 } }
  main:has(#night:checked) .below { background: #102030 }
  [data-mode='night'] .deep { background: #102030 }
</style>`;

const expectTheme = async (page: Page, expected: 'dark' | 'light', id = 'figure') => {
  await expect(page.locator(`#${id}`)).toHaveAttribute('data-theme', expected);
  const ground = { dark: '#14161a', light: '#fbf9f4' }[expected];
  const svg = await page.locator(`#${id}`).evaluate((element) => (element as HTMLElement & { toSVG(): string }).toSVG());
  expect(svg.includes(`fill="${ground}"`), `the picture is ${expected}`).toBe(true);
};

const markup = figure('id="figure" length="4"');

test('the theme follows the class of a wrapper: direct, nested, with a transition or animated', async ({ page }) => {
  const within = {
    directly: (content: string) => `<div class="wrapper">${content}</div>`,
    between: (content: string) => `<div class="wrapper"><section><div>${content}</div></section></div>`,
    slowly: (content: string) => `<div class="wrapper slow">${content}</div>`,
    animated: (content: string) => `<div class="wrapper fade">${content}</div>`,
  };
  const ids = Object.keys(within);
  const body = Object.entries(within).map(([id, wrap]) => wrap(figure(`id="${id}" length="4"`)));
  await visit(page, { head, body: body.join('') });
  for (const id of ids) await ready(page, `#${id}`);
  for (const id of ids) await expectTheme(page, 'light', id);
  for (const expected of ['dark', 'light', 'dark'] as const) {
    await page.locator('.wrapper').evaluateAll((wrappers) => {
      for (const wrapper of wrappers) wrapper.classList.toggle('dark');
    });
    for (const id of ids) await expectTheme(page, expected, id);
  }
});

test('the theme follows any attribute, data-theme of a wrapper, and the style of the figure', async ({ page }) => {
  await visit(page, { head, body: `<div id="outer"><div class="deep">${markup}</div></div>` });
  await ready(page);
  const setAttribute = (selector: string, name: string, value: string) =>
    page
      .locator(selector)
      .evaluate((element, [attribute, text]) => element.setAttribute(attribute as string, text as string), [name, value]);
  await setAttribute('#outer', 'data-mode', 'night');
  await expectTheme(page, 'dark');
  await setAttribute('#outer', 'data-mode', 'day');
  await expectTheme(page, 'light');
  // The nearest data-theme wins, as in style sheets that use this attribute.
  await setAttribute('#outer', 'data-theme', 'dark');
  await expectTheme(page, 'dark');
  await setAttribute('html', 'data-theme', 'light');
  await setAttribute('html', 'class', 'any');
  await expectTheme(page, 'dark');
  await setAttribute('#outer', 'data-theme', 'light');
  await expectTheme(page, 'light');
  await page.locator('#figure').evaluate((element) => (element as HTMLElement).style.setProperty('--phasor-background', '#14161a'));
  await expectTheme(page, 'dark');
});

test('the background is transparent unless --phasor-background is set', async ({ page }) => {
  await visit(page, { body: `<style>body { background: #c0e0ff }</style>${markup}` });
  await ready(page);
  const readBackgrounds = () =>
    page
      .locator('#figure')
      .evaluate((element) =>
        [element, element.shadowRoot?.querySelector('.picture') as Element].map((node) => getComputedStyle(node).backgroundColor),
      );
  expect(await readBackgrounds()).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  // The canvas is transparent too, in a corner without cells.
  const pixel = await page.locator('#figure').evaluate((element) => {
    const canvas = element.shadowRoot?.querySelector('canvas') as HTMLCanvasElement;
    return [...(canvas.getContext('2d')?.getImageData(canvas.width - 2, canvas.height - 2, 1, 1).data ?? [])];
  });
  expect(pixel).toEqual([0, 0, 0, 0]);
  await page.locator('#figure').evaluate((element) => (element as HTMLElement).style.setProperty('--phasor-background', '#ffeedd'));
  expect((await readBackgrounds())[0]).toBe('rgb(255, 238, 221)');
});

test('a nearer background overrides the theme of the page', async ({ page }) => {
  await visit(page, { head, body: `<script>document.documentElement.dataset.theme = 'light'</script><div id="wrapper">${markup}</div>` });
  await ready(page);
  await expectTheme(page, 'light');
  await page.locator('#wrapper').evaluate((wrapper) => wrapper.classList.add('dark'));
  await expectTheme(page, 'dark');
});

test('the theme follows a style that depends on a checkbox', async ({ page }) => {
  await visit(page, {
    head,
    body: `<main><label><input id="night" type="checkbox"> night</label><div class="below">${markup}</div></main>`,
  });
  await ready(page);
  await expectTheme(page, 'light');
  await page.getByLabel('night').check();
  await expectTheme(page, 'dark');
  await page.getByLabel('night').uncheck();
  await expectTheme(page, 'light');
});

test('the theme follows backgrounds across slots and shadow hosts', async ({ page }) => {
  await visit(page, { head, body: `<div id="slotted">${markup}</div><div id="host"></div>`, script: false });
  await page.evaluate((html) => {
    const outer = document.querySelector('#slotted')?.attachShadow({ mode: 'open' }) as ShadowRoot;
    outer.innerHTML =
      '<style>.dark { background: #102030; transition: background-color 0.2s }</style><div class="frame"><slot></slot></div>';
    const root = document.querySelector('#host')?.attachShadow({ mode: 'open' }) as ShadowRoot;
    root.innerHTML = `<style>:host(.dark) { background: #102030 }</style>${html}`;
  }, figure('id="inside" length="4"'));
  await page.evaluate((address) => import(address).then(() => {}), scriptAddress());
  await ready(page, '#figure');
  await expectTheme(page, 'light');
  await page.locator('#slotted .frame').evaluate((frame) => frame.classList.add('dark'));
  await expectTheme(page, 'dark');
  await expectTheme(page, 'light', 'inside');
  await page.locator('#host').evaluate((host) => host.classList.add('dark'));
  await expectTheme(page, 'dark', 'inside');
});

test('the theme follows the figure to another parent', async ({ page }) => {
  await visit(page, { head, body: `${markup}<div id="there" class="dark"></div>` });
  await ready(page);
  await expectTheme(page, 'light');
  await page.evaluate(() => document.querySelector('#there')?.append(document.querySelector('#figure') as Element));
  await expectTheme(page, 'dark');
});

test('attributes that do not change colours cause no redraw', async ({ page }) => {
  await visit(page, { head, body: `<div id="wrapper">${markup}</div>` });
  await ready(page);
  await expectTheme(page, 'light');
  const drawn = await page.evaluate(async () => {
    let count = 0;
    const canvas = CanvasRenderingContext2D.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of ['putImageData', 'drawImage', 'fillText', 'stroke', 'clearRect']) {
      const original = canvas[name] as (...args: unknown[]) => unknown;
      canvas[name] = function (this: unknown, ...args) {
        // A canvas of one pixel is used to read colours.
        if ((this as CanvasRenderingContext2D).canvas.width > 1) count += 1;
        return original.apply(this, args);
      };
    }
    const wrapper = document.querySelector('#wrapper') as HTMLElement;
    for (let frame = 0; frame < 5; frame++) {
      wrapper.className = `any-${frame}`;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const idleCount = count;
    wrapper.className = 'dark';
    await new Promise((resolve) => setTimeout(resolve, 300));
    return [idleCount, count > 0];
  });
  expect(drawn).toEqual([0, true]);
});
