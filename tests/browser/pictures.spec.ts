// Pictures as drawn: their size follows the data, labels are complete, and errors while drawing are reported.
import { expect, type Page, test } from '@playwright/test';
import { badge, open, serveSite } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 1800 } });

const heights = (page: Page) =>
  page
    .locator('ph-picture > div')
    .evaluateAll((pictures) => pictures.map((picture) => picture.clientHeight).filter((height) => height > 0));

const text = Array.from({ length: 30 }, (_, at) => ['dog', 'bites', 'man'][at % 3]).join('+');

test('a picture is resized at once for new data', async ({ page }) => {
  for (const [first, then] of [
    ['fourier', 'learned'],
    ['learned', 'sinusoidal'],
    ['rope', 'alibi'],
  ]) {
    await page.goto('about:blank');
    await open(page, `#v=1&text=${text}&encoding=${then}`);
    const alone = await heights(page);
    await page.goto('about:blank');
    await open(page, `#v=1&text=${text}&encoding=${first}`);
    expect(await heights(page), `${first} is as high as ${then}`).not.toEqual(alone);
    await page.evaluate((link) => {
      location.hash = link;
    }, `#v=1&text=${text}&encoding=${then}`);
    await expect(badge(page)).toHaveAttribute('data-encoding', then as string);
    await expect.poll(() => heights(page), { timeout: 3000 }).toEqual(alone);
  }
});

test('the label at the cursor is not cut off', async ({ page }) => {
  await open(page, '#v=1&text=turners+wander+reordered+another&encoding=rope&order=3.2.1.0');
  for (const at of [0, 1, 2, 3]) {
    await page.getByRole('listbox').getByRole('option').nth(at).click();
    for (const panel of ['ph-added', 'ph-attention', 'ph-change']) {
      // Opacity of the first column of pixels: letters that begin before it are cut off.
      const edge = await page
        .locator(`${panel} canvas`)
        .first()
        .evaluate((canvas: HTMLCanvasElement) => {
          const context = canvas.getContext('2d');
          // Below the titles, which begin at the edge.
          const { data } = context?.getImageData(0, 60, 1, canvas.height - 60) ?? new ImageData(1, 1);
          return Math.max(...data.filter((_, at) => at % 4 === 3));
        });
      expect(edge, `${panel}, word ${at}`).toBeLessThan(60);
    }
  }
});

test('an error while drawing is reported as an error of the page, which keeps working', async ({ page }) => {
  await page.addInitScript(() => {
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (...words) {
      if ((window as { broken?: boolean }).broken) throw new Error('no ink');
      fillText.apply(this, words);
    };
  });
  await open(page, '#v=1&order=3.0.1.2');
  const breakDrawing = (broken: boolean) => page.evaluate((value) => Object.assign(window, { broken: value }), broken);
  const choose = (name: string) => page.getByRole('radiogroup', { name: 'Positional encoding' }).getByRole('radio', { name }).click();
  const alert = page.getByRole('alert').filter({ hasText: /\S/ });
  await breakDrawing(true);
  await choose('RoPE');
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await expect(alert).toHaveText([/An error in this page, not in your input: no ink\./]);
  await breakDrawing(false);
  await choose('ALiBi');
  await expect(badge(page)).toHaveAttribute('data-encoding', 'alibi');
  await expect(alert).toHaveCount(0);
});
