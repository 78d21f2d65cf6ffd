// Figures of trained models, with phasor-models beside phasor or beside the script of a bundler, and the program of its README.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from '../program.mjs';

const readme = readFileSync(join(import.meta.dirname, '../../../web/package/phasor-models.md'), 'utf8');
const [, program] = /^```js\n(.*?)^```$/ms.exec(readme) ?? [];
if (program === undefined) throw new Error('phasor-models.md: the page has no block of js');

const answer = `const figure = document.createElement('phasor-figure');
figure.setAttribute('kind', 'inside');
figure.setAttribute('text', 'so it is');
document.body.append(figure);
figure.ready.then(
  () => { globalThis.answered = { value: 'figure of ' + Object.values(figure.tensors())[0].shape.join(' x ') }; },
  (error) => { globalThis.answered = { error: String(error) }; },
);
`;
const says = /^figure of 8 x 8$/;

export default [
  {
    name: 'models',
    packages: ['vite@7'],
    own: ['phasor', 'phasor-models'],
    files: {
      'index.html': html('/main.js'),
      'main.js': `import 'phasor/figure';\n${answer}`,
      'plain.html': html('/plain.js'),
      'plain.js': `import './node_modules/phasor/figure.js';\n${answer}`,
      'readme.mjs': program,
    },
    steps: [
      { title: 'without a bundler', kind: 'build', folder: '.', path: '/plain.html', says },
      {
        title: 'development server',
        kind: 'dev',
        command: ['vite', '--port', 'PORT', '--strictPort'],
        clear: ['node_modules/.vite', 'public'],
        says,
      },
      {
        title: 'build without the models, reports how to provide them',
        kind: 'build',
        clear: ['public', 'dist'],
        commands: [['vite', 'build']],
        says: /models: http:.*\/phasor-models\/text-rope-\w+\.safetensors could not be loaded \(404.*\); the package phasor-models and .* set the attribute models of a figure/,
      },
      {
        title: 'build with a copy of the models',
        kind: 'build',
        clear: ['dist'],
        commands: [
          ['mkdir', '-p', 'public'],
          ['cp', '-r', 'node_modules/phasor-models', 'public/'],
          ['vite', 'build'],
        ],
        says,
      },
      { title: 'program of the README', kind: 'node', command: ['node', 'readme.mjs'], says: /^\[ 2, 4, 7, 7 \]$/ },
    ],
  },
];
