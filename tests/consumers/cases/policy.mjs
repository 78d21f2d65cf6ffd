import { html, program, show } from '../program.mjs';

const main = program(['direct', 'worker']) + show;
const fallback = program(['worker']).replace('createPhasorWorker()', "createPhasorWorker({ fallback: 'same-thread' })");
/** @param {string} text */
const policy = (text) => ({ 'content-security-policy': text });
const built = { kind: 'build', commands: [] };

export default [
  {
    name: 'policy',
    packages: ['vite@7'],
    files: {
      'index.html': html('/main.js'),
      'main.js': main,
      'fallback.html': html('/fallback.js'),
      'fallback.js': `${fallback}${show}`,
      'vite.config.js': "export default { build: { rollupOptions: { input: ['index.html', 'fallback.html'] } } };",
    },
    steps: [
      {
        title: 'policy with wasm-unsafe-eval and blob: workers',
        kind: 'build',
        commands: [['vite', 'build']],
        headers: policy("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:"),
      },
      {
        ...built,
        title: 'without wasm-unsafe-eval, reports the missing source',
        headers: policy("default-src 'self'; worker-src blob:"),
        says: /^PhasorError blocked_by_csp: wasm: the Content-Security-Policy of the page forbids it \(script-src\); it must allow 'wasm-unsafe-eval'$/,
      },
      {
        ...built,
        title: 'without blob:, reports the missing source',
        headers: policy("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"),
        says: /^PhasorError blocked_by_csp: worker: the Content-Security-Policy of the page forbids it \(worker-src\); the policy must allow blob: URLs, or the option worker must be set$/,
      },
      {
        ...built,
        title: 'without connections, reports connect-src',
        headers: policy("script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'"),
        says: /^PhasorError blocked_by_csp: wasm: http.*forbids it \(connect-src\)/,
      },
      { ...built, title: 'Trusted Types', headers: policy("require-trusted-types-for 'script'; trusted-types phasor") },
      {
        ...built,
        title: 'Trusted Types without the policy phasor, reports the missing worker',
        headers: policy("require-trusted-types-for 'script'; trusted-types 'none'"),
        says: /^PhasorError worker_unavailable: a worker cannot be started: .*TrustedScriptURL/,
      },
      {
        ...built,
        title: 'without blob:, falls back to this thread',
        path: '/fallback.html',
        headers: policy("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"),
        threads: { worker: 'same-thread' },
      },
    ],
  },
];
