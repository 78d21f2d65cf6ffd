import { page, WASM } from '../program.mjs';

/** @param {string} plugins */
const config = (plugins) => `import resolve from '@rollup/plugin-node-resolve';
import { importMetaAssets } from '@web/rollup-plugin-import-meta-assets';
export default { input: 'main.js', output: { dir: 'dist', format: 'es' }, plugins: [${plugins}] };`;
const copyHtml = ['cp', 'index.html', 'dist/'];

export default [
  {
    name: 'rollup',
    packages: ['rollup@4', '@rollup/plugin-node-resolve', '@web/rollup-plugin-import-meta-assets'],
    files: {
      ...page,
      'plain.config.js': config('resolve({ browser: true })'),
      'assets.config.js': config('resolve({ browser: true }), importMetaAssets()'),
    },
    steps: [
      {
        title: 'with the assets plugin',
        kind: 'build',
        fast: true,
        clear: ['dist'],
        commands: [['rollup', '-c', 'assets.config.js', '--silent'], copyHtml],
      },
      {
        title: 'without the assets plugin, reports how to provide WebAssembly',
        kind: 'build',
        clear: ['dist'],
        commands: [['rollup', '-c', 'plain.config.js', '--silent'], copyHtml],
        says: /^PhasorError not_found: .*\(status 404\); pass the option wasm, or import phasor\/inline$/,
      },
      {
        title: 'with copied WebAssembly files',
        kind: 'build',
        clear: ['dist'],
        commands: [['rollup', '-c', 'plain.config.js', '--silent'], copyHtml, ['cp', `node_modules/phasor/${WASM}`, 'dist/']],
      },
    ],
  },
];
