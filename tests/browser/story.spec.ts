// The story the page exists for, told by mouse and by keyboard on the built site, served under a deep path.
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { serve } from './static-server.ts';

let host: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  host = await serve({ '/any/base/path/': join(process.cwd(), 'dist/site') });
});
test.afterAll(() => host.close());

const badge = (page: Page) => page.getByTestId('badge');
const largest = async (page: Page) => Number(await badge(page).getAttribute('data-largest'));
/** The tiles of the sentence; a list of choices has options too. */
const tiles = (page: Page) => page.getByRole('listbox').getByRole('option');
const words = (page: Page) => tiles(page).evaluateAll((found) => found.map((tile) => tile.querySelector('.word')?.textContent));
const choose = (page: Page, group: string, name: string | RegExp) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name }).click();

async function open(page: Page, hash = '') {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(host.origin) && !/^(blob|data):/.test(request.url())) problems.push(`asks for ${request.url()}`);
  });
  await page.goto(`${host.origin}/any/base/path/${hash}`);
  await expect(badge(page)).toHaveAttribute('data-largest', /\d/);
  return problems;
}

async function dragWord(page: Page, from: string, to: string) {
  const source = await page.getByRole('option', { name: from }).boundingBox();
  const target = await page.getByRole('option', { name: to }).boundingBox();
  if (!source || !target) throw new Error('a word is not on the page');
  await page.mouse.move(source.x + source.width / 2, source.y + source.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 12 });
  await page.mouse.up();
}

test('the first picture is there before the core, and nothing jumps when it comes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${host.origin}/any/base/path/`);
  await expect(page.locator('.tile[role=option]')).toHaveCount(4);
  await page.evaluate(() => document.fonts.ready);
  const spans = await page.locator('.first .arc').evaluateAll((arcs) =>
    arcs.map((arc) => {
      const { left, right } = arc.getBoundingClientRect();
      return [left, right];
    }),
  );
  const middles = await tiles(page).evaluateAll((found) =>
    found.map((tile) => {
      const { left, width } = tile.getBoundingClientRect();
      return left + width / 2;
    }),
  );
  expect(spans).toHaveLength(3);
  for (const [word, [left = 0, right = 0]] of spans.entries()) {
    expect(Math.abs(left - (middles[word] as number))).toBeLessThan(1.5);
    expect(Math.abs(right - (middles[3] as number))).toBeLessThan(1.5);
  }
  release();
  await expect(badge(page)).toHaveAttribute('data-largest', /\d/);
  await expect(page.locator('.first')).toHaveCount(0);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05);
});

test('a link to something else does not show the first picture', async ({ page }) => {
  await page.route('**/*.wasm', () => {});
  await page.goto(`${host.origin}/any/base/path/#v=1&encoding=rope`);
  await expect(page.locator('.tile[role=option]')).toHaveCount(4);
  await expect(page.locator('.first')).toHaveCount(0);
});

test('a browser without Intl.Segmenter shows the page all the same', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Intl, 'Segmenter'));
  expect(await open(page)).toEqual([]);
  expect(await words(page)).toEqual(['Rohan', 'killed', 'the', 'lion']);
});

test('told by mouse: without positions outputs only move, with them they change', async ({ page }) => {
  const problems = await open(page);
  expect(await words(page)).toEqual(['Rohan', 'killed', 'the', 'lion']);

  await dragWord(page, 'lion', 'Rohan');
  await expect.poll(() => words(page)).not.toEqual(['Rohan', 'killed', 'the', 'lion']);
  await expect(badge(page)).toContainText('outputs only moved');
  await expect.poll(() => largest(page)).toBeLessThan(1e-5);

  for (const encoding of ['sinusoidal', 'RoPE', 'ALiBi']) {
    await choose(page, 'Positional encoding', encoding);
    await expect(badge(page)).toContainText('outputs changed');
    expect(await largest(page)).toBeGreaterThan(0.01);
  }

  await choose(page, 'Positional encoding', 'none');
  await expect(badge(page)).toContainText('outputs only moved');
  await choose(page, 'Mask', 'causal');
  await expect(badge(page)).toContainText('outputs changed');
  expect(await largest(page)).toBeGreaterThan(0.01);

  await choose(page, 'Mask', 'none');
  await page.getByRole('button', { name: 'Edit the sentence' }).click();
  await page.getByRole('textbox', { name: /sentence/i }).fill('the river runs past the old bank');
  await page.keyboard.press('Escape');
  await expect.poll(() => words(page)).toEqual(['the', 'river', 'runs', 'past', 'the', 'old', 'bank']);
  await dragWord(page, 'bank', 'river');
  await expect(badge(page)).toContainText('outputs only moved');
  await expect.poll(() => largest(page)).toBeLessThan(1e-5);
  expect(problems).toEqual([]);
});

test('told by keyboard: a word is carried, an encoding chosen, a mask set', async ({ page }) => {
  const problems = await open(page);
  await page.getByRole('option', { selected: true }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect.poll(() => words(page)).toEqual(['killed', 'the', 'Rohan', 'lion']);
  await expect(badge(page)).toContainText('outputs only moved');
  await expect.poll(() => largest(page)).toBeGreaterThan(0);
  expect(await largest(page)).toBeLessThan(1e-5);

  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => words(page)).toEqual(['killed', 'Rohan', 'the', 'lion']);

  await page.getByRole('radiogroup', { name: 'Positional encoding' }).getByRole('radio', { checked: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(
    page.getByRole('radiogroup', { name: 'Positional encoding' }).getByRole('radio', { checked: true }),
  ).not.toHaveAccessibleName('none');
  await expect(badge(page)).toContainText('outputs changed');
  expect(problems).toEqual([]);
});

test('a link holds the state, and only what differs', async ({ page }) => {
  await open(page);
  expect(new URL(page.url()).hash).toBe('');
  await choose(page, 'Positional encoding', 'RoPE');
  await choose(page, 'Mask', 'causal');
  await dragWord(page, 'lion', 'Rohan');
  await expect.poll(() => new URL(page.url()).hash).toMatch(/encoding=rope.*order=|order=.*encoding=rope/);
  const order = await words(page);
  const value = await badge(page).getAttribute('data-largest');
  const hash = new URL(page.url()).hash;
  expect(hash).toContain('v=1');
  expect(hash).not.toContain('heads');
  await page.goto('about:blank');
  await open(page, hash);
  await expect.poll(() => words(page)).toEqual(order);
  await expect(badge(page)).toHaveAttribute('data-largest', value ?? '');
});

test('bad input is answered where it was entered, and the last picture stays', async ({ page }) => {
  const problems = await open(page);
  await choose(page, 'Positional encoding', 'RoPE');
  await dragWord(page, 'lion', 'Rohan');
  await expect(badge(page)).toContainText('outputs changed');
  const before = await largest(page);

  const cases: [string, string, RegExp][] = [
    ['width', '7', /width: 7 is odd|heads: 4 do not divide the width 7/],
    ['heads', '5', /heads: 5 do not divide the width 64/],
    ['base', '0', /base: 0 is outside/],
    ['base', '-3', /base: -3 is outside/],
    ['offset', '2147483648', /offset: 2147483648 is outside/],
  ];
  for (const [name, value, sentence] of cases) {
    const field = page.locator(`input[name="${name}"]:not([type=range])`);
    const old = await field.inputValue();
    await field.fill(value);
    await field.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
    expect(await largest(page)).toBe(before);
    await field.fill(old);
    await field.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toHaveCount(0);
  }

  // Width 7 with one head reaches RoPE itself, which needs pairs.
  await page.locator('input[name="heads"]').fill('1');
  await page.locator('input[name="heads"]').press('Enter');
  await expect.poll(() => largest(page)).not.toBe(before);
  const single = await largest(page);
  await page.locator('input[name="width"]').fill('7');
  await page.locator('input[name="width"]').press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: /width: 7 is odd/ })).toBeVisible();
  expect(await largest(page)).toBe(single);
  await page.locator('input[name="width"]').fill('64');
  await page.locator('input[name="width"]').press('Enter');

  await page.getByRole('button', { name: 'Edit the sentence' }).click();
  const box = page.getByRole('textbox', { name: /sentence/i });
  for (const text of ['', '   ', Array.from({ length: 5000 }, () => 'word').join(' ')]) {
    await box.fill(text);
    await expect(page.locator('#sentence-problem')).not.toBeEmpty();
    expect(await tiles(page).count()).toBe(4);
  }
  await expect(page.locator('#sentence-problem')).toContainText(/5,?000.*512/);
  await box.fill('it works again');
  await expect.poll(() => words(page)).toEqual(['it', 'works', 'again']);
  expect(problems).toEqual([]);
});

test('any script, an emoji, unknown words and 300 words are tokens', async ({ page }) => {
  const problems = await open(page);
  await page.getByRole('button', { name: 'Edit the sentence' }).click();
  const box = page.getByRole('textbox', { name: /sentence/i });
  await box.fill('我爱你 👩‍👩‍👧 xyzzyq');
  await expect.poll(async () => (await words(page)).at(-1)).toBe('xyzzyq');
  expect(await words(page)).toContain('👩‍👩‍👧');
  await expect(page.getByText(/random one is used/).first()).toBeVisible();
  await box.fill(Array.from({ length: 300 }, (_, i) => ['the', 'lion', 'killed', 'man'][i % 4]).join(' '));
  await expect(tiles(page)).toHaveCount(300);
  await expect(badge(page)).toHaveAttribute('data-largest', '0');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  expect(problems).toEqual([]);
});

test('without WebAssembly the page says so and keeps its words', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
  await page.goto(`${host.origin}/any/base/path/`);
  await expect(page.getByText(/WebAssembly, which this browser does not have/)).toBeVisible();
  await expect(page.getByText('Rohan').first()).toBeVisible();
});

test('a browser without SIMD gets the scalar file', async ({ page }) => {
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  await open(page);
  await expect(page.getByText(/WebAssembly without SIMD|scalar/)).toBeVisible();
  await dragWord(page, 'lion', 'Rohan');
  await expect(badge(page)).toContainText('outputs only moved');
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds nothing: ${colorScheme}, ${width} px`, async ({ browser }) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      await open(page, '#v=1&encoding=rope&order=1.0.2.3');
      expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual(
        [],
      );
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await context.close();
    });
  }
}
