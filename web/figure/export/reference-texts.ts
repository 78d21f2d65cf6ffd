// The NumPy files of public/reference as texts, by path. A demo in one file contains those that its figures can export
// (scripts/standalone/program.mjs).

export const texts: { readonly [path: string]: string } = import.meta.glob(
  [
    '../../../public/reference/*.py',
    // PyTorch files, which no program of a figure imports.
    '!../../../public/reference/{transformer,learned_encodings,tasks,image_network,model_positions}.py',
  ],
  { query: '?raw', import: 'default', eager: true },
);
