import { html, program, show } from '../program.mjs';

export default [
  {
    name: 'parcel',
    packages: ['parcel@2'],
    // Parcel reads the "exports" of packages only with this option.
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
