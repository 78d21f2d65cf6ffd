// Loss of the engine: the worker crashes or stops responding. An error message offers a restart, and all settings are kept.
import { expect, type Page, test } from '@playwright/test';
import { badge, choose, dragWord, figure, open, serveSite, words } from './page.ts';

serveSite();

/** Records the workers of the page, so that a test can terminate one. */
const watchWorkers = (page: Page) =>
  page.addInitScript(() => {
    const workers: Worker[] = [];
    Object.assign(window, { workers });
    window.Worker = class extends Worker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        workers.push(this);
      }
    };
  });
type Watched = Window & { workers: Worker[] };

/** Terminates the worker at its next request with a causal mask; distant figures may send other requests before. */
const crash = (page: Page, { silent = false } = {}) =>
  page.evaluate((isSilent) => {
    const worker = (window as unknown as { workers: Worker[] }).workers.at(-1) as Worker;
    const post = worker.postMessage.bind(worker) as (message: unknown, transfer?: Transferable[]) => void;
    worker.postMessage = (message: unknown, transfer?: unknown) => {
      if (!JSON.stringify(message).includes('causal')) return post(message, transfer as Transferable[]);
      worker.terminate();
      if (!isSilent) worker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));
    };
  }, silent);

test('a crashed worker is replaced with the restart button, and every figure is computed again', async ({ page }) => {
  await watchWorkers(page);
  await open(page, '#v=1&encoding=rope');
  await expect(figure(page, 'attention')).toHaveAttribute('data-state', 'ready');
  await dragWord(page, 'lion', 'Rohan');
  await expect(badge(page)).toContainText('outputs changed');
  const initialWords = await words(page);
  // A figure below the viewport updates after the word has come to rest; its request must not be the one that crashes.
  await page.waitForTimeout(1000);
  await expect(page.locator('phasor-figure[data-state=computing]')).toHaveCount(0);
  await crash(page);
  await choose(page, 'Mask', 'causal');
  // The error replaces the pending figure: the sentence or the attention, whichever sent its request first.
  const sentence = page.getByRole('alert').filter({ hasText: 'Restart the engine' }).first();
  await expect(sentence).toContainText('Engine stopped (the worker stopped: out of memory). Your settings are kept.');
  await sentence.getByRole('button', { name: 'Restart the engine' }).click();
  await expect(page.getByRole('button', { name: 'Restart the engine' })).toHaveCount(0);
  for (const kind of ['sentence', 'attention']) await expect(figure(page, kind)).toHaveAttribute('data-state', 'ready');
  await expect(badge(page)).toContainText('outputs changed');
  expect(await words(page)).toEqual(initialWords);
  // Browsers limit how often a page may change its URL.
  await expect.poll(() => new URL(page.url()).hash).toMatch(/mask=causal/);
  expect(await page.evaluate(() => (window as unknown as Watched).workers.length)).toBeGreaterThan(1);
});

test('a worker that stops responding is reported after 20 s', async ({ page }) => {
  await page.clock.install();
  await watchWorkers(page);
  await open(page, '#v=1&encoding=rope');
  await crash(page, { silent: true });
  await choose(page, 'Mask', 'causal');
  const sentence = page.locator('ph-story').getByRole('alert');
  await expect(page.locator('phasor-figure[data-state=computing]')).not.toHaveCount(0);
  await page.clock.fastForward(19_000);
  await expect(sentence).toHaveCount(0);
  await page.clock.fastForward(2000);
  await expect(sentence).toContainText('No response for 20 s');
  await sentence.getByRole('button', { name: 'Restart the engine' }).click();
  await expect(figure(page, 'sentence')).toHaveAttribute('data-state', 'ready');
  await expect(sentence).toHaveCount(0);
});
