// A platform whose WebAssembly is inside the script, for tools and environments in which no URL leads to the file. The base64 of its gzip
// is two fifths of the size of its base64.
import packed from '#inline-wasm';
import { compileFile } from '../load/compile.ts';
import type { Platform } from './platform.ts';

/** A label that replaces a URL in messages. */
const INSIDE = /* @__PURE__ */ new URL('inline:phasor.wasm');

async function unpacked(): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const withInlineFile = (platform: Platform): Platform => ({
  ...platform,
  ownFiles: () => [INSIDE],
  compile: async (url, wait) => (url === INSIDE ? compileFile(await unpacked(), wait, platform) : platform.compile(url, wait)),
});
