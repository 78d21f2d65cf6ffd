import { program } from '../program.mjs';

// The loader of Jest can require ES modules only in Node 24.9 and newer, so the test is an ES module.
const test = `${program(['direct', 'worker', 'inline'])}
test('computes the same on this thread, in a worker and inline', async () => {
  const { direct, worker, inline } = await answer();
  expect(direct).toHaveLength(1 + 2 * 6 * 8 + 2 * 3 * 3 + 2 * 2);
  expect(worker).toEqual([...direct, 'worker']);
  expect(inline).toEqual(direct);
});
`;

export default [
  {
    name: 'jest',
    packages: ['jest@30'],
    files: { 'phasor.test.js': test, 'jest.config.js': 'export default { transform: {} };\n' },
    steps: [
      {
        title: 'test as an ES module',
        kind: 'check',
        commands: [['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js']],
      },
    ],
  },
];
