// A platform with the WebAssembly file embedded in the script, for tools and environments that cannot load the file by URL. The file is
// compressed with gzip, which makes the base64 text 60 % shorter.
import packed from '#inline-wasm';
import { compileFile } from '../load/compile.ts';
import type { Platform } from './platform.ts';

/** Shown in error messages in place of a URL. */
const EMBEDDED_URL = /* @__PURE__ */ new URL('inline:phasor.wasm');

async function decompressWasm(): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const withInlineFile = (platform: Platform): Platform => ({
  ...platform,
  packageFiles: () => [EMBEDDED_URL],
  compile: async (url, timeout) =>
    url === EMBEDDED_URL ? compileFile(await decompressWasm(), timeout, platform) : platform.compile(url, timeout),
});
