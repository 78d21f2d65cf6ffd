// The files of docs/examples that need third-party tools. tests/browser/examples.spec.ts opens the others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from '../program.mjs';

/** @param {string} name */
const example = (name) => readFileSync(join(import.meta.dirname, '../../../docs/examples', name), 'utf8');
/** A script that runs `before`, and then answers with the first tensor of each figure. @param {string} before */
const shapes = (before) => `<script type="module">
await customElements.whenDefined('phasor-figure');
${before}
const figures = [...document.querySelectorAll('phasor-figure')];
Promise.all(figures.map(({ ready }) => ready)).then(
  () => { globalThis.answered = { value: figures.map((one) => one.localName + ' of ' + Object.keys(one.tensors())[0]).join(', ') }; },
  (error) => { globalThis.answered = { error: String(error) }; },
);
</script>`;

const app = `import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import Post from './post.mdx';
createRoot(document.getElementById('app')).render(h(Post));
`;

export default [
  {
    name: 'slides',
    packages: ['reveal.js@5'],
    files: { 'slides.html': example('slides.html').replace('</body>', `${shapes('Reveal.slide(1);')}</body>`) },
    steps: [
      {
        title: 'a figure on a slide',
        kind: 'build',
        clear: ['dist'],
        commands: [
          ['mkdir', 'dist'],
          ['cp', '-r', 'node_modules/phasor', 'node_modules/reveal.js', 'dist/'],
          ['cp', 'slides.html', 'dist/index.html'],
        ],
        says: /^phasor-figure of \w+, phasor-figure of \w+$/,
      },
    ],
  },
  {
    name: 'mdx',
    packages: ['vite@7', '@mdx-js/rollup@3', 'react@19', 'react-dom@19'],
    files: {
      'index.html': `${html('/app.js')}${shapes('while (document.querySelectorAll("phasor-figure").length < 2) await new Promise(requestAnimationFrame);')}`,
      'app.js': app,
      'post.mdx': example('post.mdx'),
      'vite.config.js': "import mdx from '@mdx-js/rollup';\nexport default { plugins: [mdx()] };\n",
    },
    steps: [
      { title: 'build', kind: 'build', commands: [['vite', 'build']], says: /^phasor-figure of similarity, phasor-figure of table$/ },
      {
        title: 'development server',
        kind: 'dev',
        command: ['vite', '--port', 'PORT', '--strictPort'],
        clear: ['node_modules/.vite'],
        says: /^phasor-figure of similarity, phasor-figure of table$/,
      },
    ],
  },
];
