import { program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = () => program(['# No positional encoding: attention sees a set of tokens.']);
