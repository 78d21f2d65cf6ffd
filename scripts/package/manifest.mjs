// package.json of dist/npm.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/** One entry: what Node imports and requires, and what all others import. */
const entry = ({ browser, node, commonJs = node, types = browser, typesInNode = types }) => ({
  node: {
    import: { types: `./${typesInNode}.d.ts`, default: `./${node}.js` },
    require: { types: `./${typesInNode}.d.cts`, default: `./${commonJs}.cjs` },
  },
  types: `./${types}.d.ts`,
  default: `./${browser}.js`,
});

const wasmFile = (name) => ({
  require: { types: `./${name}.wasm.d.cts`, default: `./${name}.wasm` },
  types: `./${name}.wasm.d.ts`,
  default: `./${name}.wasm`,
});

export function manifest() {
  const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: 'phasor',
    version,
    description,
    license,
    keywords: ['positional encoding', 'attention', 'transformer', 'RoPE', 'ALiBi', 'WebAssembly', 'SIMD'],
    type: 'module',
    // Importing it defines the element; a worker's script does its work.
    sideEffects: ['./figure.js', './anywidget.js', './worker.js', './worker.node.js', './worker.node.cjs'],
    exports: {
      '.': entry({ browser: 'index', node: 'node' }),
      './worker': entry({ browser: 'workers', node: 'workers.node' }),
      './inline': entry({ browser: 'inline', node: 'inline.node' }),
      './train': entry({ browser: 'train', node: 'train.node' }),
      './worker.js': entry({ browser: 'worker', node: 'worker.node', types: 'worker-file' }),
      // On a server there are no elements to define: importing it does nothing.
      './figure': entry({ browser: 'figure', node: 'figure-server' }),
      './anywidget': entry({ browser: 'anywidget', node: 'anywidget-server' }),
      './render': {
        import: { types: './render.d.ts', default: './render.js' },
        require: { types: './render.d.cts', default: './render.cjs' },
      },
      './phasor-simd.wasm': wasmFile('phasor-simd'),
      './phasor-scalar.wasm': wasmFile('phasor-scalar'),
      './phasor-nn-simd.wasm': wasmFile('phasor-nn-simd'),
      './phasor-nn-scalar.wasm': wasmFile('phasor-nn-scalar'),
      // What figures of trained models fetch: index.json, and a file for each model.
      './models/*': './models/*',
      './package.json': './package.json',
    },
    engines: { node: '>=20' },
  };
}
