import type { EncodingSource } from './source.ts';
import { program } from './parts/program.ts';

export const source: EncodingSource = () => program(['# No positional encoding: attention sees a set of tokens.']);
