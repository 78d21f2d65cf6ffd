import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Drop a file here: attention weights of your model as .npy, .safetensors or .csv, or its q and k. A bright column is a token that many others attend to.';
