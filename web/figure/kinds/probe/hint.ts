import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'No model here has an encoding. From the embeddings the probe can only guess; after one layer with a causal mask its error is a few tokens.';
