import { join } from 'node:path';
import { defineConfig } from 'vite';
import { api } from './scripts/site/api-reference.mjs';
import { book } from './scripts/site/book.mjs';
import { contentPolicy } from './scripts/site/content-policy.mjs';
import { embed } from './scripts/site/embed.mjs';
import { firstChunks, firstFiles } from './scripts/site/first-files.mjs';
import { firstPicture } from './scripts/site/first-picture.mjs';
import { installable } from './scripts/site/installable.mjs';
import { notLoaded } from './scripts/site/not-loaded.mjs';
import { pageHead } from './scripts/site/page-head.mjs';
import { readingFont } from './scripts/site/reading-font.mjs';
import { plugins } from './scripts/site/source-plugins.mjs';
import { textFirst } from './scripts/site/text-first.mjs';

export { plugins };

// The static website. `base` is relative, so it works under any path. In the mode "offline" the Lab becomes one file (scripts/standalone/lab.mjs), without
// what only a site has.
export default defineConfig(({ mode }) => ({
  root: join(import.meta.dirname, 'web'),
  base: './',
  // Packages as readers get them: development builds print warnings to the console.
  resolve: { conditions: ['module', 'browser', 'production'] },
  publicDir: join(import.meta.dirname, 'public'),
  plugins: [
    ...plugins(),
    pageHead(),
    readingFont(),
    firstPicture(),
    firstFiles(),
    textFirst(),
    notLoaded(),
    book(),
    api(),
    embed(),
    mode !== 'offline' && [contentPolicy(), installable()],
  ],
  build: {
    outDir: join(import.meta.dirname, 'dist/site'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What a page begins with is there when it asks for more.
      resolveDependencies: (_, files, { hostType }) => files.filter((file) => hostType === 'html' || !file.includes('/page-')),
    },
    rollupOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: firstChunks() } },
      input: {
        lab: join(import.meta.dirname, 'web/lab/index.html'),
        book: join(import.meta.dirname, 'web/book/index.html'),
      },
    },
  },
}));
