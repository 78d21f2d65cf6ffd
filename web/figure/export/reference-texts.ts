// The source code of the NumPy programs in public/reference, by path. A single-file page contains only those that its figures need
// (scripts/standalone/program.mjs).

export const referenceTexts: { readonly [path: string]: string } = import.meta.glob(
  [
    '../../../public/reference/*.py',
    // Excludes the PyTorch programs, because no figure imports them.
    '!../../../public/reference/{transformer,learned_encodings,tasks,image_network,model_positions}.py',
  ],
  { query: '?raw', import: 'default', eager: true },
);
