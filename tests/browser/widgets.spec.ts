// phasor-anywidget: errors of invalid traits, and several widgets on one page.
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { openCustomPage, serveExamples } from './example-pages.ts';
import { drawWidget, float32, type Notebook, threeTokens } from './widget.ts';

serveExamples();

test('a widget reports invalid traits in one sentence, follows its traits, and removes its elements and listeners', async ({ page }) => {
  const problems = await openCustomPage(page, 'widget.html', '');
  await drawWidget(page, '/phasor-anywidget/anywidget.js', {
    spec: { kind: 'custom', tokens: ['a', 'b', 'c'] },
    arrays: { weights: threeTokens },
  });
  const figure = page.locator('phasor-widget');
  const alert = page.getByRole('alert');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await expect(alert).toHaveCount(0);
  const setTrait = (trait: string, value: unknown) =>
    page.evaluate(
      ([name, provided]) => (window as unknown as { notebook: Notebook }).notebook.say(name as string, provided),
      [trait, value],
    );

  for (const [trait, value, sentence] of [
    [
      'arrays',
      { weights: { shape: [1, 3, 3], data: float32(1, 2) } },
      /^arrays\.weights: the data has 8 bytes; expected 36 for float32 values of shape 1 x 3 x 3$/,
    ],
    [
      'arrays',
      { weights: { shape: [3, 3], data: float32(1, 0, 0, 0, 1, 0, 0, 0, 1) } },
      /weights: has shape 3 x 3; expected \[heads, queries, keys\]/,
    ],
    ['arrays', { q: threeTokens }, /k: missing; required together with q/],
    ['arrays', { 'encoding.table.x': threeTokens }, /^arrays\.encoding\.table\.x: the name must be a field, or a field and its parameter/],
    ['arrays', { weights: 'none' }, /^arrays\.weights: the shape is not a list of whole numbers$/],
    ['spec', { kind: 'custom', tokens: ['a', 'b'] }, /tokens: has 2 words; expected 3, one per token/],
    ['spec', { kind: 'custom', head: 1 }, /head: 1 is out of range; expected 0 to 0/],
    ['spec', { kind: 'strange' }, /“strange” is unknown/],
    ['spec', { kind: 'own' }, /kind: own was renamed to custom/],
    ['spec', { kind: 'custom', maks: 'causal' }, /maks: has no effect on provided weights/],
    ['spec', { kind: 'custom', mask: 'causal' }, /mask: has no effect on provided weights; mask applies only to q and k/],
    ['spec', ['custom'], /^spec: not a dictionary; expected fields by name$/],
  ] as const) {
    if (trait === 'spec') await setTrait('arrays', { weights: threeTokens });
    else await setTrait('spec', { kind: 'custom' });
    await setTrait(trait, value);
    await expect(alert.filter({ hasText: sentence })).toBeVisible();
  }
  await setTrait('spec', { kind: 'custom', tokens: 'a b c' });
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await expect(alert).toHaveCount(0);

  await setTrait('spec', { kind: 'bias', encoding: { id: 't5', num_buckets: 4 }, heads: 1 });
  await setTrait('arrays', { 'encoding.table': { shape: [4, 1], data: float32(0, 1, 2, 3) } });
  await expect(figure).toHaveAttribute('kind', 'bias');
  await expect(figure).toHaveAttribute('data-state', 'ready');

  const remaining = await page.evaluate(() => {
    const { el, remove, listening } = (window as unknown as { notebook: Notebook }).notebook;
    remove();
    return [el.children.length, listening()];
  });
  expect(remaining).toEqual([0, 0]);
  expect(problems).toEqual([]);
});

for (const isShared of [false, true]) {
  test(`two widgets on a page report separate cursors, ${isShared ? 'with a shared script' : 'with a script each'}`, async ({ page }) => {
    const problems = await openCustomPage(page, `two-${isShared}.html`, '');
    const traits = { spec: { kind: 'custom', tokens: ['a', 'b', 'c'] }, arrays: { weights: threeTokens } };
    for (let count = 0; count < 2; count++) await drawWidget(page, '/phasor-anywidget/anywidget.js', traits, { isShared });
    const figures = page.locator('phasor-widget');
    await expect(figures).toHaveCount(2);
    const readLastSent = () =>
      page.evaluate(() => (window as unknown as { notebooks: Notebook[] }).notebooks.map((notebook) => notebook.sent.at(-1)));
    const cursor = { query: expect.any(Number), key: expect.any(Number) };
    for (const [position, expected] of [
      [1, [undefined, cursor]],
      [0, [cursor, cursor]],
    ] as const) {
      await expect(figures.nth(position)).toHaveAttribute('data-state', 'ready');
      await figures.nth(position).locator('.picture').focus();
      await page.keyboard.press('ArrowDown');
      await expect.poll(readLastSent).toEqual(expected);
    }
    // A removed widget reports nothing.
    await page.evaluate(() => (window as unknown as { notebooks: Notebook[] }).notebooks[0]?.remove());
    await expect(figures).toHaveCount(1);
    const initialSent = await readLastSent();
    await figures.locator('.picture').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await readLastSent())[1]).not.toEqual(initialSent[1]);
    expect((await readLastSent())[0]).toEqual(initialSent[0]);
    expect(problems).toEqual([]);
  });
}

test('a widget on a page that forbids workers computes on the main thread and reports it', async ({ page }) => {
  await page.route('**/widget.html', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': "worker-src 'none'" } });
  });
  await openCustomPage(page, 'widget.html', '');
  await drawWidget(page, '/phasor-anywidget/anywidget.js', { spec: { kind: 'custom' }, arrays: { weights: threeTokens } });
  await expect(page.locator('phasor-widget')).toHaveAttribute('data-state', 'ready');
  await expect(
    page.getByRole('status').filter({ hasText: /^Figures are computed on the page’s main thread, so the page may freeze briefly: / }),
  ).toBeVisible();
});

test('widgets of two versions define separate elements', async ({ page }) => {
  const problems = await openCustomPage(page, 'versions.html', '');
  const script = readFileSync('dist/npm-anywidget/anywidget.js', 'utf8');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  await page.route('**/next.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: script.replaceAll(new RegExp(`(["'\`])${version.replaceAll('.', '\\.')}\\1`, 'g'), '"7.0.0-rc.1"'),
    }),
  );
  const traits = { spec: { kind: 'custom', tokens: ['a', 'b', 'c'] }, arrays: { weights: threeTokens } };
  for (const address of ['/phasor-anywidget/anywidget.js', '/next.js', '/next.js']) await drawWidget(page, address, traits);
  await expect(page.locator('phasor-widget')).toHaveAttribute('data-state', 'ready');
  await expect(page.locator('phasor-widget-7-0-0-rc-1')).toHaveCount(2);
  for (const widget of await page.locator('phasor-widget-7-0-0-rc-1').all()) await expect(widget).toHaveAttribute('data-state', 'ready');
  expect(problems).toEqual([]);
});
