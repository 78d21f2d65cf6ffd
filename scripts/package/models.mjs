// Builds dist/npm-models, the package phasor-models, with the trained models of public/models. Figures of phasor expect it in the folder beside theirs.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { emptyFolder, writePackage } from './manifest.mjs';

export function buildModels() {
  const out = emptyFolder('dist/npm-models');
  cpSync(join(root, 'public/models'), out, { recursive: true });
  writePackage(out, {
    name: 'phasor-models',
    description: 'The trained models of Phasor, for its figures and for createTrainer: weights as safetensors files, and an index',
    keywords: ['phasor', 'safetensors', 'transformer', 'positional encoding'],
    type: 'module',
    exports: { '.': './index.json', './*': './*' },
  });
}
