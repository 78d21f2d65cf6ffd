// The heads of trained models, and the training of a learned table and of a character model.
import { expect, test } from '@playwright/test';
import { address, open, serveSite } from './page.ts';
import { live } from './training.ts';

serveSite();

test('shows every head of a trained model, which is fetched only by this figure', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
  await page.goto(`${address()}gallery/race/`);
  await expect(page.locator('phasor-figure[kind="race"]')).toHaveAttribute('data-state', 'ready');
  const isModelFile = (file: string): boolean => /\.safetensors$|^index\.json$|phasor-nn/.test(file);
  expect(requests.filter(isModelFile)).toEqual([]);
  await page.goto(`${address()}gallery/inside/`);
  const figure = page.locator('phasor-figure[kind="inside"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  expect(requests.filter((file) => file.endsWith('.safetensors'))).toEqual([expect.stringMatching(/^text-rope-/)]);
  await expect(figure.locator('.readout')).toHaveText(/^Layer 2, head 3: on average, most attention goes to the character before: 0\.5/);
  await figure.getByRole('group', { name: 'Picture' }).focus();
  await page.keyboard.press(']');
  await expect(figure.locator('.readout')).toHaveText(/^Layer 2, head 4: /);
  await page.keyboard.press('ArrowDown');
  await expect(figure.locator('.readout')).toHaveText(/\(character 1\) attends to “r” \(character 1\): weight 1/);
  await expect(figure.locator('[aria-live]')).toHaveText(/weight 1/);
  await expect(figure.locator('summary', { hasText: '✓ verified' })).toBeVisible();
});

test('shows the frequencies that the heads use if the encoding is rotary', async ({ page }) => {
  await page.goto(`${address()}gallery/inside/`);
  const figure = page.locator('phasor-figure[kind="inside"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await figure.getByRole('button', { name: /Show head frequencies/ }).click();
  const readout = figure.locator('.readout');
  await expect(readout).toHaveText(/^Layer 2, head 3: the most used is pair 3, one rotation in 199 characters: \d+%/);
  await expect(figure.locator('summary', { hasText: '✓ verified' })).toBeVisible();
  await figure.getByRole('group', { name: 'Picture' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(readout).toHaveText(/^Layer 2, head 3: pair 0, one rotation in 6 characters: /);
  await page.keyboard.press('ArrowUp');
  await expect(readout).toHaveText(/^Layer 1, head 3: pair 0, /);
  await figure.evaluate((element) => element.setAttribute('encoding', 'alibi'));
  await expect(figure).toContainText('alibi does not rotate pairs of channels');
  await figure.evaluate((element) => element.setAttribute('show', 'heads'));
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await expect(figure.getByRole('button', { name: /Which frequencies/ })).toHaveCount(0);
});

test('trains a learned table until near positions are similar, and steps back through its snapshots', async ({ page }) => {
  test.setTimeout(400_000);
  await page.goto(`${address()}gallery/inside/?encoding=learned&show=table`);
  const figure = page.locator('phasor-figure[kind="inside"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await figure.getByRole('button', { name: /Train/ }).click();
  await expect(figure.getByRole('button', { name: /Pause/ })).toBeVisible();
  const readout = figure.locator('.readout');
  // The final similarity is tested in tests/web/kinds/inside.test.ts.
  const near = async (): Promise<number> =>
    Number(/mean cosine of (−?[\d.]+)/.exec((await readout.textContent()) ?? '')?.[1]?.replace('−', '-'));
  await expect.poll(() => live(figure), { timeout: 60_000 }).toMatch(/step [1-3]\d\d of 400/);
  await figure.getByRole('button', { name: /^Stop$/ }).click();
  await expect(figure.getByRole('button', { name: /Use another seed/ })).toBeVisible({ timeout: 30_000 });
  const lastStep = Number(/^After (\d+) steps: /.exec((await readout.textContent()) ?? '')?.[1]);
  expect(lastStep).toBeGreaterThanOrEqual(100);
  expect(await near()).toBeGreaterThan(0.1);
  await figure.getByRole('button', { name: /Earlier/ }).click();
  await expect(readout).toHaveText(new RegExp(`^After ${lastStep - 20} steps: `));
  await figure.getByRole('group', { name: 'Picture' }).focus();
  for (let step = lastStep - 40; step >= lastStep - 80; step -= 20) {
    await page.keyboard.press('[');
    await expect(readout).toHaveText(new RegExp(`^After ${step} steps: `));
  }
  await figure.evaluate((element) => element.setAttribute('snapshot', '0'));
  await expect(readout).toHaveText(/^After 0 steps: /);
  // Random vectors have a mean cosine of about 0.
  await expect(readout).toHaveText(/cosine of −?(0\.0\d+|[\d.]+×10⁻.)$/);
  await expect(figure).toHaveAttribute('data-state', 'ready');
});

test('shows the heads of a character model while it trains, and returns to its snapshots', async ({ page }) => {
  test.setTimeout(400_000);
  await page.goto(`${address()}gallery/inside/?encoding=t5&text=so+it+is`);
  const figure = page.locator('phasor-figure[kind="inside"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await figure.getByRole('button', { name: /Train/ }).click();
  const message = () => live(figure);
  const step = async (): Promise<number> => Number(/ step (\d+) of 500/.exec(await message())?.[1] ?? 0);
  await expect.poll(step, { timeout: 60_000 }).toBeGreaterThanOrEqual(25);
  const initialStep = await step();
  const readout = figure.locator('.readout');
  await figure.getByRole('group', { name: 'Picture' }).focus();
  await page.keyboard.press(']');
  await expect.poll(step, { timeout: 60_000 }).toBeGreaterThan(initialStep);
  await figure.getByRole('button', { name: /^Stop$/ }).click();
  await expect(figure.getByRole('button', { name: 'Continue training' })).toHaveCount(0);
  await expect(readout).toHaveText(/^Layer 2, head 4: /);
  const end = await readout.textContent();
  await figure.evaluate((element) => element.setAttribute('snapshot', '0'));
  await expect(readout).not.toHaveText(end as string);
  await expect(figure.getByRole('button', { name: 'Continue training' })).toBeVisible();
  await expect(figure).toContainText('after 0 steps, with seed 1');
  await expect(figure.locator('summary', { hasText: '✓ verified' })).toBeVisible();
});

test('is linked beside the projections and shown under Learn in the Lab, with the text of the user', async ({ page }) => {
  await open(page, '#v=1&encoding=t5&text=so+it+goes');
  await page.getByRole('button', { name: 'All heads of a trained language model' }).click();
  await expect(page.getByRole('tab', { name: /Learn/ })).toHaveAttribute('aria-selected', 'true');
  const figure = page.locator('phasor-figure[kind="inside"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await expect(figure.locator('.readout')).toHaveText(/^Layer 2, head 3: /);
  expect(
    await figure.evaluate((element) => (element as unknown as { spec: { text: string; encoding: { id: string } } }).spec),
  ).toMatchObject({
    text: 'so it goes',
    encoding: expect.anything(),
  });
});
