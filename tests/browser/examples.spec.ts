// The pages of docs/examples, opened beside the package alone. Slides and MDX need other tools and are tested in
// tests/consumers/cases/examples.mjs.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { declarations, exampleOf } from '../shipped/declarations.ts';
import { collectProblems, examples, host, openCustomPage, serveExamples } from './example-pages.ts';
import { drawWidget, type Notebook, threeTokens } from './widget.ts';

serveExamples();

/** The name and shape of the first tensor of each figure on the page. */
const shapes = (page: Page) =>
  page.evaluate(async () => {
    await customElements.whenDefined('phasor-figure');
    const figures = [...document.querySelectorAll<PhasorFigureElement>('phasor-figure')];
    await Promise.all(figures.map(({ ready }) => ready));
    return figures.map((figure) => Object.entries(figure.tensors()).map(([name, { shape }]) => `${name} ${shape.join(' x ')}`)[0]);
  });

test('plain.html: two figures share one engine', async ({ page }) => {
  const problems = collectProblems(page);
  const logMessage = page.waitForEvent('console', (message) => message.text().startsWith('similarity'));
  await page.goto(`${host.origin}/plain.html`);
  expect(await shapes(page)).toEqual(['similarity 64 x 64', 'table 64 x 64']);
  expect((await logMessage).text()).toMatch(/positions 0 and 1: 0\.9/);
  expect(page.workers()).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('blog.md: figures render between paragraphs', async ({ page }) => {
  const { default: markdown } = await import('markdown-it' as string);
  const html = markdown({ html: true }).render(readFileSync(join(examples, 'blog.md'), 'utf8'));
  const problems = await openCustomPage(page, 'blog.html', html);
  expect(await shapes(page)).toEqual(['similarity 48 x 48', expect.stringMatching(/^curves? /)]);
  expect(problems).toEqual([]);
});

interface Output {
  readonly html?: string;
  readonly esm?: string;
  readonly spec?: unknown;
  readonly arrays?: Record<string, { shape: number[]; data: { base64: string } }>;
}
/** Finds a Python interpreter with NumPy. */
const python = () => ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import numpy']).status === 0) ?? 'python3';
const outputs = (): Output[] => {
  const wheel = join('dist/python', readdirSync('dist/python')[0] ?? '');
  const env = { ...process.env, PHASOR_SCRIPT: `${host.origin}/phasor/figure.js`, PYTHONDONTWRITEBYTECODE: '1' };
  return JSON.parse(
    execFileSync(python(), ['tests/browser/notebook.py', join(examples, 'notebook.ipynb'), wheel], { env, encoding: 'utf8' }),
  );
};

test('notebook.ipynb: HTML output, a frame and a widget with its own arrays render', async ({ page }) => {
  const [output, frame, widget] = outputs();
  const problems = await openCustomPage(page, 'output.html', `${output?.html}${frame?.html}<script type="module"></script>`);
  expect(await shapes(page)).toEqual(['similarity 32 x 32']);
  const embeddedFigure = page.frameLocator('iframe').locator('phasor-figure');
  await expect(embeddedFigure).toHaveAttribute('data-state', 'ready');
  await expect(embeddedFigure.getByRole('img').or(embeddedFigure.locator('.picture')).first()).toBeVisible();

  expect(widget?.esm).toMatch(/\/phasor\/anywidget\.js$/);
  await drawWidget(page, '/phasor-anywidget/anywidget.js', { spec: widget?.spec, arrays: widget?.arrays });
  const figure = page.locator('phasor-widget');
  const weights = await figure.evaluate(async (element) => {
    await (element as PhasorFigureElement).ready;
    return [...((element as PhasorFigureElement).tensors().weights?.data ?? [])];
  });
  // The expected weights of head 0, computed by the engine in Node.
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
    outputs: ['weights', 'pooledWeights'],
    head: 0,
  });
  const { length } = expected.weights.data;
  expect(weights).toEqual([...expected.pooledWeights.mean.data.slice(0, length)]);
  // Pooling single weights changes them only by the rounding of a division.
  for (const [position, weight] of weights.entries()) expect(Math.abs(weight - expected.weights.data[position])).toBeLessThan(1e-7);

  // The selected cell is described in the readout and sent to Python.
  await figure.locator('.picture').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(figure.locator('.readout')).toContainText(/^Head 0 \(0 to 3\): query \d “\w+”, key \d “\w+”: weight/);
  const readLastSent = () => page.evaluate(() => (window as unknown as { notebook: Notebook }).notebook.sent.at(-1));
  await expect.poll(readLastSent).toEqual({ query: expect.any(Number), key: expect.any(Number) });
  expect(problems).toEqual([]);
});

test('the code examples of the declarations run unchanged and return the documented values', async ({ page }) => {
  const members = declarations().filter(
    (declaration) => /^(PhasorFigureElement|Widget)\./.test(declaration.name) && declaration.isCallable,
  );
  expect(members.length).toBe(7);
  const problems = await openCustomPage(
    page,
    'hover.html',
    '<script type="module" src="/phasor/figure.js"></script><phasor-figure kind="similarity" length="8"></phasor-figure>',
  );
  await shapes(page);
  await page.evaluate(async (weights) => {
    const widget = (await import('/phasor-anywidget/anywidget.js' as string)).default;
    const bytes = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
    const traits: Record<string, unknown> = {
      spec: { kind: 'custom' },
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
  for (const declaration of members) {
    // A comment at the end of a line states its value.
    const code = exampleOf(declaration).replaceAll(/^(?!const )(.*); \/\/ (.*)$/gm, 'results.push([$1, $2]);');
    const results = await page.evaluate(
      (text) => new Function(`return (async () => { const results = [];\n${text}\nreturn results; })();`)(),
      code,
    );
    expect(results.length, declaration.name).toBeGreaterThan(0);
    for (const [actual, expected] of results) expect(actual, declaration.name).toEqual(expected);
  }
  expect(problems).toEqual([]);
});
