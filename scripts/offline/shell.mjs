// The page that every small page in one file is made from (web/offline/demo.html), with its style, its typeface and its loader inside.
import { join } from 'node:path';
import { build } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { root } from '../cmake.mjs';
import { readingFont } from '../vite/reading-font.mjs';

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** @returns {Promise<(page: { title: string, description: string, body: string, blocks: string[] }) => string>} fills it */
export async function loadShell() {
  const result = await build({
    configFile: false,
    publicDir: false,
    root: join(root, 'web'),
    base: './',
    logLevel: 'error',
    plugins: [readingFont(), viteSingleFile({ removeViteModuleLoader: true })],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      rollupOptions: { input: join(root, 'web/offline/demo.html') },
    },
  });
  const html = [result].flat()[0].output.find(({ fileName }) => fileName.endsWith('.html'));
  const shell = String(html.source);
  return ({ title, description, body, blocks }) =>
    shell
      .replace('demo:title', escaped(`${title}: Phasor`))
      .replace('demo:heading', escaped(title))
      .replace('demo:description', escaped(description))
      .replace('<!--demo:body-->', () => body)
      .replace('<!--demo:packed-->', () => blocks.join('\n    '));
}
