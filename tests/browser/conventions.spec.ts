// Comparisons of conventions under Compare, and conventions read from a pasted config.json.
import { expect, type Page, test } from '@playwright/test';
import { figure, open, serveSite, violations } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 900 } });

const hash = (page: Page) => new URL(page.url()).hash;
const largeFigure = (page: Page) => page.locator('.large phasor-figure');
const verdict = (page: Page) => page.locator('.verdict');
const preset = (page: Page, name: string) => page.locator('.conventions').getByRole('button', { name, exact: true });
const residual = async (page: Page) => Number(await verdict(page).getAttribute('data-residual'));

test('a comparison is listed under its topic, reports its result, and is stored in the URL and the history', async ({ page }) => {
  const problems = await open(page);
  await page.getByRole('tab', { name: /^Compare/ }).click();
  const group = page.getByRole('region', { name: 'Channel order' });
  await group.getByRole('button', { name: 'RoPE: weights of one layout, code for the other' }).click();
  await expect(verdict(page)).toHaveAttribute('data-same', 'false');
  expect(await residual(page)).toBeGreaterThan(0.1);
  await expect.poll(() => hash(page)).toContain('compare.other:rope+layout%3Dhalf_split');
  await group.getByRole('button', { name: 'RoPE: q and k permuted together' }).click();
  await expect(verdict(page)).toHaveAttribute('data-same', 'true');
  expect(await residual(page)).toBeLessThan(1e-5);
  // The picture shows the permutation: half-split channel 1 is interleaved channel 2.
  await expect(page.getByRole('img', { name: /channel 1 of B is channel 2 of A/ })).toBeVisible();
  await expect(largeFigure(page)).toHaveJSProperty('state', 'ready');
  expect(await largeFigure(page).evaluate((element) => (element as HTMLElementTagNameMap['phasor-figure']).toSVG())).toMatch(
    /A: pairs 2t and 2t \+ 1/,
  );
  await expect.poll(() => hash(page)).toContain('compare.reordered:true');
  await page.goBack();
  await expect(page.locator('.finding h2')).toHaveText('RoPE: weights of one layout, code for the other');
  await expect(verdict(page)).toHaveAttribute('data-same', 'false');
  await page.goForward();
  await expect(page.locator('.finding h2')).toHaveText('RoPE: q and k permuted together');
  await page.goBack();
  await page.getByRole('radio', { name: 'ALiBi' }).check({ force: true });
  await expect(page.locator('.finding')).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('the result of every comparison agrees with its description', async ({ page }) => {
  test.slow();
  const problems = await open(page, '#v=1&question=compare');
  await expect(page.locator('.conventions li button').first()).toBeVisible();
  const names = await page.locator('.conventions li button').allTextContents();
  expect(names.length).toBeGreaterThan(15);
  for (const name of names) {
    await preset(page, name).click();
    await expect(page.locator('.finding h2')).toHaveText(name);
    await expect(largeFigure(page), name).toHaveJSProperty('state', 'ready');
    await expect(verdict(page), name).toHaveAttribute('data-residual', /\d/);
    await expect(page.locator('.finding'), name).not.toContainText(/do not differ|should show/);
  }
  expect(problems).toEqual([]);
});

test('a comparison chosen on a phone opens from its link in another tab', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '#v=1&question=compare');
  await page.locator('.conventions summary').click();
  await preset(page, 'T5: scores without 1/√d').click();
  await expect(page.locator('.conventions')).not.toHaveAttribute('open');
  await expect(page.locator('.finding')).toBeInViewport();
  await expect.poll(() => hash(page)).toContain('compare.scale:0.25');
  const newPage = await page.context().newPage();
  await newPage.goto(page.url());
  await expect(newPage.locator('.finding h2')).toHaveText('T5: scores without 1/√d');
  await expect(verdict(newPage)).toHaveAttribute('data-same', 'false');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('a pasted config.json is explained with its assumptions and applied to all figures', async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=alibi&question=compare');
  await page.getByRole('button', { name: 'Paste a config.json' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Paste a config.json' });
  const text = dialog.getByRole('textbox', { name: 'config.json' });
  const show = dialog.getByRole('button', { name: 'Show in the Lab' });
  await expect(text).toBeFocused();
  await text.fill('{"model_type": "llama",');
  await expect(dialog.getByRole('alert')).toContainText('This is not JSON');
  await text.fill('{"hidden_size": 64}');
  await expect(dialog.getByRole('alert')).toHaveText('The key model_type is missing, and no other key concerns positions.');
  await text.fill('{"model_type": "whatever"}');
  await expect(dialog.getByRole('alert')).toContainText('model_type: "whatever" is not known');
  await expect(show).toHaveCount(0);
  await text.fill('{"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28, "max_position_embeddings": 32768}');
  await expect(dialog).toContainText('Not in the file; assumed from the defaults of this model family');
  await expect(dialog).toContainText(/rope_theta\s*10000/);
  expect(await violations(page)).toEqual([]);
  await show.click();
  await expect(dialog).toBeHidden();
  await expect(largeFigure(page)).toHaveAttribute('kind', 'frequencies');
  await expect(largeFigure(page)).toHaveJSProperty('state', 'ready');
  await expect(page.getByRole('radio', { name: 'RoPE', exact: true })).toBeChecked();
  await expect(page.getByRole('radiogroup', { name: 'layout' }).getByRole('radio', { checked: true })).toHaveValue('half_split');
  await expect.poll(() => hash(page)).toMatch(/encoding=rope&params=layout:half_split.*frequencies\.dim:128/);
  expect(await figure(page, 'frequencies').evaluate((element) => (element as HTMLElementTagNameMap['phasor-figure']).spec)).toMatchObject({
    encoding: { id: 'rope', layout: 'half_split' },
    dim: 128,
    length: 32768,
    trained: 32768,
  });
  await page.goBack();
  await expect(largeFigure(page)).toHaveAttribute('kind', 'compare');
  expect(problems).toEqual([]);
});

test('an ambiguous config.json requires a choice', async ({ page }) => {
  await open(page, '#v=1&question=reach');
  await page.getByRole('button', { name: 'Paste a config.json' }).last().click();
  const dialog = page.getByRole('dialog', { name: 'Paste a config.json' });
  await dialog.getByRole('button', { name: 'T5 base' }).click();
  await dialog.getByRole('group', { name: 'Choose encoder or decoder.' }).getByRole('radio', { name: 'decoder' }).check({ force: true });
  await expect(dialog).toContainText(/bidirectional\s*false/);
  await dialog.getByRole('button', { name: 'Show in the Lab' }).click();
  await expect.poll(() => hash(page)).toMatch(/encoding=t5&params=.*bidirectional:false/);
  await expect(largeFigure(page)).toHaveAttribute('kind', 'bias');
  await expect(largeFigure(page)).toHaveJSProperty('state', 'ready');
});
