// Messages between a page and its tokenizer worker. Responses arrive in the order of the requests.

import type { ErrorCode, ErrorDetails } from '../engine/errors.ts';
import type { TokenizerFiles } from './tokenizer-files.ts';

export type TokenizerRequest =
  | { readonly kind: 'open'; readonly files: TokenizerFiles }
  | { readonly kind: 'tokenize'; readonly text: string }
  | { readonly kind: 'decode'; readonly ids: readonly number[] };

export type TokenizerResponse =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails };
