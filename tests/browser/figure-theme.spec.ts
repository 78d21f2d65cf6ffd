// <phasor-figure> in a part of a page that turns dark or light while it is there.
import { expect, type Page, test } from '@playwright/test';
import { figure, ready, scriptAddress, serveStrangers, visit } from './stranger.ts';

serveStrangers();

const head = `<style>
  /* Beside each other: figures far from sight follow nothing. */
  .wrapper { float: left; width: 300px }
  .dark { background: #102030 }
  .slow { background: white; transition: background-color 0.3s }
  .slow.dark { background: #102030 }
  .fade.dark { background: white; animation: fade 0.3s forwards }
  @keyframes fade { to { background: #102030 } }
  main:has(#night:checked) .below { background: #102030 }
  [data-mode='night'] .deep { background: #102030 }
</style>`;

const is = async (page: Page, expected: 'dark' | 'light', id = 'figure') => {
  await expect(page.locator(`#${id}`)).toHaveAttribute('data-theme', expected);
  // The picture too: its paper is drawn in the colours of the theme.
  const ground = { dark: '#14161a', light: '#fbf9f4' }[expected];
  const svg = await page.locator(`#${id}`).evaluate((one) => (one as HTMLElement & { toSVG(): string }).toSVG());
  expect(svg.includes(`fill="${ground}"`), `the picture is ${expected}`).toBe(true);
};

const plain = figure('id="figure" length="4"');

test('follows a class of a wrapper: with others between, or whose ground changes slowly or is animated', async ({ page }) => {
  const within = {
    directly: (inside: string) => `<div class="wrapper">${inside}</div>`,
    between: (inside: string) => `<div class="wrapper"><section><div>${inside}</div></section></div>`,
    slowly: (inside: string) => `<div class="wrapper slow">${inside}</div>`,
    animated: (inside: string) => `<div class="wrapper fade">${inside}</div>`,
  };
  const ids = Object.keys(within);
  const body = Object.entries(within).map(([id, wrap]) => wrap(figure(`id="${id}" length="4"`)));
  await visit(page, { head, body: body.join('') });
  for (const id of ids) await ready(page, `#${id}`);
  for (const id of ids) await is(page, 'light', id);
  for (const expected of ['dark', 'light', 'dark'] as const) {
    await page.locator('.wrapper').evaluateAll((wrappers) => {
      for (const wrapper of wrappers) wrapper.classList.toggle('dark');
    });
    for (const id of ids) await is(page, expected, id);
  }
});

test('follows an attribute of any name, a theme that a wrapper asks for, and its own style', async ({ page }) => {
  await visit(page, { head, body: `<div id="outer"><div class="deep">${plain}</div></div>` });
  await ready(page);
  const set = (selector: string, name: string, value: string) =>
    page.locator(selector).evaluate((one, [attribute, text]) => one.setAttribute(attribute as string, text as string), [name, value]);
  await set('#outer', 'data-mode', 'night');
  await is(page, 'dark');
  await set('#outer', 'data-mode', 'day');
  await is(page, 'light');
  // The nearest wish counts, as for the style sheets that go by this attribute.
  await set('#outer', 'data-theme', 'dark');
  await is(page, 'dark');
  await set('html', 'data-theme', 'light');
  await set('html', 'class', 'any');
  await is(page, 'dark');
  await set('#outer', 'data-theme', 'light');
  await is(page, 'light');
  await page.locator('#figure').evaluate((one) => (one as HTMLElement).style.setProperty('--phasor-background', '#14161a'));
  await is(page, 'dark');
});

test('has no ground of its own on a page of any colour, and that of the page where it says one', async ({ page }) => {
  await visit(page, { body: `<style>body { background: #c0e0ff }</style>${plain}` });
  await ready(page);
  const behind = () =>
    page
      .locator('#figure')
      .evaluate((one) => [one, one.shadowRoot?.querySelector('.picture') as Element].map((each) => getComputedStyle(each).backgroundColor));
  expect(await behind()).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  // Neither does the picture paint one: its canvas is clear in a corner without cells.
  const corner = await page.locator('#figure').evaluate((one) => {
    const canvas = one.shadowRoot?.querySelector('canvas') as HTMLCanvasElement;
    return [...(canvas.getContext('2d')?.getImageData(canvas.width - 2, canvas.height - 2, 1, 1).data ?? [])];
  });
  expect(corner).toEqual([0, 0, 0, 0]);
  await page.locator('#figure').evaluate((one) => (one as HTMLElement).style.setProperty('--phasor-background', '#ffeedd'));
  expect((await behind())[0]).toBe('rgb(255, 238, 221)');
});

test('goes by a ground that is nearer than the page that asks for a theme', async ({ page }) => {
  await visit(page, { head, body: `<script>document.documentElement.dataset.theme = 'light'</script><div id="wrapper">${plain}</div>` });
  await ready(page);
  await is(page, 'light');
  await page.locator('#wrapper').evaluate((wrapper) => wrapper.classList.add('dark'));
  await is(page, 'dark');
});

test('follows a style that goes by a checkbox', async ({ page }) => {
  await visit(page, {
    head,
    body: `<main><label><input id="night" type="checkbox"> night</label><div class="below">${plain}</div></main>`,
  });
  await ready(page);
  await is(page, 'light');
  await page.getByLabel('night').check();
  await is(page, 'dark');
  await page.getByLabel('night').uncheck();
  await is(page, 'light');
});

test('follows what is around it in shadow roots: through slots, and out of hosts', async ({ page }) => {
  await visit(page, { head, body: `<div id="slotted">${plain}</div><div id="host"></div>`, script: false });
  await page.evaluate((html) => {
    const outer = document.querySelector('#slotted')?.attachShadow({ mode: 'open' }) as ShadowRoot;
    outer.innerHTML =
      '<style>.dark { background: #102030; transition: background-color 0.2s }</style><div class="frame"><slot></slot></div>';
    const inner = document.querySelector('#host')?.attachShadow({ mode: 'open' }) as ShadowRoot;
    inner.innerHTML = `<style>:host(.dark) { background: #102030 }</style>${html}`;
  }, figure('id="inside" length="4"'));
  await page.evaluate((address) => import(address).then(() => {}), scriptAddress());
  await ready(page, '#figure');
  await is(page, 'light');
  await page.locator('#slotted .frame').evaluate((frame) => frame.classList.add('dark'));
  await is(page, 'dark');
  await is(page, 'light', 'inside');
  await page.locator('#host').evaluate((host) => host.classList.add('dark'));
  await is(page, 'dark', 'inside');
});

test('follows where it is moved to', async ({ page }) => {
  await visit(page, { head, body: `${plain}<div id="there" class="dark"></div>` });
  await ready(page);
  await is(page, 'light');
  await page.evaluate(() => document.querySelector('#there')?.append(document.querySelector('#figure') as Element));
  await is(page, 'dark');
});

test('draws nothing anew for attributes that leave its colours', async ({ page }) => {
  await visit(page, { head, body: `<div id="wrapper">${plain}</div>` });
  await ready(page);
  await is(page, 'light');
  const drawn = await page.evaluate(async () => {
    let count = 0;
    const canvas = CanvasRenderingContext2D.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of ['putImageData', 'drawImage', 'fillText', 'stroke', 'clearRect']) {
      const before = canvas[name] as (...args: unknown[]) => unknown;
      canvas[name] = function (this: unknown, ...args) {
        // One that is a pixel reads colours.
        if ((this as CanvasRenderingContext2D).canvas.width > 1) count += 1;
        return before.apply(this, args);
      };
    }
    const wrapper = document.querySelector('#wrapper') as HTMLElement;
    for (let frame = 0; frame < 5; frame++) {
      wrapper.className = `any-${frame}`;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const quiet = count;
    wrapper.className = 'dark';
    await new Promise((resolve) => setTimeout(resolve, 300));
    return [quiet, count > 0];
  });
  expect(drawn).toEqual([0, true]);
});
