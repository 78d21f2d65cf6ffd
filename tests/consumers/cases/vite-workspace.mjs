import { page } from '../program.mjs';

// npm workspaces install packages above the folder that Vite serves.
const files = Object.fromEntries(Object.entries(page).map(([name, text]) => [`app/${name}`, text]));

export default [
  {
    name: 'vite workspace',
    packages: ['vite@7'],
    manifest: { workspaces: ['app'] },
    files: { ...files, 'app/package.json': '{ "private": true, "type": "module" }' },
    steps: [
      {
        title: 'development server reports how to provide WebAssembly',
        kind: 'dev',
        says: /^PhasorError not_wasm: .*the response is an HTML page, not WebAssembly\); pass the option wasm, or import phasor\/inline$/,
        command: ['vite', 'app', '--port', 'PORT', '--strictPort'],
        clear: ['app/node_modules', 'app/vite.config.js'],
      },
      {
        title: 'development server, excluded from the optimizer',
        kind: 'dev',
        files: { 'app/vite.config.js': "export default { optimizeDeps: { exclude: ['phasor'] } };" },
        command: ['vite', 'app', '--port', 'PORT', '--strictPort'],
      },
    ],
  },
];
