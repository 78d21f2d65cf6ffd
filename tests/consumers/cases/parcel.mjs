import { html, program, show } from '../program.mjs';

export default [
  {
    name: 'parcel',
    packages: ['parcel@2'],
    // Entries of a package are found where its "exports" are asked for.
    manifest: { '@parcel/resolver-default': { packageExports: true } },
    files: { 'index.html': html('./main.js'), 'main.js': program() + show },
    steps: [
      {
        title: 'build',
        kind: 'build',
        fast: true,
        clear: ['dist', '.parcel-cache'],
        commands: [['parcel', 'build', 'index.html', '--no-source-maps']],
      },
      {
        title: 'development server',
        kind: 'dev',
        clear: ['dist', '.parcel-cache'],
        command: ['parcel', 'serve', 'index.html', '--port', 'PORT'],
      },
    ],
  },
];
