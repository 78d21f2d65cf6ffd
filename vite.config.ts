import { join } from 'node:path';
import { defineConfig } from 'vite';
import { colorTables } from './scripts/vite/color-tables.mjs';
import { firstChunk, firstFiles } from './scripts/vite/first-files.mjs';
import { firstPicture } from './scripts/vite/first-picture.mjs';
import { formulas } from './scripts/vite/formulas.mjs';
import { sitePrograms } from './scripts/vite/later-programs.mjs';
import { readingFont } from './scripts/vite/reading-font.mjs';
import { starterVectors } from './scripts/vite/starter-vectors.mjs';
import { ownWasm, workerSourcePlugin } from './scripts/vite/worker-source.mjs';

/** What every page needs, whatever its mode. */
export const plugins = () => [workerSourcePlugin(), ownWasm(), colorTables(), starterVectors(), formulas()];

// The static website. `base` is relative, so it works under any path.
export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  base: './',
  publicDir: join(import.meta.dirname, 'public'),
  plugins: [...plugins(), sitePrograms(), readingFont(), firstPicture(plugins), firstFiles()],
  build: {
    outDir: join(import.meta.dirname, 'dist/site'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [firstChunk()] } },
      input: { index: join(import.meta.dirname, 'web/index.html'), gallery: join(import.meta.dirname, 'web/gallery/index.html') },
    },
  },
});
