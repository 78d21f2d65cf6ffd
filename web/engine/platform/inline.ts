// The WebAssembly files as text inside the script, for tools and places where no address leads to them.
import { scalar, simd } from '#inline-wasm';
import type { Platform } from './platform.ts';

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

export const withInlineFiles = (platform: Platform): Platform => ({
  ...platform,
  ownFiles: (file) => [bytesOf(file === 'simd' ? simd : scalar)],
});
