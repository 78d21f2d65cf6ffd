// The templates of single-file pages (web/standalone/demo.html, web/standalone/book.html), with inlined styles, fonts and loader.
import { join } from 'node:path';
import { build } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { escaped } from '../book/plain-text.mjs';
import { root } from '../root.mjs';
import { pageHead } from '../site/page-head.mjs';
import { readingFont } from '../site/reading-font.mjs';

/**
 * @param {'demo' | 'book'} name
 * @returns {Promise<(page: { title: string, description: string, body: string, contents?: string, blocks: string[] }) => string>} a function that fills the template
 */
export async function loadShell(name) {
  const result = await build({
    configFile: false,
    publicDir: false,
    root: join(root, 'web'),
    base: './',
    logLevel: 'error',
    plugins: [pageHead(), readingFont(), viteSingleFile({ removeViteModuleLoader: true })],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      rollupOptions: { input: join(root, `web/standalone/${name}.html`) },
    },
  });
  const html = /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]).output.find(({ fileName }) =>
    fileName.endsWith('.html'),
  );
  if (html?.type !== 'asset') throw new Error(`web/standalone/${name}.html: the build wrote no page`);
  const shell = String(html.source);
  return ({ title, description, body, contents = '', blocks }) =>
    shell
      .replace('page:title', escaped(`${title}: Phasor`))
      .replace('page:heading', escaped(title))
      .replace('page:description', escaped(description))
      .replace('<!--page:body-->', () => body)
      .replace('<!--page:contents-->', () => contents)
      .replace('<!--page:packed-->', () => blocks.join('\n    '));
}
