import { html, program } from '../program.mjs';

// Requests and options are $state proxies, including their nested lists.
const app = `<script>
  import { createPhasorPool, createPhasorWorker } from 'phasor/worker';
  import { answer } from './answer.js';
  let options = $state({ variant: 'auto', wasm: undefined });
  let request = $state({
    q: { shape: [1, 2, 2], data: [1, 0, 0, 1] }, k: { shape: [1, 2, 2], data: [1, 0, 0, 1] }, v: { shape: [1, 2, 2], data: new Float32Array([1, 2, 3, 4]) },
    encoding: { id: 'alibi', slopes: [0.5] }, outputs: ['weights'], mask: 'causal',
  });
  let config = $state({ model_type: 'bloom', n_head: 8 });
  async function run() {
    for (const create of [createPhasorWorker, createPhasorPool]) {
      const phasor = await create(options);
      const { output } = await phasor.attention(request);
      const { encoding } = await phasor.encodingFromConfig(config);
      const kept = await phasor.createTensor(request.q);
      const prepared = await phasor.createEncoding({ encoding: $state.snapshot(request.encoding), heads: 1, length: 2, dim: 2 }).catch((error) => error);
      if (output.data.length !== 4 || encoding.id !== 'alibi' || kept.shape[1] !== 2 || prepared instanceof Error) throw new Error('a proxy was read wrongly ' + prepared);
      phasor.dispose();
    }
    return answer();
  }
  run().then((value) => { globalThis.answered = { value }; }, (error) => { globalThis.answered = { error: String(error) }; });
</script>
<p>consumer</p>
`;

export default [
  {
    name: 'svelte',
    packages: ['vite@7', 'svelte@5', '@sveltejs/vite-plugin-svelte@6'],
    files: {
      'index.html': html('/main.js'),
      'main.js':
        "import { mount } from 'svelte';\nimport App from './App.svelte';\nmount(App, { target: document.getElementById('app') });\n",
      'App.svelte': app,
      'answer.js': program(),
      'vite.config.js': "import { svelte } from '@sveltejs/vite-plugin-svelte';\nexport default { plugins: [svelte()] };\n",
    },
    steps: [
      { title: 'development server', kind: 'dev', command: ['vite', '--port', 'PORT', '--strictPort'], clear: ['node_modules/.vite'] },
      { title: 'build', kind: 'build', commands: [['vite', 'build']] },
    ],
  },
];
