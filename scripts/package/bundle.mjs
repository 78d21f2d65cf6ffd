// Bundles entries of web/package to scripts without dependencies, for the packages of dist.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../root.mjs';
import { encodingTitles } from '../site/encoding-titles.mjs';
import { formulas } from '../site/formulas.mjs';
import { shippedEncodings } from '../site/shipped-encodings.mjs';
import { starterVectors } from '../site/starter-vectors.mjs';
import { ownWasm, workerSourcePlugin } from '../site/worker-source.mjs';
import { packagesIn } from './licenses.mjs';

const POLICY = join(root, 'web/engine/platform/trusted-types.ts');

/**
 * Makes lit-html use the Trusted Types policy of the package instead of creating one: a page needs to allow only one name, and can have another Lit.
 * @returns {import('vite').Plugin}
 */
const onePolicy = () => ({
  name: 'phasor-one-policy',
  transform(code, id) {
    if (!/\/lit-html\/lit-html\.js$/.test(id)) return undefined;
    const own = /\w+\.createPolicy\("lit-html",\{createHTML:\w+=>\w+\}\)/;
    if (!own.test(code)) this.error('lit-html no longer creates its policy as it is replaced here');
    return `import { trustedTypesPolicy } from ${JSON.stringify(POLICY)};${code.replace(own, 'trustedTypesPolicy()')}`;
  },
});

/** The plugins that every bundle with figures needs. */
export const plugins = () => [
  onePolicy(),
  workerSourcePlugin(),
  ownWasm(),
  encodingTitles(),
  shippedEncodings(),
  starterVectors({ count: 2 }),
  formulas(),
];

/** Minifies, and removes the license comments of packages, which are in third-party.LICENSES.txt. */
export const SMALL = { minify: true, comments: { legal: false } };
export const ONE_FILE = { output: { codeSplitting: false, ...SMALL } };

/** `new URL('./file', import.meta.url)` with the comment that Vite needs; other bundlers recognize it only without the comment. */
const ADDRESS = /new URL\(\s*(?:\/\*.*?\*\/\s*)?["'`](\.\/[\w.-]+)["'`]/g;

/**
 * Bundles `web/package/<entry>.ts` and writes its files to `out`.
 * @param {string} out
 * @param {string} entry
 * @param {import('vite').UserConfig} extra
 * @param {readonly string[]} [beside] files of the package that the bundle may import
 * @returns {Promise<Record<string, string[]>>} the npm packages whose code is in each file
 */
export async function bundle(out, entry, extra, beside = []) {
  const result = await build({
    configFile: false,
    publicDir: false,
    root,
    logLevel: 'error',
    ...extra,
    build: {
      write: false,
      target: 'es2022',
      // Rolldown minifies instead (SMALL): Vite keeps white space in libraries.
      minify: false,
      cssMinify: true,
      assetsInlineLimit: 0,
      ...extra.build,
      lib: { entry: join(root, 'web/package', `${entry}.ts`), formats: ['es'], fileName: () => `${entry}.js` },
    },
  });
  const { output } = /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]);
  const scripts = output.filter((file) => file.type === 'chunk');
  const known = [...beside.map((name) => `./${name}`), ...scripts.map(({ fileName }) => fileName)];
  for (const { fileName, imports, dynamicImports, code } of scripts) {
    const unknown = [...imports, ...dynamicImports].find((name) => !name.startsWith('node:') && !known.includes(name));
    if (unknown) throw new Error(`${fileName} imports ${unknown}, which is not in the package`);
    writeFileSync(join(out, fileName), code.replaceAll(ADDRESS, "new URL('$1'"));
  }
  return Object.fromEntries(scripts.map(({ fileName, modules }) => [fileName, packagesIn(modules)]));
}
