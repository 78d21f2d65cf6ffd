// The doctor in the Lab and in the gallery: a made-up fault, dropped files of a port, and the worker that examines them.
import { expect, test } from '@playwright/test';
import { npyOf } from '../../web/figure/export/npy.ts';
import { generator, rotated } from '../web/doctor/random-dumps.ts';
import { address, comesAlive, lab, serveSite } from './page.ts';

serveSite();

const [tokens, heads, dim] = [24, 2, 32];
const random = generator(9);
const before = new Float32Array(tokens * heads * dim).map(() => random() - 0.5);
const turned = (layout: 'half_split' | 'interleaved') =>
  rotated(
    before,
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
  buffer: Buffer.from(npyOf({ shape: [tokens, heads, dim], data })),
});
const config = {
  ...{ model_type: 'llama', hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 2, num_key_value_heads: 2 },
  ...{ head_dim: dim, rope_theta: 10000 },
};
const files = [
  npy('q.npy', before),
  npy('q_rot.npy', turned('interleaved')),
  { name: 'config.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(config)) },
];

for (const [place, url] of [
  ['gallery', () => `${address()}gallery/doctor/`],
  ['Lab', () => `${lab()}#v=1&question=doctor&view=doctor`],
] as const)
  test(`two files and a config are examined in the ${place}, and stay on the device`, async ({ page }) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await page.goto(url());
    const figure = page.locator('phasor-figure[kind=doctor]:not([compact])');
    const [readout, input] = [figure.locator('.readout'), figure.locator('input[type=file]')];
    await comesAlive(figure);
    await expect(readout).toContainText('A made-up dump. Pairs half_split explain the dump; the claim says interleaved.');
    await expect(figure).toContainText('Your files stay on this device.');
    await input.setInputFiles(files);
    await expect(readout).toContainText(
      /^Pairs interleaved explain the dump; the claim says half_split\. Residual .* Fix: half_split: vLLM/,
    );
    await input.setInputFiles(npy('q_rot.npy', turned('half_split')));
    await expect(readout).toContainText(/^The dump is as claimed\./);
    expect(sent).toEqual([]);
  });

test('the fault of the example is chosen, and a newer one ends the worker of the older', async ({ page }) => {
  await page.goto(`${address()}gallery/doctor/`);
  const figure = page.locator('phasor-figure[kind=doctor]:not([compact])');
  await comesAlive(figure);
  for (const fault of ['wrong_base', 'positions_restart', 'rotated_twice'])
    await figure.evaluate((element, value) => element.setAttribute('fault', value), fault);
  await expect(figure.locator('.readout')).toContainText('Every angle is twice the claim.');
  expect(page.workers().length).toBeLessThanOrEqual(2);
});
