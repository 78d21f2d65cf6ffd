// In the worker of phasor/figure, in the place of web/engine/summaries.ts: nobody reads what a parameter means before the first picture, so those
// sentences are in the file that comes after it (scripts/site/worker-source.mjs).
import type { withSummaries as all, EncodingWithoutWords } from '../engine/summaries.ts';

export const withSummaries: typeof all = (encodings) =>
  encodings.map((encoding: EncodingWithoutWords) => ({
    ...encoding,
    params: encoding.params.map((param) => ({ ...param, summary: '' })),
  }));
