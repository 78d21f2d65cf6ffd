// Learning an image in the page: sharp with Fourier features, blurred without; and images of the user.
import { expect, test } from '@playwright/test';
import { address, serveSite } from './page.ts';
import { stopAfterSteps } from './training.ts';

serveSite();

const sigmas = [0.25, 2, 16];

test('recorded results go from blur to image to noise with growing sigma', async ({ page }) => {
  const between: number[] = [];
  for (const sigma of sigmas) {
    await page.goto(`${address()}gallery/regression/?sigma=${sigma}`);
    const figure = page.locator('phasor-figure[kind="regression"]');
    await expect(figure).toHaveAttribute('data-state', 'ready');
    const readout = (await figure.locator('.readout').textContent()) ?? '';
    between.push(Number(/([\d.]+) dB at the test pixels$/.exec(readout)?.[1]));
  }
  expect(between[1]).toBeGreaterThan((between[0] as number) + 1);
  expect(between[2]).toBeLessThan((between[0] as number) - 5);
});

test('training in the page is more accurate with Fourier features than without', async ({ page }) => {
  test.setTimeout(400_000);
  await page.goto(`${address()}gallery/regression/?sigma=2`);
  const figure = page.locator('phasor-figure[kind="regression"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await figure.getByRole('button', { name: /Train/ }).click();
  await expect(figure.getByRole('button', { name: /Pause/ })).toBeVisible();
  await stopAfterSteps(figure);
  const readout = (await figure.locator('.readout').textContent()) ?? '';
  const [alone, features] = readout.split('Fourier features').map((part) => Number(/([\d.]+) dB at the test pixels/.exec(part)?.[1]));
  expect(features).toBeGreaterThan(alone as number);
  await expect(figure.locator('.proof')).toContainText('As measured');
});

const imageFile = async (page: import('@playwright/test').Page, side: number) => {
  const png = await page.evaluate(async (pixels) => {
    const canvas = document.createElement('canvas');
    canvas.width = pixels;
    canvas.height = pixels;
    const context = canvas.getContext('2d');
    if (!context) return '';
    context.fillStyle = 'white';
    context.fillRect(0, 0, pixels / 2, pixels);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  }, side);
  return { name: `side-${side}.png`, mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
};

test('accepts an image of the user and reports invalid files', async ({ page }) => {
  test.setTimeout(400_000);
  await page.goto(`${address()}gallery/regression/`);
  const figure = page.locator('phasor-figure[kind="regression"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  const input = figure.locator('input[type="file"]');
  const problem = figure.locator('.file-input .problem');
  const initialText = await figure.locator('.readout').textContent();

  await input.setInputFiles({ name: 'note.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await expect(problem).toHaveText('note.png is not an image that this browser can decode');
  await input.setInputFiles(await imageFile(page, 1));
  await expect(problem).toHaveText('side-1.png has 1 × 1 pixels; at least 64 × 64 are needed');
  await input.setInputFiles(await imageFile(page, 7200));
  await expect(problem).toHaveText('side-7200.png has 7200 × 7200 pixels; at most 50M pixels are supported');
  expect(await figure.locator('.readout').textContent()).toBe(initialText);

  await input.setInputFiles(await imageFile(page, 200));
  await expect(problem).toHaveCount(0);
  await expect(figure.locator('.opened-file')).toHaveText('Shown: side-200.png.');
  await figure.getByRole('button', { name: /^Stop$/ }).click();
  await expect(figure.getByRole('button', { name: 'Use another seed' })).toBeVisible({ timeout: 30_000 });
  await figure.getByRole('button', { name: /^Restore previous$/ }).click();
  await expect(figure.locator('.readout')).toHaveText(initialText ?? '');
});

test('accepts a pasted image', async ({ page }) => {
  await page.goto(`${address()}gallery/regression/`);
  const figure = page.locator('phasor-figure[kind="regression"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await figure.locator('.picture').focus();
  await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 80;
    canvas.height = 80;
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob as Blob], 'pasted.png', { type: 'image/png' }));
    // In Firefox, the clipboard of a synthetic ClipboardEvent is empty.
    const event = Object.assign(new Event('paste', { bubbles: true, composed: true, cancelable: true }), { clipboardData });
    document.querySelector('phasor-figure')?.shadowRoot?.querySelector('.picture')?.dispatchEvent(event);
  });
  await expect(figure.locator('.opened-file')).toHaveText('Shown: pasted.png.');
});
