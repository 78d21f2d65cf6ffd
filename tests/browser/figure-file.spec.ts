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
      'this page includes no trained models; the website and the package phasor-models include all models',
    );
  for (const kind of OF_LANGUAGE_MODEL)
    await expect(renderFigure({ kind })).rejects.toThrow('this page has no language model; the website has one');
  const width = 600;
  await expect(renderFigure({ kind: WITH_MODELS })).resolves.toContain('RoPE: copying');
  const shown = readdirSync(KINDS).filter((id) => id !== WITH_MODELS && ![...OF_MODELS, ...OF_LANGUAGE_MODEL].includes(id));
  // All kinds share one palette, so the themes alternate between kinds. Four kinds share a page, so that the engine starts once.
  const cases = shown.map((kind, index) => ({ kind, ...(GROUNDS[index % 2] as (typeof GROUNDS)[number]) }));
  for (let from = 0; from < cases.length; from += 4) {
    const some = cases.slice(from, from + 4);
    const standing = ({ kind, ground }: (typeof cases)[number]): string =>
      `<div id="${kind}" style="width: ${width}px; background: ${ground}"><phasor-figure kind="${kind}"></phasor-figure></div>`;
    await visit(page, { body: some.map(standing).join('') });
    for (const { kind, theme, ground } of some) {
      const file = await renderFigure({ kind }, { theme, width });
      // Truncated labels end in an ellipsis.
      const narrow = await Promise.all(NARROW.map((room) => renderFigure({ kind }, { theme, width: room })));
      for (const svg of [file, ...narrow])
        expect(
          [...svg.matchAll(/>([^<]*…)<\/text>/g)].map(([, cut]) => cut),
          `${kind}, words that are cut`,
        ).toEqual([]);
      const found = await page.evaluate(
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
            const sheet = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
            const context = sheet.getContext('2d') as CanvasRenderingContext2D;
            context.fillStyle = ground;
            context.fillRect(0, 0, sheet.width, sheet.height);
            context.drawImage(source, 0, 0);
            return context.getImageData(0, 0, sheet.width, sheet.height).data;
          };
          const [shown, written] = [pixels(canvas), pixels(image)];
          let sum = 0;
          let far = 0;
          let inked = 0;
          for (let at = 0; at < shown.length; at += 4) {
            const apart = [0, 1, 2].map((channel) => Math.abs((shown[at + channel] as number) - (written[at + channel] as number)));
            sum += apart.reduce((all, one) => all + one, 0) / 3;
            if (Math.max(...apart) > 64) far += 1;
            if (Math.abs((shown[at] as number) - (shown[0] as number)) > 16) inked += 1;
          }
          const count = shown.length / 4;
          return {
            size: [canvas.width, canvas.height],
            file: [image.width, image.height],
            mean: sum / count,
            far: far / count,
            inked: inked / count,
          };
        },
        { file, kind, ground, hasSurface: existsSync(join(KINDS, kind, 'surface.ts')) },
      );
      expect(found.size, kind).toEqual(found.file);
      expect(found.inked, `${kind} is empty`).toBeGreaterThan(0.002);
      expect(found.mean, `${kind}, ${theme}`).toBeLessThan(MEAN);
      expect(found.far, `${kind}, ${theme}`).toBeLessThan(FAR);
    }
  }
});
