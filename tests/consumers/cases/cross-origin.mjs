import { html, program, show } from '../program.mjs';

const inModuleWorker = `const worker = new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => { globalThis.answered = data; };
`;
const thread = `${program()}answer().then((value) => postMessage({ value }), (error) => postMessage({ error: String(error) }));\n`;
const worker = (option) => program(['worker']).replace('createPhasorWorker()', `createPhasorWorker({ worker: ${option} })`);

export default [
  {
    name: 'module worker',
    packages: ['vite@7'],
    files: {
      'index.html': html('/main.js'),
      'main.js': inModuleWorker,
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
