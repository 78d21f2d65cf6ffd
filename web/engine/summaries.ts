// The summaries of parameters, which the C++ files declare and the WebAssembly leaves out.

import { summaryWords } from './summary-words.ts';
import type { EncodingInfo, ParamInfo } from './types.ts';

/** The description of an encoding as the WebAssembly has it. */
export type EncodingWithoutWords = Omit<EncodingInfo, 'params'> & { readonly params: readonly Omit<ParamInfo, 'summary'>[] };

export const withSummaries = (encodings: readonly EncodingWithoutWords[]): readonly EncodingInfo[] =>
  encodings.map((encoding) => ({
    ...encoding,
    params: encoding.params.map((param) => ({ ...param, summary: summaryWords[encoding.id]?.[param.name] ?? '' })),
  }));
