// publint and attw find no problems in the packages; publint also has no suggestions.
const lint = `import { publint } from 'publint';
for (const name of ['phasor', 'phasor-models', 'phasor-anywidget']) {
  const { messages } = await publint({ pkgDir: 'node_modules/' + name, level: 'suggestion', pack: false });
  if (messages.length > 0) throw new Error(name + ': ' + JSON.stringify(messages));
}
`;

export default [
  {
    name: 'package checks',
    packages: ['publint@0.3', '@arethetypeswrong/cli@0.18'],
    own: ['phasor', 'phasor-models', 'phasor-anywidget'],
    files: { 'lint.mjs': lint },
    steps: [
      { title: 'publint', kind: 'check', fast: true, commands: [['node', 'lint.mjs']] },
      {
        title: 'are the types wrong',
        kind: 'check',
        fast: true,
        commands: [
          ['attw', 'TARBALL:phasor'],
          // A module for browsers, which CommonJS never requires.
          ['attw', 'TARBALL:phasor-anywidget', '--profile', 'esm-only'],
        ],
      },
    ],
  },
];
