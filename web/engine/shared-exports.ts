export { type Allowed, type ErrorCode, type ErrorDetails, PhasorError } from './errors.ts';
export { chooseVariant } from './load/simd.ts';
export { splitHeads, splitQkv } from './request/split-heads.ts';
export type * from './types/api.ts';
