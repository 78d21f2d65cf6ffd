export default [
  {
    name: 'package checks',
    packages: ['publint@0.3', '@arethetypeswrong/cli@0.18'],
    steps: [
      { title: 'publint', kind: 'check', commands: [['publint', 'node_modules/phasor', '--strict']] },
      { title: 'are the types wrong', kind: 'check', commands: [['attw', 'TARBALL']] },
    ],
  },
];
