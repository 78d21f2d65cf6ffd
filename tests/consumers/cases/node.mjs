import { ALL, commonJs, printed, program } from '../program.mjs';

const files = { 'main.mjs': program(ALL) + printed, 'main.cjs': commonJs(ALL) + printed };
const steps = [
  { title: 'import', kind: 'node', command: ['node', 'main.mjs'] },
  { title: 'require', kind: 'node', command: ['node', 'main.cjs'] },
];

// The npm package "node" is Node itself. Versions 20.19.0 and 22.12.0 are the first that require modules.
export default ['20.19.0', '20', '22.12.0', '22', '24'].map((version) => ({
  name: `node ${version}`,
  packages: [`node@${version}`],
  files,
  steps,
}));
