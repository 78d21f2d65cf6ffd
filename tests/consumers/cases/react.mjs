import { html, page } from '../program.mjs';

// Requests as in React: frozen by the caller, made twice by StrictMode, cancelled when a component is unmounted.
const app = `import { createElement as h, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createPhasorWorker } from 'phasor/worker';
import { answer } from './answer.js';

const deepFreeze = (value) => {
  if (typeof value === 'object' && !ArrayBuffer.isView(value)) Object.values(value).forEach(deepFreeze);
  return ArrayBuffer.isView(value) ? value : Object.freeze(value);
};
function App() {
  const [options] = useState(deepFreeze({ variant: 'auto', timeout: 20000 }));
  const [request] = useState(deepFreeze({ encoding: { id: 'alibi', slopes: [0.5, 0.25] }, heads: 2, queries: 3, keys: 3 }));
  useEffect(() => {
    let phasor;
    let isGone = false;
    createPhasorWorker(options).then(async (made) => {
      phasor = made;
      if (isGone) return made.dispose();
      const bias = await made.bias(request);
      if (bias.data.length !== 18) throw new Error('the frozen request was read wrongly');
      globalThis.answered = { value: await answer() };
    }).catch((error) => { globalThis.answered = { error: String(error) }; });
    return () => { isGone = true; phasor?.dispose(); };
  }, [options, request]);
  return h('p', null, 'consumer');
}
createRoot(document.getElementById('app')).render(h(StrictMode, null, h(App)));
`;

export default [
  {
    name: 'react',
    packages: ['vite@7', 'react@19', 'react-dom@19'],
    files: { 'index.html': html('/app.js'), 'app.js': app, 'answer.js': page['main.js'].split('answer().then')[0] },
    steps: [
      {
        title: 'development server with StrictMode',
        kind: 'dev',
        command: ['vite', '--port', 'PORT', '--strictPort'],
        clear: ['node_modules/.vite'],
      },
      { title: 'build', kind: 'build', commands: [['vite', 'build']] },
    ],
  },
];
