import { ALL, html, page, program, show } from '../program.mjs';

const figure = `import 'phasor/figure';
const figure = document.createElement('phasor-figure');
figure.setAttribute('kind', 'patches');
document.body.append(figure);
figure.ready.then(
  () => { globalThis.answered = { value: 'figure of ' + figure.tensors().embeddings.shape.join(' x ') }; },
  (error) => { globalThis.answered = { error: String(error) }; },
);
`;
const input = JSON.stringify(['index.html', 'figure.html']);

const serve = ['vite', '--port', 'PORT', '--strictPort'];

export default ['5.4', '6', '7', '8'].map((version) => ({
  name: `vite ${version}`,
  packages: [`vite@${version}`],
  files: {
    ...page,
    'main.js': program(ALL) + show,
    'figure.html': html('/figure.js'),
    'figure.js': figure,
    'vite.config.js': `export default { build: { rollupOptions: { input: ${input} } } };\n`,
  },
  steps: [
    { title: 'development server', kind: 'dev', command: serve, clear: ['node_modules/.vite'] },
    { title: 'figure, development server', kind: 'dev', path: '/figure.html', command: serve, says: /^figure of 64 x 192$/ },
    { title: 'build', kind: 'build', fast: version === '8', commands: [['vite', 'build']] },
    { title: 'figure, build', kind: 'build', fast: version === '8', path: '/figure.html', says: /^figure of 64 x 192$/ },
  ],
}));
