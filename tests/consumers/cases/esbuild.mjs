import { page, printed, program, show, WASM } from '../program.mjs';

/** @param {...string} options */
const bundle = (...options) => ['esbuild', 'main.js', '--bundle', '--format=esm', '--outdir=dist', '--log-level=error', ...options];
const copyHtml = ['cp', 'index.html', 'dist/'];
const clear = ['dist'];

export default [
  {
    name: 'esbuild',
    packages: ['esbuild@0.28'],
    files: { ...page, 'node.js': program() + printed, 'inline.js': program(['inline']) + show },
    steps: [
      {
        title: 'without the WebAssembly files, reports how to provide them',
        kind: 'build',
        clear,
        commands: [bundle(), copyHtml],
        says: /^PhasorError not_found: wasm: http.*\/phasor[\w-]*\.wasm could not be loaded \(status 404\); pass the option wasm, or import phasor\/inline$/,
      },
      {
        title: 'without the WebAssembly files behind a single-page server, reports how to provide them',
        kind: 'build',
        clear,
        isSinglePage: true,
        commands: [bundle(), copyHtml],
        says: /^PhasorError not_wasm: .*the response is an HTML page, not WebAssembly\); pass the option wasm, or import phasor\/inline$/,
      },
      {
        title: 'with copied WebAssembly files',
        kind: 'build',
        clear,
        commands: [bundle(), copyHtml, ['cp', `node_modules/phasor/${WASM}`, 'dist/']],
      },
      {
        title: 'WebAssembly by the file loader',
        kind: 'build',
        fast: true,
        clear,
        files: {
          'loader.js': `import wasm from 'phasor/${WASM}';
${program(['direct', 'worker']).replaceAll(/(createPhasor|createPhasorWorker)\(\)/g, '$1({ wasm })')}${show}`,
        },
        commands: [
          ['esbuild', 'loader.js', '--bundle', '--format=esm', '--outfile=dist/main.js', '--loader:.wasm=file', '--log-level=error'],
          copyHtml,
        ],
      },
      {
        title: 'phasor/inline',
        kind: 'build',
        clear,
        commands: [['esbuild', 'inline.js', '--bundle', '--format=iife', '--outfile=dist/main.js', '--log-level=error'], copyHtml],
      },
      ...['esm', 'cjs'].map((format) => ({
        title: `--platform=node --format=${format}`,
        kind: 'node',
        clear,
        before: [
          [
            'esbuild',
            'node.js',
            '--bundle',
            '--platform=node',
            `--format=${format}`,
            `--outfile=dist/node.${format === 'esm' ? 'mjs' : 'cjs'}`,
            '--log-level=error',
          ],
        ],
        command: ['node', `dist/node.${format === 'esm' ? 'mjs' : 'cjs'}`],
      })),
      {
        title: '--platform=node, moved out of the project, reports how to provide WebAssembly',
        kind: 'node',
        clear,
        before: [['esbuild', 'node.js', '--bundle', '--platform=node', '--format=esm', '--outfile=dist/node.mjs', '--log-level=error']],
        command: ['sh', '-c', 'f=$(mktemp -d) && cp dist/node.mjs $f && cd $f && node node.mjs; rm -r $f'],
        says: /^PhasorError not_found: wasm: file:.*phasor[\w-]*\.wasm could not be loaded \(ENOENT.*\); pass the option wasm, or import phasor\/inline$/,
      },
    ],
  },
];
