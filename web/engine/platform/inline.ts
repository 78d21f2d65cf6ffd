// Embeds the WebAssembly file in the script, for environments that cannot load it from a URL. The file is compressed with gzip, which makes
// the base64 text 60% shorter.
import packed from '#inline-wasm';
import { compileFile } from '../load/compile.ts';
import type { Platform } from './platform.ts';

/** Placeholder URL of the embedded file. It appears in error messages. */
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
