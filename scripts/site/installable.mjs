// Makes the website an installable app: a manifest, icons drawn from the favicon, and a service worker that caches every page and its files, so that
// the site works offline after one visit. All addresses are relative, so it works under any path.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { build } from 'vite';
import { pngOfSvg } from '../book/raster.mjs';
import { readColors } from '../palette.mjs';
import { root } from '../root.mjs';

const GROUND = readColors().light.ground;

/** Extensions of the files that the service worker caches. */
const KEPT = ['.html', '.js', '.css', '.wasm', '.woff2', '.json', '.i8', '.svg', '.webmanifest'];
/** Further cached files: icons, and the models of the front page. Other models are cached after use. */
const KEPT_TOO = /^icons\/.*\.png$|^models\/induction-(none|rope|alibi|learned)-/;
/**
 * Files that are not cached: social cards, the API reference, the scripts for other sites, files to save (web/service-worker/save-offline.ts), and
 * the service worker itself.
 */
const LEFT_OUT = [/^book\/cards\//, /^developers\/api\//, /^embed\//, /^offline\/(?!index\.html$)/, /^sw\.js$/];

/** @typedef {{ file: string, side: number, room: number, purpose?: 'any' | 'maskable' }} Icon */

/** `room`: the size of the drawing as a fraction of the side. Launchers crop maskable icons to a circle of 80%. @type {Icon[]} */
const ICONS = [
  { file: 'icons/phasor-192.png', side: 192, room: 0.8, purpose: 'any' },
  { file: 'icons/phasor-512.png', side: 512, room: 0.8, purpose: 'any' },
  { file: 'icons/phasor-maskable-512.png', side: 512, room: 0.6, purpose: 'maskable' },
  { file: 'icons/phasor-180.png', side: 180, room: 0.8 },
];

const LINKS = ['<link rel="manifest" href="../manifest.webmanifest">', '<link rel="apple-touch-icon" href="../icons/phasor-180.png">'];

const manifest = {
  name: 'Phasor: what position does to attention',
  short_name: 'Phasor',
  description: 'Positional encodings and attention, exact and visible: a book and a laboratory, computed on your device.',
  lang: 'en',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: GROUND,
  theme_color: GROUND,
  icons: ICONS.filter(({ purpose }) => purpose).map(({ file, side, purpose }) => ({
    src: file,
    sizes: `${side}x${side}`,
    type: 'image/png',
    purpose,
  })),
};

/** @param {Icon} icon */
function iconSvg({ side, room }) {
  const [, drawing] = /<\/title>(.*)<\/svg>/s.exec(readFileSync(join(root, 'public/favicon.svg'), 'utf8')) ?? [];
  if (drawing === undefined) throw new Error('public/favicon.svg has no drawing after its title');
  const scale = (side * room) / 32;
  const at = (side - side * room) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="${side}" height="${side}" fill="${GROUND}"/><g transform="translate(${at} ${at}) scale(${scale})">${drawing}</g></svg>`;
}

/** @returns {import('vite').Plugin} */
const manifestAndIcons = () => ({
  name: 'phasor-manifest',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    // Every page that Vite builds is one folder below the root; the book's shell is moved with its addresses adjusted.
    handler: (html) => html.replace('</head>', `  ${LINKS.join('\n    ')}\n  </head>`),
  },
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) });
    for (const icon of ICONS) this.emitFile({ type: 'asset', fileName: icon.file, source: await pngOfSvg(iconSvg(icon)) });
  },
});

/** The cached files of a folder. Assets have no revision, because their names change with their content. @param {string} folder */
function filesOf(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return names
    .filter((name) => (KEPT.includes(extname(name)) || KEPT_TOO.test(name)) && !LEFT_OUT.some((pattern) => pattern.test(name)))
    .sort()
    .map((url) => {
      const hash = () =>
        createHash('sha256')
          .update(readFileSync(join(folder, url)))
          .digest('hex')
          .slice(0, 32);
      return { url, revision: url.startsWith('assets/') ? null : hash() };
    });
}

/**
 * Builds the service worker after all other files, because it lists them.
 * @returns {import('vite').Plugin}
 */
const serviceWorker = () => ({
  name: 'phasor-service-worker',
  apply: 'build',
  writeBundle: {
    order: 'post',
    sequential: true,
    async handler({ dir }) {
      const folder = dir ?? '';
      await build({
        configFile: false,
        publicDir: false,
        root,
        logLevel: 'error',
        define: { SITE_FILES: JSON.stringify(filesOf(folder)) },
        build: {
          outDir: folder,
          emptyOutDir: false,
          target: 'es2022',
          rollupOptions: {
            input: join(root, 'web/service-worker/service-worker.ts'),
            output: { format: 'iife', entryFileNames: 'sw.js' },
          },
        },
      });
    },
  },
});

/** @returns {import('vite').PluginOption[]} */
export const installable = () => [manifestAndIcons(), serviceWorker()];
