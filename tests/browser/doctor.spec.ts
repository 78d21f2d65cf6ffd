// The doctor in the Lab and in the gallery: generated faults, files of the user and the worker that examines them; the page of all faults.
import { expect, test } from '@playwright/test';
import { encodeNpy } from '../../web/figure/export/npy.ts';
import { applyRotation, generator } from '../web/doctor/random-dumps.ts';
import { address, collectProblems, lab, serveSite, violations, waitUntilReady } from './page.ts';

serveSite();

const [tokens, heads, dim] = [24, 2, 32];
const random = generator(9);
const queries = new Float32Array(tokens * heads * dim).map(() => random() - 0.5);
const rotateQueries = (layout: 'half_split' | 'interleaved') =>
  applyRotation(
    queries,
    {
      ...{ tokens, heads, dim, layout, base: 10000, width: dim, factor: 1, gain: 1, sign: 1 },
      positions: Array.from({ length: tokens }, (_, token) => token),
      frequencies: Array.from({ length: dim / 2 }, (_, t) => 10000 ** ((-2 * t) / dim)),
    },
    'f32',
  );
const npy = (name: string, data: Float32Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(encodeNpy({ shape: [tokens, heads, dim], data })),
});
const config = {
  ...{ model_type: 'llama', hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 2, num_key_value_heads: 2 },
  ...{ head_dim: dim, rope_theta: 10000 },
};
const files = [
  npy('q.npy', queries),
  npy('q_rot.npy', rotateQueries('interleaved')),
  { name: 'config.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(config)) },
];

for (const [place, url] of [
  ['gallery', () => `${address()}gallery/doctor/`],
  ['Lab', () => `${lab()}#v=1&question=doctor&view=doctor`],
] as const)
  test(`examines two files and a config in the ${place} without uploading them`, async ({ page }) => {
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') requests.push(request.url());
    });
    await page.goto(url());
    const figure = page.locator('phasor-figure[kind=doctor]:not([compact])');
    const [readout, input] = [figure.locator('.readout'), figure.locator('input[type=file]')];
    await waitUntilReady(figure);
    await expect(readout).toContainText('These arrays are a generated example. The dump has half_split pairs; claimed: interleaved.');
    await expect(figure).toContainText('Your files stay on this device.');
    await input.setInputFiles(files);
    await expect(readout).toContainText(/^The dump has interleaved pairs; claimed: half_split\. Residual .* Fix: half_split: vLLM/);
    await input.setInputFiles(npy('q_rot.npy', rotateQueries('half_split')));
    await expect(readout).toContainText(/^The dump matches the claim\./);
    expect(requests).toEqual([]);
  });

test('changing the fault of the example terminates the worker of the previous one', async ({ page }) => {
  await page.goto(`${address()}gallery/doctor/`);
  const figure = page.locator('phasor-figure[kind=doctor]:not([compact])');
  await waitUntilReady(figure);
  for (const fault of ['wrong_base', 'positions_restart', 'rotated_twice'])
    await figure.evaluate((element, value) => element.setAttribute('fault', value), fault);
  await expect(figure.locator('.readout')).toContainText('Every angle is twice the claimed one.');
  expect(page.workers().length).toBeLessThanOrEqual(2);
});

test('examines position ids, frequencies and scores from files', async ({ page }) => {
  await page.goto(`${address()}gallery/doctor/`);
  const figure = page.locator('phasor-figure[kind=doctor]:not([compact])');
  const [readout, input] = [figure.locator('.readout'), figure.locator('input[type=file]')];
  await waitUntilReady(figure);
  const ids = { shape: [12], data: Float32Array.from({ length: 12 }, (_, token) => (token < 6 ? token : token - 6)) };
  const file = (name: string, tensor: { shape: number[]; data: Float32Array }) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(encodeNpy(tensor)),
  });
  await input.setInputFiles(file('position_ids.npy', ids));
  await expect(readout).toContainText(/^Positions restart at token 6\./);
  const invFreq = { shape: [16], data: Float32Array.from({ length: 16 }, (_, t) => 500000 ** (-t / 16)) };
  await input.setInputFiles([file('inv_freq.npy', invFreq), files[2] as (typeof files)[number]]);
  await expect(readout).toContainText(/^Frequencies follow base 500000; claimed: 10000\./);
  const products = { shape: [2, 8, 8], data: Float32Array.from({ length: 128 }, (_, index) => 3 * Math.sin(index * index)) };
  const scores = {
    shape: [2, 8, 8],
    data: products.data.map((product, index) => (index % 8 > Math.floor(index / 8) % 8 ? -1e30 : product)),
  };
  await input.setInputFiles([file('products.npy', products), file('scores.npy', scores)]);
  await expect(readout).toContainText(/^q\.k is not scaled\./);
});

test('the page of faults links to each fault and computes its figure when it becomes visible', async ({ page }) => {
  const problems = collectProblems(page);
  await page.goto(`${address()}gallery/doctor/`);
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Faults' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Faults of position');
  const figures = page.locator('phasor-figure[kind=doctor]');
  // One figure for each fault, and the example at the top.
  await expect(figures).toHaveCount(70);
  // Distant figures have a still picture, or none yet, in a box of the final height.
  const last = page.locator('#face-packed-texts-mixed');
  await expect(last.locator('phasor-figure')).not.toHaveAttribute('data-state', 'ready');
  const box = await last.locator('phasor-figure').boundingBox();
  const link = page.getByRole('link', { name: 'packed texts mixed', exact: true }).first();
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#packed-texts-mixed$/);
  await expect(page.getByRole('heading', { name: 'packed texts mixed' })).toBeInViewport();
  await expect(last.locator('phasor-figure')).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
  expect((await last.locator('phasor-figure').boundingBox())?.height).toBeCloseTo(box?.height ?? 0, -1);
  await expect(last.getByRole('link', { name: /Open in the Lab/ })).toHaveAttribute('href', /fault:packed_texts_mixed/);
  expect(page.workers().length).toBeLessThanOrEqual(2);
  expect(await violations(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('the page of faults fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${address()}faults/`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
