// Attention from a file of the user, in the gallery and in the Lab.
import { expect, test } from '@playwright/test';
import { encodeNpy } from '../../web/figure/export/npy.ts';
import { address, lab, serveSite, waitUntilReady } from './page.ts';

serveSite();

const npy = Buffer.from(encodeNpy({ shape: [2, 1, 3], data: Float32Array.of(0.25, 0.25, 0.5, 0, 1, 0) }));
const files = {
  npy: { name: 'cross.npy', mimeType: 'application/octet-stream', buffer: npy },
  csv: { name: 'one.csv', mimeType: 'text/csv', buffer: Buffer.from('query;a;b\nx;0.25;0.75\n') },
  ragged: { name: 'ragged.csv', mimeType: 'text/csv', buffer: Buffer.from('1,0\n1\n') },
};

for (const [place, url] of [
  ['gallery', () => `${address()}gallery/custom/`],
  ['Lab', () => `${lab()}#v=1&encoding=rope&mask=causal&question=attention&view=custom`],
] as const)
  test(`files of the user are drawn in the ${place}, head by head`, async ({ page }) => {
    await page.goto(url());
    const figure = page.locator('phasor-figure[kind=custom]:not([compact])');
    const [readout, input] = [figure.locator('.readout'), figure.locator('input[type=file]')];
    await waitUntilReady(figure);
    await expect(readout).toContainText('Random vectors as queries and keys.');
    await input.setInputFiles(files.npy);
    await expect(readout).toContainText(/^Head 0 \(0 to 1\): queries 0 and keys 0 to 2, .* between 0\.250 and 0\.500$/);
    await figure.getByRole('button', { name: 'Next head' }).click();
    await expect(readout).toContainText(/^Head 1 \(0 to 1\): .* between 0 and 1/);
    await figure.locator('.picture').focus();
    await page.keyboard.press('[');
    await expect(readout).toContainText(/^Head 0/);
    await input.setInputFiles(files.csv);
    await expect(readout).toContainText(/^Queries 0 and keys 0 to 1, .* between 0\.250 and 0\.750$/);
    await input.setInputFiles(files.ragged);
    await expect(figure.getByRole('alert')).toHaveText('ragged.csv: line 2 has 1 cell, but line 1 has 2');
    await expect(readout).toContainText('between 0.250 and 0.750');
  });
