// What every entry of the package exports besides its own.

export { type Allowed, type ErrorAbout, type ErrorCode, PhasorError } from './errors.ts';
export { chooseVariant } from './load/simd.ts';
export { splitHeads, splitQkv } from './request/split-heads.ts';
export type * from './types/api.ts';
