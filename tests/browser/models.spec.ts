// The page of all models: strips without JavaScript, search by name and with keys, and a pasted config.json.
import { expect, type Page, test } from '@playwright/test';
import { address, collectProblems, figure, serveSite } from './page.ts';

serveSite();

const tiles = (page: Page) => page.locator('.families > ol > li:visible');
const field = (page: Page) => page.getByRole('searchbox', { name: 'Find a model type' });

test('the search finds a model type, also within a family with the same encoding, and is stored in the URL', async ({ page }) => {
  const problems = collectProblems(page);
  await page.goto(address());
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Models' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What every model does with position');
  // The heading appears before the last entry.
  await page.waitForLoadState();
  const count = await tiles(page).count();
  expect(count).toBeGreaterThan(120);
  await field(page).fill('Gemma 3n');
  await expect(tiles(page)).toHaveCount(1);
  await expect(tiles(page)).toContainText('4 of 5 layers see the last 512 tokens (base 10,000)');
  await expect(page.locator('.families:visible h2')).toHaveText('Layers that differ 1');
  await expect(page).toHaveURL(/\/models\/\?q=Gemma\+3n$/);
  await page.reload();
  await expect(tiles(page)).toHaveCount(1);
  await field(page).fill('llava_next_video');
  await expect(tiles(page).getByRole('heading')).toContainText('llama');
  await expect(page.getByText('llava_next_video has the same encoding')).toBeVisible();
  // A published model has its own sentence; otherwise the longest known prefix of the name is used.
  await field(page).fill('Command R7B');
  await expect(page.getByRole('status').filter({ hasText: /^1 entry$/ })).toBeVisible();
  await expect(page.getByText('Command R7B: 3 of 4 layers see the last 4,096 tokens').first()).toBeVisible();
  await field(page).fill('gpt_oss 120B');
  await expect(page.getByText('No model type contains “gpt_oss 120B”. For “gpt_oss”: 1 model type in 1 entry')).toBeVisible();
  await field(page).fill('no such model');
  await expect(page.getByRole('status').filter({ hasText: 'No model type contains “no such model”.' })).toBeVisible();
  await expect(tiles(page)).toHaveCount(0);
  await field(page).press('Escape');
  await expect(tiles(page)).toHaveCount(count);
  await expect(page).toHaveURL(/\/models\/$/);
  expect(problems).toEqual([]);
});

test('the keyboard leads to a model and to its layers in the Lab', async ({ page }) => {
  await page.goto(`${address()}models/`);
  await expect(field(page)).toBeVisible();
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('gpt_oss');
  await expect(tiles(page)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(tiles(page).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/lab\/#/);
  const layers = figure(page, 'layers');
  await expect(layers).toHaveAttribute('data-state', 'ready');
  await expect(layers.getByText('gpt_oss: Every other layer sees the last 128 tokens').first()).toBeVisible();
});

test('a pasted config.json is summarized in one visible sentence, or its error is reported', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  const problems = collectProblems(page);
  await page.goto(`${address()}models/`);
  const status = page.locator('.find-model [role=status]');
  await field(page).fill(JSON.stringify({ model_type: 'qwen3', num_hidden_layers: 36, rope_theta: 1000000 }, null, 2));
  await expect(status).toContainText('All 36 layers do the same: RoPE with half-split pairs, base 1,000,000.');
  await expect(status).toBeInViewport({ ratio: 1 });
  await expect(tiles(page)).toHaveCount(1);
  await expect(page.getByText('qwen3, unless its config.json specifies otherwise')).toBeVisible();
  // The URL contains names, not files.
  await expect(page).toHaveURL(/\/models\/$/);
  await field(page).fill('{"model_type": ');
  await expect(status).toContainText('This is not JSON');
  await field(page).fill('{"model_type": "llama", "rope_theta": "x"}');
  await expect(status).toContainText('rope_theta: "x" is not a number.');
  await expect(status.getByRole('link')).toHaveCount(0);
  await field(page).fill('{"model_type": "qwen3", "num_hidden_layers": 36}');
  await status.getByRole('link', { name: 'Open in the Lab' }).click();
  await expect(figure(page, 'layers')).toHaveAttribute('data-state', 'ready');
  expect(problems).toEqual([]);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  test('strips, sentences and links are present, and the table is available as JSON', async ({ page, request }) => {
    await page.goto(`${address()}models/`);
    await expect(page.locator('#gemma3_text svg path')).toHaveCount(2);
    await expect(page.locator('#gemma3_text')).toContainText('every 6th sees all earlier tokens (base 1,000,000)');
    const rows: { names: string[] }[] = await (await request.get(`${address()}models/families.json`)).json();
    expect(rows.flatMap(({ names }) => names)).toContain('gemma3_text');
    await page.locator('#smollm3 summary').click();
    await expect(page.locator('#smollm3').getByRole('link', { name: 'SmolLM3 3B' })).toBeVisible();
    const program = page.locator('#smollm3').getByRole('link', { name: 'In PyTorch' });
    expect((await request.get(new URL((await program.getAttribute('href')) ?? '', page.url()).href)).ok()).toBe(true);
  });
});
