// docs/examples, opened as their readers open them, beside the package and nothing else. Slides and MDX need tools of others:
// tests/consumers/cases/examples.mjs.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { declarations, exampleOf } from '../web/declarations.ts';
import { serve } from './static-server.ts';
import { draw, type Notebook } from './widget.ts';

const examples = join(process.cwd(), 'docs/examples');
let folder = '';
let host: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'phasor-examples-'));
  host = await serve({
    '/phasor/': join(process.cwd(), 'dist/npm'),
    '/made/phasor/': join(process.cwd(), 'dist/npm'),
    '/made/': folder,
    '/': examples,
  });
});
test.afterAll(() => {
  host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Errors of the page, and requests to other hosts. */
function watched(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('request', (request) => {
    if (!request.url().startsWith(host.origin) && !/^(blob|data|about):/.test(request.url())) problems.push(`requests ${request.url()}`);
  });
  return problems;
}

async function openMade(page: Page, name: string, body: string): Promise<string[]> {
  const problems = watched(page);
  writeFileSync(join(folder, name), `<!doctype html><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">${body}`);
  await page.goto(`${host.origin}/made/${name}`);
  return problems;
}

/** The shapes of what all figures of a page show, by their names. */
const shapes = (page: Page) =>
  page.evaluate(async () => {
    await customElements.whenDefined('phasor-figure');
    const figures = [...document.querySelectorAll<PhasorFigureElement>('phasor-figure')];
    await Promise.all(figures.map(({ ready }) => ready));
    return figures.map((figure) => Object.entries(figure.numbers()).map(([name, { shape }]) => `${name} ${shape.join(' x ')}`)[0]);
  });

test('plain.html: two figures of one engine', async ({ page }) => {
  const problems = watched(page);
  const said = page.waitForEvent('console', (message) => message.text().startsWith('similarity'));
  await page.goto(`${host.origin}/plain.html`);
  expect(await shapes(page)).toEqual(['similarity 64 x 64', 'table 64 x 64']);
  expect((await said).text()).toMatch(/positions 0 and 1: 0\.9/);
  expect(page.workers()).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('blog.md: figures between paragraphs', async ({ page }) => {
  const { default: markdown } = await import('markdown-it' as string);
  const html = markdown({ html: true }).render(readFileSync(join(examples, 'blog.md'), 'utf8'));
  const problems = await openMade(page, 'blog.html', html);
  expect(await shapes(page)).toEqual(['similarity 48 x 48', expect.stringMatching(/^curves? /)]);
  expect(problems).toEqual([]);
});

interface Output {
  readonly html?: string;
  readonly esm?: string;
  readonly spec?: unknown;
  readonly arrays?: Record<string, { shape: number[]; data: { base64: string } }>;
}
/** A Python that has NumPy. */
const python = () => ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import numpy']).status === 0) ?? 'python3';
const outputs = (): Output[] => {
  const env = { ...process.env, PHASOR_SCRIPT: `${host.origin}/phasor/figure.js`, PYTHONDONTWRITEBYTECODE: '1' };
  return JSON.parse(execFileSync(python(), ['tests/browser/notebook.py', join(examples, 'notebook.ipynb')], { env, encoding: 'utf8' }));
};

test('notebook.ipynb: HTML output, a frame, and a widget of its own arrays', async ({ page }) => {
  const [output, frame, widget] = outputs();
  const problems = await openMade(page, 'output.html', `${output?.html}${frame?.html}<script type="module"></script>`);
  expect(await shapes(page)).toEqual(['similarity 32 x 32']);
  const inside = page.frameLocator('iframe').locator('phasor-figure');
  await expect(inside).toHaveAttribute('data-state', 'ready');
  await expect(inside.getByRole('img').or(inside.locator('.picture')).first()).toBeVisible();

  expect(widget?.esm).toBe(join(examples, 'phasor/anywidget.js'));
  await draw(page, '/phasor/anywidget.js', { spec: widget?.spec, arrays: widget?.arrays });
  const figure = page.locator('phasor-widget');
  const weights = await figure.evaluate(async (one) => {
    await (one as PhasorFigureElement).ready;
    return [...((one as PhasorFigureElement).numbers().weights?.data ?? [])];
  });
  // What the engine says in Node, of head 0.
  const { createPhasor } = await import('../../dist/npm/node.js' as string);
  const phasor = await createPhasor();
  const tensor = (name: string) => {
    const { shape, data } = widget?.arrays?.[name] ?? { shape: [], data: { base64: '' } };
    return { shape, data: new Float32Array(new Uint8Array(Buffer.from(data.base64, 'base64')).buffer) };
  };
  const expected = phasor.attention({
    q: tensor('q'),
    k: tensor('k'),
    v: tensor('k'),
    mask: 'causal',
    encoding: 'alibi',
    want: ['weights', 'map'],
    head: 0,
  });
  const { length } = expected.weights.data;
  expect(weights).toEqual([...expected.map.mean.data.slice(0, length)]);
  // A map of single weights is the weights, but for the rounding of a division.
  for (const [place, weight] of weights.entries()) expect(Math.abs(weight - expected.weights.data[place])).toBeLessThan(1e-7);

  // What is pointed at is said in words, and told to Python.
  await figure.locator('.picture').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(figure.locator('.readout')).toContainText(/Query \d “\w+”, key \d “\w+”: weight/);
  const sent = () => page.evaluate(() => (window as unknown as { notebook: Notebook }).notebook.sent.at(-1));
  await expect.poll(sent).toEqual({ query: expect.any(Number), key: expect.any(Number) });
  expect(problems).toEqual([]);
});

const float32 = (...numbers: number[]) => ({ base64: Buffer.from(Float32Array.from(numbers).buffer).toString('base64') });
const threeTokens = { shape: [1, 3, 3], data: float32(1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5) };

test('a widget says what is wrong in one sentence, follows its traits, and leaves nothing behind', async ({ page }) => {
  const problems = await openMade(page, 'widget.html', '');
  await draw(page, '/phasor/anywidget.js', { spec: { kind: 'own', tokens: ['a', 'b', 'c'] }, arrays: { weights: threeTokens } });
  const figure = page.locator('phasor-widget');
  const alert = page.getByRole('alert');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await expect(alert).toHaveCount(0);
  const say = (trait: string, value: unknown) =>
    page.evaluate(([name, given]) => (window as unknown as { notebook: Notebook }).notebook.say(name as string, given), [trait, value]);

  for (const [trait, value, sentence] of [
    [
      'arrays',
      { weights: { shape: [1, 3, 3], data: float32(1, 2) } },
      /^arrays\.weights: 8 bytes are not the 36 of float32 numbers of the shape 1 x 3 x 3$/,
    ],
    [
      'arrays',
      { weights: { shape: [3, 3], data: float32(1, 0, 0, 0, 1, 0, 0, 0, 1) } },
      /weights: its shape is 3 x 3; \[heads, tokens, width\] is needed/,
    ],
    ['arrays', { q: threeTokens }, /k: it is missing beside q/],
    [
      'arrays',
      { 'encoding.table.x': threeTokens },
      /^arrays\.encoding\.table\.x: it is not the name of a field, or of a field and its parameter/,
    ],
    ['arrays', { weights: 'none' }, /^arrays\.weights: its shape is not a list of whole numbers$/],
    ['spec', { kind: 'own', tokens: ['a', 'b'] }, /tokens: there are 2, and 3 in the arrays/],
    ['spec', { kind: 'own', head: 1 }, /head: 1 is outside 0 to 0/],
    ['spec', { kind: 'strange' }, /“strange” is unknown/],
    ['spec', { kind: 'own', maks: 'causal' }, /maks: weights are shown as they are/],
    ['spec', { kind: 'own', mask: 'causal' }, /mask: weights are shown as they are; mask acts on q and k/],
    ['spec', ['own'], /^spec: it is not a dictionary of fields$/],
  ] as const) {
    if (trait === 'spec') await say('arrays', { weights: threeTokens });
    else await say('spec', { kind: 'own' });
    await say(trait, value);
    await expect(alert.filter({ hasText: sentence })).toBeVisible();
  }
  await say('spec', { kind: 'own', tokens: 'a b c' });
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await expect(alert).toHaveCount(0);

  // Other kinds, with arrays of their encodings.
  await say('spec', { kind: 'bias', encoding: { id: 't5', num_buckets: 4 }, heads: 1 });
  await say('arrays', { 'encoding.table': { shape: [4, 1], data: float32(0, 1, 2, 3) } });
  await expect(figure).toHaveAttribute('kind', 'bias');
  await expect(figure).toHaveAttribute('data-state', 'ready');

  const left = await page.evaluate(() => {
    const { el, remove, listening } = (window as unknown as { notebook: Notebook }).notebook;
    remove();
    return [el.children.length, listening()];
  });
  expect(left).toEqual([0, 0]);
  expect(problems).toEqual([]);
});

// Jupyter imports the script of a widget once for each of them, marimo once for all.
for (const isShared of [false, true]) {
  test(`of two widgets of one page each tells its own cursor, ${isShared ? 'with one script for both' : 'each with a script of its own'}`, async ({
    page,
  }) => {
    const problems = await openMade(page, `two-${isShared}.html`, '');
    const traits = { spec: { kind: 'own', tokens: ['a', 'b', 'c'] }, arrays: { weights: threeTokens } };
    for (let count = 0; count < 2; count++) await draw(page, '/phasor/anywidget.js', traits, { isShared });
    const figures = page.locator('phasor-widget');
    await expect(figures).toHaveCount(2);
    const sent = () => page.evaluate(() => (window as unknown as { notebooks: Notebook[] }).notebooks.map((one) => one.sent.at(-1)));
    const cursor = { query: expect.any(Number), key: expect.any(Number) };
    for (const [place, expected] of [
      [1, [undefined, cursor]],
      [0, [cursor, cursor]],
    ] as const) {
      await expect(figures.nth(place)).toHaveAttribute('data-state', 'ready');
      await figures.nth(place).locator('.picture').focus();
      await page.keyboard.press('ArrowDown');
      await expect.poll(sent).toEqual(expected);
    }
    // One that is gone tells nothing more.
    await page.evaluate(() => (window as unknown as { notebooks: Notebook[] }).notebooks[0]?.remove());
    await expect(figures).toHaveCount(1);
    const before = await sent();
    await figures.locator('.picture').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await sent())[1]).not.toEqual(before[1]);
    expect((await sent())[0]).toEqual(before[0]);
    expect(problems).toEqual([]);
  });
}

test('widgets of two versions have an element each', async ({ page }) => {
  const problems = await openMade(page, 'versions.html', '');
  const script = readFileSync('dist/npm/anywidget.js', 'utf8');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  await page.route('**/next.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: script.replaceAll(new RegExp(`(["'\`])${version.replaceAll('.', '\\.')}\\1`, 'g'), '"7.0.0-rc.1"'),
    }),
  );
  const traits = { spec: { kind: 'own', tokens: ['a', 'b', 'c'] }, arrays: { weights: threeTokens } };
  for (const address of ['/phasor/anywidget.js', '/next.js', '/next.js']) await draw(page, address, traits);
  await expect(page.locator('phasor-widget')).toHaveAttribute('data-state', 'ready');
  await expect(page.locator('phasor-widget-7-0-0-rc-1')).toHaveCount(2);
  for (const one of await page.locator('phasor-widget-7-0-0-rc-1').all()) await expect(one).toHaveAttribute('data-state', 'ready');
  expect(problems).toEqual([]);
});

test('the examples that hovering shows run as they stand', async ({ page }) => {
  const shown = declarations().filter((one) => /^(PhasorFigureElement|Widget)\./.test(one.name) && one.isCallable);
  expect(shown.length).toBe(6);
  const problems = await openMade(
    page,
    'hover.html',
    '<script type="module" src="/phasor/figure.js"></script><phasor-figure kind="similarity" length="8"></phasor-figure>',
  );
  await shapes(page);
  await page.evaluate(async (weights) => {
    const widget = (await import('/phasor/anywidget.js' as string)).default;
    const bytes = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
    const traits: Record<string, unknown> = {
      spec: { kind: 'own' },
      arrays: { weights: { shape: [1, 3, 3], data: new DataView(bytes.buffer) } },
    };
    const model = { get: (name: string) => traits[name], set: () => {}, save_changes: () => {}, on: () => {}, off: () => {} };
    Object.assign(window, {
      widget,
      model,
      el: document.body.appendChild(document.createElement('div')),
      figure: document.querySelector('phasor-figure'),
    });
  }, threeTokens.data.base64);
  for (const one of shown) {
    // Each line that ends with a comment says what it is.
    const code = exampleOf(one).replaceAll(/^(?!const )(.*); \/\/ (.*)$/gm, 'said.push([$1, $2]);');
    const said = await page.evaluate((text) => new Function(`return (async () => { const said = [];\n${text}\nreturn said; })();`)(), code);
    expect(said.length, one.name).toBeGreaterThan(0);
    for (const [got, claimed] of said) expect(got, one.name).toEqual(claimed);
  }
  expect(problems).toEqual([]);
});
