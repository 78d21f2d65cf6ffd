// The canvas of the element and the file from phasor/render show the same picture, compared by pixels for every kind.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { RenderFigure } from '../../web/package/render-types.ts';
import { serveStrangers, visit } from './stranger.ts';

serveStrangers();

/** Limits for the mean difference of a channel (of 255) and for the share of pixels that differ by more than a quarter: antialiasing varies. */
const MEAN = 1.5;
const FAR = 0.01;

const KINDS = 'web/figure/kinds';

/** Kinds that show the trained models of the site. */
const OF_MODELS = ['inside', 'next-word'];
/** Kinds that show the language model of the page. */
const OF_LANGUAGE_MODEL = ['model-attention', 'model-change', 'model-heads'];
/** Without models, this kind shows only its recorded curves. */
const WITH_MODELS = 'circuit';

/** Widths of a figure on a phone of 390 px, and between phone and page, CSS px. */
const NARROW = [358, 540];

const GROUNDS = [
  { theme: 'light', ground: '#fbf9f4' },
  { theme: 'dark', ground: '#14161a' },
] as const;

test('every kind has the same picture on the screen and in a file from Node, without truncated labels', async ({ page }) => {
  test.setTimeout(400_000);
  const { renderFigure } = (await import(join(process.cwd(), 'dist/npm/render.js'))) as { renderFigure: RenderFigure };
  // Node has none of the models of the site, so these kinds are rejected.
  for (const kind of OF_MODELS)
    await expect(renderFigure({ kind })).rejects.toThrow(
      'this page includes no trained models; the website and the package phasor-models include all',
    );
  for (const kind of OF_LANGUAGE_MODEL)
    await expect(renderFigure({ kind })).rejects.toThrow('this page has no language model; the website has one');
  const width = 600;
  await expect(renderFigure({ kind: WITH_MODELS })).resolves.toContain('RoPE: copying');
  const kinds = readdirSync(KINDS).filter((id) => id !== WITH_MODELS && ![...OF_MODELS, ...OF_LANGUAGE_MODEL].includes(id));
  // All kinds share one palette, so the themes alternate between kinds. Four kinds share a page, so that the engine starts once.
  const cases = kinds.map((kind, index) => ({ kind, ...(GROUNDS[index % 2] as (typeof GROUNDS)[number]) }));
  for (let from = 0; from < cases.length; from += 4) {
    const batch = cases.slice(from, from + 4);
    const figureMarkup = ({ kind, ground }: (typeof cases)[number]): string =>
      `<div id="${kind}" style="width: ${width}px; background: ${ground}"><phasor-figure kind="${kind}"></phasor-figure></div>`;
    await visit(page, { body: batch.map(figureMarkup).join('') });
    for (const { kind, theme, ground } of batch) {
      const file = await renderFigure({ kind }, { theme, width });
      // Truncated labels end in an ellipsis.
      const narrow = await Promise.all(NARROW.map((narrowWidth) => renderFigure({ kind }, { theme, width: narrowWidth })));
      for (const svg of [file, ...narrow])
        expect(
          [...svg.matchAll(/>([^<]*…)<\/text>/g)].map(([, cut]) => cut),
          `${kind}, words that are cut`,
        ).toEqual([]);
      const comparison = await page.evaluate(
        async ({ file, kind, ground, hasSurface }) => {
          await customElements.whenDefined('phasor-figure');
          const figure = document.querySelector<HTMLElementTagNameMap['phasor-figure']>(`#${kind} phasor-figure`);
          await figure?.ready;
          // A picture is drawn when it enters the viewport; its observer is older, so it is notified before this one.
          figure?.scrollIntoView();
          await new Promise<unknown>((resolve) => new IntersectionObserver(resolve).observe(figure as Element));
          await new Promise((resolve) => requestAnimationFrame(resolve));
          // A kind with its own HTML has a picture only in files.
          const canvas = hasSurface
            ? await createImageBitmap((await figure?.toPNG(1)) as Blob)
            : (figure?.shadowRoot?.querySelector('canvas') as HTMLCanvasElement);
          const image = new Image();
          image.src = URL.createObjectURL(new Blob([file], { type: 'image/svg+xml' }));
          await image.decode();
          const pixels = (source: CanvasImageSource) => {
            const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
            const context = copy.getContext('2d') as CanvasRenderingContext2D;
            context.fillStyle = ground;
            context.fillRect(0, 0, copy.width, copy.height);
            context.drawImage(source, 0, 0);
            return context.getImageData(0, 0, copy.width, copy.height).data;
          };
          const [canvasPixels, imagePixels] = [pixels(canvas), pixels(image)];
          let sum = 0;
          let differingCount = 0;
          let foregroundCount = 0;
          for (let offset = 0; offset < canvasPixels.length; offset += 4) {
            const differences = [0, 1, 2].map((channel) =>
              Math.abs((canvasPixels[offset + channel] as number) - (imagePixels[offset + channel] as number)),
            );
            sum += differences.reduce((total, difference) => total + difference, 0) / 3;
            if (Math.max(...differences) > 64) differingCount += 1;
            if (Math.abs((canvasPixels[offset] as number) - (canvasPixels[0] as number)) > 16) foregroundCount += 1;
          }
          const count = canvasPixels.length / 4;
          return {
            size: [canvas.width, canvas.height],
            file: [image.width, image.height],
            mean: sum / count,
            far: differingCount / count,
            inked: foregroundCount / count,
          };
        },
        { file, kind, ground, hasSurface: existsSync(join(KINDS, kind, 'surface.ts')) },
      );
      expect(comparison.size, kind).toEqual(comparison.file);
      expect(comparison.inked, `${kind} is empty`).toBeGreaterThan(0.002);
      expect(comparison.mean, `${kind}, ${theme}`).toBeLessThan(MEAN);
      expect(comparison.far, `${kind}, ${theme}`).toBeLessThan(FAR);
    }
  }
});
