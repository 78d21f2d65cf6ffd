// A platform whose WebAssembly is embedded in the script, for tools and environments that cannot load the file by URL. Compression with gzip
// reduces the base64 to two fifths of its size.
import packed from '#inline-wasm';
import { compileFile } from '../load/compile.ts';
import type { Platform } from './platform.ts';

/** The URL that error messages show for the embedded file. */
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
