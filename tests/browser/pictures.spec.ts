// Pictures as drawn: their size follows the data, labels are complete, and errors while drawing are reported.
import { expect, type Page, test } from '@playwright/test';
import { badge, figure, open, serveSite, tiles } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 1800 } });

const heights = (page: Page) =>
  page
    .locator('phasor-figure .surface')
    .evaluateAll((pictures) => pictures.map((picture) => picture.clientHeight).filter((height) => height > 0));

const text = Array.from({ length: 30 }, (_, index) => ['dog', 'bites', 'man'][index % 3]).join('+');

test('a picture is resized at once for new data', async ({ page }) => {
  const words = (count: number) => `#v=1&encoding=rope&text=${text.split('+').slice(0, count).join('+')}`;
  for (const [first, then] of [
    [3, 30],
    [30, 12],
  ] as const) {
    await page.goto('about:blank');
    await open(page, words(then));
    await expect.poll(() => heights(page).then(({ length }) => length)).toBe(3);
    const initialHeights = await heights(page);
    await page.goto('about:blank');
    await open(page, words(first));
    expect(await heights(page), `${first} words are as high as ${then}`).not.toEqual(initialHeights);
    await page.evaluate((link) => {
      location.hash = link;
    }, words(then));
    await expect.poll(() => heights(page), { timeout: 3000 }).toEqual(initialHeights);
  }
});

test('the label at the cursor is not cut off', async ({ page }) => {
  await open(page, '#v=1&text=turners+wander+reordered+another&encoding=rope&order=3.2.1.0');
  for (const at of [0, 1, 2, 3]) {
    await tiles(page).nth(at).click();
    for (const kind of ['attention', 'change']) {
      // Opacity of the first column of pixels, which truncated letters would cover.
      const edge = await figure(page, kind)
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => {
          const context = canvas.getContext('2d');
          // Below the titles, which begin at the edge.
          const { data } = context?.getImageData(0, 60, 1, canvas.height - 60) ?? new ImageData(1, 1);
          return Math.max(...data.filter((_, index) => index % 4 === 3));
        });
      expect(edge, `${kind}, word ${at}`).toBeLessThan(60);
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
  const breakDrawing = (isBroken: boolean) => page.evaluate((value) => Object.assign(window, { broken: value }), isBroken);
  const choose = (name: string) => page.getByRole('radiogroup', { name: 'Positional encoding' }).getByRole('radio', { name }).click();
  const alert = page.getByRole('alert').filter({ hasText: /\S/ });
  await breakDrawing(true);
  await choose('RoPE');
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await expect(alert.first()).toContainText('Internal error: no ink.');
  for (const message of await alert.allTextContents()) expect(message).toContain('Internal error');
  await breakDrawing(false);
  await choose('ALiBi');
  await expect(badge(page)).toHaveAttribute('data-encoding', 'alibi');
  await expect(alert).toHaveCount(0);
});
