import { html, program, show } from '../program.mjs';

const moduleWorkerCode = `const worker = new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => { globalThis.answered = data; };
`;
const thread = `${program()}answer().then((value) => postMessage({ value }), (error) => postMessage({ error: String(error) }));\n`;
/** @param {string} option */
const worker = (option) => program(['worker']).replace('createPhasorWorker()', `createPhasorWorker({ worker: ${option} })`);

/** A page without a bundler that imports the modules of the package from another origin. @param {string} text */
const elsewhere = (text) => ({
  'index.html': html('main.js'),
  'main.js': text
    .replaceAll("from 'phasor'", "from 'ORIGIN/index.js'")
    .replaceAll("from 'phasor/worker'", "from 'ORIGIN/workers.js'")
    .replaceAll("from 'phasor/inline'", "from 'ORIGIN/inline.js'"),
});
const figure = `import 'ORIGIN/figure.js';
const figure = document.body.appendChild(Object.assign(document.createElement('phasor-figure'), { spec: { kind: 'patches' } }));
figure.ready.then(
  () => { globalThis.answered = { value: 'figure of ' + figure.tensors().embeddings.shape.join(' x ') }; },
  (error) => { globalThis.answered = { error: String(error) }; },
);
`;

export default [
  {
    name: 'cross-origin',
    packages: [],
    steps: [
      { title: 'package from another origin', kind: 'origins', page: elsewhere(program() + show) },
      { title: 'worker file from another origin', kind: 'origins', page: elsewhere(worker("'ORIGIN/worker.js'") + show) },
      {
        title: 'figures from another origin',
        kind: 'origins',
        page: { 'index.html': html('main.js'), 'main.js': figure },
        says: /^figure of 64 x 192$/,
      },
    ],
  },
  {
    name: 'module worker',
    packages: ['vite@7'],
    files: {
      'index.html': html('/main.js'),
      'main.js': moduleWorkerCode,
      'thread.js': thread,
      'vite.config.js': "export default { worker: { format: 'es' } };\n",
    },
    steps: [
      { title: 'development server', kind: 'dev', command: ['vite', '--port', 'PORT', '--strictPort'], clear: ['node_modules/.vite'] },
      { title: 'build', kind: 'build', commands: [['vite', 'build']] },
    ],
  },
  {
    name: 'worker file',
    packages: ['vite@7'],
    files: {
      'index.html': html('/main.js'),
      'main.js': `import address from 'phasor/worker.js?url';\n${worker('new URL(address, location.href)')}${show}`,
    },
    steps: [
      { title: 'development server', kind: 'dev', command: ['vite', '--port', 'PORT', '--strictPort'], clear: ['node_modules/.vite'] },
      {
        title: 'build, under a policy without blob:',
        kind: 'build',
        commands: [['vite', 'build']],
        headers: { 'content-security-policy': "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'" },
      },
    ],
  },
];
