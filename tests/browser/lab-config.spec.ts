// The dialog of the Lab that reads a config.json.
import { expect, test } from '@playwright/test';
import { figure, open, serveSite } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 900 } });

test('the config.json dialog opens from a link and from the header, and highlights the choice', async ({ page }) => {
  const problems = await open(page, '#config');
  const dialog = page.getByRole('dialog', { name: 'Paste a config.json' });
  await expect(dialog).toBeVisible();
  // T5 requires a choice, which is highlighted.
  await dialog.getByRole('textbox', { name: 'config.json' }).fill(JSON.stringify({ model_type: 't5', num_heads: 12, d_kv: 64 }));
  const choice = (name: string) => dialog.locator('.choice', { hasText: name });
  const look = (name: string) =>
    choice(name)
      .locator('span')
      .evaluate((span) => getComputedStyle(span).backgroundColor);
  await choice('decoder').click();
  await expect.poll(async () => (await look('decoder')) !== (await look('encoder'))).toBe(true);
  await expect(dialog.getByText('Encoding: T5')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Paste a config.json' }).click();
  await expect(dialog).toBeVisible();
  expect(problems).toEqual([]);
});

test('a pasted config.json is summarized by layer and opens the layers figure', async ({ page }) => {
  const problems = await open(page, '#config');
  const dialog = page.getByRole('dialog', { name: 'Paste a config.json' });
  const text = dialog.getByRole('textbox', { name: 'config.json' });
  await text.fill(JSON.stringify({ model_type: 'foo', num_hidden_layers: 4, rope_theta: 500000 }));
  await expect(
    dialog.getByText(
      'All 4 layers use the same positional encoding, as far as the config specifies: RoPE with half-split pairs, base 500,000.',
    ),
  ).toBeVisible();
  await expect(dialog.getByText('"foo" is not a family with known layers')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Show layers' })).toHaveCount(0);
  await text.fill(
    JSON.stringify({ model_type: 'gemma3_text', num_hidden_layers: 12, sliding_window: 512, max_position_embeddings: 32768 }),
  );
  const sentence = dialog.getByText(
    '5 of 6 layers see the last 512 tokens (base 10,000) and every 6th sees all earlier tokens (base 1,000,000); RoPE with half-split pairs.',
  );
  await expect(sentence).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Show layers' }).click();
  await expect(dialog).toBeHidden();
  const layers = figure(page, 'layers');
  await expect(layers).toHaveAttribute('data-state', 'ready');
  await expect(layers.getByText('gemma3_text: 5 of 6 layers see the last 512 tokens').first()).toBeVisible();
  await expect(layers).toContainText('every 6th sees all earlier tokens (base 1,000,000)');
  // The URL contains the file, a moment after the picture is shown.
  await expect(page).toHaveURL(/gemma3_text/);
  await page.reload();
  await expect(layers.getByText('gemma3_text: 5 of 6 layers see the last 512 tokens').first()).toBeVisible();
  expect(problems).toEqual([]);
});

test('the summary of a pasted config.json is visible first, and its keys are shown after one click', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await open(page, '#config');
  const dialog = page.getByRole('dialog', { name: 'Paste a config.json' });
  await dialog.getByRole('button', { name: 'Llama 3.1 8B' }).click();
  const text = dialog.getByRole('textbox', { name: 'config.json' });
  await expect(text).toHaveValue(/llama/);
  await text.fill(JSON.stringify({ ...JSON.parse(await text.inputValue()), num_hidden_layers: 32, vocab_size: 128256 }, null, 2));
  const sentence = dialog.getByText(
    'All 32 layers do the same: RoPE with half-split pairs, base 500,000, low frequencies divided by 8, original length 8,192 tokens.',
  );
  await expect(sentence).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('button', { name: 'Show in the Lab' })).toBeInViewport({ ratio: 1 });
  const key = dialog.getByText('rope_scaling.low_freq_factor');
  await expect(key).toBeHidden();
  await dialog.getByText('Encoding: RoPE, and the keys that specify it').click();
  await expect(key).toBeVisible();
});
