// What every entry of the package exports besides its own.

export { chooseVariant } from './detect.ts';
export { type Allowed, type ErrorAbout, type ErrorCode, PhasorError } from './errors.ts';
export { splitHeads, splitQkv } from './split-heads.ts';
export type * from './types.ts';
