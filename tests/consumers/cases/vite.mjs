import { page } from '../program.mjs';

export default ['5.4', '6', '7', '8'].map((version) => ({
  name: `vite ${version}`,
  packages: [`vite@${version}`],
  files: page,
  steps: [
    { title: 'development server', kind: 'dev', command: ['vite', '--port', 'PORT', '--strictPort'], clear: ['node_modules/.vite'] },
    { title: 'build', kind: 'build', commands: [['vite', 'build']] },
  ],
}));
