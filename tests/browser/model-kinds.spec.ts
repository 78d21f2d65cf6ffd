// The kinds of a language model link to each other: all heads, the attention of one head, and the loss without its positions.
import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { address, lab, serveSite, waitUntilReady } from './page.ts';

serveSite();

const FILES = ['config.json', 'model.safetensors', 'tokenizer.json'].map((name) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: readFileSync(`public/models/austen/${name}`),
}));
const figureOf = (page: Page, kind: string) => page.locator(`phasor-figure[kind=${kind}]:not([compact])`);

test('the Lab shows one head of the opened model and the loss without its positions', async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto(`${lab()}#v=3&question=model&view=model-heads`);
  const heads = figureOf(page, 'model-heads');
  await waitUntilReady(heads);
  await heads.locator('input[name=files]').setInputFiles(FILES);
  await expect(heads.locator('.file-input')).toContainText('Opened: llama');
  await heads.getByRole('button', { name: 'Show this head' }).click();
  const attention = figureOf(page, 'model-attention');
  await expect(attention.locator('.readout')).toContainText(/^Layer 2, head 2 puts most of its weight 1 token back: \d+% on average/);
  await expect(page).toHaveURL(/view=model-attention/);
  await attention.getByRole('button', { name: 'Remove its positions' }).click();
  const change = figureOf(page, 'model-change');
  await expect(change).toHaveJSProperty('state', 'ready', { timeout: 120_000 });
  await expect(change.locator('.readout')).toContainText(
    /^After 512 tokens the loss is [\d.]+ as trained; .* without positions in layer 2, head 2\./,
  );
});

test('the measurement of changed positions can be stopped and restarted with another change', async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto(`${address()}gallery/model-change/?change=shift`);
  const change = figureOf(page, 'model-change');
  await waitUntilReady(change);
  const buttons = change.locator('.actions');
  await buttons.getByRole('button', { name: 'Clip distances' }).click({ timeout: 120_000 });
  await buttons.getByRole('button', { name: 'Stop' }).click();
  await expect(change).toHaveJSProperty('state', 'ready');
  await buttons.getByRole('button', { name: 'Reverse' }).click();
  await expect(change.locator('.readout')).toContainText('with positions in reverse order', { timeout: 120_000 });
});

test('the gallery page of all heads links to the page of one head, which steps to the next', async ({ page }) => {
  await page.goto(`${address()}gallery/model-heads/`);
  await waitUntilReady(figureOf(page, 'model-heads'));
  await figureOf(page, 'model-heads').getByRole('link', { name: 'Show this head' }).click();
  const attention = figureOf(page, 'model-attention');
  await waitUntilReady(attention);
  expect(new URL(page.url()).pathname).toContain('/gallery/model-attention/');
  await expect(attention.locator('.readout')).toContainText('Layer 2, head 2');
  await attention.getByRole('button', { name: 'Next head' }).click();
  await expect(attention.locator('.readout')).toContainText('Layer 2, head 3');
});
