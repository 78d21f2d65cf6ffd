import { ALL, commonJs, printed, program } from '../program.mjs';

const files = { 'main.mjs': program(ALL) + printed, 'main.cjs': commonJs(ALL) + printed };
/** @param {boolean} fast */
const steps = (fast) => [
  { title: 'import', kind: 'node', fast, command: ['node', 'main.mjs'] },
  { title: 'require', kind: 'node', fast, command: ['node', 'main.cjs'] },
];

// The npm package "node" contains Node. Versions 20.19.0 and 22.12.0 are the first that can require ES modules.
const versions = ['20.19.0', '20', '22.12.0', '22', '24'];

export default [
  { name: 'node of this machine', files, steps: steps(true) },
  ...versions.map((version) => ({ name: `node ${version}`, packages: [`node@${version}`], files, steps: steps(false) })),
];
