import { html, program, show } from '../program.mjs';

/** @param {string} mode */
const config = (mode) =>
  `module.exports = { mode: '${mode}', entry: './main.js', output: { path: __dirname + '/dist', filename: 'out.js' } };`;

export default [
  {
    name: 'webpack',
    packages: ['webpack@5', 'webpack-cli@6', 'webpack-dev-server@5'],
    files: { 'main.js': program() + show, 'page.html': html('/out.js', 'text/javascript') },
    steps: [
      ...['production', 'development'].map((mode) => ({
        title: mode,
        kind: 'build',
        fast: mode === 'production',
        clear: ['dist'],
        files: { 'webpack.config.cjs': config(mode) },
        commands: [
          ['webpack', '--config', 'webpack.config.cjs'],
          ['cp', 'page.html', 'dist/index.html'],
        ],
      })),
      {
        title: 'development server',
        kind: 'dev',
        path: '/page.html',
        files: { 'webpack.config.cjs': config('development') },
        command: ['webpack', 'serve', '--config', 'webpack.config.cjs', '--static', '.', '--port', 'PORT'],
      },
    ],
  },
];
